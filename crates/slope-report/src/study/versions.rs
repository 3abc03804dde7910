//! How much results depend on the version of the agent and of the harness that ran it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_model::run::{RunReport, TrialReport};
use slope_stats::Interval;

use super::cohort::{CohortRate, cohort_rate};
use super::contrast::{self, Aspect, Pair, RateContrast, Shift};
use super::{CohortName, Members, Observed, StudyOptions, narrow, phases};
use crate::arms::arm;
use crate::metric::Metric;
use crate::rates::Rule;

/// Metrics whose slopes are told.
const SLOPES: [Metric; 2] = [Metric::Erosion, Metric::Verbosity];

/// Configurations under the versions that ran them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Versions {
    /// Those that several versions ran, by model, agent, prompt and arm.
    pub configurations: Vec<Configuration>,
    /// Why there is none, so that nothing is known of what a version changes.
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
    /// The arm.
    pub arm: String,
    /// The versions; the first, which is the lowest, is the reference of the others.
    pub versions: Vec<Version>,
}

/// A configuration under one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// Version of the agent, and the harness that ran it with its version where that is known.
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

/// A version held against the reference, paired by problem. Differences are the version's value
/// less the reference's, which is the `baseline` here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VersionContrast {
    /// Problems with trials under both.
    pub problems: u32,
    /// Rates of solved checkpoints of those problems.
    pub rates: Vec<RateContrast>,
    /// Slopes of erosion and verbosity.
    pub slopes: Vec<Shift>,
}

/// What must be the same for versions to be held against one another: model, agent, prompt with its
/// text's hash, arm.
type Key = (String, String, (String, String), String);

/// The configurations that several versions ran.
pub(super) fn versions(runs: &[Observed<'_>], options: &StudyOptions) -> Versions {
    let mut known: BTreeMap<Key, BTreeMap<Label, Vec<Observed<'_>>>> = BTreeMap::new();
    for run in runs.iter().filter(|run| !run.report.trials.is_empty()) {
        let of_key = known.entry(key(run.report)).or_default();
        of_key.entry(label(run.report)).or_default().push(*run);
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
        1 => "all runs are of one version".to_owned(),
        n => format!("each of {n} configurations was run by one version"),
    };
    format!(
        "{what}, so that what a version of the agent or the harness changes cannot be told; add \
         runs of the same model, agent, prompt and arm by another version"
    )
}

fn key(report: &RunReport) -> Key {
    let config = &report.config;
    let prompt = (config.prompt.clone(), config.prompt_hash.clone());
    (
        config.model.clone(),
        config.agent.clone(),
        prompt,
        arm(report),
    )
}

/// A version's name, in the order of its numbers: 2.0.9 before 2.0.51.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    numbers: Vec<u64>,
    text: String,
}

fn label(report: &RunReport) -> Label {
    let config = &report.config;
    let imported = config.options.get("imported");
    let harness = match imported.and_then(serde_json::Value::as_str) {
        Some(harness) => harness.to_owned(),
        None => format!("slope {}", config.slope_version),
    };
    let agent = match config.agent_version.as_str() {
        "" => "unknown version",
        version => version,
    };
    let text = format!("{agent} · {harness}");
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    Label {
        numbers: numbers.filter_map(|number| number.parse().ok()).collect(),
        text,
    }
}

fn configuration(
    (model, agent, (prompt, _), arm): Key,
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
        model,
        agent,
        prompt,
        arm,
        versions: versions.collect(),
    }
}

/// The numbers of a version; the caller names it and holds it against the reference.
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
    let pairs: Vec<Pair<'_>> = contrast::pairs(reference, own);
    let slope = |metric| contrast::shift(&pairs, metric, Aspect::Slope, options);
    VersionContrast {
        problems: narrow(pairs.len()),
        rates: Rule::ALL
            .map(|rule| contrast::rate(&pairs, rule, options))
            .to_vec(),
        slopes: SLOPES.map(slope).to_vec(),
    }
}
