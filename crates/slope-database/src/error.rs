//! What can go wrong.

use sqlx::migrate::MigrateError;

/// Why a database cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is not one of a database.
    #[error(
        "`{0}` is not the address of a database\nhelp: write sqlite://FILE or postgres://USER@HOST/NAME"
    )]
    Address(String),
    /// It cannot be reached or opened.
    #[error(
        "could not open the database {place}: {reason}\nhelp: check that it exists, and that you may write to it"
    )]
    Open {
        /// Where it is, without a password.
        place: String,
        /// The cause.
        reason: String,
    },
    /// A newer slope wrote it.
    #[error(
        "a newer slope made this database: it has version {0} of the tables\nhelp: use that slope, or restore a backup"
    )]
    Newer(i64),
    /// Its tables are not those of slope.
    #[error(
        "the tables of this database are not those that slope made: {0}\nhelp: name another database, or restore a backup"
    )]
    Foreign(String),
    /// Its contents are damaged.
    #[error("the database is damaged: {0}\nhelp: stop the server and restore a backup")]
    Damaged(String),
    /// There is no space left.
    #[error(
        "the database has no space left\nhelp: free space on its disk; nothing that was accepted is lost"
    )]
    Full,
    /// Another program holds it.
    #[error(
        "another program holds the database, or it has too many requests\nhelp: try again, or stop that program"
    )]
    Locked,
    /// It may only be read.
    #[error("the database may only be read\nhelp: check the owner and mode of its files")]
    ReadOnly,
    /// A backup cannot be written or read.
    #[error(
        "the backup: {0}\nhelp: check the file and its disk; nothing was changed in the database"
    )]
    File(String),
    /// A backup needs an empty database.
    #[error("the database {0} is not empty\nhelp: restore into a new folder or database")]
    NotEmpty(String),
    /// There is no such thing.
    #[error("there is no {kind} `{name}`")]
    Unknown {
        /// What it is.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// There is one of this name.
    #[error("there is already a {kind} `{name}`")]
    Taken {
        /// What it is.
        kind: &'static str,
        /// Its name.
        name: String,
    },
    /// A value is not valid.
    #[error("{0}")]
    Invalid(String),
    /// Anything else that the database says.
    #[error("the database failed: {0}")]
    Other(String),
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(reply) => {
                let code = reply.code().unwrap_or_default();
                of_code(&code, reply.message())
            }
            sqlx::Error::PoolTimedOut => Self::Locked,
            _ => Self::Other(error.to_string()),
        }
    }
}

/// An error by the code of SQLite (a number, whose lowest byte is the kind) or PostgreSQL (five characters).
fn of_code(code: &str, message: &str) -> Error {
    if code.len() == 5 {
        return match (code.get(..2), code) {
            (_, "53100") => Error::Full,
            (_, "23503") => removed(),
            (_, "22021" | "22P05") => {
                Error::Invalid("a text has characters that the database refuses".to_owned())
            }
            (_, "55P03" | "40P01" | "40001") => Error::Locked,
            (_, "25006" | "42501") => Error::ReadOnly,
            (Some("XX"), _) => Error::Damaged(message.to_owned()),
            _ => Error::Other(message.to_owned()),
        };
    }
    match code.parse::<u32>().map(|code| code & 0xff) {
        Ok(19) if code == "787" => removed(),
        Ok(5 | 6) => Error::Locked,
        Ok(8) => Error::ReadOnly,
        Ok(11 | 26) => Error::Damaged(message.to_owned()),
        Ok(13) => Error::Full,
        _ => Error::Other(message.to_owned()),
    }
}

/// A row that others depend on was removed by another request.
fn removed() -> Error {
    Error::Unknown {
        kind: "project",
        name: "any more: it was removed meanwhile".to_owned(),
    }
}

impl From<MigrateError> for Error {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::VersionMissing(version) => Self::Newer(version),
            MigrateError::VersionMismatch(version) => {
                Self::Foreign(format!("version {version} differs"))
            }
            MigrateError::Execute(error) => error.into(),
            MigrateError::ExecuteMigration(error, version) => match Self::from(error) {
                Self::Other(reason) => Self::Foreign(format!("version {version}: {reason}")),
                known => known,
            },
            other => Self::Foreign(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_databases_have_remedies() {
        assert!(matches!(of_code("13", ""), Error::Full));
        assert!(matches!(of_code("53100", ""), Error::Full));
        assert!(matches!(of_code("517", ""), Error::Locked));
        assert!(matches!(of_code("26", "not a database"), Error::Damaged(_)));
        assert!(matches!(of_code("1032", ""), Error::ReadOnly));
        assert!(matches!(of_code("23505", "x"), Error::Other(_)));
    }
}
