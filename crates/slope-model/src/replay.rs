//! Replays: what the gate would have said about past changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gate::GateRule;

/// How often each rule of the gate would have fired on past changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// Name and version of this format: `slope.replay/1`.
    pub schema: String,
    /// Newest commit, as given.
    pub revision: String,
    /// Number of judged changes: commits of the first-parent line, each against its first parent.
    pub changes: u32,
    /// Number of changes with differences in measured files.
    pub touching: u32,
    /// Number of changes that would not have passed.
    pub failed: u32,
    /// Rules that are on, in the order of the documentation.
    pub rules: Vec<ReplayedRule>,
    /// Changes with violations, oldest first.
    pub commits: Vec<ReplayedCommit>,
    /// Messages, for example about missing history.
    pub notes: Vec<String>,
}

/// How often one rule would have fired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedRule {
    /// The rule.
    pub rule: GateRule,
    /// Number of changes with an error of the rule.
    pub errors: u32,
    /// Number of changes with warnings of the rule only.
    pub warnings: u32,
    /// Number of violations.
    pub violations: u32,
}

/// A past change with violations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedCommit {
    /// Full hash.
    pub id: String,
    /// Commit time, RFC 3339 in UTC.
    pub time: String,
    /// First line of the message.
    pub subject: String,
    /// Whether the change would have passed.
    pub passes: bool,
    /// Messages of the violations, errors first.
    pub violations: Vec<ReplayedViolation>,
}

/// A violation of a past change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedViolation {
    /// The rule.
    pub rule: GateRule,
    /// Effect on the judgement.
    pub level: crate::gate::Level,
    /// Path after the change; empty for the change as a whole.
    pub path: String,
    /// First line, from 1; 0 for the change as a whole.
    pub line: u32,
    /// One sentence that says what is worse.
    pub message: String,
}
