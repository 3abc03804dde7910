//! Answers to requests that may be sent again with the same key.

use sqlx::Row;

use crate::database::{Database, now_ms};
use crate::error::Error;

/// How long an answer is kept, in milliseconds: a day.
const KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Hash of the request that was answered.
    pub request: String,
    /// Status of the answer.
    pub status: u16,
    /// Body of the answer.
    pub answer: String,
    /// When it was kept, in milliseconds since 1970.
    pub created_ms: i64,
}

impl Repeat {
    /// An answer of now.
    #[must_use]
    pub fn new(request: String, status: u16, answer: String) -> Self {
        Self {
            request,
            status,
            answer,
            created_ms: now_ms(),
        }
    }
}

impl Database {
    /// The answer to an earlier request of the same owner with the same key.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn repeat(&self, owner: &str, key: &str) -> Result<Option<Repeat>, Error> {
        let row = sqlx::query(
            "SELECT request, status, answer, created_ms FROM repeats WHERE owner = $1 AND repeat_key = $2 AND created_ms > $3",
        )
        .bind(owner)
        .bind(key)
        .bind(now_ms() - KEPT_MS)
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let status = u16::try_from(row.try_get::<i64, _>(1)?).unwrap_or(500);
        Ok(Some(Repeat {
            request: row.try_get(0)?,
            status,
            answer: row.try_get(2)?,
            created_ms: row.try_get(3)?,
        }))
    }

    /// Removes an answer that is no longer true.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn forget_repeat(&self, owner: &str, key: &str) -> Result<(), Error> {
        let mut write = self.write().await?;
        sqlx::query("DELETE FROM repeats WHERE owner = $1 AND repeat_key = $2")
            .bind(owner)
            .bind(key)
            .execute(&mut *write.connection)
            .await?;
        write.commit().await
    }

    /// Keeps an answer. The first one stays. Old ones are removed.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn keep_repeat(&self, owner: &str, key: &str, repeat: &Repeat) -> Result<(), Error> {
        let mut write = self.write().await?;
        sqlx::query("DELETE FROM repeats WHERE created_ms <= $1")
            .bind(now_ms() - KEPT_MS)
            .execute(&mut *write.connection)
            .await?;
        sqlx::query(
            "INSERT INTO repeats (owner, repeat_key, request, status, answer, created_ms) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(owner)
        .bind(key)
        .bind(&repeat.request)
        .bind(i64::from(repeat.status))
        .bind(&repeat.answer)
        .bind(repeat.created_ms)
        .execute(&mut *write.connection)
        .await?;
        write.commit().await
    }
}
