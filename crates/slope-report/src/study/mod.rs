//! Studies: runs combined by agent, model and arm, like the published tables.
//!
//! Rates and means are over the checkpoints of all trials of a cohort. Uncertainty is over
//! problems, because trials of one problem share it and its checkpoints build on one another.

mod cohort;
mod contrast;
mod digest;
mod failures;
mod growth;
mod members;
mod pairs;
mod panel;
mod phases;
mod repeats;
mod sensitivity;
mod tiers;
mod versions;

use std::collections::BTreeMap;
use std::path::PathBuf;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use slope_model::history::History;
use slope_model::run::RunReport;
use slope_stats::Bootstrap;

pub(crate) use cohort::rate_of_problems;
pub use cohort::{Cohort, CohortRate, MetricMean, Rising};
pub use contrast::{Aspect, Contrast, RateContrast, Shift, SpentRatio};
pub use digest::{RunDigest, digest};
pub use failures::{ClassCount, Evidence, Failure, FailureClass, Failures, Undecided};
pub use growth::{GrownFunction, GrowthStep, ReadSource, SourceOf};
pub use members::StudyOptions;
pub(crate) use members::{CohortName, Members, Observed};
pub use pairs::{Agreement, HeadToHead, Solved};
pub use panel::{Calibration, Course, CoursePoint, End};
pub use phases::{Binning, PHASES, PhaseQuantity, PhaseRow, PhaseValue};
pub use repeats::{PassK, RepeatedRate, Repeats};
pub use sensitivity::{Next, Sensitivity, SizeWeight, erosion_by};
pub use tiers::{Panel, PanelError, PanelMember};
pub use versions::{Configuration, Version, VersionContrast, VersionRate, VersionSlope, Versions};

use crate::arms::arm;

/// Folder that was found and not included in any number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// The folder or file.
    pub path: PathBuf,
    /// Reason.
    pub reason: String,
}

/// Combined results of runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// Assignment of checkpoints to phases.
    pub binning: Binning,
    /// Resampling of intervals over problems: percentile intervals, with problems as clusters.
    pub bootstrap: Bootstrap,
    /// The cohorts by model, agent and arm; where there are several, all of them together last.
    pub cohorts: Vec<Cohort>,
    /// Arms versus the baselines of the same model and agent, paired by problem.
    pub contrasts: Vec<Contrast>,
    /// Cohorts head to head.
    pub pairs: Vec<HeadToHead>,
    /// Cohorts with several trials of a problem.
    pub repeats: Vec<Repeats>,
    /// Causes of checkpoint failures.
    pub failures: Failures,
    /// The rank of cohorts in panels.
    pub calibration: Vec<Calibration>,
    /// Reasons that cohorts are not, or only partly, compared with a panel by tier.
    #[serde(default)]
    pub without_tiers: Vec<String>,
    /// Cohorts and repositories along their progress.
    pub courses: Vec<Course>,
    /// Erosion by other definitions, versus the next values.
    pub sensitivity: Vec<Sensitivity>,
    /// Configurations that several versions of the agent or the harness ran.
    #[serde(default)]
    pub versions: Versions,
    /// The functions that grew most.
    pub functions: Vec<GrownFunction>,
    /// Warnings before comparing cohorts.
    pub warnings: Vec<String>,
    /// Data left out of all numbers.
    pub left_out: Vec<LeftOut>,
    /// Differences between stored numbers and those computed here, and known errors in the stored
    /// ones. For imported runs only.
    pub remarks: Vec<Remark>,
}

/// Caveat for readers of an imported run's stored numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Remark {
    /// The run.
    pub run: PathBuf,
    /// Kind, for example `infrastructure-counted-as-zero`.
    pub kind: String,
    /// Problem and checkpoint, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Text.
    pub text: String,
}

/// The inputs of a study.
#[derive(Clone, Copy, Default)]
pub struct Material<'a> {
    /// The runs.
    pub reports: &'a [RunReport],
    /// Other data of their directories, reduced by [`digest`]: one for each report, or empty.
    /// Results from details are missing without them.
    pub digests: &'a [RunDigest],
    /// Panels of code bases to compare cohorts with.
    pub panels: &'a [Panel],
    /// Histories of repositories to compare cohorts with.
    pub histories: &'a [History],
    /// Reads a file of a snapshot.
    pub source: Option<&'a ReadSource>,
}

