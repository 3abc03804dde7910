//! A grade whose tests have not run yet.

use std::sync::Arc;

use slope_model::grade::{Fault, TestResults};
use slope_model::grade_request::{EvidenceDetail, Request, Tests};

use super::judge::{judge, wrong_on_base};
use super::{Job, TestService};
use crate::base::Base;
use crate::edit::{Edit, fault};

/// The tests that a grade waits for.
pub(crate) struct Pending {
    service: Arc<TestService>,
    pub(crate) tests: Tests,
    job: Job,
    has_output: bool,
}

impl Pending {
    /// The tests of a request.
    pub(crate) fn of(
        base: &Base,
        request: &Request,
        tests: &Tests,
        service: &Arc<TestService>,
    ) -> Result<Self, Fault> {
        let edit = Edit::of(base, &request.change, "change.data")?;
        Ok(Self {
            service: service.clone(),
            job: Job::new(base, &edit, tests, service.rules())?,
            tests: tests.clone(),
            has_output: request.options.evidence == EvidenceDetail::Full,
        })
    }

    /// What makes two runs the same.
    pub(crate) fn key(&self) -> [u8; 32] {
        self.job.key()
    }

    /// Runs the tests.
    pub(crate) fn run(&self, base: &Base) -> Result<TestResults, Fault> {
        if self.tests.check_base {
            self.check_base(base)?;
        }
        let ran = self.service.run(&self.job)?;
        let mut results = judge(&self.tests, &ran);
        results.output = self.has_output.then(|| ran.output.clone());
        Ok(results)
    }

    /// Refuses required tests that the base does not fail or pass as the request says.
    fn check_base(&self, base: &Base) -> Result<(), Fault> {
        let without = Job::new(base, &Edit::default(), &self.tests, self.service.rules())?;
        let ran = self.service.run(&without)?;
        match wrong_on_base(&self.tests, &ran) {
            Some((field, message)) => Err(fault(
                field,
                message,
                "correct the list of tests, or leave `tests.check_base` out",
            )),
            None => Ok(()),
        }
    }
}
