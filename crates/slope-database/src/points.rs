//! Series and their points.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64URL_NOPAD;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use slope_model::series::Point;
use slope_model::summary::Summary;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, Write, now_ms};
use crate::error::Error;
use crate::series::NewPoints;

/// Characters of a name that a message repeats.
pub(crate) const LONGEST_NAMED: usize = 200;

/// What became of a point that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is new, and kept.
    Stored,
    /// It was there, with the same numbers.
    Same,
    /// There is one with the same key and other numbers, which stays.
    Conflict,
}

/// A point that was sent, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// Its series.
    pub series: String,
    /// Its key.
    pub key: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The problem, if it was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A place in a series, after which a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    iteration: i64,
    time_ms: i64,
    sequence: i64,
    key: String,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!(
            "{} {} {} {}",
            self.iteration, self.time_ms, self.sequence, self.key
        );
        f.write_str(&BASE64URL_NOPAD.encode(text.as_bytes()))
    }
}

impl FromStr for Cursor {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parse = || {
            let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
            let text = String::from_utf8(bytes).ok()?;
            let mut parts = text.splitn(4, ' ');
            Some(Self {
                iteration: parts.next()?.parse().ok()?,
                time_ms: parts.next()?.parse().ok()?,
                sequence: parts.next()?.parse().ok()?,
                key: parts.next().filter(|key| !key.contains('\0'))?.to_owned(),
            })
        };
        parse().ok_or_else(|| Error::Unknown {
            kind: "page with the cursor",
            name: text.chars().take(LONGEST_NAMED).collect(),
        })
    }
}

/// A form in which the database has points.
pub trait Kept: DeserializeOwned {
    /// The column with its text.
    const COLUMN: &'static str;
}

impl Kept for Point {
    const COLUMN: &'static str = "body";
}

impl Kept for Summary {
    const COLUMN: &'static str = "summary";
}

impl Database {
    /// Keeps points: all of them, or none if the database fails or a point is not valid. A point that is there with
    /// other numbers stays, and the new one is reported as a conflict.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project, [`Error::Invalid`] with the place of the first faulty point.
    pub async fn add_points(&self, project: &str, points: &[Point]) -> Result<Vec<Added>, Error> {
        let mut rows = Vec::with_capacity(points.len());
        for (at, point) in points.iter().enumerate() {
            let invalid = |reason: String| Error::Invalid(format!("points[{at}].{reason}"));
            point
                .check()
                .map_err(|fault| Error::Invalid(fault.at(&format!("points[{at}]"))))?;
            rows.push(NewRow::of(point).map_err(invalid)?);
        }
        self.project(project).await?;
        let mut write = self.write().await?;
        // Two requests with the same points in other orders would wait for each other.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|at| (rows[*at].series, &rows[*at].summary.key));
        let mut added: Vec<(usize, Added)> = Vec::with_capacity(rows.len());
        let received_ms = now_ms();
        let mut new: BTreeMap<&str, NewPoints> = BTreeMap::new();
        for at in order {
            let row = &rows[at];
            let one = add(&mut write, project, row, received_ms).await?;
            if one.outcome == Outcome::Stored {
                let known = new.get(row.series).copied();
                let now = known.map_or(NewPoints::at(row.time_ms), |all| all.and(row.time_ms));
                new.insert(row.series, now);
            }
            added.push((at, one));
        }
        for (series, new) in new {
            write.count_new((project, series), new, received_ms).await?;
        }
        write.commit().await?;
        added.sort_by_key(|(at, _)| *at);
        Ok(added.into_iter().map(|(_, added)| added).collect())
    }

