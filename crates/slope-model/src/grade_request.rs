//! Requests: one edit, and what is known of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::grade_tests::{ReportFormat, TestCommand, TestSuite, Tests};

/// A request to grade one edit. Unknown fields are ignored, except in `tests`.
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
    /// Results of the task's tests, or how to run them. Without them there is no reward, only quality.
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
    /// Edits of one trajectory have the same name. `slope grade group` then shapes the rewards of its checkpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<String>,
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

/// Settings of one request.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct RequestOptions {
    /// How much evidence the grade has.
    pub evidence: EvidenceDetail,
    /// Time limit in milliseconds, without runs of tests. A grade that takes longer has the status `timeout`.
    pub deadline_ms: Option<u64>,
    /// Whether to look for hunks that the tests do not need, by further runs of the tests. Only for edits that pass, and
    /// only where the grader runs tests.
    pub minimize: bool,
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
