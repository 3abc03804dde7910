//! Log of hooks, for `slope hook status`.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StateDir;

/// Maximum size of a log in bytes. A larger one is renamed, and replaces the previous renamed log.
const MAX_BYTES: u64 = 1 << 20;

/// Outcome of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There was nothing to report.
    Silent,
    /// The hook reported a problem after an edit.
    Said,
    /// The hook made the agent continue.
    SentOn,
    /// The agent may stop, although some reported problems remain.
    Passed,
    /// A point was added at the end of a turn.
    Tracked,
    /// Time ran out, and the agent continued.
    TooSlow,
    /// The hook failed, and the agent continued.
    Failed,
}

/// One event in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// Time, in RFC 3339.
    pub at: String,
    /// The agent.
    pub agent: String,
    /// The agent's name for the event; empty if it could not be read.
    pub event: String,
    /// Hash of the session's name.
    pub session: String,
    /// Duration of the answer in milliseconds.
    pub ms: u64,
    /// Outcome.
    pub outcome: Outcome,
    /// Number of problems.
    pub worse: usize,
    /// The message, or the reason for silence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// Appends a line. A failure is ignored, because it must not stop an agent.
pub(crate) fn add(state: &StateDir, line: &LogLine) {
    let path = state.log();
    let Some(folder) = path.parent() else { return };
    let written = std::fs::create_dir_all(folder).and_then(|()| {
        if std::fs::metadata(&path).is_ok_and(|found| found.len() > MAX_BYTES) {
            std::fs::rename(&path, path.with_extension("old.jsonl"))?;
        }
        let text = format!("{}\n", serde_json::to_string(line)?);
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)?;
        // One write call, so that lines of parallel hooks do not mix.
        file.write_all(text.as_bytes())
    });
    drop(written);
}

/// The last lines of the log, oldest first; empty without a log.
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
