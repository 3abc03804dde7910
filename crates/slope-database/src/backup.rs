//! Backups: a text of one record per line, the same for both databases.

mod further;
mod watches;

use std::io::{BufRead, Write};

use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use slope_model::exhibit::{CheckpointExhibit, Step};
use slope_model::sent_change::SentChange;
use slope_model::sent_run::{CheckpointPlace, RunRequest, SentRun};
use slope_model::sent_watch::SentWatch;
use slope_model::series::Point;
use slope_model::summary::Summary;
use slope_model::watch::WatchDay;
use slope_model::watch_notes::Note;
use sqlx::any::AnyRow;
use sqlx::{Any, Row, Transaction};

use crate::database::Database;
use crate::error::Error;

/// Name and version of the format.
const SCHEMA: &str = "slope.backup/1";

/// A line of a backup.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    /// The first line.
    Backup { schema: String, slope: String },
    Project {
        name: String,
        title: String,
        created_ms: i64,
    },
    Token {
        id: String,
        hash: String,
        scope: String,
        project: Option<String>,
        label: String,
        created_ms: i64,
        revoked_ms: Option<i64>,
    },
    Point {
        project: String,
        received_ms: i64,
        point: Box<Point>,
    },
    Run {
        project: String,
        run: String,
        request: Option<RunRequest>,
        changed_ms: i64,
        card: String,
        sent: Box<SentRun>,
    },
    RunDetails {
        project: String,
        run: String,
        place: CheckpointPlace,
        digest: String,
        details: Box<CheckpointExhibit>,
    },
    Change {
        project: String,
        key: String,
        changed_ms: i64,
        sent: Box<SentChange>,
    },
    RunStep {
        project: String,
        run: String,
        place: CheckpointPlace,
        at: u32,
        step: Box<Step>,
    },
    Watch {
        project: String,
        watch: String,
        heard_ms: i64,
        sent: Box<SentWatch>,
    },
    WatchDay {
        project: String,
        watch: String,
        day: Box<WatchDay>,
    },
    WatchNote {
        project: String,
        watch: String,
        alarm: String,
        note: Note,
    },
    /// The last line, with the number of lines between: without it the file is cut off.
    End { lines: u64 },
}

impl Database {
    /// Writes everything as it is at one moment, while others may go on writing. Kept answers to repeated requests are
    /// left out. Returns the number of points.
    ///
    /// # Errors
    /// If the database or the file fails.
    pub async fn back_up(&self, out: &mut (impl Write + Send)) -> Result<u64, Error> {
        let mut snapshot = self.pool.begin_with(self.place().snapshot()).await?;
        let first = Line::Backup {
            schema: SCHEMA.to_owned(),
            slope: env!("CARGO_PKG_VERSION").to_owned(),
        };
        put(out, &first)?;
        let projects = "SELECT name, title, created_ms FROM projects ORDER BY name";
        let tokens = "SELECT id, hash, scope, project, label, created_ms, revoked_ms FROM tokens ORDER BY id";
        let points = "SELECT project, received_ms, body FROM points \
             ORDER BY project, series, iteration, time_ms, sequence, point_key";
        let mut lines = put_all(out, &mut snapshot, projects, project_line).await?;
        lines += put_all(out, &mut snapshot, tokens, token_line).await?;
        let points = put_all(out, &mut snapshot, points, point_line).await?;
        lines += points;
        for (query, line) in further::LINES.iter().chain(watches::LINES) {
            lines += put_all(out, &mut snapshot, query, *line).await?;
        }
        put(out, &Line::End { lines })?;
        out.flush()
            .map_err(|error| Error::File(error.to_string()))?;
        Ok(points)
    }

