//! Runs of tests, each of which is made once.

use std::sync::Arc;

use quick_cache::sync::Cache;
use slope_model::grade::Fault;

use super::{Job, Ran, TestRules};

/// Runs that are kept, for edits that come again.
const KEPT_RUNS: usize = 4_096;

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
    known: Cache<[u8; 32], Arc<Ran>>,
}

impl TestService {
    /// Runs tests with a runner.
    #[must_use]
    pub fn new(runner: Box<dyn TestRunner>, rules: TestRules) -> Self {
        Self {
            runner,
            rules,
            known: Cache::new(KEPT_RUNS),
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
