//! Projects.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_model::series::check_name;
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::database::{Database, now_ms};
use crate::error::Error;

/// A project: what tokens and series belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Project {
    /// Name in addresses.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// Time at which it was added, RFC 3339 in UTC.
    pub created: String,
}

impl Database {
    /// Adds a project. Without a title, the name is the title.
    ///
    /// # Errors
    /// [`Error::Taken`] if there is one of this name, [`Error::Invalid`] if the name does not fit into an address.
    pub async fn add_project(&self, name: &str, title: &str) -> Result<Project, Error> {
        check_name(name).map_err(Error::Invalid)?;
        check_text("title", title)?;
        let title = if title.trim().is_empty() { name } else { title };
        let mut write = self.write().await?;
        let added = sqlx::query(
            "INSERT INTO projects (name, title, created_ms) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(name)
        .bind(title)
        .bind(now_ms())
        .execute(&mut *write.connection)
        .await?;
        write.commit().await?;
        if added.rows_affected() == 0 {
            return Err(Error::Taken {
                kind: "project",
                name: name.to_owned(),
            });
        }
        self.project(name).await
    }

    /// The project of a name.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no project has this name.
    pub async fn project(&self, name: &str) -> Result<Project, Error> {
        let row = sqlx::query("SELECT name, title, created_ms FROM projects WHERE name = $1")
            .bind(name)
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref()
            .map(project)
            .transpose()?
            .ok_or_else(|| Error::Unknown {
                kind: "project",
                name: name.to_owned(),
            })
    }

    /// All projects after a name, in the order of their names.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn projects(&self, after: &str, most: u32) -> Result<Vec<Project>, Error> {
        let rows = sqlx::query(
            "SELECT name, title, created_ms FROM projects WHERE name > $1 ORDER BY name LIMIT $2",
        )
        .bind(after)
        .bind(i64::from(most))
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(project).collect()
    }

    /// Removes a project with all its points and tokens.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no project has this name.
    pub async fn remove_project(&self, name: &str) -> Result<(), Error> {
        let mut write = self.write().await?;
        let removed = sqlx::query("DELETE FROM projects WHERE name = $1")
            .bind(name)
            .execute(&mut *write.connection)
            .await?;
        write.commit().await?;
        match removed.rows_affected() {
            0 => Err(Error::Unknown {
                kind: "project",
                name: name.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

/// Checks a text for people: no control characters, which PostgreSQL partly refuses, and at most 200 characters.
pub(crate) fn check_text(field: &str, text: &str) -> Result<(), Error> {
    let most = 200;
    if text.chars().count() <= most && !text.chars().any(char::is_control) {
        return Ok(());
    }
    Err(Error::Invalid(format!(
        "{field}: use at most {most} characters, and no control characters"
    )))
}

fn project(row: &AnyRow) -> Result<Project, Error> {
    Ok(Project {
        name: row.try_get(0)?,
        title: row.try_get(1)?,
        created: time_text(row.try_get(2)?),
    })
}

/// Milliseconds since 1970 as RFC 3339.
pub(crate) fn time_text(ms: i64) -> String {
    let time = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
    time.round(jiff::Unit::Second).unwrap_or(time).to_string()
}
