//! Tests that are run for a grade.
//!
//! | module | what it holds |
//! |---|---|
//! | `rules` | what an operator allows, and the tests of a request by these rules |
//! | `job` | one run of a command over a base, an edit and the files of the tests |
//! | `judge` | from a run to results, by what the request requires |
//! | `minimal` | hunks that tests do not need |
//! | `batch` | tests of many edits at the same time |
//! | `service` | runs, each of which is made once |
//!
//! This crate runs nothing itself: a [`TestRunner`] does.

mod batch;
mod job;
pub(crate) mod judge;
mod minimal;
mod names;
mod pending;
mod rules;
mod service;

pub(crate) use batch::finish_all;
pub use job::{Job, ReportPlace};
pub(crate) use pending::Pending;
pub use rules::{OwnTests, TestRules};
pub(crate) use rules::{SCRIPTED, effective};
pub use service::{TestRunner, TestService};

use slope_model::grade::TestOutcome;

/// How a run of tests ended, and what it reported.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// How the command ended.
    pub ended: Ended,
    /// The report, if one was asked for.
    pub report: Option<Report>,
    /// Processes that still ran when the command ended.
    pub left_processes: u32,
    /// Limits that were reached, in words.
    pub limits: Vec<String>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The end of what the command printed.
    pub output: String,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It took too long.
    Late,
    /// The edited base has no such program.
    NoProgram,
}

/// A report of tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// There is none.
    Missing,
    /// It cannot be read; the reason.
    Unreadable(String),
    /// Its tests in order.
    Cases(Vec<Case>),
}

/// A test in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Id.
    pub id: String,
    /// What happened.
    pub outcome: TestOutcome,
}
