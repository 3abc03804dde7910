//! Dependence of results on the versions of the agent and of the harness.

mod key;
mod label;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use slope_model::run::TrialReport;
use slope_stats::Interval;

use super::cohort::{CohortRate, cohort_rate};
use super::contrast::{self, Aspect, Pair, RateContrast, Shift};
use super::members::{CohortName, Members, Observed, StudyOptions, narrow};
use super::phases;
use crate::metric::Metric;
use crate::rates::Rule;
use key::Key;
use label::Label;

/// Metrics with shown slopes.
const SLOPES: [Metric; 2] = [Metric::EROSION, Metric::VERBOSITY];

/// Configurations under the versions that ran them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Versions {
    /// Configurations that several versions ran, by model, agent, prompt, arm and options.
    pub configurations: Vec<Configuration>,
    /// Reason that it is missing, so that a version's changes are unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// A configuration that several versions ran.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// The model.
    pub model: String,
    /// The agent, without its version.
    pub agent: String,
    /// Name of the prompt.
    pub prompt: String,
    /// Hash of the prompt's text.
    #[serde(default)]
    pub prompt_hash: String,
    /// The arm.
    pub arm: String,
    /// Other options of the runs that affect results, as JSON: effort, track, checkpoints, caps,
    /// network, isolation and the like. Unset options are left out.
    #[serde(default)]
    pub options: String,
    /// The versions; the first, which is the lowest, is the reference of the others.
    pub versions: Vec<Version>,
}

/// A configuration under one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Version of the agent, and the harness with its version if known.
    pub version: String,
    /// Runs.
    pub runs: u32,
    /// Trials in their reports.
    pub trials: u32,
    /// Problems of those trials.
    pub problems: u32,
    /// Rates of checkpoints: strict, isolated, core.
    pub rates: Vec<VersionRate>,
    /// Slopes of erosion and verbosity.
    pub slopes: Vec<VersionSlope>,
    /// Differences from the reference; `None` for the reference itself.
    pub against: Option<VersionContrast>,
}

/// A rate under one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionRate {
    /// `strict`, `isolated` or `core`.
    pub rate: String,
    /// The rate, with its intervals.
    #[serde(flatten)]
    pub value: CohortRate,
}

/// A slope under one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionSlope {
    /// The metric.
    pub metric: Metric,
    /// Problems with values in three phases.
    pub problems: u32,
    /// Mean over them of the least-squares slope per phase.
    pub mean: Option<f64>,
    /// Percentile interval of it over resampled problems; `None` with fewer than two.
    pub interval: Option<Interval>,
}

/// A version versus the reference, paired by problem. Differences are the version's value less the
/// reference's, which is the `baseline` here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionContrast {
    /// Problems with trials under both, and of the same hash in all runs of both.
    pub problems: u32,
    /// Problems with trials under both versions whose hash differs or is unknown; not included in
    /// differences.
    #[serde(default)]
    pub left_out: u32,
    /// Rates of solved checkpoints of those problems.
    pub rates: Vec<RateContrast>,
    /// Slopes of erosion and verbosity.
    pub slopes: Vec<Shift>,
}