/// Combines `reports`, as [`study_of`] without further material.
#[must_use]
pub fn study(reports: &[RunReport], options: &StudyOptions) -> Study {
    let material = Material {
        reports,
        ..Material::default()
    };
    study_of(&material, options)
}

/// Combines runs.
///
/// A report that equals an earlier one (except for its directory) is left out and listed: counted
/// twice, it would suggest more certainty than there is.
#[must_use]
pub fn study_of(material: &Material<'_>, options: &StudyOptions) -> Study {
    let (kept, left_out) = without_copies(material);
    let mut members = members(&kept);
    let named = members.len();
    let reports: Vec<&RunReport> = kept.iter().map(|run| run.report).collect();
    let mut warnings: Vec<String> = crate::view::unpaired(&reports)
        .map(str::to_owned)
        .into_iter()
        .collect();
    let contrasts = contrast::contrasts(&members, options);
    let pairs = pairs::pairs(&members, options).unwrap_or_else(|all| {
        warnings.push(format!(
            "{all} pairs of cohorts are too many to compare head to head. Pass fewer runs."
        ));
        Vec::new()
    });
    let repeats = repeats::repeats(&members);
    if named > 1 {
        members.push(Members {
            name: CohortName::default(),
            runs: kept.clone(),
        });
    }
    let mut functions = growth::grown(&kept);
    if let Some(read) = material.source {
        growth::read_sources(&mut functions, &reports, read);
    }
    Study {
        binning: options.binning,
        bootstrap: options.bootstrap,
        cohorts: cohorts(&members, named, options),
        contrasts,
        pairs,
        repeats,
        failures: failures::failures(&members[..named]),
        calibration: panel::calibrations(&members, material.panels, options),
        without_tiers: material
            .panels
            .iter()
            .filter_map(Panel::without_tier)
            .collect(),
        courses: panel::courses(&members, material.histories, options),
        sensitivity: sensitivity::sensitivities(&members, options),
        versions: versions::versions(&kept, options),
        functions,
        warnings,
        left_out,
        remarks: Vec::new(),
    }
}

/// The cohorts by model, agent and arm.
fn members<'a>(kept: &[Observed<'a>]) -> Vec<Members<'a>> {
    let mut by_cohort: BTreeMap<CohortName, Vec<Observed<'a>>> = BTreeMap::new();
    for run in kept {
        let config = &run.report.config;
        let agent = format!("{} {}", config.agent, config.agent_version);
        let name = CohortName {
            model: config.model.clone(),
            agent: agent.trim().to_owned(),
            arm: arm(run.report),
        };
        by_cohort.entry(name).or_default().push(*run);
    }
    let cohorts = by_cohort.into_iter();
    cohorts.map(|(name, runs)| Members { name, runs }).collect()
}

/// The cohorts; those from `named` on have no name.
fn cohorts(members: &[Members<'_>], named: usize, options: &StudyOptions) -> Vec<Cohort> {
    let all = members.par_iter().enumerate();
    all.map(|(place, own)| {
        let CohortName { model, agent, arm } = &own.name;
        let name = [model, agent, arm].map(|part| (place < named).then(|| part.clone()));
        cohort::cohort(name, &own.reports(), options)
    })
    .collect()
}

/// The reports without repeats of earlier ones.
fn without_copies<'a>(material: &Material<'a>) -> (Vec<Observed<'a>>, Vec<LeftOut>) {
    let mut kept: Vec<Observed<'a>> = Vec::new();
    let mut left_out = Vec::new();
    for (place, report) in material.reports.iter().enumerate() {
        let same = |other: &&Observed<'a>| {
            other.report.config == report.config
                && other.report.trials == report.trials
                && !report.trials.is_empty()
        };
        match kept.iter().find(same) {
            Some(first) => left_out.push(LeftOut {
                path: report.run.clone(),
                reason: format!("the same run as {}", first.report.run.display()),
            }),
            None => kept.push(Observed {
                report,
                digest: material.digests.get(place),
            }),
        }
    }
    (kept, left_out)
}
