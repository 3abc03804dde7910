//! Runs of tests, each of which is made once.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use slope_model::grade::Fault;

use super::{Job, Ran, Report, TestRules};

/// Runs that are kept, for edits that come again, and tests in all of them.
const KEPT_RUNS: usize = 4_096;
const KEPT_TESTS: u64 = 1_000_000;

/// Weighs runs by the tests in their reports.
#[derive(Clone)]
struct ByTests;

impl Weighter<[u8; 32], Arc<Ran>> for ByTests {
    fn weight(&self, _: &[u8; 32], ran: &Arc<Ran>) -> u64 {
        let tests = match &ran.report {
            Some(Report::Cases(cases)) => cases.len() as u64,
            _ => 0,
        };
        // What a command prints is like some tests, too.
        KEPT_TESTS / KEPT_RUNS as u64 + tests
    }
}

/// Runs tests.
pub trait TestRunner: Send + Sync {
    /// Runs a command over the edited base.
    ///
    /// # Errors
    /// If the sandbox itself fails. What the command does is in the result.
    fn run(&self, job: &Job) -> Result<Ran, Fault>;
}

/// What runs the tests of requests, by an operator's rules.
pub struct TestService {
    runner: Box<dyn TestRunner>,
    rules: TestRules,
    known: Cache<[u8; 32], Arc<Ran>, ByTests>,
}

impl TestService {
    /// Runs tests with a runner.
    #[must_use]
    pub fn new(runner: Box<dyn TestRunner>, rules: TestRules) -> Self {
        Self {
            runner,
            rules,
            known: Cache::with_weighter(KEPT_RUNS, KEPT_TESTS, ByTests),
        }
    }

    /// The operator's rules.
    #[must_use]
    pub fn rules(&self) -> &TestRules {
        &self.rules
    }

    /// The result of a run. Equal runs are made once, also those that are asked for at the same time.
    pub(super) fn run(&self, job: &Job) -> Result<Arc<Ran>, Fault> {
        let run = || Ok(Arc::new(self.runner.run(job)?));
        self.known.get_or_insert_with(&job.key(), run)
    }
}
