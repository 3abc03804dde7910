//! Details of checkpoints of runs, and steps of agents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_model::exhibit::{Actor, CheckpointExhibit, Step};
use slope_model::sent_run::{CheckpointPlace, KnownDetails, SentDetails, SentSteps};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::database::{Database, Write};
use crate::error::Error;
use crate::points::kept;
use crate::runs::text_of;

/// Largest size of the details of a checkpoint, in bytes of JSON.
const LARGEST_DETAILS: usize = 2 << 20;
/// Largest size of a step, in bytes of JSON.
const LARGEST_STEP: usize = 1 << 20;

/// Which steps of a checkpoint are wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepFilter {
    /// Kinds; empty for all.
    pub kinds: Vec<String>,
    /// Shortest time until the next step, in seconds; 0 for all.
    pub longer_s: f64,
    /// Position from which they are wanted.
    pub from: u32,
    /// Largest number.
    pub most: u32,
}

/// A step, and its position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlacedStep {
    /// Position, from 0.
    pub place: u32,
    /// The step.
    pub step: Step,
}

/// Number of steps of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindCount {
    /// The kind.
    pub kind: String,
    /// The number.
    pub count: u32,
}

/// Kind of a step: `prompt` asks the agent, `call` calls a tool, `message` is only text.
#[must_use]
pub fn step_kind(step: &Step) -> &'static str {
    match (step.actor, step.calls.is_empty() && step.results.is_empty()) {
        (Actor::User, true) => "prompt",
        (_, false) => "call",
        _ => "message",
    }
}

impl Database {
    /// Keeps steps.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the run has no such checkpoint.
    pub async fn put_steps(&self, project: &str, run: &str, sent: &SentSteps) -> Result<(), Error> {
        self.check_place(project, run, &sent.place).await?;
        let mut write = self.write().await?;
        if sent.first == 0 {
            delete(
                &mut write,
                "DELETE FROM run_details",
                (project, run),
                &sent.place,
            )
            .await?;
            delete(
                &mut write,
                "DELETE FROM run_steps",
                (project, run),
                &sent.place,
            )
            .await?;
        }
        for (place, step) in (sent.first..).zip(&sent.steps) {
            write
                .put_step((project, run), &sent.place, place, step)
                .await?;
        }
        write.commit().await
    }

    /// Keeps the details of a checkpoint, whose steps were sent before.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the run has no such checkpoint, [`Error::Invalid`] if steps are missing.
    pub async fn put_details(
        &self,
        project: &str,
        run: &str,
        sent: &SentDetails,
    ) -> Result<(), Error> {
        self.check_place(project, run, &sent.place).await?;
        let mut write = self.write().await?;
        let there = sqlx::query(
            "SELECT COUNT(*) FROM run_steps \
             WHERE project = $1 AND run = $2 AND problem = $3 AND trial = $4 AND checkpoint = $5",
        );
        let there = bound(there, (project, run), &sent.place)
            .fetch_one(&mut *write.connection)
            .await?;
        let there: i64 = there.try_get(0)?;
        if there != i64::from(sent.steps) {
            return Err(Error::Invalid(format!(
                "steps: {there} were sent before, not {}",
                sent.steps
            )));
        }
        delete(
            &mut write,
            "DELETE FROM run_details",
            (project, run),
            &sent.place,
        )
        .await?;
        let body = text_of(&sent.details)?;
        if body.len() > LARGEST_DETAILS {
            return Err(too_large("details", body.len(), LARGEST_DETAILS));
        }
        write
            .put_details((project, run), &sent.place, &sent.digest, &body)
            .await?;
        write.commit().await
    }

    /// The details of a checkpoint; `None` if they were not sent yet.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn details(
        &self,
        project: &str,
        run: &str,
        place: &CheckpointPlace,
    ) -> Result<Option<CheckpointExhibit>, Error> {
        let query = sqlx::query(
            "SELECT body FROM run_details \
             WHERE project = $1 AND run = $2 AND problem = $3 AND trial = $4 AND checkpoint = $5",
        );
        let row = bound(query, (project, run), place)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| kept(&row, 0)).transpose()
    }

    /// Steps of a checkpoint, in their order.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn steps(
        &self,
        project: &str,
        run: &str,
        place: &CheckpointPlace,
        filter: &StepFilter,
    ) -> Result<Vec<PlacedStep>, Error> {
        let wants = |kind: &str| {
            let is_wanted = filter.kinds.is_empty() || filter.kinds.iter().any(|one| one == kind);
            if is_wanted {
                kind.to_owned()
            } else {
                String::new()
            }
        };
        let query = sqlx::query(
            "SELECT place, body FROM run_steps \
             WHERE project = $1 AND run = $2 AND problem = $3 AND trial = $4 AND checkpoint = $5 \
             AND kind IN ($6, $7, $8) AND ($9 = 0 OR took_ms >= $9) AND place >= $10 ORDER BY place LIMIT $11",
        );
        let rows = bound(query, (project, run), place)
            .bind(wants("prompt"))
            .bind(wants("call"))
            .bind(wants("message"))
            .bind(milliseconds(Some(filter.longer_s)).max(0))
            .bind(i64::from(filter.from))
            .bind(i64::from(filter.most))
            .fetch_all(&self.pool)
            .await?;
        let step = |row: &AnyRow| {
            Ok(PlacedStep {
                place: u32::try_from(row.try_get::<i64, _>(0)?).unwrap_or(u32::MAX),
                step: kept(row, 1)?,
            })
        };
        rows.iter().map(step).collect()
    }

    /// Numbers of steps of a checkpoint by kind.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn step_kinds(
        &self,
        project: &str,
        run: &str,
        place: &CheckpointPlace,
    ) -> Result<Vec<KindCount>, Error> {
        let query = sqlx::query(
            "SELECT kind, COUNT(*) FROM run_steps \
             WHERE project = $1 AND run = $2 AND problem = $3 AND trial = $4 AND checkpoint = $5 \
             GROUP BY kind ORDER BY kind",
        );
        let rows = bound(query, (project, run), place)
            .fetch_all(&self.pool)
            .await?;
        let count = |row: &AnyRow| {
            Ok(KindCount {
                kind: row.try_get(0)?,
                count: u32::try_from(row.try_get::<i64, _>(1)?).unwrap_or(u32::MAX),
            })
        };
        rows.iter().map(count).collect()
    }

    /// Checks that a run has a checkpoint.
    async fn check_place(
        &self,
        project: &str,
        run: &str,
        place: &CheckpointPlace,
    ) -> Result<(), Error> {
        place.check().map_err(Error::Invalid)?;
        let (_, sent) = self.run(project, run).await?;
        if sent.has(place) {
            return Ok(());
        }
        Err(Error::Invalid(
            "place: the run's report has no such checkpoint; send the report first".to_owned(),
        ))
    }
}

