//! Mutants of a reference solution: single changes, each of which should fail some case.

mod company;
mod python;
pub mod site;
pub mod waivers;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use slope_model::problem::{Checkpoint, Problem};
use slope_problem::reference_solution;
use slope_stats::{Interval, Z95, wilson};

use crate::Error;
use crate::stage::Stage;
use crate::workspace::Workspace;
use company::MutantRunner;
use site::{Operator, Site, Source};

/// Version of the JSON form of [`Mutated`].
pub const SCHEMA: &str = "slope.mutation/1";
/// Share of mutants that the cases of a finished problem kill.
pub const THRESHOLD: f64 = 0.9;
/// Selection of mutants, and options for running them.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Maximum number of mutants; all if `None`.
    pub sample: Option<usize>,
    /// Seed of the selection, if there are more.
    pub seed: u64,
    /// Mutants that run side by side.
    pub jobs: usize,
    /// Also run cases tagged `performance`.
    pub performance: bool,
}

/// The results of the mutants of one checkpoint's reference solution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mutated {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Problem.
    pub problem: String,
    /// Checkpoint.
    pub checkpoint: String,
    /// Number of possible changes of the solution.
    pub sites: usize,
    /// Mutants that were run, without the waived.
    pub total: usize,
    /// Number of mutants that a case detected.
    pub killed: usize,
    /// Share of killed mutants; absent if none was run.
    pub score: Option<f64>,
    /// Wilson's interval of the share at 95 %: it counts the sites that were not drawn.
    pub interval: Option<Interval>,
    /// Selected mutants that `mutants.yaml` declares equivalent to the original.
    pub waived: usize,
    /// Whether it was ended before all had run.
    pub interrupted: bool,
    /// Mutants that no case detected, by file and line.
    pub survivors: Vec<Survivor>,
}

/// A mutant that no case noticed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Survivor {
    /// File, relative to the solution.
    pub file: PathBuf,
    /// Line from 1.
    pub line: u32,
    /// Fingerprint for waiving it in `mutants.yaml`.
    pub fingerprint: String,
    /// Kind of change.
    pub operator: Operator,
    /// Lines before and after.
    pub diff: Vec<String>,
    /// Description of a case that would detect it.
    pub hint: &'static str,
}

impl Mutated {
    /// Whether enough were killed.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.score.is_some_and(|score| score >= THRESHOLD)
    }

    /// Whether the score may be sufficient, judging by the interval's upper end, which suits small
    /// samples.
    #[must_use]
    pub fn may_be_enough(&self) -> bool {
        self.interval
            .is_some_and(|interval| interval.high >= THRESHOLD)
    }
}

/// Progress: finished mutants, their total, and the number of survivors so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Mutants that have run.
    pub done: usize,
    /// Mutants in all.
    pub total: usize,
    /// Finished mutants that no case detected.
    pub survived: usize,
}

/// Progress callback, and stop flag.
pub struct Control<'a> {
    /// Called after each mutant.
    pub progress: &'a (dyn Fn(Step) + Sync),
    /// Once true, no further mutant starts.
    pub stop: &'a AtomicBool,
}

/// Runs mutants of a checkpoint's reference solution.
///
/// # Errors
/// If there is no reference solution, it fails a case that detected a mutant, a source has syntax
/// errors, or the sandbox fails.
pub fn run(
    stage: &Stage<'_>,
    problem: &Problem,
    checkpoint: &Checkpoint,
    asked: &Asked,
    control: &Control<'_>,
) -> Result<Mutated, Error> {
    let dir = reference_solution(problem, &checkpoint.name).ok_or_else(|| {
        Error::Request(format!(
            "{} has no reference solution for {}\nhelp: write solutions/{}",
            problem.name, checkpoint.name, checkpoint.name
        ))
    })?;
    let original = Workspace::read(&dir)?;
    let (all, sources) = site::sites(&original)?;
    let sites = all.len();
    if sites == 0 {
        return Err(Error::Request(format!(
            "{} contains no Python, the only language that slope mutates",
            dir.display()
        )));
    }
    let waivers = waivers::read(&problem.root)?;
    let mut drawn = site::sample(all, asked.sample, asked.seed);
    let before = drawn.len();
    drawn.retain(|site| !waivers.contains_key(&site.fingerprint));
    let waived = before - drawn.len();
    drawn.retain(|site| is_valid(&sources, site));
    let rehearsal = stage.rehearsal(problem, checkpoint.index)?;
    let company = MutantRunner::new(&rehearsal, &original, &sources, asked.performance);
    let killed = company.run_all(&drawn, asked.jobs, control)?;
    let interrupted = killed.iter().any(Option::is_none);
    let total = killed.iter().flatten().count();
    let survivors = company.survivors(&drawn, &killed);
    let dead = total - survivors.len();
    let score = ratio(dead, total);
    Ok(Mutated {
        schema: SCHEMA,
        problem: problem.name.clone(),
        checkpoint: checkpoint.name.clone(),
        sites,
        total,
        killed: dead,
        score,
        interval: wilson(dead as u64, total as u64, Z95),
        waived,
        interrupted,
        survivors,
    })
}

fn ratio(part: usize, whole: usize) -> Option<f64> {
    let (part, whole) = (u32::try_from(part).ok()?, u32::try_from(whole).ok()?);
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

fn is_valid(sources: &BTreeMap<PathBuf, Source>, site: &Site) -> bool {
    let source = sources.get(&site.file);
    source.is_some_and(|source| source.is_valid(&source.changed(site)))
}

#[cfg(test)]
mod tests;
