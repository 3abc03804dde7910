//! Details of a run's directory that are not in its report: the functions of each snapshot, test
//! failure messages, and replaced attempts.

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::measurement::Totals;
use crate::run::Attempt;
use crate::verdict::TestResult;

/// The details of a run: one for each trial of its [`crate::run::RunReport`], in the same order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunDetail {
    /// The trials.
    pub trials: Vec<TrialDetail>,
}

/// The details of a trial: one for each checkpoint of its report, in the same order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialDetail {
    /// The checkpoints.
    pub checkpoints: Vec<CheckpointDetail>,
}

/// The details of a checkpoint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckpointDetail {
    /// Attempts that ended, in order; the last one counts. Empty if there was none, and for runs
    /// whose harness keeps only the sums of one attempt.
    pub attempts: Vec<Attempt>,
    /// Results of the tests that did not pass; `None` if nothing was graded.
    pub not_passed: Option<Vec<TestResult>>,
    /// Functions of the snapshot, by path and position; `None` if nothing was measured.
    pub functions: Option<Vec<FunctionFact>>,
    /// Totals by the published definitions, which are those of the panels; `None` if nothing was
    /// measured, or nothing in a language that they cover.
    pub published: Option<Totals>,
    /// Security findings that the attempt added; `None` if that was not measured, or no rule is for its languages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<NewSecurity>,
}

/// Security findings in the production code after an attempt that the code before it does not have.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NewSecurity {
    /// Hash of the definitions and rules. Numbers of different ones are not comparable.
    pub definitions: String,
    /// The findings, by path and position.
    pub findings: Vec<Finding>,
}

/// One function or method of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionFact {
    /// Path relative to the snapshot's root.
    pub path: String,
    /// Dotted name inside the file.
    pub name: String,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
    /// Cyclomatic complexity, at least 1.
    pub complexity: u32,
    /// Source lines.
    pub sloc: u32,
}

impl FunctionFact {
    /// Complexity mass: complexity times the square root of source lines (paper, equation 2).
    #[must_use]
    pub fn mass(&self) -> f64 {
        f64::from(self.complexity) * f64::from(self.sloc).sqrt()
    }
}
