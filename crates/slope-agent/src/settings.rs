//! Settings files: TOML with unknown keys refused, errors with file and line.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// Settings of an agent that is a third-party command-line program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CliSettings {
    /// Version to install instead of the pinned one.
    pub(crate) version: Option<String>,
    /// Turn cap, if the program supports one.
    pub(crate) max_turns: Option<toml::Spanned<u32>>,
    /// Reasoning effort, if the program can set it.
    pub(crate) effort: Option<toml::Spanned<crate::Effort>>,
    /// Arguments added to the command.
    pub(crate) extra_args: Vec<String>,
    /// Variables added to the environment.
    pub(crate) env: BTreeMap<String, String>,
}

/// Reads a settings file. Also returns its text, to find lines for later errors.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<(T, String), Error> {
    let text = std::fs::read_to_string(path).map_err(Error::io("read", path))?;
    match toml::from_str(&text) {
        Ok(settings) => Ok((settings, text)),
        Err(error) => {
            let at = error.span().map_or(0, |span| span.start);
            Err(wrong(path, &text, at, error.message()))
        }
    }
}

/// An error at a byte of the text.
pub(crate) fn wrong(path: &Path, text: &str, at: usize, message: impl Into<String>) -> Error {
    let before = &text.as_bytes()[..at.min(text.len())];
    #[expect(clippy::naive_bytecount, reason = "a settings file is small")]
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    Error::Config {
        path: path.to_owned(),
        line,
        message: message.into(),
    }
}

/// Checks that a version can be part of a folder's name and of an argument.
pub(crate) fn check_version(path: Option<&Path>, version: &str) -> Result<(), Error> {
    let fine = !version.is_empty()
        && version.starts_with(|c: char| c.is_ascii_digit())
        && version
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || ".-+".contains(c));
    if fine {
        return Ok(());
    }
    Err(Error::Config {
        path: path.unwrap_or(Path::new("settings")).to_owned(),
        line: 1,
        message: format!("version `{version}` is not an exact version such as 1.2.3"),
    })
}
