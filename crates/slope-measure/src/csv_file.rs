//! Files of comma-separated values.

use std::path::Path;

use serde::de::DeserializeOwned;

/// Reads all rows of a file.
///
/// # Errors
/// If the file cannot be read, or a row lacks a column.
pub(crate) fn rows<T: DeserializeOwned>(path: &Path) -> csv::Result<Vec<T>> {
    csv::Reader::from_path(path)?.deserialize().collect()
}
