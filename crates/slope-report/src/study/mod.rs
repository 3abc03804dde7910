//! Studies: runs put together by agent, model and arm, as the published tables are.
//!
//! Rates and means here are over the checkpoints of all trials of a cohort; doubt is over
//! problems, because trials of one problem share it and its checkpoints build on one another.

mod cohort;
mod phases;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slope_model::run::RunReport;
use slope_stats::Bootstrap;

pub use cohort::{Cohort, CohortRate, MetricMean, Rising};
pub use phases::{Binning, PHASES, PhaseQuantity, PhaseRow, PhaseValue};

use crate::arms::arm;

/// How a study is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudyOptions {
    /// How checkpoints are put into phases.
    pub binning: Binning,
    /// How intervals over problems are resampled.
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

/// A folder that was met and is in no number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// The folder or file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// What runs say together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// How checkpoints were put into phases.
    pub binning: Binning,
    /// How intervals over problems were resampled: percentile intervals, the clusters problems.
    pub bootstrap: Bootstrap,
    /// The cohorts by model, agent and arm; where there are several, all of them together last.
    pub cohorts: Vec<Cohort>,
    /// What a reader must know before comparing cohorts.
    pub warnings: Vec<String>,
    /// What was met and is in no number.
    pub left_out: Vec<LeftOut>,
    /// What differs between a number that was stored and the one computed here, and what is
    /// known to mislead in the stored ones. Of imported runs only.
    pub remarks: Vec<Remark>,
}

/// Something about an imported run that a reader of its stored numbers must know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Remark {
    /// The run.
    pub run: PathBuf,
    /// Name of the kind of thing, for example `infrastructure-counted-as-zero`.
    pub kind: String,
    /// Problem and checkpoint, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What.
    pub text: String,
}

/// Puts `reports` together.
///
/// A report that is the same as one before it (its directory aside) is left out and listed:
/// counted twice it would pretend to certainty that is not there.
#[must_use]
pub fn study(reports: &[RunReport], options: &StudyOptions) -> Study {
    let (kept, left_out) = without_copies(reports);
    let mut by_cohort: BTreeMap<(String, String, String), Vec<&RunReport>> = BTreeMap::new();
    for report in &kept {
        let config = &report.config;
        let agent = format!("{} {}", config.agent, config.agent_version);
        let key = (config.model.clone(), agent.trim().to_owned(), arm(report));
        by_cohort.entry(key).or_default().push(report);
    }
    let mut cohorts: Vec<Cohort> = by_cohort
        .iter()
        .map(|((model, agent, arm), runs)| {
            let name = [model, agent, arm].map(|part| Some(part.clone()));
            cohort::cohort(name, runs, options)
        })
        .collect();
    if cohorts.len() > 1 {
        cohorts.push(cohort::cohort([None, None, None], &kept, options));
    }
    let several = |reports: &[&RunReport]| {
        let owned: Vec<RunReport> = reports.iter().map(|r| (*r).clone()).collect();
        crate::view::unpaired(&owned).map(str::to_owned)
    };
    Study {
        binning: options.binning,
        bootstrap: options.bootstrap,
        cohorts,
        warnings: several(&kept).into_iter().collect(),
        left_out,
        remarks: Vec::new(),
    }
}

/// The reports without those that repeat an earlier one.
fn without_copies(reports: &[RunReport]) -> (Vec<&RunReport>, Vec<LeftOut>) {
    let mut kept: Vec<&RunReport> = Vec::new();
    let mut left_out = Vec::new();
    for report in reports {
        let same = |other: &&&RunReport| {
            other.config == report.config
                && other.trials == report.trials
                && !report.trials.is_empty()
        };
        match kept.iter().find(same) {
            Some(first) => left_out.push(LeftOut {
                path: report.run.clone(),
                reason: format!("the same run as {}", first.run.display()),
            }),
            None => kept.push(report),
        }
    }
    (kept, left_out)
}