    /// Points or summaries of a series in their order, and the place of the next page if there is one.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn page<T: Kept>(
        &self,
        (project, series): (&str, &str),
        after: Option<&Cursor>,
        most: u32,
    ) -> Result<(Vec<T>, Option<Cursor>), Error> {
        let query = format!(
            "SELECT iteration, time_ms, sequence, point_key, {} FROM points \
             WHERE project = $1 AND series = $2 AND (iteration, time_ms, sequence, point_key) > ($3, $4, $5, $6) \
             ORDER BY iteration, time_ms, sequence, point_key LIMIT $7",
            T::COLUMN
        );
        let start = Cursor {
            iteration: i64::MIN,
            time_ms: i64::MIN,
            sequence: i64::MIN,
            key: String::new(),
        };
        let after = after.unwrap_or(&start);
        let rows = sqlx::query(sqlx::AssertSqlSafe(query))
            .bind(project)
            .bind(series)
            .bind(after.iteration)
            .bind(after.time_ms)
            .bind(after.sequence)
            .bind(&after.key)
            .bind(i64::from(most) + 1)
            .fetch_all(&self.pool)
            .await?;
        let most = most as usize;
        let has_more = rows.len() > most;
        let last = rows.get(most.saturating_sub(1)).filter(|_| has_more);
        let next = last.map(cursor).transpose()?;
        let items = rows.iter().take(most).map(|row| kept(row, 4));
        Ok((items.collect::<Result<_, _>>()?, next))
    }

    /// The point of a key.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no point has this key.
    pub async fn point(&self, project: &str, series: &str, key: &str) -> Result<Point, Error> {
        let row = sqlx::query(
            "SELECT body FROM points WHERE project = $1 AND series = $2 AND point_key = $3",
        )
        .bind(project)
        .bind(series)
        .bind(key)
        .fetch_optional(&self.pool)
        .await?;
        match row {
            Some(row) => kept(&row, 0),
            None => Err(no_point(key)),
        }
    }

    /// Removes a point.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no point has this key.
    pub async fn remove_point(&self, project: &str, series: &str, key: &str) -> Result<(), Error> {
        let mut write = self.write().await?;
        let removed =
            sqlx::query("DELETE FROM points WHERE project = $1 AND series = $2 AND point_key = $3")
                .bind(project)
                .bind(series)
                .bind(key)
                .execute(&mut *write.connection)
                .await?;
        write.count_again(Some((project, series))).await?;
        write.commit().await?;
        match removed.rows_affected() {
            0 => Err(no_point(key)),
            _ => Ok(()),
        }
    }

    /// Summaries of a series in their order: of code since a time, or of all.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn summaries(
        &self,
        (project, series): (&str, &str),
        since_ms: Option<i64>,
    ) -> Result<Vec<Summary>, Error> {
        let rows = sqlx::query(
            "SELECT summary FROM points WHERE project = $1 AND series = $2 AND time_ms >= $3 \
             ORDER BY iteration, time_ms, sequence, point_key",
        )
        .bind(project)
        .bind(series)
        .bind(since_ms.unwrap_or(i64::MIN))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| kept(row, 0)).collect()
    }

    /// Summaries of the points before and after one.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no point of this key.
    pub async fn neighbours(
        &self,
        (project, series): (&str, &str),
        key: &str,
    ) -> Result<(Option<Summary>, Option<Summary>), Error> {
        let here = sqlx::query(
            "SELECT iteration, time_ms, sequence, point_key FROM points \
             WHERE project = $1 AND series = $2 AND point_key = $3",
        )
        .bind(project)
        .bind(series)
        .bind(key)
        .fetch_optional(&self.pool)
        .await?;
        let here = cursor(&here.ok_or_else(|| no_point(key))?)?;
        let before = "SELECT summary FROM points WHERE project = $1 AND series = $2 \
             AND (iteration, time_ms, sequence, point_key) < ($3, $4, $5, $6) \
             ORDER BY iteration DESC, time_ms DESC, sequence DESC, point_key DESC LIMIT 1";
        let after = "SELECT summary FROM points WHERE project = $1 AND series = $2 \
             AND (iteration, time_ms, sequence, point_key) > ($3, $4, $5, $6) \
             ORDER BY iteration, time_ms, sequence, point_key LIMIT 1";
        let mut found = [None, None];
        for (found, text) in found.iter_mut().zip([before, after]) {
            let row = sqlx::query(text)
                .bind(project)
                .bind(series)
                .bind(here.iteration)
                .bind(here.time_ms)
                .bind(here.sequence)
                .bind(&here.key)
                .fetch_optional(&self.pool)
                .await?;
            *found = row.map(|row| kept(&row, 0)).transpose()?;
        }
        let [before, after] = found;
        Ok((before, after))
    }

    /// Summaries of code since a time in their order, the last one among them: all, or an even choice of at most about
    /// `most`.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn chosen_summaries(
        &self,
        (project, series): (&str, &str),
        since_ms: i64,
        most: u32,
    ) -> Result<Vec<Summary>, Error> {
        let rows = sqlx::query(
            // A join of keys with points would be slow in PostgreSQL until it has counted the rows.
            "SELECT summary FROM ( \
                 SELECT summary, ROW_NUMBER() OVER (ORDER BY iteration, time_ms, sequence, point_key) AS number, \
                 COUNT(*) OVER () AS count FROM points WHERE project = $1 AND series = $2 AND time_ms >= $3 \
             ) AS numbered \
             WHERE (number - 1) % ((count + $4 - 1) / $4) = 0 OR number = count ORDER BY number",
        )
        .bind(project)
        .bind(series)
        .bind(since_ms)
        .bind(i64::from(most.max(2)))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| kept(row, 0)).collect()
    }

    /// The summary of the last code before a time.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn summary_before(
        &self,
        (project, series): (&str, &str),
        time_ms: i64,
    ) -> Result<Option<Summary>, Error> {
        let row = sqlx::query(
            "SELECT summary FROM points WHERE project = $1 AND series = $2 AND time_ms < $3 \
             ORDER BY iteration DESC, time_ms DESC, sequence DESC, point_key DESC LIMIT 1",
        )
        .bind(project)
        .bind(series)
        .bind(time_ms)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| kept(&row, 0)).transpose()
    }
}

