//! Runs of the benchmark: their reports, and requests to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_model::sent_run::{RunKept, RunPhase, RunRequest, SentRun};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, Write, now_ms};
use crate::error::Error;
use crate::points::kept;
use crate::projects::time_text;
use crate::run_details::known;

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunInfo {
    /// The project.
    pub project: String,
    /// Key of the run.
    pub run: String,
    /// Its phase.
    pub phase: RunPhase,
    /// The open request of a visitor.
    pub request: Option<RunRequest>,
    /// When it began, in UTC; `null` if that is not known.
    pub started: Option<String>,
    /// When it last changed on the server, in UTC.
    pub changed: String,
    /// When its last report came, also one without a change, in UTC.
    pub heard: String,
}

/// A run of a page: its entry in lists, and its card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardOfRun {
    /// The entry.
    pub info: RunInfo,
    /// The card, as it was given with the report.
    pub card: String,
}

impl Database {
    /// Keeps a run's report in place of an earlier one, and takes back what it answers: with a phase that fits a
    /// visitor's request, the request is done.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project, [`Error::Invalid`] with a fault of the report.
    pub async fn put_run(
        &self,
        project: &str,
        run: &str,
        sent: &SentRun,
        card: &str,
    ) -> Result<RunKept, Error> {
        sent.check().map_err(Error::Invalid)?;
        self.project(project).await?;
        let row = NewRun::of(sent, card)?;
        let mut write = self.write().await?;
        let before = sqlx::query(
            "SELECT digest, request, executions FROM runs WHERE project = $1 AND run = $2",
        )
        .bind(project)
        .bind(run)
        .fetch_optional(&mut *write.connection)
        .await?;
        let (digest, request) = match &before {
            Some(row) => {
                let executions: i64 = row.try_get(2)?;
                let is_same = executions == i64::from(sent.executions);
                let request = request_of(row, 1)?.filter(|_| is_same);
                (Some(row.try_get::<String, _>(0)?), request)
            }
            None => (None, None),
        };
        let is_new = digest.as_deref() != Some(row.digest.as_str());
        let request = request.filter(|request| is_open(*request, sent.phase));
        write.put_run((project, run), &row, request, is_new).await?;
        let checkpoints = known(&mut write.connection, project, run).await?;
        write.commit().await?;
        Ok(RunKept {
            is_new,
            request,
            checkpoints,
        })
    }

    /// The runs of one project or of all, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn runs(&self, project: Option<&str>, most: u32) -> Result<Vec<RunInfo>, Error> {
        let query = "SELECT project, run, phase, request, started_ms, changed_ms, heard_ms FROM runs \
             WHERE $1 = '' OR project = $1 \
             ORDER BY started_ms DESC, changed_ms DESC, project, run LIMIT $2";
        self.latest(query, project, most, info).await
    }

    /// The cards of the runs of one project or of all, the latest first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn cards(&self, project: Option<&str>, most: u32) -> Result<Vec<CardOfRun>, Error> {
        let query = "SELECT project, run, phase, request, started_ms, changed_ms, heard_ms, card FROM runs \
             WHERE $1 = '' OR project = $1 \
             ORDER BY started_ms DESC, changed_ms DESC, project, run LIMIT $2";
        self.latest(query, project, most, card).await
    }

    /// A run.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such run.
    pub async fn run(&self, project: &str, run: &str) -> Result<(RunInfo, SentRun), Error> {
        let query = "SELECT project, run, phase, request, started_ms, changed_ms, heard_ms, body FROM runs \
             WHERE project = $1 AND run = $2";
        let row = self.one(query, (project, run), no_run).await?;
        Ok((info(&row)?, kept(&row, 7)?))
    }

    /// Removes a run with all its details.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such run.
    pub async fn remove_run(&self, project: &str, run: &str) -> Result<(), Error> {
        let query = "DELETE FROM runs WHERE project = $1 AND run = $2";
        self.remove(query, (project, run), no_run).await
    }

    /// Asks something of a run, which gets it with its next report.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such run, [`Error::Invalid`] if no process executes it.
    pub async fn ask_run(
        &self,
        project: &str,
        run: &str,
        request: RunRequest,
    ) -> Result<RunInfo, Error> {
        let (now, _) = self.run(project, run).await?;
        if !now.phase.is_live() {
            return Err(Error::Invalid(format!(
                "request: no process executes the run, which is {}",
                now.phase.name()
            )));
        }
        let mut write = self.write().await?;
        sqlx::query("UPDATE runs SET request = $3 WHERE project = $1 AND run = $2")
            .bind(project)
            .bind(run)
            .bind(request.name())
            .execute(&mut *write.connection)
            .await?;
        write.commit().await?;
        Ok(self.run(project, run).await?.0)
    }
}

