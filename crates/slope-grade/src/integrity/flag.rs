//! A single flag.

use slope_model::grade::Flag;

/// A flag at a place: its path, and its line or 0.
pub(super) fn flag(id: &str, is_hard: bool, (path, line): (&str, u32), message: &str) -> Flag {
    Flag {
        id: id.to_owned(),
        is_hard,
        path: path.to_owned(),
        line,
        message: message.to_owned(),
    }
}
