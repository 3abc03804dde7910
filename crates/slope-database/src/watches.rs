//! Watches: their settings, and notes on their alarms.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_model::sent_watch::{SentWatch, WatchKept};
use slope_model::watch_notes::{Note, Notes};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, Write, now_ms};
use crate::error::Error;
use crate::points::kept;
use crate::projects::time_text;
use crate::runs::text_of;
use crate::tokens::random;

/// Most notes of a watch.
const MOST_NOTES: i64 = 10_000;

/// A query for watches as lists have them, with further columns. Both databases answer each part from the primary key of
/// the days.
macro_rules! listed {
    ($further:literal, $which:literal) => {
        concat!(
            "SELECT project, watch, heard_ms, revision, card, card_of, \
             (SELECT COUNT(*) FROM watch_days AS d WHERE d.project = w.project AND d.watch = w.watch), \
             (SELECT MIN(date) FROM watch_days AS d WHERE d.project = w.project AND d.watch = w.watch), \
             (SELECT MAX(date) FROM watch_days AS d WHERE d.project = w.project AND d.watch = w.watch)",
            $further,
            " FROM watches AS w WHERE ",
            $which
        )
    };
}

/// A project, and a watch of it.
type Place<'a> = (&'a str, &'a str);

/// A watch in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchInfo {
    /// The project.
    pub project: String,
    /// Name of the watch.
    pub watch: String,
    /// When settings or days last came, in UTC.
    pub heard: String,
    /// Number of days.
    pub days: u64,
    /// The first day; `null` without one.
    pub first: Option<String>,
    /// The last day; `null` without one.
    pub last: Option<String>,
}

/// A watch with what was made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptWatch {
    /// Its entry in lists.
    pub info: WatchInfo,
    /// Another text after each change of the settings or the days.
    pub revision: String,
    /// Summary for lists; empty until it is first computed.
    pub card: String,
    /// The text that was kept with the card, which says what it is of.
    pub card_of: String,
}

impl Database {
    /// Keeps the settings of a watch in place of earlier ones. Returns what the server has of it.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project, [`Error::Invalid`] with a fault of the settings.
    pub async fn put_watch(&self, place: Place<'_>, sent: &SentWatch) -> Result<WatchKept, Error> {
        sent.check().map_err(Error::Invalid)?;
        self.project(place.0).await?;
        let settings = text_of(sent)?;
        let mut write = self.write().await?;
        let query = "SELECT settings FROM watches WHERE project = $1 AND watch = $2";
        let before = sqlx::query(query)
            .bind(place.0)
            .bind(place.1)
            .fetch_optional(&mut *write.connection)
            .await?;
        let before: Option<String> = before.map(|row| row.try_get(0)).transpose()?;
        let is_new = before.as_ref() != Some(&settings);
        if is_new {
            write.put_watch(place, &settings, now_ms()).await?;
        }
        write.hear(place, is_new).await?;
        write.commit().await?;
        Ok(WatchKept {
            is_new,
            days: self.known_days(place).await?,
            notes: self.notes(place).await?.alarms,
        })
    }