/// Whether a run in this phase has not done yet what was asked.
fn is_open(request: RunRequest, phase: RunPhase) -> bool {
    match request {
        RunRequest::Pause => phase == RunPhase::Running,
        RunRequest::Resume => matches!(phase, RunPhase::Pausing | RunPhase::Paused),
        RunRequest::Cancel => {
            matches!(
                phase,
                RunPhase::Running | RunPhase::Pausing | RunPhase::Paused
            )
        }
    }
}

/// A run as a row.
pub(crate) struct NewRun<'a> {
    pub(crate) phase: String,
    pub(crate) executions: i64,
    pub(crate) started_ms: i64,
    pub(crate) digest: String,
    pub(crate) card: &'a str,
    pub(crate) body: String,
}

impl<'a> NewRun<'a> {
    pub(crate) fn of(sent: &SentRun, card: &'a str) -> Result<Self, Error> {
        let started_ms = match &sent.started {
            Some(time) => time
                .parse::<jiff::Timestamp>()
                .map_err(|error| Error::Invalid(format!("started: {error}")))?
                .as_millisecond(),
            None => -1,
        };
        let body = text_of(sent)?;
        Ok(Self {
            phase: sent.phase.name().to_owned(),
            executions: i64::from(sent.executions),
            started_ms,
            digest: blake3::hash(body.as_bytes()).to_hex().to_string(),
            card,
            body,
        })
    }
}

impl Write {
    /// Keeps a run. If it is not new, only the request changes.
    async fn put_run(
        &mut self,
        (project, run): (&str, &str),
        row: &NewRun<'_>,
        request: Option<RunRequest>,
        is_new: bool,
    ) -> Result<(), Error> {
        if !is_new {
            sqlx::query(
                "UPDATE runs SET request = $3, heard_ms = $4 WHERE project = $1 AND run = $2",
            )
            .bind(project)
            .bind(run)
            .bind(request.map(RunRequest::name))
            .bind(now_ms())
            .execute(&mut *self.connection)
            .await?;
            return Ok(());
        }
        self.insert_run((project, run), row, request, now_ms())
            .await
    }

    pub(crate) async fn insert_run(
        &mut self,
        (project, run): (&str, &str),
        row: &NewRun<'_>,
        request: Option<RunRequest>,
        changed_ms: i64,
    ) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO runs (project, run, phase, request, executions, started_ms, changed_ms, heard_ms, digest, card, body) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10) ON CONFLICT (project, run) DO UPDATE SET \
             phase = excluded.phase, request = excluded.request, executions = excluded.executions, started_ms = excluded.started_ms, \
             changed_ms = excluded.changed_ms, heard_ms = excluded.heard_ms, digest = excluded.digest, card = excluded.card, body = excluded.body",
        )
        .bind(project)
        .bind(run)
        .bind(&row.phase)
        .bind(request.map(RunRequest::name))
        .bind(row.executions)
        .bind(row.started_ms)
        .bind(changed_ms)
        .bind(&row.digest)
        .bind(row.card)
        .bind(&row.body)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}

fn card(row: &AnyRow) -> Result<CardOfRun, Error> {
    Ok(CardOfRun {
        info: info(row)?,
        card: row.try_get(7)?,
    })
}

fn info(row: &AnyRow) -> Result<RunInfo, Error> {
    let phase: &str = row.try_get(2)?;
    let phase = serde_json::from_value(phase.into());
    let started: i64 = row.try_get(4)?;
    Ok(RunInfo {
        project: row.try_get(0)?,
        run: row.try_get(1)?,
        phase: phase.map_err(|error| Error::Damaged(error.to_string()))?,
        request: request_of(row, 3)?,
        started: (started >= 0).then(|| time_text(started)),
        changed: time_text(row.try_get(5)?),
        heard: time_text(row.try_get(6)?),
    })
}

pub(crate) fn request_of(row: &AnyRow, column: usize) -> Result<Option<RunRequest>, Error> {
    let name: Option<String> = row.try_get(column)?;
    Ok(name.as_deref().and_then(RunRequest::of))
}

fn no_run(run: &str) -> Error {
    Error::Unknown {
        kind: "run",
        name: run.chars().take(100).collect(),
    }
}

pub(crate) fn text_of(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Invalid(error.to_string()))
}
