//! Errors with a kind, the argument that causes them, and a remedy.

use std::fmt;

use serde::{Deserialize, Serialize};
use slope_model::error_text::ErrorText;

/// Kind of an error. Callers of other languages get its [name](ErrorKind::code).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ErrorKind {
    /// An argument has a wrong value.
    #[strum(serialize = "invalid-argument")]
    Argument,
    /// A file or folder cannot be read or written.
    Unreadable,
    /// The policy, the project's configuration or the reward pack is invalid.
    #[strum(serialize = "invalid-policy")]
    Policy,
    /// The code has nothing that slope measures.
    NoCode,
    /// The model's server gives no answer that can be used.
    NoAnswer,
    /// A fault of slope or the machine.
    Internal,
}

impl ErrorKind {
    /// Its name, in kebab case.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }
}

/// Why a function has no result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error {
    /// Its kind.
    pub kind: ErrorKind,
    /// The argument that causes it; empty if none does.
    pub field: String,
    /// What happened, and where.
    pub message: String,
    /// What to do; empty if slope knows nothing.
    pub help: String,
}

impl Error {
    /// An error of an argument.
    pub fn new(
        kind: ErrorKind,
        field: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            field: field.to_owned(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// An error of another crate with its causes. Their remedies become one.
    pub(crate) fn of(kind: ErrorKind, field: &str, error: &dyn std::error::Error) -> Self {
        let text = ErrorText::of(error);
        Self::new(kind, field, text.message, text.help.join("; "))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.help.is_empty() {
            return Ok(());
        }
        write!(f, "\nhelp: {}", self.help)
    }
}

impl std::error::Error for Error {}
