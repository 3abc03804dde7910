//! What hooks did, for `slope hook status`.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StateDir;

/// A log larger than this is put aside, and the one put aside before is dropped.
const LARGEST: u64 = 1 << 20;

/// What a hook did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There was nothing to say.
    Silent,
    /// A remark after an edit.
    Said,
    /// The agent was sent on.
    SentOn,
    /// Problems were left that the agent was shown; it may stop.
    Passed,
    /// It took too long; the agent goes on.
    TooSlow,
    /// It failed; the agent goes on.
    Failed,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// When, in RFC 3339.
    pub at: String,
    /// The agent.
    pub agent: String,
    /// The agent's name of the event; empty if it could not be read.
    pub event: String,
    /// Hash of the session's name.
    pub session: String,
    /// Milliseconds that the answer took.
    pub ms: u64,
    /// Its result.
    pub outcome: Outcome,
    /// How many things were worse.
    pub worse: usize,
    /// The message, or the reason for saying nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// Adds a line. A log that cannot be written must not stop an agent.
pub(crate) fn add(state: &StateDir, line: &LogLine) {
    let path = state.log();
    let Some(folder) = path.parent() else { return };
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        if std::fs::metadata(&path).is_ok_and(|found| found.len() > LARGEST) {
            std::fs::rename(&path, path.with_extension("old.jsonl"))?;
        }
        let text = format!("{}\n", serde_json::to_string(line)?);
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)?;
        // One write, so that lines of several hooks do not mix.
        file.write_all(text.as_bytes())
    });
    drop(written);
}

/// The last lines of the log, the oldest of them first; none if there is no log.
#[must_use]
pub fn last_lines(state: &StateDir, most: usize) -> Vec<LogLine> {
    read(&state.log(), most)
}

fn read(path: &Path, most: usize) -> Vec<LogLine> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text
        .lines()
        .filter_map(|row| serde_json::from_str(row).ok());
    let all: Vec<LogLine> = lines.collect();
    all[all.len().saturating_sub(most)..].to_vec()
}
