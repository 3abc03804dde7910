//! Changes and runs in backups.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::Line;
use crate::database::Write;
use crate::error::Error;
use crate::points::kept;
use crate::run_details::place_of;
use crate::runs::{NewRun, request_of};

/// A query, and how a row of it becomes a line.
pub(super) type Lines = (&'static str, fn(&AnyRow) -> Result<Line, Error>);

/// Queries for changes and runs in a backup, in the order of a restore.
pub(super) const LINES: &[Lines] = &[
    (
        "SELECT project, change_key, changed_ms, body FROM changes ORDER BY project, change_key",
        change,
    ),
    (
        "SELECT project, run, request, changed_ms, card, body FROM runs ORDER BY project, run",
        run,
    ),
    (
        "SELECT project, run, problem, trial, checkpoint, digest, body FROM run_details \
         ORDER BY project, run, problem, trial, checkpoint",
        details,
    ),
    (
        "SELECT project, run, problem, trial, checkpoint, place, body FROM run_steps \
         ORDER BY project, run, problem, trial, checkpoint, place",
        step,
    ),
];

fn change(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::Change {
        project: row.try_get(0)?,
        key: row.try_get(1)?,
        changed_ms: row.try_get(2)?,
        sent: kept(row, 3)?,
    })
}

fn run(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::Run {
        project: row.try_get(0)?,
        run: row.try_get(1)?,
        request: request_of(row, 2)?,
        changed_ms: row.try_get(3)?,
        card: row.try_get(4)?,
        sent: kept(row, 5)?,
    })
}

fn details(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::RunDetails {
        project: row.try_get(0)?,
        run: row.try_get(1)?,
        place: place_of(row, 2)?,
        digest: row.try_get(5)?,
        details: kept(row, 6)?,
    })
}

fn step(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::RunStep {
        project: row.try_get(0)?,
        run: row.try_get(1)?,
        place: place_of(row, 2)?,
        at: u32::try_from(row.try_get::<i64, _>(5)?).unwrap_or(u32::MAX),
        step: kept(row, 6)?,
    })
}

impl Write {
    pub(super) async fn further_line(&mut self, line: Line) -> Result<(), Error> {
        match line {
            Line::Change {
                project,
                key,
                changed_ms,
                sent,
            } => {
                sent.check().map_err(Error::Invalid)?;
                self.put_change((&project, &key), &sent, changed_ms).await?;
                Ok(())
            }
            Line::Run {
                project,
                run,
                request,
                changed_ms,
                card,
                sent,
            } => {
                sent.check().map_err(Error::Invalid)?;
                let row = NewRun::of(&sent, &card)?;
                self.insert_run((&project, &run), &row, request, changed_ms)
                    .await
            }
            Line::RunDetails {
                project,
                run,
                place,
                digest,
                details,
            } => {
                let body = serde_json::to_string(&details)
                    .map_err(|error| Error::Invalid(error.to_string()))?;
                self.put_details((&project, &run), &place, &digest, &body)
                    .await
            }
            Line::RunStep {
                project,
                run,
                place,
                at,
                step,
            } => self.put_step((&project, &run), &place, at, &step).await,
            _ => Ok(()),
        }
    }
}
