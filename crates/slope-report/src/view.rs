//! The tables of a report, made once and rendered by the terminal, Markdown and HTML.

mod arms;
mod causes;
mod compare;
mod grid;
mod rates;
mod slopes;
mod study;
mod trial;
mod versions;

use std::borrow::Borrow;
use std::collections::BTreeSet;

use slope_model::measurement::Definitions;
use slope_model::run::{DEFAULT_TRACK, RunReport, TrialReport};

use crate::format;
use crate::summary::Note;

pub(crate) use arms::arm_grid;
pub(crate) use grid::{Block, Cell, Column, Grid, Row, Tone};
pub(crate) use rates::{coverage_grid, rate_grid, spent_grid, trial_rate_grid};
pub(crate) use slopes::slope_grid;
pub(crate) use study::{names as cohort_names, spelled, study_grids, study_legend, study_lists};
pub(crate) use trial::{state_tone, trial_grid};

/// Labels of the runs, cleaned and made distinct.
pub(crate) fn labels(reports: &[RunReport]) -> Vec<String> {
    let clean = |r: &RunReport| {
        let label = format::shorten(&format::clean(&r.config.label), 40);
        if label.is_empty() {
            "run".to_owned()
        } else {
            label
        }
    };
    let plain: Vec<String> = reports.iter().map(clean).collect();
    plain
        .iter()
        .enumerate()
        .map(|(i, label)| {
            if plain.iter().filter(|l| *l == label).count() == 1 {
                return label.clone();
            }
            let before = plain.iter().take(i).filter(|l| *l == label).count();
            format!("{label} #{}", before + 1)
        })
        .collect()
}

/// A warning if the runs have different problems or definitions of measurements, so that a
/// difference between their slopes is not one between their agents.
pub(crate) fn unpaired<R: Borrow<RunReport>>(reports: &[R]) -> Option<&'static str> {
    let hashes = |r: &R| {
        let r: &RunReport = r.borrow();
        r.definitions
            .iter()
            .map(|d| d.hash.clone())
            .collect::<BTreeSet<_>>()
    };
    if differ(reports, problems) {
        Some("The runs have different problems, so their slopes and rates are not comparable.")
    } else if differ(reports, track) {
        Some(
            "The runs' programs are in different languages, so their slopes and rates are not comparable.",
        )
    } else if differ(reports, network) {
        Some(
            "The runs' agents could reach different hosts, so their slopes and rates are not comparable.",
        )
    } else if reports
        .iter()
        .flat_map(hashes)
        .collect::<BTreeSet<_>>()
        .len()
        > 1
    {
        Some(
            "The code was measured by different definitions, so metrics and their slopes are not comparable.",
        )
    } else {
        None
    }
}

/// Whether something is not the same of all runs.
fn differ<R: Borrow<RunReport>, T: PartialEq>(reports: &[R], of: impl Fn(&RunReport) -> T) -> bool {
    let mut pairs = reports.windows(2);
    pairs.any(|pair| of(pair[0].borrow()) != of(pair[1].borrow()))
}

/// Names and hashes of a run's problems.
fn problems(report: &RunReport) -> Vec<(String, String)> {
    let problems = report.config.problems.iter();
    problems
        .map(|(name, p)| (name.clone(), p.hash.clone()))
        .collect()
}

/// `problem, trial 2 of 3`; the trial only if there are several.
pub(crate) fn trial_name(report: &RunReport, trial: &TrialReport) -> String {
    let problem = format::shorten(&format::clean(&trial.problem), 60);
    let trials = report
        .trials
        .iter()
        .filter(|t| t.problem == trial.problem)
        .count();
    if report.config.trials > 1 || trials > 1 {
        format!(
            "{problem}, trial {} of {}",
            trial.trial,
            report.config.trials.max(trial.trial)
        )
    } else {
        problem
    }
}

/// The lines below a run's heading: agent, model, options.
pub(crate) fn run_facts(report: &RunReport) -> Vec<(&'static str, String)> {
    let c = &report.config;
    vec![
        (
            "agent",
            format::clean(&format!("{} {}", c.agent, c.agent_version)),
        ),
        ("model", format::clean(&c.model)),
        ("prompt", format::clean(&c.prompt)),
        ("intervention", intervention(report)),
        ("language track", track(report)),
        ("isolation", format::clean(&c.isolation)),
        ("network", network(report)),
        ("slope", format::clean(&c.slope_version)),
        ("definitions", definitions(report)),
        (
            "directory",
            format::clean(&report.run.display().to_string()),
        ),
    ]
}

/// The language of a run's programs; empty for Python's, which specs are written for.
fn track(report: &RunReport) -> String {
    let said = report.config.options.get("track").and_then(|t| t.as_str());
    let said = said.filter(|track| *track != DEFAULT_TRACK);
    said.map(format::clean).unwrap_or_default()
}

/// Hosts that agents could reach besides their model; empty if there are none, which is the
/// default.
fn network(report: &RunReport) -> String {
    let network = report
        .config
        .options
        .get("environment")
        .and_then(|e| e.get("network"));
    let entries = ["allow", "private"]
        .into_iter()
        .filter_map(|key| network?.get(key)?.as_array());
    let names: Vec<&str> = entries
        .flatten()
        .filter_map(|entry| entry.as_str())
        .collect();
    format::clean(&names.join(" "))
}

/// The arm of a study; empty for the baseline, and if the prompt is shown already.
fn intervention(report: &RunReport) -> String {
    let arm = crate::arms::arm(report);
    if arm == crate::arms::BASELINE || arm == report.config.prompt {
        return String::new();
    }
    format::clean(&arm)
}

/// `slope/1 01234567`: version and beginning of the hash of each set of definitions.
fn definitions(report: &RunReport) -> String {
    let short = |d: &Definitions| {
        let hash: String = d.hash.chars().take(8).collect();
        format::clean(&format!("{} {hash}", d.version))
    };
    report
        .definitions
        .iter()
        .map(short)
        .collect::<Vec<_>>()
        .join(", ")
}

/// `tidy · problem · checkpoint_2: text`, for the lists of notes.
pub(crate) fn note_line(label: &str, note: &Note, several_trials: bool) -> (String, String) {
    let problem = format::clean(&note.problem);
    let checkpoint = format::clean(&note.checkpoint);
    let place = if several_trials {
        format!("{label} · {problem} · trial {} · {checkpoint}", note.trial)
    } else {
        format!("{label} · {problem} · {checkpoint}")
    };
    (place, format::shorten(&format::clean(&note.text), 300))
}
