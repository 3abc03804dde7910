//! slope's own declarative suite format: cases for a command-line program.
//!
//! A suite is one YAML file a checkpoint, `suite/<checkpoint>.yaml`. A case
//! gets an empty directory of its own, `files` are laid there, and its steps run
//! the program in it, one after the other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::problem::Group;

/// One suite file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// [`crate::schema::CASES`].
    pub schema: String,
    /// Limit for one step in seconds, where a case sets none.
    #[serde(default = "default_timeout")]
    pub timeout_s: f64,
    /// The cases.
    pub cases: Vec<Case>,
}

fn default_timeout() -> f64 {
    10.0
}

/// One test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Id, unique in its file.
    pub id: String,
    /// Group; `regression` is never written, it follows from the checkpoint.
    pub group: Group,
    /// Files to lay down before the first step: path to text.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Runs of the program, in order; the case passes when every step does.
    pub steps: Vec<Step>,
    /// Limit for one step in seconds.
    #[serde(default)]
    pub timeout_s: Option<f64>,
}

/// One run of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Arguments after the program's own name.
    #[serde(default)]
    pub args: Vec<String>,
    /// Standard input; empty if absent.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Extra environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What must hold afterwards.
    #[serde(default)]
    pub expect: Expect,
}

/// What must hold after a step. What is absent is not checked, except the exit code, which is 0 unless set.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Exit code; 0 if absent.
    #[serde(default)]
    pub exit: Option<i32>,
    /// Standard output.
    #[serde(default)]
    pub stdout: Option<TextExpect>,
    /// Standard error.
    #[serde(default)]
    pub stderr: Option<TextExpect>,
    /// Files relative to the case's directory.
    #[serde(default)]
    pub files: BTreeMap<String, FileExpect>,
}

/// An expectation on a text. All given conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextExpect {
    /// Equal after the trailing white space of the whole text is removed on both sides.
    #[serde(default)]
    pub equals: Option<String>,
    /// Every one occurs.
    #[serde(default)]
    pub contains: Vec<String>,
    /// A regular expression that matches somewhere (multi-line).
    #[serde(default)]
    pub matches: Option<String>,
    /// Equal as JSON (key order does not matter).
    #[serde(default)]
    pub json: Option<serde_json::Value>,
}

/// An expectation on a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileExpect {
    /// It does not exist.
    Absent,
    /// It exists and its text is as expected.
    Text(TextExpect),
}
