//! What changes and runs share: rows of a project with a key.

use sqlx::any::AnyRow;

use crate::database::Database;
use crate::error::Error;

impl Database {
    /// Rows of one project or of all. The query has the project, empty for all, and the largest number as parameters.
    pub(crate) async fn latest(
        &self,
        query: &'static str,
        project: Option<&str>,
        most: u32,
    ) -> Result<Vec<AnyRow>, Error> {
        let rows = sqlx::query(query)
            .bind(project.unwrap_or_default())
            .bind(i64::from(most));
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// The row of a key. The query has the project and the key as parameters.
    pub(crate) async fn one(
        &self,
        query: &'static str,
        (project, key): (&str, &str),
    ) -> Result<Option<AnyRow>, Error> {
        let row = sqlx::query(query).bind(project).bind(key);
        Ok(row.fetch_optional(&self.pool).await?)
    }

    /// Removes the row of a key. Returns whether there was one.
    pub(crate) async fn remove(
        &self,
        query: &'static str,
        (project, key): (&str, &str),
    ) -> Result<bool, Error> {
        let mut write = self.write().await?;
        let removed = sqlx::query(query)
            .bind(project)
            .bind(key)
            .execute(&mut *write.connection)
            .await?;
        write.commit().await?;
        Ok(removed.rows_affected() > 0)
    }
}
