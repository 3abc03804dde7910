//! Runs the mutants of one solution in parallel, each up to the first case that detects it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use slope_model::cases::Tag;
use slope_model::verdict::{Outcome, TestResult};
use slope_suite::{Rehearsal, Wanted};

use super::site::{Site, Source};
use super::{Control, Step, Survivor};
use crate::Error;
use crate::stage;
use crate::workspace::Workspace;

/// Time limit for a step of a mutant, in seconds, so that endless ones are detected soon. It also
/// replaces a lower limit of the suite: a loaded machine must not kill mutants.
const LIMIT_S: f64 = 5.0;
/// Share of that limit that a whole case of the original may take; slower cases keep their suite's
/// limit.
const CALM: f64 = 1.0 / 3.0;

/// The mutants of one solution.
pub(super) struct MutantRunner<'a> {
    rehearsal: &'a Rehearsal<'a>,
    original: &'a Workspace,
    sources: &'a BTreeMap<PathBuf, Source>,
    /// Cases in the order of running: the one with the latest kill comes first. No result depends
    /// on it.
    order: Mutex<Vec<Wanted>>,
    /// Cases that detected a mutant and that the original passes, and whether each is slow.
    seen: Mutex<BTreeMap<String, bool>>,
}

/// Cases of different kinds first: adjacent cases mostly notice the same.
fn interleaved(cases: &[Wanted]) -> Vec<Wanted> {
    const STRIDE: usize = 13;
    let of = |start: usize| cases.iter().skip(start).step_by(STRIDE).cloned();
    (0..STRIDE).flat_map(of).collect()
}

impl<'a> MutantRunner<'a> {
    /// Mutants of `original`, whose `sources` are changed; with or without cases tagged
    /// `performance`.
    pub(super) fn new(
        rehearsal: &'a Rehearsal<'a>,
        original: &'a Workspace,
        sources: &'a BTreeMap<PathBuf, Source>,
        performance: bool,
    ) -> Self {
        let chosen = rehearsal
            .cases()
            .filter(|case| performance || !case.tags.contains(&Tag::Performance));
        let cases: Vec<Wanted> = chosen
            .map(|case| Wanted {
                key: case.key,
                at_most_s: Some(LIMIT_S),
            })
            .collect();
        Self {
            rehearsal,
            original,
            sources,
            order: Mutex::new(interleaved(&cases)),
            seen: Mutex::default(),
        }
    }

    /// Whether each mutant was killed; `None` if it did not run.
    pub(super) fn run_all(
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
                    // An interrupted run proves nothing.
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
        loop {
            let cases = lock(&self.order).clone();
            let results = stage::play(self.rehearsal, &mutant, &cases, 1, true)?;
            let noticed = |outcome| !matches!(outcome, Outcome::Passed | Outcome::Skipped);
            let by = cases.iter().zip(&results).find(|(_, r)| noticed(r.outcome));
            let Some((case, _)) = by else {
                return Ok(false);
            };
            if self.is_fair(case)? {
                self.to_the_front(&case.key);
                return Ok(true);
            }
        }
    }

    /// Whether the case distinguishes the mutant from the original: the original passes it, and not
    /// only because of a longer time limit.
    fn is_fair(&self, case: &Wanted) -> Result<bool, Error> {
        let known = lock(&self.seen).get(&case.key).copied();
        let slow = match known {
            Some(slow) => slow,
            None => self.original_is_slow(&case.key)?,
        };
        lock(&self.seen).insert(case.key.clone(), slow);
        if !slow || case.at_most_s.is_none() {
            return Ok(true);
        }
        let mut order = lock(&self.order);
        for wanted in order.iter_mut().filter(|wanted| wanted.key == case.key) {
            wanted.at_most_s = None;
        }
        Ok(false)
    }

    fn original_is_slow(&self, key: &str) -> Result<bool, Error> {
        let alone = Wanted {
            key: key.to_owned(),
            at_most_s: None,
        };
        let results = stage::play(self.rehearsal, self.original, &[alone], 1, false)?;
        if let Some(bad) = results.iter().find(|r| r.outcome != Outcome::Passed) {
            return Err(fails_itself(bad));
        }
        Ok(results.iter().any(|r| r.duration_s > LIMIT_S * CALM))
    }

    fn to_the_front(&self, key: &str) {
        let mut order = lock(&self.order);
        if let Some(at) = order.iter().position(|wanted| wanted.key == key) {
            let first = order.remove(at);
            order.insert(0, first);
        }
    }

    pub(super) fn survivors(&self, drawn: &[Site], killed: &[Option<bool>]) -> Vec<Survivor> {
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

fn fails_itself(bad: &TestResult) -> Error {
    Error::Request(format!(
        "the reference solution itself fails {}::{}: {}\nhelp: fix that first, with `slope problem try`",
        bad.checkpoint,
        bad.id,
        bad.message.as_deref().unwrap_or(bad.outcome.name())
    ))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
