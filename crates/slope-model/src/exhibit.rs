//! Details of trials for a page, besides the numbers: the agent's instructions, its changes to the
//! code, the tests, the findings, and the agent's steps. Bounded in size, for people to read.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::finding::Severity;
use crate::problem::Group;
use crate::verdict::Outcome;

/// A part of a run's directory, or the reason that it is missing.
pub type Held<T> = Result<T, String>;

/// Bytes of all details together: a page with them stays below 5 MB, its script and tables included.
const MAX_BYTES: usize = 3_000_000;
/// Largest size of one checkpoint's details, in bytes.
const MAX_OF_ONE: usize = 96_000;
/// Smallest useful size of one checkpoint's details, in bytes; if there is less space, whole trials
/// are left out.
const LEAST_OF_ONE: usize = 12_000;

/// Byte budget for details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Checkpoints; those of trials behind that are left out.
    pub checkpoints: usize,
    /// Bytes of text of each.
    pub bytes: usize,
}

impl Room {
    /// Budget for a page with this number of checkpoints.
    #[must_use]
    pub fn of(checkpoints: usize) -> Self {
        Self {
            checkpoints: MAX_BYTES / LEAST_OF_ONE,
            bytes: (MAX_BYTES / checkpoints.max(1)).clamp(LEAST_OF_ONE, MAX_OF_ONE),
        }
    }
}

/// Text that may be truncated at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// The text.
    pub text: String,
    /// Bytes of it that were left out.
    pub left_out: usize,
}

impl Excerpt {
    /// The first `most` bytes of `text`, cut between characters.
    #[must_use]
    pub fn of(text: &str, most: usize) -> Self {
        let cut = text.floor_char_boundary(most);
        Self {
            text: text[..cut].to_owned(),
            left_out: text.len() - cut,
        }
    }
}

/// The details of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialExhibit {
    /// Directory of the run.
    pub run: PathBuf,
    /// Problem name.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// Details of its checkpoints, in order.
    pub checkpoints: Vec<CheckpointExhibit>,
}

/// The details of a checkpoint of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointExhibit {
    /// The agent's instructions, with the checkpoint's spec.
    pub spec: Held<Excerpt>,
    /// Changes of the workspace since the previous checkpoint.
    pub changes: Held<Changes>,
    /// Results of the tests.
    pub tests: Held<Listed<TestLine>>,
    /// Findings in the workspace.
    pub findings: Held<Listed<FindingLine>>,
    /// The agent's steps.
    pub steps: Held<Listed<Step>>,
}

impl CheckpointExhibit {
    /// Details of a checkpoint without any, for this reason.
    #[must_use]
    pub fn missing(why: &str) -> Self {
        Self {
            spec: Err(why.to_owned()),
            changes: Err(why.to_owned()),
            tests: Err(why.to_owned()),
            findings: Err(why.to_owned()),
            steps: Err(why.to_owned()),
        }
    }
}

/// List that may be truncated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Listed<T> {
    /// The items that are here.
    pub items: Vec<T>,
    /// Number of entries left out for their size.
    pub left_out: usize,
}

impl<T> Listed<T> {
    /// The first of `items` that together take no more than `most` bytes by `size`.
    pub fn within(items: impl IntoIterator<Item = T>, most: usize, size: fn(&T) -> usize) -> Self {
        let (mut taken, mut used, mut left_out) = (Vec::new(), 0, 0);
        for item in items {
            used += size(&item);
            if used > most || left_out > 0 {
                left_out += 1;
            } else {
                taken.push(item);
            }
        }
        Self {
            items: taken,
            left_out,
        }
    }
}

/// Differences between a workspace and the previous one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changes {
    /// Files that differ, by path.
    pub files: Vec<FileChange>,
    /// Number of added lines in all files, including files whose lines are not shown.
    pub added: usize,
    /// Lines that were removed.
    pub removed: usize,
}

