//! Series, with what lists need of their points.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, Write, now_ms};
use crate::error::Error;
use crate::points::LONGEST_NAMED;
use crate::projects::time_text;

/// A series of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesInfo {
    /// Name.
    pub name: String,
    /// Number of points.
    pub points: u64,
    /// Time of the earliest code, in UTC.
    pub first: String,
    /// Time of the latest code, in UTC.
    pub last: String,
    /// Time at which the last point arrived, in UTC.
    pub received: String,
}

/// A series among those of all projects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LatestSeries {
    /// Name of its project.
    pub project: String,
    /// Name.
    pub series: String,
    /// Number of points.
    pub points: u64,
    /// Time of the latest code, in milliseconds since 1970.
    pub last_ms: i64,
    /// Another number after each change of its points.
    pub revision: i64,
}

/// Points that are new in a series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewPoints {
    pub(crate) count: i64,
    pub(crate) first_ms: i64,
    pub(crate) last_ms: i64,
}

impl NewPoints {
    /// One point of code from a time.
    pub(crate) fn at(time_ms: i64) -> Self {
        Self {
            count: 1,
            first_ms: time_ms,
            last_ms: time_ms,
        }
    }

    /// These and another one.
    pub(crate) fn and(self, time_ms: i64) -> Self {
        Self {
            count: self.count + 1,
            first_ms: self.first_ms.min(time_ms),
            last_ms: self.last_ms.max(time_ms),
        }
    }
}

impl Database {
    /// The series of a project, by name.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project.
    pub async fn series(&self, project: &str) -> Result<Vec<SeriesInfo>, Error> {
        self.project(project).await?;
        let rows = sqlx::query(
            "SELECT series, points, first_ms, last_ms, received_ms FROM series \
             WHERE project = $1 ORDER BY series",
        )
        .bind(project)
        .fetch_all(&self.pool)
        .await?;
        let info = |row: &AnyRow| {
            Ok(SeriesInfo {
                name: row.try_get(0)?,
                points: u64::try_from(row.try_get::<i64, _>(1)?).unwrap_or(0),
                first: time_text(row.try_get(2)?),
                last: time_text(row.try_get(3)?),
                received: time_text(row.try_get(4)?),
            })
        };
        rows.iter().map(info).collect()
    }

    /// The series of one project or of all, those with the latest code first, and whether there are more.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn latest_series(
        &self,
        project: Option<&str>,
        most: u32,
    ) -> Result<(Vec<LatestSeries>, bool), Error> {
        let rows = sqlx::query(
            "SELECT project, series, points, last_ms, revision FROM series \
             WHERE $1 = '' OR project = $1 ORDER BY last_ms DESC, project, series LIMIT $2",
        )
        .bind(project.unwrap_or_default())
        .bind(i64::from(most) + 1)
        .fetch_all(&self.pool)
        .await?;
        let has_more = rows.len() > most as usize;
        let latest = |row: &AnyRow| {
            Ok(LatestSeries {
                project: row.try_get(0)?,
                series: row.try_get(1)?,
                points: u64::try_from(row.try_get::<i64, _>(2)?).unwrap_or(0),
                last_ms: row.try_get(3)?,
                revision: row.try_get(4)?,
            })
        };
        let all: Result<Vec<LatestSeries>, Error> =
            rows.iter().take(most as usize).map(latest).collect();
        Ok((all?, has_more))
    }

    /// Checks that a series has a point.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project or series.
    pub async fn check_series(&self, project: &str, series: &str) -> Result<(), Error> {
        let found = sqlx::query("SELECT 1 FROM series WHERE project = $1 AND series = $2")
            .bind(project)
            .bind(series)
            .fetch_optional(&self.pool)
            .await?;
        if found.is_some() {
            return Ok(());
        }
        self.project(project).await?;
        Err(Error::Unknown {
            kind: "series",
            name: series.chars().take(LONGEST_NAMED).collect(),
        })
    }
}

impl Write {
    /// Adds new points to what is known of their series.
    pub(crate) async fn count_new(
        &mut self,
        (project, series): (&str, &str),
        new: NewPoints,
        received_ms: i64,
    ) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO series (project, series, points, first_ms, last_ms, received_ms, revision) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project, series) DO UPDATE SET \
             points = series.points + excluded.points, \
             first_ms = CASE WHEN excluded.first_ms < series.first_ms THEN excluded.first_ms ELSE series.first_ms END, \
             last_ms = CASE WHEN excluded.last_ms > series.last_ms THEN excluded.last_ms ELSE series.last_ms END, \
             received_ms = CASE WHEN excluded.received_ms > series.received_ms \
                 THEN excluded.received_ms ELSE series.received_ms END, \
             revision = CASE WHEN excluded.revision > series.revision \
                 THEN excluded.revision ELSE series.revision + 1 END",
        )
        .bind(project)
        .bind(series)
        .bind(new.count)
        .bind(new.first_ms)
        .bind(new.last_ms)
        .bind(received_ms)
        .bind(now_ms())
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Counts the points of a series again, or of all, after some were removed.
    pub(crate) async fn count_again(&mut self, of: Option<(&str, &str)>) -> Result<(), Error> {
        let (project, series) = of.unwrap_or_default();
        let only = "($1 = '' OR (project = $1 AND series = $2))";
        // The largest revision so far, so that the new ones differ from it even if the clock moved back.
        let last = format!("SELECT COALESCE(MAX(revision), 0) FROM series WHERE {only}");
        let last: i64 = sqlx::query(sqlx::AssertSqlSafe(last))
            .bind(project)
            .bind(series)
            .fetch_one(&mut *self.connection)
            .await?
            .try_get(0)?;
        let revision = now_ms().max(last + 1);
        let removal = format!("DELETE FROM series WHERE {only}");
        let counts = format!(
            "INSERT INTO series (project, series, points, first_ms, last_ms, received_ms, revision) \
             SELECT project, series, COUNT(*), MIN(time_ms), MAX(time_ms), MAX(received_ms), {revision} \
             FROM points WHERE {only} GROUP BY project, series"
        );
        for query in [removal, counts] {
            sqlx::query(sqlx::AssertSqlSafe(query))
                .bind(project)
                .bind(series)
                .execute(&mut *self.connection)
                .await?;
        }
        Ok(())
    }
}
