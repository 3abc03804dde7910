//! Findings: places in code that a rule or metric points at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Category of findings of dead code.
pub const DEAD_CODE: &str = "dead-code";

/// Severity of a finding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Hint,
    /// Should be fixed.
    Warning,
    /// Must be fixed.
    Error,
}

/// A range of lines and columns, counted from 1. The last line is included, the last column is not.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub struct Span {
    /// First line, from 1.
    pub start_line: u32,
    /// First column in bytes, from 1.
    pub start_column: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// Column after the last byte, in bytes, from 1.
    pub end_column: u32,
}

/// A place in code that a rule, signal or metric reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Id of the rule, signal or metric, in kebab case.
    pub rule: String,
    /// Category of the rule.
    pub category: String,
    /// Severity.
    pub severity: Severity,
    /// Path relative to the measured root, `/`-separated.
    pub path: String,
    /// Place in the file.
    pub span: Span,
    /// One sentence that says what is wrong.
    pub message: String,
    /// Hash of rule, enclosing callable and normalised text. It does not change when lines shift.
    pub fingerprint: String,
}
