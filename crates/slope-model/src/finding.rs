//! Findings: places in code that a rule or metric points at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Category of findings of dead code.
pub const DEAD_CODE: &str = "dead-code";

/// How much a finding matters.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Hint,
    /// Worth mending.
    Warning,
    /// Worth stopping for.
    Error,
}

/// A range of lines and columns. Lines and columns count from 1; the end is inclusive of its line.
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
    /// Column after the last byte, from 1.
    pub end_column: u32,
}

/// One place in code that a rule or metric points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Id of the rule or metric, kebab case.
    pub rule: String,
    /// Category, as in the rule pack.
    pub category: String,
    /// Severity.
    pub severity: Severity,
    /// Path relative to the measured root, `/`-separated.
    pub path: String,
    /// Where.
    pub span: Span,
    /// What is wrong, one sentence.
    pub message: String,
    /// Hash of rule, enclosing callable and normalised text, so that it survives shifts of lines.
    pub fingerprint: String,
}
