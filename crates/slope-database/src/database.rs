//! Connections.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Executor};

use crate::error::Error;
use crate::versions;

/// Connections at the same time.
const CONNECTIONS: u32 = 8;
/// Longest wait for a connection, or for the turn of a writer. Many requests at once are no fault of the database.
const QUEUE: Duration = Duration::from_secs(20);
/// An idle connection is closed after this time.
const IDLE: Duration = Duration::from_secs(600);

/// A connection is replaced after this time.
const LIFETIME: Duration = Duration::from_secs(1800);
/// Address of a database of SQLite that is not kept.
const MEMORY: &str = "sqlite::memory:";

/// Settings of a connection to SQLite: readers do not wait for writers, and what was accepted survives a power cut.
const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
    PRAGMA busy_timeout = 5000; PRAGMA foreign_keys = ON;";

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    url: String,
    is_sqlite: bool,
    /// The file of SQLite, if there is one.
    file: Option<PathBuf>,
}

impl Place {
    /// A file of SQLite, made if it is not there.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        // The driver decodes the path, so that `?` and `%` in it need their codes.
        let file = Some(path.to_owned());
        let path = path.display().to_string();
        let path = path
            .replace('%', "%25")
            .replace('?', "%3F")
            .replace('#', "%23");
        Self {
            url: format!("sqlite://{path}?mode=rwc"),
            is_sqlite: true,
            file,
        }
    }

    /// A database of SQLite that is not kept.
    #[must_use]
    pub fn memory() -> Self {
        Self {
            url: MEMORY.to_owned(),
            is_sqlite: true,
            file: None,
        }
    }

    /// The database of an address: `sqlite://FILE` or `postgres://USER@HOST/NAME`.
    ///
    /// # Errors
    /// [`Error::Address`] for anything else.
    pub fn of_address(address: &str) -> Result<Self, Error> {
        if let Some(path) = address.strip_prefix("sqlite://") {
            return Ok(Self::file(Path::new(path)));
        }
        let is_postgres = ["postgres://", "postgresql://"]
            .iter()
            .any(|it| address.starts_with(it));
        if !is_postgres {
            return Err(Error::Address(without_password(address)));
        }
        Ok(Self {
            url: address.to_owned(),
            is_sqlite: false,
            file: None,
        })
    }

    /// Kind of the database: `sqlite` or `postgres`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        if self.is_sqlite { "sqlite" } else { "postgres" }
    }

    /// Begins a transaction that reads everything as it is at one moment.
    pub(crate) fn snapshot(&self) -> &'static str {
        if self.is_sqlite {
            "BEGIN"
        } else {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        }
    }

    /// The address without a password.
    #[must_use]
    pub fn shown(&self) -> String {
        without_password(self.url.trim_end_matches("?mode=rwc"))
    }
}

/// An address with the part between `user:` and `@` replaced.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.rsplit('@').next().unwrap_or_default().to_owned();
    };
    let authority = rest.find('/').unwrap_or(rest.len());
    let Some(at) = rest[..authority].rfind('@') else {
        return address.to_owned();
    };
    let user = rest[..at].split(':').next().unwrap_or_default();
    format!("{scheme}://{user}@{}", &rest[at + 1..])
}

/// An open database.
pub struct Database {
    pub(crate) pool: AnyPool,
    /// Connections that write. SQLite has one writer at a time: waiting for its only connection is fair, waiting for
    /// its lock or behind readers is not.
    writers: AnyPool,
    place: Place,
}

impl Database {
    /// Opens a database, and brings its tables to the newest version.
    ///
    /// # Errors
    /// If it cannot be reached, is damaged, belongs to another program, or has tables of a newer slope.
    pub async fn open(place: Place) -> Result<Self, Error> {
        let database = Self::connect(place).await?;
        versions::upgrade(&database.pool, None).await?;
        Ok(database)
    }

