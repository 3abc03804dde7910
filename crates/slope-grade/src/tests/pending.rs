//! A grade whose tests have not run yet.

use std::sync::Arc;

use slope_model::grade::{Fault, TestResults};
use slope_model::grade_request::{EvidenceDetail, Request, TaskKind, Tests};

use super::judge::{judge, wrong_on_base};
use super::minimal::{Unneeded, unneeded};
use super::{Job, TestService};
use crate::base::Base;
use crate::edit::{Edit, fault};

/// The tests that a grade waits for.
pub(crate) struct Pending {
    service: Arc<TestService>,
    pub(crate) tests: Tests,
    job: Job,
    evidence: EvidenceDetail,
    /// What is to be minimised: the edit, and the task in words.
    minimized: Option<(Edit, Option<String>)>,
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
        let job = Job::new(base, &edit, tests, service.rules())?;
        let is_minimized = request.options.minimize
            && request.reference.is_none()
            && request.task.kind != TaskKind::Refactor;
        let task = request.task.text.clone();
        Ok(Self {
            service: service.clone(),
            job,
            tests: tests.clone(),
            evidence: request.options.evidence,
            minimized: is_minimized.then_some((edit, task)),
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
        let has_output = self.evidence == EvidenceDetail::Full;
        results.output = has_output.then(|| ran.output.clone());
        Ok(results)
    }

    /// How much evidence the grade has.
    pub(crate) fn evidence(&self) -> EvidenceDetail {
        self.evidence
    }

    /// Hunks that the tests do not need, if the request asks for them.
    pub(crate) fn minimize(&self, base: &Base) -> Result<Option<Unneeded>, Fault> {
        let Some((edit, task)) = &self.minimized else {
            return Ok(None);
        };
        let mut passes = |part: &Edit| {
            let job = Job::new(base, part, &self.tests, self.service.rules())?;
            Ok(judge(&self.tests, &*self.service.run(&job)?).pass)
        };
        unneeded(base, edit, task.as_deref(), &mut passes)
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
