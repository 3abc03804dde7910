//! Single changes of a reference solution, each of which some case should notice.

mod python;
pub mod site;
pub mod waivers;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use slope_model::cases::Tag;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::verdict::Outcome;
use slope_problem::reference_solution;
use slope_stats::{Interval, Z95, wilson};
use slope_suite::{Rehearsal, Wanted};

use crate::Error;
use crate::stage::{self, Stage};
use crate::workspace::Workspace;
use site::{Operator, Site, Source};

/// Version of the JSON form of [`Mutated`].
pub const SCHEMA: &str = "slope.mutation/1";
/// Share of mutants that the cases of a finished problem kill.
pub const THRESHOLD: f64 = 0.9;
/// How often the time of the original a mutant may take for a case's step.
const STRETCH: f64 = 10.0;
/// Seconds that every step may take at least, so that a loaded machine kills nothing.
const LEAST_S: f64 = 3.0;

/// Which mutants to make, and how to run them.
#[derive(Debug, Clone)]
pub struct Asked {
    /// How many mutants at most; all if `None`.
    pub sample: Option<usize>,
    /// Which, where there are more.
    pub seed: u64,
    /// Mutants that run side by side.
    pub jobs: usize,
    /// Also run cases tagged `performance`.
    pub performance: bool,
}

/// What became of the mutants of one checkpoint's reference solution.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mutated {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Problem.
    pub problem: String,
    /// Checkpoint.
    pub checkpoint: String,
    /// Places and ways in which the solution could be changed.
    pub sites: usize,
    /// Mutants that were run, without the waived.
    pub total: usize,
    /// Those that a case noticed.
    pub killed: usize,
    /// Share that was killed; absent if none was run.
    pub score: Option<f64>,
    /// Wilson's interval of the share at 95 %: it counts the sites that were not drawn.
    pub interval: Option<Interval>,
    /// Of those that were drawn: do the same as the original, by `mutants.yaml`.
    pub waived: usize,
    /// Whether it was ended before all had run.
    pub interrupted: bool,
    /// Those that no case noticed, by file and line.
    pub survivors: Vec<Survivor>,
}

/// A mutant that no case noticed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Survivor {
    /// File, relative to the solution.
    pub file: PathBuf,
    /// Line from 1.
    pub line: u32,
    /// To waive it in `mutants.yaml`.
    pub fingerprint: String,
    /// Kind of change.
    pub operator: Operator,
    /// Lines before and after.
    pub diff: Vec<String>,
    /// What case would notice it.
    pub hint: &'static str,
}

impl Mutated {
    /// Whether enough were killed.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.score.is_some_and(|score| score >= THRESHOLD)
    }
}

/// How far it is: mutants done, of how many, and how many of those survived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Mutants that have run.
    pub done: usize,
    /// Mutants in all.
    pub total: usize,
    /// Of the done: not noticed by any case.
    pub survived: usize,
}

/// Tells how far it is, and whether to stop.
pub struct Control<'a> {
    /// Called after each mutant.
    pub progress: &'a (dyn Fn(Step) + Sync),
    /// Once true, no further mutant starts.
    pub stop: &'a AtomicBool,
}

