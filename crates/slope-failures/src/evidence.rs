//! What a rule can see of a failed test.

use serde::Deserialize;
use slope_model::problem::Group;
use slope_model::verdict::{Outcome, TestResult};

/// What an attempt left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Changed code, or not known.
    #[default]
    Code,
    /// The code as it was.
    Unchanged,
    /// The code as it was, after a model that said nothing.
    Silence,
}

/// What the failed tests of an attempt share.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances<'a> {
    /// Graded checkpoint.
    pub graded: &'a str,
    /// Language of the program: `python`.
    pub language: &'a str,
    /// What the attempt left.
    pub answer: Answer,
    /// Ids (`checkpoint::id`) of tests that did not pass before the attempt; `None` if that is not known.
    pub failed_before: Option<&'a [String]>,
}

/// What a rule can see of a failed test.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its group at the graded checkpoint.
    pub group: Group,
    /// Its message; empty if it has none.
    pub message: &'a str,
    /// Whether it belongs to an earlier checkpoint than the graded one.
    pub is_earlier: bool,
    /// What the attempt left.
    pub answer: Answer,
    /// Language of the program: `python`.
    pub language: &'a str,
    /// Whether it passed before the attempt; `None` if that is not known.
    pub passed_before: Option<bool>,
}

impl<'a> Evidence<'a> {
    /// The evidence of a test that did not pass.
    #[must_use]
    pub fn of(test: &'a TestResult, attempt: &Circumstances<'a>) -> Self {
        let is_earlier = test.checkpoint != attempt.graded;
        // The cases of a refactoring are regression tests of its own checkpoint.
        let is_old = is_earlier || test.group == Group::Regression;
        let failed_before = |before: &[String]| {
            let id = format!("{}::{}", test.checkpoint, test.id);
            before.contains(&id)
        };
        Self {
            is_earlier,
            answer: attempt.answer,
            language: attempt.language,
            passed_before: attempt
                .failed_before
                .map(|before| is_old && !failed_before(before)),
            id: &test.id,
            outcome: test.outcome,
            group: test.group,
            message: test.message.as_deref().unwrap_or(""),
        }
    }

    /// Whether a test of an earlier checkpoint passed before, or belongs to the regression group
    /// and nothing more is known.
    pub(crate) fn is_regression(&self) -> bool {
        self.passed_before
            .unwrap_or(self.group == Group::Regression)
    }
}