    /// The watches of one project or of all, by project and name.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn watches(&self, project: Option<&str>, most: u32) -> Result<Vec<KeptWatch>, Error> {
        let query = listed!(
            "",
            "$1 = '' OR project = $1 ORDER BY project, watch LIMIT $2"
        );
        self.latest(query, project, most, kept_watch).await
    }

    /// A watch with its settings.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such watch.
    pub async fn watch(&self, place: Place<'_>) -> Result<(KeptWatch, SentWatch), Error> {
        let query = listed!(", settings", "project = $1 AND watch = $2");
        let row = self.one(query, place, no_watch).await?;
        Ok((kept_watch(&row)?, kept(&row, 9)?))
    }

    /// Removes a watch with its days and notes.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such watch.
    pub async fn remove_watch(&self, place: Place<'_>) -> Result<(), Error> {
        let query = "DELETE FROM watches WHERE project = $1 AND watch = $2";
        self.remove(query, place, no_watch).await
    }

    /// Keeps what was made of a watch for lists, with a text that says what it is of.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn keep_card(&self, place: Place<'_>, card: &str, of: &str) -> Result<(), Error> {
        let query = "UPDATE watches SET card = $3, card_of = $4 WHERE project = $1 AND watch = $2";
        let mut write = self.write().await?;
        sqlx::query(query)
            .bind(place.0)
            .bind(place.1)
            .bind(card)
            .bind(of)
            .execute(&mut *write.connection)
            .await?;
        write.commit().await
    }

    /// The notes on the alarms of a watch.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn notes(&self, place: Place<'_>) -> Result<Notes, Error> {
        let query =
            "SELECT alarm, body FROM watch_notes WHERE project = $1 AND watch = $2 ORDER BY alarm";
        let rows = sqlx::query(query).bind(place.0).bind(place.1);
        let rows = rows.fetch_all(&self.pool).await?;
        let note = |row: &AnyRow| Ok((row.try_get(0)?, kept(row, 1)?));
        let alarms: Result<BTreeMap<String, Note>, Error> = rows.iter().map(note).collect();
        Ok(Notes {
            alarms: alarms?,
            ..Notes::default()
        })
    }

    /// Keeps a note on an alarm, unless there is a later one. Returns the one that is there now.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such watch, [`Error::Invalid`] if it has too many notes.
    pub async fn put_note(
        &self,
        place: Place<'_>,
        alarm: &str,
        note: &Note,
    ) -> Result<Note, Error> {
        self.watch(place).await?;
        let notes = self.notes(place).await?.alarms;
        if let Some(later) = notes.get(alarm).filter(|there| there.at > note.at) {
            return Ok(later.clone());
        }
        if i64::try_from(notes.len()).unwrap_or(i64::MAX) >= MOST_NOTES {
            return Err(Error::Invalid(format!(
                "the watch has {MOST_NOTES} notes, and takes no more"
            )));
        }
        let mut write = self.write().await?;
        write.put_note(place, alarm, note).await?;
        write.commit().await?;
        Ok(note.clone())
    }
}

impl Write {
    /// Keeps the settings of a watch.
    pub(crate) async fn put_watch(
        &mut self,
        place: Place<'_>,
        settings: &str,
        heard_ms: i64,
    ) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO watches (project, watch, settings, heard_ms, revision, card, card_of) \
             VALUES ($1, $2, $3, $4, $5, '', '') \
             ON CONFLICT (project, watch) DO UPDATE SET settings = excluded.settings",
        )
        .bind(place.0)
        .bind(place.1)
        .bind(settings)
        .bind(heard_ms)
        .bind(new_revision()?)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Notes that something came, and whether it changed the watch.
    pub(crate) async fn hear(&mut self, place: Place<'_>, changes: bool) -> Result<(), Error> {
        let query = if changes {
            "UPDATE watches SET heard_ms = $3, revision = $4 WHERE project = $1 AND watch = $2"
        } else {
            "UPDATE watches SET heard_ms = $3 WHERE project = $1 AND watch = $2 AND $4 <> ''"
        };
        sqlx::query(query)
            .bind(place.0)
            .bind(place.1)
            .bind(now_ms())
            .bind(new_revision()?)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Keeps a note on an alarm in place of an earlier one.
    pub(crate) async fn put_note(
        &mut self,
        place: Place<'_>,
        alarm: &str,
        note: &Note,
    ) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO watch_notes (project, watch, alarm, body) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (project, watch, alarm) DO UPDATE SET body = excluded.body",
        )
        .bind(place.0)
        .bind(place.1)
        .bind(alarm)
        .bind(text_of(note)?)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}

/// A text that no watch had before, so that nothing made of an earlier watch of the same name is taken for new.
fn new_revision() -> Result<String, Error> {
    random::<12>()
}

fn kept_watch(row: &AnyRow) -> Result<KeptWatch, Error> {
    Ok(KeptWatch {
        info: WatchInfo {
            project: row.try_get(0)?,
            watch: row.try_get(1)?,
            heard: time_text(row.try_get(2)?),
            days: u64::try_from(row.try_get::<i64, _>(6)?).unwrap_or(0),
            first: row.try_get(7)?,
            last: row.try_get(8)?,
        },
        revision: row.try_get(3)?,
        card: row.try_get(4)?,
        card_of: row.try_get(5)?,
    })
}

pub(crate) fn no_watch(watch: &str) -> Error {
    Error::Unknown {
        kind: "watch",
        name: watch.chars().take(100).collect(),
    }
}
