//! The failed attempts of a run with their classes.

use serde::Serialize;
use slope_model::detail::{CheckpointDetail, NewSecurity, RunDetail};
use slope_model::finding::Severity;
use slope_model::measurement::Totals;
use slope_model::run::{CheckpointReport, DEFAULT_TRACK, RunReport, Start};
use slope_model::verdict::State;

use crate::attempt::{AttemptClass, Classified, SECURITY, of_attempt};
use crate::evidence::{Answer, Circumstances};
use crate::rules::Rules;

/// An attempt that failed, and its class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedAttempt {
    /// Problem.
    pub problem: String,
    /// Number of the trial.
    pub trial: u32,
    /// Checkpoint.
    pub checkpoint: String,
    /// The class.
    #[serde(flatten)]
    pub class: AttemptClass,
}

/// A graded checkpoint of a run with its failed tests.
pub struct GradedCheckpoint<'a> {
    /// Problem.
    pub problem: &'a str,
    /// Number of the trial.
    pub trial: u32,
    /// Its report.
    pub report: &'a CheckpointReport,
    /// Its failed tests with their classes; empty without details.
    pub failed: Vec<Classified<'a>>,
    pub(crate) detail: &'a CheckpointDetail,
}

impl GradedCheckpoint<'_> {
    /// The class of the attempt, if it failed.
    #[must_use]
    pub fn class(&self) -> Option<AttemptClass> {
        let class = of_attempt(self.report, self.detail.attempts.last(), &self.failed)?;
        Some(match self.high_finding() {
            Some(rule) => class.with_finding(rule),
            None => class,
        })
    }

    /// Another class that fits the attempt: `security` if it added a security finding of high severity, and passed or
    /// has a class that says more.
    #[must_use]
    pub fn also(&self) -> Option<&'static str> {
        let has_result = !matches!(self.report.state, State::Infrastructure | State::Ungraded);
        let is_class = self.class().is_some_and(|class| class.class == SECURITY);
        (has_result && !is_class && self.high_finding().is_some()).then_some(SECURITY)
    }

    /// Security findings that the attempt added, if they are known.
    #[must_use]
    pub fn security(&self) -> Option<&NewSecurity> {
        self.detail.security.as_ref()
    }

    /// Rule of the first new security finding of high severity.
    fn high_finding(&self) -> Option<&str> {
        let all = &self.security()?.findings;
        let high = all.iter().find(|one| one.severity == Severity::Error)?;
        Some(&high.rule)
    }
}

/// What an attempt left. Code with the same totals is unchanged.
fn answer(report: &CheckpointReport, before: Option<&Totals>) -> Answer {
    let lines = |totals: &Totals| totals.sloc;
    let after = report.totals.as_ref();
    let usage = report.usage.as_ref();
    let is_silent = usage.is_some_and(|usage| usage.tokens.output == 0);
    let is_unchanged = match (before, after) {
        (Some(before), Some(after)) => lines(after) > 0 && before == after,
        (None, Some(after)) => report.index == 1 && lines(after) == 0,
        // Code that cannot be measured is no proof of an answer, and none of silence.
        (_, None) => report.index == 1 && is_silent,
    };
    match (is_unchanged, is_silent) {
        (false, _) => Answer::Code,
        (true, false) => Answer::Unchanged,
        (true, true) => Answer::Silence,
    }
}

impl Rules {
    /// The graded checkpoints of a run, in order, with the classes of their failed tests.
    #[must_use]
    pub fn of_run<'a>(
        &'a self,
        report: &'a RunReport,
        detail: &'a RunDetail,
    ) -> Vec<GradedCheckpoint<'a>> {
        let language = report.config.options.get("track");
        let language = language
            .and_then(|track| track.as_str())
            .unwrap_or(DEFAULT_TRACK);
        let mut all = Vec::new();
        for (trial, details) in report.trials.iter().zip(&detail.trials) {
            let mut before: Option<&[String]> = None;
            let mut start: Option<&Totals> = None;
            for (checkpoint, detail) in trial.checkpoints.iter().zip(&details.checkpoints) {
                // A reference solution passes everything before the attempt.
                let known = match report.config.start {
                    Start::Reference => Some(&[][..]),
                    Start::Own => before,
                };
                let tests = detail.not_passed.as_deref().unwrap_or_default();
                let attempt = Circumstances {
                    graded: &checkpoint.checkpoint,
                    language,
                    answer: answer(checkpoint, start),
                    failed_before: known,
                };
                all.push(GradedCheckpoint {
                    problem: &trial.problem,
                    trial: trial.trial,
                    failed: self.of_tests(tests, &attempt),
                    report: checkpoint,
                    detail,
                });
                // The next checkpoint starts from the refactored code, if there is any.
                let last = checkpoint.after_pass.as_deref().unwrap_or(checkpoint);
                before = detail
                    .not_passed
                    .as_ref()
                    .map(|_| last.not_passed.as_slice());
                start = last.totals.as_ref();
            }
        }
        all
    }

    /// The attempts of a run that failed, in order, with their classes.
    #[must_use]
    pub fn failed_attempts(&self, report: &RunReport, detail: &RunDetail) -> Vec<FailedAttempt> {
        let graded = self.of_run(report, detail);
        let failed = graded.iter().filter_map(|one| {
            Some(FailedAttempt {
                problem: one.problem.to_owned(),
                trial: one.trial,
                checkpoint: one.report.checkpoint.clone(),
                class: one.class()?,
            })
        });
        failed.collect()
    }
}
