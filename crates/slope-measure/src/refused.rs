//! Files that cannot be measured.

use std::borrow::Cow;

use slope_syntax::ParseError;

/// A file without facts, and why.
pub(crate) struct Refused {
    pub(crate) path: String,
    pub(crate) reason: String,
}

/// The reason for a file that could not be parsed.
pub(crate) fn reason_of(error: &ParseError) -> Cow<'static, str> {
    Cow::Owned(error.to_string())
}
