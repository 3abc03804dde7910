//! Queries that changes, runs and watches share: rows of a project with a key.

use sqlx::any::AnyRow;

use crate::database::Database;
use crate::error::Error;

impl Database {
    /// Rows of one project or of all. The query has the project, empty for all, and the largest number as parameters.
    pub(crate) async fn latest<T>(
        &self,
        query: &'static str,
        project: Option<&str>,
        most: u32,
        read: fn(&AnyRow) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let rows = sqlx::query(query)
            .bind(project.unwrap_or_default())
            .bind(i64::from(most));
        rows.fetch_all(&self.pool).await?.iter().map(read).collect()
    }

    /// The row of a key. The query has the project and the key as parameters.
    pub(crate) async fn one(
        &self,
        query: &'static str,
        (project, key): (&str, &str),
        missing: fn(&str) -> Error,
    ) -> Result<AnyRow, Error> {
        let row = sqlx::query(query).bind(project).bind(key);
        let row = row.fetch_optional(&self.pool).await?;
        row.ok_or_else(|| missing(key))
    }

    /// Removes the row of a key.
    pub(crate) async fn remove(
        &self,
        query: &'static str,
        (project, key): (&str, &str),
        missing: fn(&str) -> Error,
    ) -> Result<(), Error> {
        let mut write = self.write().await?;
        let removed = sqlx::query(query)
            .bind(project)
            .bind(key)
            .execute(&mut *write.connection)
            .await?;
        write.commit().await?;
        if removed.rows_affected() == 0 {
            return Err(missing(key));
        }
        Ok(())
    }
}
