//! Requests: one edit, and what is known of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A request to grade one edit. Unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Request {
    /// Name of the request. The grade has the same.
    pub id: String,
    /// The base: a revision for `slope grade --repo`, or an id or name for a server with several bases. Otherwise it is
    /// ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// The edit.
    pub change: Change,
    /// A patch that is known to be good: for a bug, the smallest fix. Minimality is then measured against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Change>,
    /// The task that the edit is for.
    #[serde(default)]
    pub task: Task,
    /// Results of the task's tests. Without them there is no reward, only quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tests>,
    /// Settings for this request.
    #[serde(default)]
    pub options: RequestOptions,
}

/// Changes of files.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Change {
    /// A unified diff of the base, as `git diff` writes it.
    Diff(String),
    /// Files by path with their text after the edit; `null` for a removed file. Others stay as they are.
    Files(BTreeMap<String, Option<String>>),
    /// All files after the edit, by path. Files of the base that are not listed are removed.
    Tree(BTreeMap<String, String>),
}

/// The task of an edit.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Task {
    /// Kind of task.
    pub kind: TaskKind,
    /// The task as the agent reads it.
    pub text: Option<String>,
    /// Attempts at the same task have the same group.
    pub group: Option<String>,
    /// Number of the checkpoint in a trajectory, from 1.
    pub checkpoint: Option<u32>,
}

/// Kinds of tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A fault to be fixed.
    Bugfix,
    /// Something new.
    Feature,
    /// The same behaviour in better code. Code outside the touched functions is then no churn.
    Refactor,
    /// Not known.
    #[default]
    Unknown,
}

/// Results of tests.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Tests {
    /// Whether all required tests pass. If it is missing, they do when `failed` is 0 and `passed` is not.
    pub required_pass: Option<bool>,
    /// Number of tests that pass.
    pub passed: u32,
    /// Number of tests that fail.
    pub failed: u32,
    /// Paths of files that the edit may not change, beside those that look like tests. A path that ends with
    /// `/` is a folder.
    pub files: Vec<String>,
    /// Whether the task asks for changes of tests. Then they are no tampering.
    pub may_change: bool,
}

impl Tests {
    /// Whether it says nothing about a run of tests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.required_pass.is_none() && self.passed == 0 && self.failed == 0
    }

    /// Whether the required tests pass.
    #[must_use]
    pub fn pass(&self) -> bool {
        self.required_pass
            .unwrap_or(self.failed == 0 && self.passed > 0)
    }
}

/// Settings of one request.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct RequestOptions {
    /// How much evidence the grade has.
    pub evidence: EvidenceDetail,
    /// Time limit in milliseconds. A grade that takes longer has the status `timeout`.
    pub deadline_ms: Option<u64>,
}

/// How much evidence a grade has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceDetail {
    /// None.
    None,
    /// The heaviest pieces of each component.
    #[default]
    Spans,
    /// All pieces.
    Full,
}
