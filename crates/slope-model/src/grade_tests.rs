//! Tests of a request: their results, or how a grader runs them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grade_request::Change;

/// Results of tests, or how a grader that was started with `--run-tests` runs them. Unknown fields are refused: a
/// misspelt one could turn a failure into a pass.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
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
    /// Command that runs the tests in the folder of the edited base, in a sandbox. slope replaces `{report}` by the
    /// path of a new file for the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<TestCommand>,
    /// Tests of a problem, in place of a command. All must pass, or those that `fail_to_pass` and `pass_to_pass` name as
    /// `CHECKPOINT/TEST`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<TestSuite>,
    /// Format of the report. Without one, only the exit code of the command counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<ReportFormat>,
    /// Folder in the base that the runner writes JUnit files to, if the command cannot name a file. It is empty when the
    /// command starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report_folder: Option<String>,
    /// Files of the tests. They replace those of the base after the edit, so that the edit cannot change them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Change>,
    /// Tests that fail on the base and must pass after the edit. Needs a report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fail_to_pass: Vec<String>,
    /// Tests that pass on the base and must still pass. Needs a report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pass_to_pass: Vec<String>,
    /// Tests that fail for every honest program. If one passes, the edit has changed how tests run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub must_fail: Vec<String>,
    /// Whether to check on the base, once, that `fail_to_pass` fail there and `pass_to_pass` pass.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub check_base: bool,
    /// Time limit of a run in seconds. The grader has its own, which cannot be exceeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<f64>,
    /// Variables of the command's environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Whether processes of the tests may still run when the command ends. They are killed. Otherwise the tests fail.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_leave_processes: bool,
}

/// Hidden tests of a problem. The grader has them; the edited base is the program under test.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestSuite {
    /// Name of a problem that the grader was started with.
    pub problem: String,
    /// Number of the checkpoint that the edit answers, from 1.
    pub checkpoint: u32,
}

/// A command: a line for `sh`, or a program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TestCommand {
    /// A line for `/bin/sh -c`.
    Line(String),
    /// A program with its arguments.
    Words(Vec<String>),
}

impl TestCommand {
    /// Whether it runs nothing.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Line(line) => line.trim().is_empty(),
            Self::Words(words) => words.first().is_none_or(|word| word.trim().is_empty()),
        }
    }

    /// Whether one of its words is a program's name.
    #[must_use]
    pub fn names(&self, program: &str) -> bool {
        let is_it = |word: &str| word.rsplit('/').next() == Some(program);
        match self {
            Self::Line(line) => line.split_whitespace().any(is_it),
            Self::Words(words) => words
                .iter()
                .flat_map(|word| word.split_whitespace())
                .any(is_it),
        }
    }
}

/// Formats of reports of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportFormat {
    /// JUnit XML, in the file `{report}` or in `report_folder`.
    Junit,
    /// Output of `pytest -rA`.
    Pytest,
    /// Output of `python -m unittest -v`.
    Unittest,
    /// Output of `cargo test`.
    Cargo,
    /// Output of `go test -json`.
    Go,
    /// The Test Anything Protocol.
    Tap,
}

impl Tests {
    /// Whether it has no results of a run.
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

    /// The field that asks for a run of tests, if there is one.
    #[must_use]
    pub fn asks_for_run(&self) -> Option<&'static str> {
        let fields = [
            ("tests.suite", self.suite.is_some()),
            ("tests.command", self.command.is_some()),
            ("tests.fail_to_pass", !self.fail_to_pass.is_empty()),
            ("tests.pass_to_pass", !self.pass_to_pass.is_empty()),
            ("tests.must_fail", !self.must_fail.is_empty()),
            ("tests.patch", self.patch.is_some()),
            ("tests.report", self.report.is_some()),
        ];
        let asked = fields.into_iter().find(|(_, is_asked)| *is_asked);
        asked.map(|(field, _)| field)
    }

    /// Whether a grader runs them.
    #[must_use]
    pub fn are_run(&self) -> bool {
        self.command.is_some() || self.suite.is_some()
    }

    /// Whether single tests are required.
    #[must_use]
    pub fn names_tests(&self) -> bool {
        !self.fail_to_pass.is_empty() || !self.pass_to_pass.is_empty()
    }
}
