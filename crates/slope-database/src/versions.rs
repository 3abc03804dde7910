//! Versions of the tables, and databases of earlier ones.

use sqlx::any::AnyRow;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Any, Connection, Executor, Pool, Row, SqlSafeStr};

use crate::database::{Database, Place};
use crate::error::Error;

/// Versions of the tables, oldest first. A version that was released never changes.
///
/// `tests/old` has rows of each version, and tests upgrade them. After a new version, keep its rows with
/// `SLOPE_UPDATE_OLD_DATA=1 cargo test --workspace --test serve -- upgrades`.
const VERSIONS: &[(i64, &str, &str)] = &[
    (
        1,
        "projects and points",
        include_str!("../migrations/0001_projects_and_points.sql"),
    ),
    (2, "runs", include_str!("../migrations/0002_runs.sql")),
    (3, "changes", include_str!("../migrations/0003_changes.sql")),
    (
        4,
        "sequence",
        include_str!("../migrations/0004_sequence.sql"),
    ),
    (5, "series", include_str!("../migrations/0005_series.sql")),
    (6, "watches", include_str!("../migrations/0006_watches.sql")),
];

/// Brings the tables to a version, the newest if none is given.
pub(crate) async fn upgrade(pool: &Pool<Any>, last: Option<i64>) -> Result<(), Error> {
    let wanted = VERSIONS
        .iter()
        .filter(|(version, ..)| last.is_none_or(|last| *version <= last));
    let migrations = wanted.map(|(version, what, sql)| {
        let sql = (*sql).into_sql_str();
        Migration::new(*version, (*what).into(), MigrationType::Simple, sql, false)
    });
    let mut connection = pool.acquire().await?;
    Migrator::with_migrations(migrations.collect())
        .run_direct(None, &mut *connection, false)
        .await?;
    connection.ping().await?;
    Ok(())
}

/// For tests of upgrades and refusals.
#[doc(hidden)]
impl Database {
    /// Makes a database with the tables of an earlier version, and runs statements that add its rows.
    pub async fn make_old(place: Place, version: i64, rows: &str) -> Result<Self, Error> {
        let old = Self::connect(place).await?;
        upgrade(&old.pool, Some(version)).await?;
        let rows = sqlx::AssertSqlSafe(rows.to_owned());
        old.pool.execute(sqlx::raw_sql(rows)).await?;
        Ok(old)
    }

    /// Brings the tables of an earlier version to the newest.
    pub async fn upgrade(&self) -> Result<(), Error> {
        upgrade(&self.pool, None).await
    }

    /// All rows of a database of SQLite, by table in the order of their creation, as statements for both databases.
    pub async fn rows_as_sql(&self) -> Result<Vec<(String, Vec<String>)>, Error> {
        let query = "SELECT name FROM sqlite_master WHERE type = 'table' \
             AND name NOT LIKE 'sqlite%' AND name NOT LIKE '_sqlx%' ORDER BY rowid";
        let tables = self.texts(query.to_owned()).await?;
        let mut all = Vec::new();
        for table in tables {
            let columns = format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid");
            let columns = self.texts(columns).await?;
            let quoted: Vec<String> = columns.iter().map(|it| format!("quote({it})")).collect();
            let values = quoted.join(" || ', ' || ");
            let rows = self
                .texts(format!("SELECT {values} FROM {table} ORDER BY rowid"))
                .await?;
            let insert = |row: String| {
                format!(
                    "INSERT INTO {table} ({}) VALUES ({row});",
                    columns.join(", ")
                )
            };
            all.push((table.clone(), rows.into_iter().map(insert).collect()));
        }
        Ok(all)
    }

    /// The newest version of the tables.
    #[must_use]
    pub fn newest_version() -> i64 {
        VERSIONS.last().map_or(0, |(version, ..)| *version)
    }

    /// Marks the tables as those of another version.
    pub async fn pretend_version(&self, version: i64) -> Result<(), Error> {
        sqlx::query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             SELECT $1, description, success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1",
        )
        .bind(version)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    async fn texts(&self, query: String) -> Result<Vec<String>, Error> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).fetch_all(&self.pool);
        let text = |row: AnyRow| Ok(row.try_get(0)?);
        rows.await?.into_iter().map(text).collect()
    }
}
