//! The class of an attempt, from its end and its failed tests.

use std::collections::BTreeMap;

use serde::Serialize;
use slope_model::problem::Group;
use slope_model::run::{Attempt, Cause, CheckpointReport};
use slope_model::verdict::{State, TestResult};

use crate::evidence::{Circumstances, Evidence};
use crate::rules::{Assigned, Rules};

/// Share of the failed tests that a class of many small causes must have, to be that of the attempt.
const MOST: f64 = 0.8;

/// The class of attempts that added a security finding of high severity.
pub(crate) const SECURITY: &str = "security";

/// Classes that a single test decides, the most telling first.
const BY_ONE: [&str; 13] = [
    "infra",
    "no-answer",
    "format",
    "build",
    "timeout",
    "memory",
    "null-pointer",
    "crash",
    "concurrency",
    SECURITY,
    "regression",
    "still-complex",
    "slow",
];

/// Classes that decide only if nearly all failed tests have them.
const BY_MOST: [&str; 4] = [
    "error-handling",
    "spec-omission",
    "output-shape",
    "boundary",
];

/// The class of an attempt that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttemptClass {
    /// The class: `crash`.
    pub class: String,
    /// Kind within the class: `null`.
    pub sub: Option<String>,
    /// Failed tests by class, with their kind after a slash; empty if no test ran.
    pub tests: BTreeMap<String, usize>,
}

impl std::fmt::Display for AttemptClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sub = self.sub.as_deref();
        let class = self.class.as_str();
        write!(f, "{}", Assigned { class, sub })
    }
}

impl AttemptClass {
    /// The class of the same attempt with a new security finding of high severity by `rule`. One that says more stays.
    pub(crate) fn with_finding(self, rule: &str) -> Self {
        let says_more = BY_ONE.iter().take_while(|class| **class != SECURITY);
        if says_more
            .chain([&SECURITY])
            .any(|class| *class == self.class)
        {
            return self;
        }
        Self {
            class: SECURITY.to_owned(),
            sub: Some(rule.to_owned()),
            ..self
        }
    }
}

/// A failed test with its class.
#[derive(Debug, Clone, Copy)]
pub struct Classified<'a> {
    /// The test.
    pub test: &'a TestResult,
    /// Its class.
    pub assigned: Assigned<'a>,
}

/// The class of an attempt that failed; `None` if it passed, or has no result by no fault of the assistant.
///
/// `failed` are its failed tests with their classes.
#[must_use]
pub fn of_attempt(
    report: &CheckpointReport,
    last: Option<&Attempt>,
    failed: &[Classified<'_>],
) -> Option<AttemptClass> {
    if matches!(
        report.state,
        State::Passed | State::Infrastructure | State::Ungraded
    ) {
        return None;
    }
    let mut tests: BTreeMap<String, usize> = BTreeMap::new();
    for one in failed {
        *tests.entry(one.assigned.to_string()).or_default() += 1;
    }
    let (class, sub) = match unanswered(report.state, last, failed.is_empty()) {
        Some(sub) => ("no-answer".to_owned(), Some(sub.to_owned())),
        None => of_tests(failed),
    };
    Some(AttemptClass { class, sub, tests })
}

/// Why an attempt has no answer: it left the workspace as it was, or ended by a limit or an error and no test says
/// more.
fn unanswered(state: State, last: Option<&Attempt>, is_untested: bool) -> Option<&'static str> {
    match last.and_then(|attempt| attempt.cause) {
        Some(Cause::Refusal) => return Some("refusal"),
        Some(Cause::NoOp) => return Some("no-change"),
        _ => {}
    }
    match state {
        _ if !is_untested => None,
        State::Budget => Some("budget"),
        State::Timeout => Some("time"),
        State::AgentError => Some("agent-error"),
        _ => None,
    }
}

pub(crate) fn of_tests(failed: &[Classified<'_>]) -> (String, Option<String>) {
    let of_class = |class: &str| -> Vec<Assigned<'_>> {
        let all = failed.iter().map(|one| one.assigned);
        all.filter(|assigned| assigned.class == class).collect()
    };
    for class in BY_ONE {
        let fitting = of_class(class);
        if !fitting.is_empty() {
            return (class.to_owned(), most_frequent(&fitting));
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "counts of tests are small")]
    let is_most = |count: usize| count as f64 >= MOST * failed.len() as f64;
    let errors = failed.iter().filter(|one| one.test.group == Group::Error);
    if !failed.is_empty() && is_most(errors.count()) {
        return ("error-handling".to_owned(), None);
    }
    for class in BY_MOST {
        let fitting = of_class(class);
        if !fitting.is_empty() && is_most(fitting.len()) {
            return (class.to_owned(), most_frequent(&fitting));
        }
    }
    let is_known = |one: &Classified<'_>| one.assigned.class != "unclassified";
    let class = if failed.iter().any(is_known) {
        "logic"
    } else {
        "unclassified"
    };
    (class.to_owned(), None)
}

/// The most frequent kind, the first by name of several.
fn most_frequent(all: &[Assigned<'_>]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for sub in all.iter().filter_map(|assigned| assigned.sub) {
        *counts.entry(sub).or_default() += 1;
    }
    let most = counts.iter().rev().max_by_key(|(_, count)| **count);
    most.map(|(sub, _)| (*sub).to_owned())
}

impl Rules {
    /// The failed tests of an attempt with their classes.
    #[must_use]
    pub fn of_tests<'a>(
        &'a self,
        tests: &'a [TestResult],
        attempt: &Circumstances<'_>,
    ) -> Vec<Classified<'a>> {
        let classify = |test: &'a TestResult| Classified {
            test,
            assigned: self.of_test(&Evidence::of(test, attempt)),
        };
        tests.iter().map(classify).collect()
    }
}
