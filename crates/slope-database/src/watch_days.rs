//! Days of watches. A day is written once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_model::sent_watch::KnownDay;
use slope_model::watch::WatchDay;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, Write};
use crate::error::Error;
use crate::points::{Outcome, kept};
use crate::runs::text_of;

/// A project, and a watch of it.
type Place<'a> = (&'a str, &'a str);

/// A day that was sent, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddedDay {
    /// The day.
    pub date: String,
    /// What became of it.
    pub outcome: Outcome,
    /// The problem, if it was not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Database {
    /// Keeps days: all of them, or none if the database fails or a day is not valid. A day that is there with other results
    /// stays, and the new one is reported as a conflict.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such watch, [`Error::Invalid`] with the place of the first faulty day.
    pub async fn add_days(
        &self,
        place: Place<'_>,
        days: &[WatchDay],
    ) -> Result<Vec<AddedDay>, Error> {
        for (at, day) in days.iter().enumerate() {
            day.check()
                .map_err(|fault| Error::Invalid(format!("days[{at}].{fault}")))?;
        }
        self.project(place.0).await?;
        self.watch(place).await?;
        let mut write = self.write().await?;
        // Two requests with the same days in other orders would wait for each other.
        let mut order: Vec<usize> = (0..days.len()).collect();
        order.sort_by_key(|at| &days[*at].date);
        let mut added: Vec<(usize, AddedDay)> = Vec::with_capacity(days.len());
        for at in order {
            added.push((at, add(&mut write, place, &days[at]).await?));
        }
        let is_changed = added.iter().any(|(_, day)| day.outcome == Outcome::Stored);
        write.hear(place, is_changed).await?;
        write.commit().await?;
        added.sort_by_key(|(at, _)| *at);
        Ok(added.into_iter().map(|(_, added)| added).collect())
    }

    /// The days of a watch with their digests, in order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn known_days(&self, place: Place<'_>) -> Result<Vec<KnownDay>, Error> {
        let query =
            "SELECT date, digest FROM watch_days WHERE project = $1 AND watch = $2 ORDER BY date";
        let rows = sqlx::query(query).bind(place.0).bind(place.1);
        let day = |row: &AnyRow| {
            Ok(KnownDay {
                date: row.try_get(0)?,
                digest: row.try_get(1)?,
            })
        };
        rows.fetch_all(&self.pool).await?.iter().map(day).collect()
    }

    /// The results of all days of a watch in order, as JSON: reading them takes a moment of a processor.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn day_texts(&self, place: Place<'_>) -> Result<Vec<String>, Error> {
        let query = "SELECT body FROM watch_days WHERE project = $1 AND watch = $2 ORDER BY date";
        let rows = sqlx::query(query).bind(place.0).bind(place.1);
        let text = |row: &AnyRow| Ok(row.try_get(0)?);
        rows.fetch_all(&self.pool).await?.iter().map(text).collect()
    }

    /// At most `most` days of a watch after a day, in order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn days_after(
        &self,
        place: Place<'_>,
        after: &str,
        most: u32,
    ) -> Result<Vec<WatchDay>, Error> {
        let query = "SELECT body FROM watch_days WHERE project = $1 AND watch = $2 AND date > $3 \
             ORDER BY date LIMIT $4";
        let rows = sqlx::query(query)
            .bind(place.0)
            .bind(place.1)
            .bind(after)
            .bind(i64::from(most));
        let rows = rows.fetch_all(&self.pool).await?;
        rows.iter().map(|row| kept(row, 0)).collect()
    }

    /// A day of a watch.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the watch has no such day.
    pub async fn day(&self, place: Place<'_>, date: &str) -> Result<WatchDay, Error> {
        let query = "SELECT body FROM watch_days WHERE project = $1 AND watch = $2 AND date = $3";
        let row = sqlx::query(query).bind(place.0).bind(place.1).bind(date);
        let row = row.fetch_optional(&self.pool).await?;
        let missing = || Error::Unknown {
            kind: "day",
            name: date.chars().take(100).collect(),
        };
        kept(&row.ok_or_else(missing)?, 0)
    }
}

async fn add(write: &mut Write, place: Place<'_>, day: &WatchDay) -> Result<AddedDay, Error> {
    let outcome = match write.add_day(place, day).await? {
        None => Outcome::Stored,
        Some(true) => Outcome::Same,
        Some(false) => Outcome::Conflict,
    };
    let message = (outcome == Outcome::Conflict).then(|| {
        "the day is there with other results, and stays: a day is written once".to_owned()
    });
    Ok(AddedDay {
        date: day.date.clone(),
        outcome,
        message,
    })
}

impl Write {
    /// Keeps a day. If the day is there, returns whether it has the same results.
    pub(crate) async fn add_day(
        &mut self,
        place: Place<'_>,
        day: &WatchDay,
    ) -> Result<Option<bool>, Error> {
        let body = text_of(day)?;
        let digest = blake3::hash(body.as_bytes()).to_hex().to_string();
        let stored = sqlx::query(
            "INSERT INTO watch_days (project, watch, date, digest, body) \
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        )
        .bind(place.0)
        .bind(place.1)
        .bind(&day.date)
        .bind(&digest)
        .bind(body)
        .execute(&mut *self.connection)
        .await?;
        if stored.rows_affected() > 0 {
            return Ok(None);
        }
        let query = "SELECT digest FROM watch_days WHERE project = $1 AND watch = $2 AND date = $3";
        let there = sqlx::query(query)
            .bind(place.0)
            .bind(place.1)
            .bind(&day.date)
            .fetch_one(&mut *self.connection)
            .await?;
        Ok(Some(there.try_get::<&str, _>(0)? == digest))
    }
}