/// Runs mutants of a checkpoint's reference solution.
///
/// # Errors
/// If there is no reference solution, it does not pass its own cases, a source has syntax errors, or the
/// sandbox fails.
pub fn run(
    stage: &Stage<'_>,
    problem: &Problem,
    checkpoint: &Checkpoint,
    asked: &Asked,
    control: &Control<'_>,
) -> Result<Mutated, Error> {
    let dir = reference_solution(problem, &checkpoint.name).ok_or_else(|| {
        Error::Request(format!(
            "{} has no reference solution for {}: write solutions/{}",
            problem.name, checkpoint.name, checkpoint.name
        ))
    })?;
    let original = Workspace::read(&dir)?;
    let (all, sources) = site::sites(&original)?;
    let sites = all.len();
    if sites == 0 {
        return Err(Error::Request(format!(
            "{}: nothing to change: so far only Python is mutated",
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
    let cases = baseline(stage, &rehearsal, &original, asked)?;
    let company = Company {
        rehearsal: &rehearsal,
        original: &original,
        sources: &sources,
        order: Mutex::new(cases),
    };
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

/// The cases that mutants run, with limits that follow from what the original needs.
fn baseline(
    stage: &Stage<'_>,
    rehearsal: &Rehearsal<'_>,
    original: &Workspace,
    asked: &Asked,
) -> Result<Vec<Wanted>, Error> {
    let chosen: Vec<Wanted> = rehearsal
        .cases()
        .filter(|case| asked.performance || !case.tags.contains(&Tag::Performance))
        .map(|case| Wanted {
            key: case.key,
            timeout_s: None,
        })
        .collect();
    let results = stage::play(rehearsal, original, &chosen, stage.options.workers, false)?;
    if let Some(bad) = results.iter().find(|r| r.outcome != Outcome::Passed) {
        return Err(Error::Request(format!(
            "the reference solution itself fails {}::{} ({}): mend that first, with `slope problem try`",
            bad.checkpoint,
            bad.id,
            bad.message.as_deref().unwrap_or(bad.outcome.name())
        )));
    }
    let limits = chosen.into_iter().zip(&results).map(|(wanted, result)| {
        let limit = (result.duration_s * STRETCH).max(LEAST_S);
        Wanted {
            timeout_s: Some(limit),
            ..wanted
        }
    });
    Ok(interleaved(limits.collect()))
}

/// Cases of different kinds first: those that stand side by side mostly notice the same.
fn interleaved(cases: Vec<Wanted>) -> Vec<Wanted> {
    const STRIDE: usize = 13;
    let of = |start: usize| cases.iter().skip(start).step_by(STRIDE).cloned();
    (0..STRIDE).flat_map(of).collect()
}

struct Company<'a> {
    rehearsal: &'a Rehearsal<'a>,
    original: &'a Workspace,
    sources: &'a BTreeMap<PathBuf, Source>,
    /// Cases in the order in which they run: the one that killed last comes first. No result depends on it.
    order: Mutex<Vec<Wanted>>,
}

impl Company<'_> {
    /// Whether each mutant was killed; `None` for those that did not run.
    fn run_all(
        &self,
        drawn: &[Site],
        jobs: usize,
        control: &Control<'_>,
    ) -> Result<Vec<Option<bool>>, Error> {
        let next = AtomicUsize::new(0);
        let (done, survived) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let killed: Mutex<Vec<Option<bool>>> = Mutex::new(vec![None; drawn.len()]);
        let failure: Mutex<Option<Error>> = Mutex::new(None);
        let work = || {
            while !control.stop.load(Ordering::Relaxed) && lock(&failure).is_none() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(site) = drawn.get(at) else { return };
                let one = match self.is_killed(site) {
                    Ok(one) => one,
                    // What was being run when it was ended says nothing.
                    Err(_) if control.stop.load(Ordering::Relaxed) => return,
                    Err(why) => {
                        *lock(&failure) = Some(why);
                        return;
                    }
                };
                lock(&killed)[at] = Some(one);
                survived.fetch_add(usize::from(!one), Ordering::Relaxed);
                (control.progress)(Step {
                    done: done.fetch_add(1, Ordering::Relaxed) + 1,
                    total: drawn.len(),
                    survived: survived.load(Ordering::Relaxed),
                });
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..jobs.max(1) {
                scope.spawn(work);
            }
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(why) => Err(why),
            None => Ok(killed.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn is_killed(&self, site: &Site) -> Result<bool, Error> {
        let Some(source) = self.sources.get(&site.file) else {
            return Ok(false);
        };
        let mut mutant = self.original.clone();
        mutant.put(site.file.clone(), &source.changed(site));
        let cases = lock(&self.order).clone();
        let results = stage::play(self.rehearsal, &mutant, &cases, 1, true)?;
        let noticed = |outcome| !matches!(outcome, Outcome::Passed | Outcome::Skipped);
        let Some(by) = results.iter().find(|r| noticed(r.outcome)) else {
            return Ok(false);
        };
        let key = format!("{}::{}", by.checkpoint, by.id);
        let mut order = lock(&self.order);
        if let Some(at) = order.iter().position(|wanted| wanted.key == key) {
            let first = order.remove(at);
            order.insert(0, first);
        }
        Ok(true)
    }

    fn survivors(&self, drawn: &[Site], killed: &[Option<bool>]) -> Vec<Survivor> {
        let alive = drawn.iter().zip(killed).filter(|(_, k)| **k == Some(false));
        let survivor = |(site, _): (&Site, _)| Survivor {
            file: site.file.clone(),
            line: site.line,
            fingerprint: site.fingerprint.clone(),
            operator: site.operator,
            diff: self
                .sources
                .get(&site.file)
                .map_or_else(Vec::new, |source| source.diff(site)),
            hint: site.operator.hint(),
        };
        let mut survivors: Vec<_> = alive.map(survivor).collect();
        survivors.sort();
        survivors
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
