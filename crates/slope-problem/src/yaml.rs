//! YAML with errors that name file and line.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::Error;

/// Reads `path` as UTF-8 text; the error for a missing file calls it `what`.
pub(crate) fn read_text(path: &Path, what: &str, remedy: &str) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(|e| match e.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Error::missing(path, what, remedy),
        _ => Error::io(path, "cannot read")(e),
    })?;
    String::from_utf8(bytes).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        Error::malformed(
            path,
            Some(line_count(valid)),
            "the file is not UTF-8 text",
            "save it as UTF-8",
        )
    })
}

/// Parses `text`, the contents of `path`.
pub(crate) fn parse<T: DeserializeOwned>(
    path: &Path,
    text: &str,
    remedy: &str,
) -> Result<T, Error> {
    serde_saphyr::from_str(text).map_err(|e| {
        let line = e.location().map(|l| l.line()).filter(|l| *l > 0);
        Error::malformed(
            path,
            line,
            first_line(&e.without_snippet().to_string()),
            remedy,
        )
    })
}

/// The line, from 1, of the first line of `text` that satisfies `wanted`.
pub(crate) fn line_where(text: &str, wanted: impl Fn(&str) -> bool) -> Option<u64> {
    let index = text.lines().position(wanted)?;
    u64::try_from(index + 1).ok()
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

fn line_count(bytes: &[u8]) -> u64 {
    bytes.iter().fold(1, |n, b| n + u64::from(*b == b'\n'))
}