/// Kind of change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The file is new.
    Added,
    /// The file was removed.
    Removed,
    /// Its content differs.
    Changed,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileChange {
    /// Path from the workspace's root.
    pub path: String,
    /// Kind of change.
    pub kind: ChangeKind,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// Changed lines with context.
    pub hunks: Vec<Hunk>,
    /// Lines of the diff that were left out.
    pub left_out: usize,
    /// Reason that there are no lines, unless it is their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Consecutive lines of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hunk {
    /// Number of its first line in the earlier file, from 1.
    pub old: usize,
    /// The same in the later file.
    pub new: usize,
    /// The lines, each behind ` `, `-` or `+`.
    pub lines: Vec<String>,
}

/// A test's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestLine {
    /// Id, qualified by the checkpoint of its suite.
    pub id: String,
    /// Group at the graded checkpoint.
    pub group: Group,
    /// Outcome.
    pub outcome: Outcome,
    /// Failure message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingLine {
    /// Rule.
    pub rule: String,
    /// Severity, if the rule has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Path from the workspace's root.
    pub path: String,
    /// First line, from 1.
    pub line: u32,
    /// Message.
    pub message: String,
}

/// Actor of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The author of the agent's instructions.
    User,
    /// The agent, or its model.
    Agent,
}

/// A step of the agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// Actor.
    pub actor: Actor,
    /// Text of the message.
    pub message: Excerpt,
    /// The tools that were called, each with its arguments.
    pub calls: Vec<Call>,
    /// Results of the calls.
    pub results: Vec<Excerpt>,
    /// Seconds until the next step; `None` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_s: Option<f64>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Its arguments; only the text of a single text argument.
    pub arguments: Excerpt,
}

impl Call {
    /// A call of `tool`, with at most `most` bytes of arguments; a single text argument is reduced to its text.
    #[must_use]
    pub fn new(tool: &str, arguments: &Value, most: usize) -> Self {
        let only = arguments.as_object().filter(|all| all.len() == 1);
        let only = only.and_then(|all| all.values().next()?.as_str());
        let text = only
            .or_else(|| arguments.as_str())
            .map_or_else(|| arguments.to_string(), str::to_owned);
        Self {
            tool: tool.to_owned(),
            arguments: Excerpt::of(&text, most),
        }
    }
}

impl Step {
    /// Largest size of one of its texts on a page with all steps, in bytes.
    pub const MAX_TEXT: usize = 2000;
    /// Largest size of one of its texts on a server, in bytes.
    pub const MAX_SENT_TEXT: usize = 32_000;

    /// Whether it contains only results of earlier calls.
    #[must_use]
    pub fn is_only_results(&self) -> bool {
        self.message.text.is_empty() && self.calls.is_empty() && !self.results.is_empty()
    }

    /// Bytes of its texts.
    #[must_use]
    pub fn size(&self) -> usize {
        let calls = self.calls.iter();
        let calls = calls.map(|call| call.tool.len() + call.arguments.text.len());
        let results = self.results.iter().map(|result| result.text.len());
        self.message.text.len() + calls.chain(results).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_cuts_between_characters_and_counts() {
        assert_eq!(Excerpt::of("abc", 3).left_out, 0);
        let cut = Excerpt::of("aé日", 4);
        assert_eq!((cut.text.as_str(), cut.left_out), ("aé", 3));
    }

    #[test]
    fn list_is_cut_at_its_budget() {
        let all = ["aa", "bbbb", "c"];
        let some = Listed::within(all, 5, |item| item.len());
        assert_eq!((some.items, some.left_out), (vec!["aa"], 2));
    }

    #[test]
    fn single_call_argument_becomes_its_text() {
        let text = |arguments| Call::new("bash", &arguments, 100).arguments.text;
        assert_eq!(text(serde_json::json!({"command": "ls"})), "ls");
        let two = serde_json::json!({"path": "a", "limit": 3});
        assert_eq!(text(two), r#"{"path":"a","limit":3}"#);
    }

    #[test]
    fn byte_budget_is_shared_with_minimum() {
        assert_eq!(Room::of(1).bytes, MAX_OF_ONE);
        assert_eq!(Room::of(93).bytes, MAX_BYTES / 93);
        let crowded = Room::of(100_000);
        assert_eq!(crowded.bytes, LEAST_OF_ONE);
        assert!(crowded.checkpoints * crowded.bytes <= MAX_BYTES);
        assert_eq!(Room::of(0).bytes, MAX_OF_ONE);
    }
}
