//! Watches in backups.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Line;
use super::further::Lines;
use crate::database::Write;
use crate::error::Error;
use crate::points::kept;
use crate::runs::text_of;

/// Queries for watches in a backup, in the order of a restore. What was made for lists is left out: it is made again.
pub(super) const LINES: &[Lines] = &[
    (
        "SELECT project, watch, heard_ms, settings FROM watches ORDER BY project, watch",
        watch,
    ),
    (
        "SELECT project, watch, body FROM watch_days ORDER BY project, watch, date",
        day,
    ),
    (
        "SELECT project, watch, alarm, body FROM watch_notes ORDER BY project, watch, alarm",
        note,
    ),
];

fn watch(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::Watch {
        project: row.try_get(0)?,
        watch: row.try_get(1)?,
        heard_ms: row.try_get(2)?,
        sent: kept(row, 3)?,
    })
}

fn day(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::WatchDay {
        project: row.try_get(0)?,
        watch: row.try_get(1)?,
        day: kept(row, 2)?,
    })
}

fn note(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::WatchNote {
        project: row.try_get(0)?,
        watch: row.try_get(1)?,
        alarm: row.try_get(2)?,
        note: kept(row, 3)?,
    })
}

impl Write {
    pub(super) async fn watch_line(&mut self, line: Line) -> Result<(), Error> {
        match line {
            Line::Watch {
                project,
                watch,
                heard_ms,
                sent,
            } => {
                sent.check().map_err(Error::Invalid)?;
                let settings = text_of(&*sent)?;
                self.put_watch((&project, &watch), &settings, heard_ms)
                    .await
            }
            Line::WatchDay {
                project,
                watch,
                day,
            } => {
                day.check().map_err(Error::Invalid)?;
                match self.add_day((&project, &watch), &day).await? {
                    None => Ok(()),
                    Some(_) => Err(Error::Invalid(format!(
                        "the day {} of {watch} is there twice",
                        day.date
                    ))),
                }
            }
            Line::WatchNote {
                project,
                watch,
                alarm,
                note,
            } => self.put_note((&project, &watch), &alarm, &note).await,
            _ => Ok(()),
        }
    }
}
