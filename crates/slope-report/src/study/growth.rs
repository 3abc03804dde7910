//! Functions that grew most, traced through the checkpoints of a trial.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_model::detail::{FunctionFact, TrialDetail};
use slope_model::run::{RunReport, TrialReport};

use super::members::Observed;

/// Maximum number of functions shown.
const MAX_FUNCTIONS: usize = 12;

/// Maximum number of source lines kept of a function.
const MAX_LINES: usize = 80;

/// A function that grew, by path and name; a moved or renamed function counts as another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GrownFunction {
    /// Place of the run among those that are not left out, from 0.
    pub run: usize,
    /// Label of the run.
    pub label: String,
    /// Problem name.
    pub problem: String,
    /// Number of the trial.
    pub trial: u32,
    /// Path in the snapshot.
    pub path: String,
    /// Dotted name inside the file.
    pub name: String,
    /// Complexity mass at its last occurrence minus that at its first.
    pub growth: f64,
    /// Its values at each checkpoint where it occurs, in order.
    pub steps: Vec<GrowthStep>,
    /// Its source at the last occurrence, at most 80 lines; `None` if it was not read.
    pub source: Option<String>,
    /// Reason for a missing source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_missing: Option<String>,
}

/// A function at a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GrowthStep {
    /// Checkpoint name.
    pub checkpoint: String,
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub end_line: u32,
    /// Cyclomatic complexity.
    pub complexity: u32,
    /// Source lines.
    pub sloc: u32,
    /// Complexity mass.
    pub mass: f64,
}

/// Place of a function's source.
#[derive(Debug, Clone, Copy)]
pub struct SourceOf<'a> {
    /// The run.
    pub report: &'a RunReport,
    /// Problem name.
    pub problem: &'a str,
    /// Number of the trial.
    pub trial: u32,
    /// Checkpoint name.
    pub checkpoint: &'a str,
    /// Path in the checkpoint's snapshot.
    pub path: &'a str,
}

/// Reads a file of a snapshot. The error gives the reason.
pub type ReadSource = dyn Fn(&SourceOf<'_>) -> Result<String, String>;

/// The functions with the largest growth of mass, over all trials whose functions are known; by
/// growth, then by place.
pub(super) fn grown(runs: &[Observed<'_>]) -> Vec<GrownFunction> {
    let mut grown: Vec<GrownFunction> = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        for (_, digest) in run.trials() {
            grown.extend(digest.grown.iter().map(|function| GrownFunction {
                run: number,
                label: run.report.config.label.clone(),
                ..function.clone()
            }));
            keep_largest(&mut grown);
        }
    }
    grown
}

/// Sorts by growth and drops all but the largest.
fn keep_largest(grown: &mut Vec<GrownFunction>) {
    grown.sort_by(|a, b| b.growth.total_cmp(&a.growth));
    grown.truncate(MAX_FUNCTIONS);
}

/// The functions of a trial that grew most, as a study of this trial alone would report them,
/// without the run.
pub(super) fn of_trial(trial: &TrialReport, detail: &TrialDetail) -> Vec<GrownFunction> {
    let mut seen: BTreeMap<(&str, &str), Vec<(usize, &FunctionFact)>> = BTreeMap::new();
    for (place, checkpoint) in detail.checkpoints.iter().enumerate() {
        for function in checkpoint.functions.iter().flatten() {
            let states = seen.entry((&function.path, &function.name)).or_default();
            match states.last_mut() {
                // If a file defines a name several times, the heaviest definition is followed.
                Some((last, held)) if *last == place => {
                    if function.mass() > held.mass() {
                        *held = function;
                    }
                }
                _ => states.push((place, function)),
            }
        }
    }
    let grown = seen.into_iter().filter_map(|((path, name), states)| {
        let [(_, first), .., (_, last)] = states.as_slice() else {
            return None;
        };
        let growth = last.mass() - first.mass();
        (growth > 0.0).then(|| GrownFunction {
            run: 0,
            label: String::new(),
            problem: trial.problem.clone(),
            trial: trial.trial,
            path: path.to_owned(),
            name: name.to_owned(),
            growth,
            steps: states.iter().map(|state| step(trial, *state)).collect(),
            source: None,
            source_missing: None,
        })
    });
    let mut grown: Vec<GrownFunction> = grown.collect();
    keep_largest(&mut grown);
    grown
}

fn step(trial: &TrialReport, (place, function): (usize, &FunctionFact)) -> GrowthStep {
    let checkpoint = trial.checkpoints.get(place);
    GrowthStep {
        checkpoint: checkpoint.map_or_else(String::new, |c| c.checkpoint.clone()),
        line: function.line,
        end_line: function.end_line,
        complexity: function.complexity,
        sloc: function.sloc,
        mass: function.mass(),
    }
}

/// Reads the sources of grown functions with `read`.
pub(super) fn read_sources(grown: &mut [GrownFunction], kept: &[&RunReport], read: &ReadSource) {
    for function in grown {
        let (Some(report), Some(last)) = (kept.get(function.run), function.steps.last()) else {
            continue;
        };
        let file = read(&SourceOf {
            report,
            problem: &function.problem,
            trial: function.trial,
            checkpoint: &last.checkpoint,
            path: &function.path,
        });
        match file {
            Ok(text) => function.source = Some(lines(&text, last)),
            Err(why) => function.source_missing = Some(why),
        }
    }
}

fn lines(text: &str, step: &GrowthStep) -> String {
    let skipped = step.line.saturating_sub(1) as usize;
    let all = (step.end_line.saturating_sub(step.line) + 1) as usize;
    let own = text.lines().skip(skipped).take(all.min(MAX_LINES));
    own.collect::<Vec<_>>().join("\n")
}
