//! The runs of a cohort, and the options of a study.

use std::collections::BTreeMap;

use slope_model::run::{RunReport, TrialReport};
use slope_stats::Bootstrap;

use super::digest::{RunDigest, TrialDigest};
use super::phases::Binning;

/// Options of a study.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudyOptions {
    /// Assignment of checkpoints to phases.
    pub binning: Binning,
    /// Resampling of intervals over problems.
    pub bootstrap: Bootstrap,
}

impl Default for StudyOptions {
    fn default() -> Self {
        Self {
            binning: Binning::Paper,
            bootstrap: Bootstrap::default(),
        }
    }
}

/// A run that counts, and the digest of its directory, if that was read.
#[derive(Clone, Copy)]
pub(crate) struct Observed<'a> {
    pub(crate) report: &'a RunReport,
    pub(crate) digest: Option<&'a RunDigest>,
}

impl<'a> Observed<'a> {
    /// The trials with digests.
    pub(super) fn trials(self) -> impl Iterator<Item = (&'a TrialReport, &'a TrialDigest)> {
        let digests = self.digest.map_or(&[][..], |digest| &digest.trials);
        self.report.trials.iter().zip(digests)
    }
}

/// The name that distinguishes a cohort.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CohortName {
    pub(crate) model: String,
    pub(crate) agent: String,
    pub(crate) arm: String,
}

/// The runs of a cohort.
pub(crate) struct Members<'a> {
    pub(crate) name: CohortName,
    pub(crate) runs: Vec<Observed<'a>>,
}

impl<'a> Members<'a> {
    /// The trials of each problem, run after run.
    pub(super) fn by_problem(&self) -> BTreeMap<&'a str, Vec<&'a TrialReport>> {
        let mut problems: BTreeMap<&str, Vec<&TrialReport>> = BTreeMap::new();
        for trial in self.runs.iter().flat_map(|run| &run.report.trials) {
            problems.entry(&trial.problem).or_default().push(trial);
        }
        problems
    }

    /// The trials with digests, run by run.
    pub(super) fn digests(&self) -> impl Iterator<Item = (&'a TrialReport, &'a TrialDigest)> {
        self.runs.iter().flat_map(|run| run.trials())
    }

    pub(super) fn reports(&self) -> Vec<&'a RunReport> {
        self.runs.iter().map(|run| run.report).collect()
    }
}

pub(super) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
