//! Two edits of which one is better.

use std::io::BufRead;
use std::path::Path;

use serde::{Deserialize, Serialize};
use slope_model::data_words::of_json;
use slope_model::grade::Components;

use crate::grading::Error;

/// An edit of a pair.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Side {
    /// Quality, not rounded.
    pub quality: f64,
    /// Components of quality.
    pub components: Components,
    /// Ids of flags.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Lines that it adds, less those that it removes. Blank lines do not count.
    pub lines: i64,
    /// Lines that it adds and removes.
    pub diff: usize,
}

/// Two edits, one better than the other.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Pair {
    /// What the pair comes from, mostly a repository. Fits and intervals never split a group.
    pub group: String,
    /// Id of the language.
    pub language: String,
    /// How one edit is worse.
    pub kind: String,
    /// Commit or other place.
    pub id: String,
    /// The better edit.
    pub better: Side,
    /// The worse edit.
    pub worse: Side,
}

/// Reads pairs from lines of JSON, as `slope research rewards` writes them; `path` is for messages.
///
/// # Errors
/// If a line is no pair.
pub fn read(input: impl BufRead, path: &Path) -> Result<Vec<Pair>, Error> {
    let mut pairs = Vec::new();
    for (number, line) in input.lines().enumerate() {
        let failed = |message: String| Error::Pairs {
            path: path.display().to_string(),
            line: number + 1,
            message,
        };
        let line = line.map_err(|error| failed(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let pair = serde_json::from_str(&line);
        pairs.push(pair.map_err(|error| failed(of_json(&error.to_string())))?);
    }
    Ok(pairs)
}