impl Write {
    pub(crate) async fn put_details(
        &mut self,
        of: (&str, &str),
        place: &CheckpointPlace,
        digest: &str,
        body: &str,
    ) -> Result<(), Error> {
        let query = sqlx::query(
            "INSERT INTO run_details (project, run, problem, trial, checkpoint, digest, body) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        );
        bound(query, of, place)
            .bind(digest)
            .bind(body)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    pub(crate) async fn put_step(
        &mut self,
        of: (&str, &str),
        place: &CheckpointPlace,
        at: u32,
        step: &Step,
    ) -> Result<(), Error> {
        let text = text_of(step)?;
        if text.len() > LARGEST_STEP {
            return Err(too_large("a step", text.len(), LARGEST_STEP));
        }
        let query = sqlx::query(
            "INSERT INTO run_steps (project, run, problem, trial, checkpoint, place, kind, took_ms, body) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
             ON CONFLICT (project, run, problem, trial, checkpoint, place) DO UPDATE SET \
             kind = excluded.kind, took_ms = excluded.took_ms, body = excluded.body",
        );
        bound(query, of, place)
            .bind(i64::from(at))
            .bind(step_kind(step))
            .bind(milliseconds(step.took_s))
            .bind(text)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments>;

/// A statement with the place of a checkpoint as its first five parameters.
fn bound<'q>(query: Query<'q>, (project, run): (&str, &str), place: &CheckpointPlace) -> Query<'q> {
    query
        .bind(project.to_owned())
        .bind(run.to_owned())
        .bind(place.problem.clone())
        .bind(i64::from(place.trial))
        .bind(place.checkpoint.clone())
}

async fn delete(
    write: &mut Write,
    what: &'static str,
    of: (&str, &str),
    place: &CheckpointPlace,
) -> Result<(), Error> {
    let text = format!(
        "{what} WHERE project = $1 AND run = $2 AND problem = $3 AND trial = $4 AND checkpoint = $5"
    );
    let query = sqlx::query(sqlx::AssertSqlSafe(text));
    bound(query, of, place)
        .execute(&mut *write.connection)
        .await?;
    Ok(())
}

/// The checkpoints of a run whose details are there.
pub(crate) async fn known(
    connection: &mut AnyConnection,
    project: &str,
    run: &str,
) -> Result<Vec<KnownDetails>, Error> {
    let rows = sqlx::query(
        "SELECT problem, trial, checkpoint, digest FROM run_details WHERE project = $1 AND run = $2 \
         ORDER BY problem, trial, checkpoint",
    )
    .bind(project)
    .bind(run)
    .fetch_all(connection)
    .await?;
    let known = |row: &AnyRow| {
        Ok(KnownDetails {
            place: place_of(row, 0)?,
            digest: row.try_get(3)?,
        })
    };
    rows.iter().map(known).collect()
}

/// The checkpoint of three columns.
pub(crate) fn place_of(row: &AnyRow, first: usize) -> Result<CheckpointPlace, Error> {
    Ok(CheckpointPlace {
        problem: row.try_get(first)?,
        trial: u32::try_from(row.try_get::<i64, _>(first + 1)?).unwrap_or(0),
        checkpoint: row.try_get(first + 2)?,
    })
}

/// Milliseconds, or -1.
fn milliseconds(seconds: Option<f64>) -> i64 {
    match seconds {
        #[expect(clippy::cast_possible_truncation, reason = "clamped")]
        Some(seconds) if seconds >= 0.0 => (seconds * 1000.0).min(1e15) as i64,
        _ => -1,
    }
}

fn too_large(what: &str, bytes: usize, most: usize) -> Error {
    Error::Invalid(format!("{what}: {bytes} bytes are more than {most}"))
}