    /// Reads a backup into an empty database: all of it, or nothing. Returns the number of points.
    ///
    /// # Errors
    /// If the database is not empty, or a line is not valid or missing.
    pub async fn restore(&self, from: impl BufRead + Send) -> Result<u64, Error> {
        if !self.projects("", 1).await?.is_empty() || !self.tokens(None).await?.is_empty() {
            return Err(Error::NotEmpty(self.place().shown()));
        }
        let mut write = self.write().await?;
        let (mut seen, mut points, mut is_whole) = (0, 0, false);
        for (at, text) in from.lines().enumerate() {
            let faulty = |reason: String| Error::File(format!("line {}: {reason}", at + 1));
            let text = text.map_err(|error| faulty(error.to_string()))?;
            let line: Line =
                serde_json::from_str(&text).map_err(|error| faulty(error.to_string()))?;
            match line {
                Line::Backup { schema, .. } if at == 0 && schema == SCHEMA => continue,
                Line::Backup { schema, .. } => {
                    return Err(faulty(format!("`{schema}` is not {SCHEMA}")));
                }
                _ if at == 0 => return Err(faulty("the file is not a backup of slope".to_owned())),
                Line::End { lines } => {
                    is_whole = lines == seen;
                    break;
                }
                other => {
                    seen += 1;
                    points += u64::from(matches!(other, Line::Point { .. }));
                    write
                        .line(other)
                        .await
                        .map_err(|error| faulty(error.to_string()))?;
                }
            }
        }
        if !is_whole {
            return Err(Error::File("the backup is cut off".to_owned()));
        }
        write.commit().await?;
        Ok(points)
    }
}

impl crate::database::Write {
    async fn line(&mut self, line: Line) -> Result<(), Error> {
        match line {
            Line::Project {
                name,
                title,
                created_ms,
            } => {
                sqlx::query("INSERT INTO projects (name, title, created_ms) VALUES ($1, $2, $3)")
                    .bind(name)
                    .bind(title)
                    .bind(created_ms)
                    .execute(&mut *self.connection)
                    .await?;
            }
            Line::Token {
                id,
                hash,
                scope,
                project,
                label,
                created_ms,
                revoked_ms,
            } => {
                sqlx::query(
                    "INSERT INTO tokens (id, hash, scope, project, label, created_ms, revoked_ms) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7)",
                )
                .bind(id)
                .bind(hash)
                .bind(scope)
                .bind(project)
                .bind(label)
                .bind(created_ms)
                .bind(revoked_ms)
                .execute(&mut *self.connection)
                .await?;
            }
            Line::Point {
                project,
                received_ms,
                point,
            } => self.point_line(&project, &point, received_ms).await?,
            line @ (Line::Change { .. }
            | Line::Run { .. }
            | Line::RunDetails { .. }
            | Line::RunStep { .. }) => {
                self.further_line(line).await?;
            }
            line @ (Line::Watch { .. } | Line::WatchDay { .. } | Line::WatchNote { .. }) => {
                self.watch_line(line).await?;
            }
            Line::Backup { .. } | Line::End { .. } => {}
        }
        Ok(())
    }

    async fn point_line(
        &mut self,
        project: &str,
        point: &Point,
        received_ms: i64,
    ) -> Result<(), Error> {
        point
            .check()
            .map_err(|fault| Error::Invalid(fault.to_string()))?;
        if self.add_point(project, point, received_ms).await? {
            return Ok(());
        }
        let key = Summary::of(point).key;
        Err(Error::Invalid(format!("the point {key} is there twice")))
    }
}

/// Writes all rows of a query as lines. Returns their number.
async fn put_all(
    out: &mut impl Write,
    snapshot: &mut Transaction<'_, Any>,
    query: &'static str,
    line: fn(&AnyRow) -> Result<Line, Error>,
) -> Result<u64, Error> {
    let mut lines = 0;
    let mut rows = sqlx::query(query).fetch(&mut **snapshot);
    while let Some(row) = rows.try_next().await? {
        put(out, &line(&row)?)?;
        lines += 1;
    }
    Ok(lines)
}

fn project_line(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::Project {
        name: row.try_get(0)?,
        title: row.try_get(1)?,
        created_ms: row.try_get(2)?,
    })
}

fn token_line(row: &AnyRow) -> Result<Line, Error> {
    Ok(Line::Token {
        id: row.try_get(0)?,
        hash: row.try_get(1)?,
        scope: row.try_get(2)?,
        project: row.try_get(3)?,
        label: row.try_get(4)?,
        created_ms: row.try_get(5)?,
        revoked_ms: row.try_get(6)?,
    })
}

fn point_line(row: &AnyRow) -> Result<Line, Error> {
    let body: &str = row.try_get(2)?;
    let point = serde_json::from_str(body).map_err(|error| Error::Damaged(error.to_string()))?;
    Ok(Line::Point {
        project: row.try_get(0)?,
        received_ms: row.try_get(1)?,
        point,
    })
}

fn put(out: &mut impl Write, line: &Line) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::File(error.to_string());
    serde_json::to_writer(&mut *out, line).map_err(|error| failed(error.into()))?;
    out.write_all(b"\n").map_err(failed)
}
