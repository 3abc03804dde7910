//! Changes, for example pull requests, as the gate judges them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_model::gate::Level;
use slope_model::ledger::Amounts;
use slope_model::sent_change::{ChangeKept, SentChange};
use slope_model::series::Author;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, Write, now_ms};
use crate::error::Error;
use crate::points::kept;
use crate::projects::time_text;

/// Summary of a change for lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeSummary {
    /// Title, if there is one.
    pub title: Option<String>,
    /// Name of the side that was judged.
    pub head: String,
    /// The author.
    pub author: Author,
    /// Violations that fail the change.
    pub errors: u32,
    /// Violations that do not.
    pub warnings: u32,
    /// Difference of the totals.
    pub change: Amounts,
}

/// A change in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeInfo {
    /// The project.
    pub project: String,
    /// Key of the change.
    pub key: String,
    /// Whether it passes.
    pub passes: bool,
    /// When it was last judged, in UTC.
    pub changed: String,
    /// Its summary.
    pub summary: ChangeSummary,
}

impl ChangeSummary {
    fn of(sent: &SentChange) -> Self {
        let judgement = &sent.judgement;
        let count = |level: Level| {
            let all = judgement.violations.iter();
            let of = all.filter(|violation| violation.level == level).count();
            u32::try_from(of).unwrap_or(u32::MAX)
        };
        Self {
            title: sent.title.clone(),
            head: judgement.head.name.clone(),
            author: sent.author.clone(),
            errors: count(Level::Error),
            warnings: count(Level::Warning),
            change: judgement.balance.change,
        }
    }
}

impl Database {
    /// Keeps a judged change in place of an earlier judgement of it.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such project, [`Error::Invalid`] with a fault of the change.
    pub async fn put_change(
        &self,
        project: &str,
        key: &str,
        sent: &SentChange,
    ) -> Result<ChangeKept, Error> {
        sent.check().map_err(Error::Invalid)?;
        self.project(project).await?;
        let mut write = self.write().await?;
        let before =
            sqlx::query("SELECT digest FROM changes WHERE project = $1 AND change_key = $2")
                .bind(project)
                .bind(key)
                .fetch_optional(&mut *write.connection)
                .await?;
        let before: Option<String> = before.map(|row| row.try_get(0)).transpose()?;
        let digest = write.put_change((project, key), sent, now_ms()).await?;
        write.commit().await?;
        Ok(ChangeKept {
            is_new: before.as_deref() != Some(&digest),
        })
    }

    /// The changes of one project or of all, those that were judged last first.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn changes(
        &self,
        project: Option<&str>,
        most: u32,
    ) -> Result<Vec<ChangeInfo>, Error> {
        let query = "SELECT project, change_key, passes, changed_ms, summary FROM changes \
             WHERE $1 = '' OR project = $1 ORDER BY changed_ms DESC, project, change_key LIMIT $2";
        self.latest(query, project, most, info).await
    }

    /// A change.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such change.
    pub async fn change(
        &self,
        project: &str,
        key: &str,
    ) -> Result<(ChangeInfo, SentChange), Error> {
        let query = "SELECT project, change_key, passes, changed_ms, summary, body FROM changes \
             WHERE project = $1 AND change_key = $2";
        let row = self.one(query, (project, key), no_change).await?;
        Ok((info(&row)?, kept(&row, 5)?))
    }

    /// Removes a change.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the project has no such change.
    pub async fn remove_change(&self, project: &str, key: &str) -> Result<(), Error> {
        let query = "DELETE FROM changes WHERE project = $1 AND change_key = $2";
        self.remove(query, (project, key), no_change).await
    }
}

impl Write {
    /// Keeps a change. Returns its digest. The time changes only with the change.
    pub(crate) async fn put_change(
        &mut self,
        (project, key): (&str, &str),
        sent: &SentChange,
        changed_ms: i64,
    ) -> Result<String, Error> {
        let text = |error: serde_json::Error| Error::Invalid(error.to_string());
        let body = serde_json::to_string(sent).map_err(text)?;
        let summary = serde_json::to_string(&ChangeSummary::of(sent)).map_err(text)?;
        let digest = blake3::hash(body.as_bytes()).to_hex().to_string();
        sqlx::query(
            "INSERT INTO changes (project, change_key, passes, changed_ms, digest, summary, body) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project, change_key) DO UPDATE SET \
             passes = excluded.passes, changed_ms = excluded.changed_ms, digest = excluded.digest, \
             summary = excluded.summary, body = excluded.body WHERE changes.digest <> excluded.digest",
        )
        .bind(project)
        .bind(key)
        .bind(i64::from(sent.judgement.passes))
        .bind(changed_ms)
        .bind(&digest)
        .bind(summary)
        .bind(body)
        .execute(&mut *self.connection)
        .await?;
        Ok(digest)
    }
}

fn info(row: &AnyRow) -> Result<ChangeInfo, Error> {
    Ok(ChangeInfo {
        project: row.try_get(0)?,
        key: row.try_get(1)?,
        passes: row.try_get::<i64, _>(2)? != 0,
        changed: time_text(row.try_get(3)?),
        summary: kept(row, 4)?,
    })
}

fn no_change(key: &str) -> Error {
    Error::Unknown {
        kind: "change",
        name: key.chars().take(100).collect(),
    }
}