/// The configurations that several versions ran.
pub(super) fn versions(runs: &[Observed<'_>], options: &StudyOptions) -> Versions {
    let mut known: BTreeMap<Key, BTreeMap<Label, Vec<Observed<'_>>>> = BTreeMap::new();
    for run in runs.iter().filter(|run| !run.report.trials.is_empty()) {
        let of_key = known.entry(Key::of(run.report)).or_default();
        of_key.entry(Label::of(run.report)).or_default().push(*run);
    }
    if known.values().all(|versions| versions.len() < 2) {
        return Versions {
            configurations: Vec::new(),
            missing: Some(alone(known.len())),
        };
    }
    let several = known.into_iter().filter(|(_, own)| own.len() > 1);
    let mut configurations: Vec<Configuration> = several
        .map(|(key, own)| configuration(key, own, options))
        .collect();
    let versions = configurations.iter_mut().flat_map(|c| &mut c.versions);
    let against = versions.filter_map(|version| version.against.as_mut());
    contrast::adjust(against.flat_map(|own| &mut own.slopes));
    Versions {
        configurations,
        missing: None,
    }
}

fn alone(configurations: usize) -> String {
    let what = match configurations {
        0 => "no run has trials".to_owned(),
        1 => "all runs have the same version".to_owned(),
        n => format!("each of {n} configurations was run by one version"),
    };
    format!(
        "{what}, so that what a version of the agent or the harness changes cannot be told; add \
         runs of the same model, agent, prompt, arm and options by another version"
    )
}

fn configuration(
    key: Key,
    versions: BTreeMap<Label, Vec<Observed<'_>>>,
    options: &StudyOptions,
) -> Configuration {
    let members = versions.into_iter().map(|(label, runs)| {
        let name = CohortName::default();
        (label.text, Members { name, runs })
    });
    let members: Vec<(String, Members<'_>)> = members.collect();
    let reference = members.first().map(|(_, own)| own);
    let versions = members.iter().enumerate().map(|(place, (version, own))| {
        let against = reference.filter(|_| place > 0);
        Version {
            version: version.clone(),
            against: against.map(|reference| against_reference(reference, own, options)),
            ..of_version(own, options)
        }
    });
    Configuration {
        model: key.model,
        agent: key.agent,
        prompt: key.prompt,
        prompt_hash: key.prompt_hash,
        arm: key.arm,
        options: key.options,
        versions: versions.collect(),
    }
}

/// The numbers of a version; the caller names it and compares it with the reference.
fn of_version(members: &Members<'_>, options: &StudyOptions) -> Version {
    let by_problem = members.by_problem();
    let trials: Vec<&TrialReport> = by_problem.values().flatten().copied().collect();
    let rate = |rule: Rule| VersionRate {
        rate: rule.name().to_owned(),
        value: cohort_rate(&trials, rule, options),
    };
    let slope = |metric| {
        let of =
            |trials: &Vec<&TrialReport>| contrast::value(trials, metric, Aspect::Slope, options);
        let values: Vec<f64> = by_problem.values().filter_map(of).collect();
        VersionSlope {
            metric,
            problems: narrow(values.len()),
            mean: slope_stats::mean(&values),
            interval: phases::interval(&values, options),
        }
    };
    Version {
        version: String::new(),
        runs: narrow(members.runs.len()),
        trials: narrow(trials.len()),
        problems: narrow(by_problem.len()),
        rates: Rule::ALL.map(rate).to_vec(),
        slopes: SLOPES.map(slope).to_vec(),
        against: None,
    }
}

fn against_reference(
    reference: &Members<'_>,
    own: &Members<'_>,
    options: &StudyOptions,
) -> VersionContrast {
    let (ours, theirs) = (hashes(own), hashes(reference));
    let is_same = |problem: &str| {
        let (ours, theirs) = (ours.get(problem), theirs.get(problem));
        ours == theirs && ours.is_some_and(|all| all.len() == 1 && !all.contains(""))
    };
    let pairs: Vec<Pair<'_>> = contrast::pairs_of(reference, own, is_same);
    let others = contrast::pairs_of(reference, own, |problem| !is_same(problem));
    let slope = |metric| contrast::shift(&pairs, metric, Aspect::Slope, options);
    VersionContrast {
        problems: narrow(pairs.len()),
        left_out: narrow(others.len()),
        rates: Rule::ALL
            .map(|rule| contrast::rate(&pairs, rule, options))
            .to_vec(),
        slopes: SLOPES.map(slope).to_vec(),
    }
}

/// The hashes of each problem in the runs with trials of it; empty if a run has none.
fn hashes<'a>(members: &Members<'a>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut hashes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for report in members.runs.iter().map(|run| run.report) {
        for trial in &report.trials {
            let known = report.config.problems.get(&trial.problem);
            let hash = known.map_or("", |problem| problem.hash.as_str());
            hashes.entry(&trial.problem).or_default().insert(hash);
        }
    }
    hashes
}