    /// Opens a database with the tables that it has.
    pub(crate) async fn connect(place: Place) -> Result<Self, Error> {
        sqlx::any::install_default_drivers();
        let failed = |reason: sqlx::Error| match Error::from(reason) {
            Error::Other(reason) => Error::Open {
                place: place.shown(),
                reason,
            },
            known => known,
        };
        let options: AnyConnectOptions = place.url.parse().map_err(failed)?;
        let is_sqlite = place.is_sqlite;
        // The pool would try again until its patience ends, and then not say why.
        let mut first = AnyConnection::connect_with(&options)
            .await
            .map_err(failed)?;
        if is_sqlite {
            first.execute(SQLITE_SETTINGS).await.map_err(failed)?;
        }
        first.close().await.map_err(failed)?;
        // Each connection to memory would have a database of its own, which ends with it.
        let is_kept = place.url != MEMORY;
        let connections = if is_kept { CONNECTIONS } else { 1 };
        let pool = pool_of(&options, connections, is_sqlite, is_kept);
        let pool = pool.await.map_err(failed)?;
        let writers = if is_sqlite && is_kept {
            let writer = pool_of(&options, 1, is_sqlite, is_kept);
            writer.await.map_err(failed)?
        } else {
            pool.clone()
        };
        Ok(Self {
            pool,
            writers,
            place: place.clone(),
        })
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Runs a real query.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn check(&self) -> Result<(), Error> {
        if self.is_gone() {
            return Err(Error::Damaged("its file was removed".to_owned()));
        }
        sqlx::query("SELECT COUNT(*) FROM projects")
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Whether the file of SQLite was removed: writes would then go nowhere.
    fn is_gone(&self) -> bool {
        self.place.file.as_ref().is_some_and(|file| !file.exists())
    }

    /// Closes all connections.
    pub async fn close(&self) {
        self.pool.close().await;
        self.writers.close().await;
    }

    /// A transaction that writes.
    pub(crate) async fn write(&self) -> Result<Write, Error> {
        if self.is_gone() {
            return Err(Error::Damaged("its file was removed".to_owned()));
        }
        // A transaction of SQLite that reads first could fail when it starts to write.
        let begin = if self.place.is_sqlite {
            "BEGIN IMMEDIATE"
        } else {
            "BEGIN"
        };
        let mut write = Write {
            connection: self.writers.acquire().await?,
            is_over: false,
        };
        write.connection.execute(begin).await?;
        Ok(write)
    }
}

/// A transaction that writes.
///
/// Its connection is closed if the transaction does not end well, for example on a full disk: what is left of it on the
/// connection would make later ones fail.
pub(crate) struct Write {
    pub(crate) connection: PoolConnection<Any>,
    is_over: bool,
}

impl Write {
    pub(crate) async fn commit(mut self) -> Result<(), Error> {
        self.connection.execute("COMMIT").await?;
        self.is_over = true;
        Ok(())
    }
}

impl Drop for Write {
    fn drop(&mut self) {
        if !self.is_over {
            self.connection.close_on_drop();
        }
    }
}

/// Connections to a database. Those to memory never end, because the database would end with them.
async fn pool_of(
    options: &AnyConnectOptions,
    connections: u32,
    is_sqlite: bool,
    is_kept: bool,
) -> Result<AnyPool, sqlx::Error> {
    let pool = AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(QUEUE)
        .idle_timeout(is_kept.then_some(IDLE))
        .max_lifetime(is_kept.then_some(LIFETIME))
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if is_sqlite {
                    connection.execute(SQLITE_SETTINGS).await?;
                }
                Ok(())
            })
        });
    pool.connect_with(options.clone()).await
}

/// Now, in milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_passwords() {
        let shown = |address| Place::of_address(address).map(|place| place.shown());
        assert_eq!(
            shown("postgres://ann:s3:cr@t@db.example/slope")
                .ok()
                .as_deref(),
            Some("postgres://ann@db.example/slope")
        );
        assert_eq!(
            shown("sqlite:///var/slope.db").ok().as_deref(),
            Some("sqlite:///var/slope.db")
        );
        let error = Place::of_address("mysql://ann:secret@host/x").expect_err("not supported");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