fn no_point(key: &str) -> Error {
    Error::Unknown {
        kind: "point",
        name: key.chars().take(LONGEST_NAMED).collect(),
    }
}

fn cursor(row: &AnyRow) -> Result<Cursor, Error> {
    Ok(Cursor {
        iteration: row.try_get(0)?,
        time_ms: row.try_get(1)?,
        sequence: row.try_get(2)?,
        key: row.try_get(3)?,
    })
}

/// JSON that this crate wrote.
pub(crate) fn kept<T: DeserializeOwned>(row: &AnyRow, column: usize) -> Result<T, Error> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| Error::Damaged(error.to_string()))
}

/// A point as a row.
struct NewRow<'a> {
    series: &'a str,
    summary: Summary,
    summary_text: String,
    time_ms: i64,
    body: String,
    /// What makes it the same point as another of its key.
    numbers: String,
}

impl<'a> NewRow<'a> {
    fn of(point: &'a Point) -> Result<Self, String> {
        let time = point.time.parse::<jiff::Timestamp>();
        let time = time.map_err(|error| format!("time: {error}"))?;
        let summary = Summary::of(point);
        let text = |error: serde_json::Error| error.to_string();
        Ok(Self {
            series: &point.series,
            summary_text: serde_json::to_string(&summary).map_err(text)?,
            summary,
            time_ms: time.as_millisecond(),
            body: serde_json::to_string(point).map_err(text)?,
            numbers: serde_json::to_string(&point.numbers()).map_err(text)?,
        })
    }

    fn sequence(&self) -> i64 {
        let commit = self.summary.commit.as_ref();
        commit.map_or(0, |commit| i64::from(commit.sequence))
    }

    fn digest(&self) -> String {
        blake3::hash(self.numbers.as_bytes()).to_hex().to_string()
    }
}

async fn add(
    write: &mut Write,
    project: &str,
    row: &NewRow<'_>,
    received_ms: i64,
) -> Result<Added, Error> {
    let outcome = if write.insert(project, row, received_ms).await? {
        Outcome::Stored
    } else {
        let there = sqlx::query(
            "SELECT digest FROM points WHERE project = $1 AND series = $2 AND point_key = $3",
        )
        .bind(project)
        .bind(row.series)
        .bind(&row.summary.key)
        .fetch_one(&mut *write.connection)
        .await?;
        match there.try_get::<&str, _>(0)? == row.digest() {
            true => Outcome::Same,
            false => Outcome::Conflict,
        }
    };
    let message = (outcome == Outcome::Conflict)
        .then(|| "there is a point with this key and other numbers; it stays".to_owned());
    Ok(Added {
        series: row.series.to_owned(),
        key: row.summary.key.clone(),
        outcome,
        message,
    })
}

impl Write {
    /// Keeps a point. Returns false if there is one of its key.
    pub(crate) async fn add_point(
        &mut self,
        project: &str,
        point: &Point,
        received_ms: i64,
    ) -> Result<bool, Error> {
        let row = NewRow::of(point).map_err(Error::Invalid)?;
        let is_new = self.insert(project, &row, received_ms).await?;
        if is_new {
            let new = NewPoints::at(row.time_ms);
            self.count_new((project, row.series), new, received_ms)
                .await?;
        }
        Ok(is_new)
    }

    async fn insert(
        &mut self,
        project: &str,
        row: &NewRow<'_>,
        received_ms: i64,
    ) -> Result<bool, Error> {
        let stored = sqlx::query(
            "INSERT INTO points (project, series, point_key, iteration, time_ms, sequence, received_ms, digest, summary, body) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
        )
        .bind(project)
        .bind(row.series)
        .bind(&row.summary.key)
        .bind(row.summary.iteration.map_or(-1, i64::from))
        .bind(row.time_ms)
        .bind(row.sequence())
        .bind(received_ms)
        .bind(row.digest())
        .bind(&row.summary_text)
        .bind(&row.body)
        .execute(&mut *self.connection)
        .await?;
        Ok(stored.rows_affected() > 0)
    }
}
