//! Executes a plan: trials side by side, each checkpoint by checkpoint.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use slope_agent::{Agent, Installed};
use slope_gateway::Gateway;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::{Attempt, AttemptState};
use slope_store::journal::Journal;
use slope_store::run_dir::Lock;

use crate::Error;
use crate::attempt::{LOG, trial_name};
use crate::event::{Event, Observer, Phase, Progress, TrialKey};
use crate::machine::Machine;
use crate::plan::Plan;
use crate::state::RunState;
use crate::tools::Tools;

/// Everything that the trials of one run share.
pub(crate) struct Bench<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) machine: &'a Machine,
    pub(crate) agent: &'a dyn Agent,
    pub(crate) installed: &'a Installed,
    pub(crate) gateway: Option<&'a Gateway>,
    pub(crate) journal: &'a Journal<Event>,
    pub(crate) state: &'a RunState,
    pub(crate) observer: Observer<'a>,
    pub(crate) tools: Tools,
}

/// Executes what `plan` still lacks, with `workers` trials at a time.
///
/// Safe to call again after any interruption, also on a finished run.
///
/// # Errors
/// When another process works on the run, or the harness cannot go on (disk full,
/// broken files). What an agent or its program does is never an error here.
pub fn execute(
    plan: &Plan,
    machine: &Machine,
    agent: &dyn Agent,
    installed: &Installed,
    gateway: Option<&Gateway>,
    workers: u32,
    observer: Observer<'_>,
) -> Result<(), Error> {
    let _lock: Lock = plan.dir.lock()?;
    clear_scratch(plan)?;
    plan.dir.snapshots().sweep();
    let (journal, events) = Journal::open(&plan.dir.journal())?;
    let state = RunState::fold(&events);
    if let Some(gateway) = gateway {
        book_earlier(gateway, plan, &events);
    }
    journal.append(&Event::Opened {
        at: Timestamp::now(),
        slope_version: plan.config.slope_version.clone(),
    })?;
    let bench = Bench {
        plan,
        machine,
        agent,
        installed,
        gateway,
        journal: &journal,
        state: &state,
        observer,
        tools: Tools::new(&machine.cache_dir, &scratch(plan)),
    };
    let outcome = run_trials(&bench, workers.max(1));
    clear_scratch(plan)?;
    outcome
}

/// Books what earlier executions of the run used, so that its caps hold over all of them.
fn book_earlier(gateway: &Gateway, plan: &Plan, events: &[Event]) {
    let mut begun = Vec::new();
    let mut opened: Option<Timestamp> = None;
    let mut last = None;
    let mut took = SignedDuration::ZERO;
    for event in events {
        let at = event.at();
        match event {
            Event::Opened { .. } => {
                took += opened
                    .zip(last)
                    .map_or(SignedDuration::ZERO, |(from, to)| between(from, to));
                opened = Some(at);
            }
            Event::AttemptEnded { key, attempt, .. } => {
                let wall = Duration::try_from_secs_f64(attempt.duration_s).unwrap_or_default();
                gateway.book_earlier(&trial_name(key), &attempt.usage, wall);
                let ended = (key, &attempt.checkpoint, attempt.number);
                begun.retain(|known| *known != ended);
            }
            Event::AttemptStarted {
                key,
                checkpoint,
                number,
                ..
            } => begun.push((key, checkpoint, *number)),
            _ => {}
        }
        last = Some(at);
    }
    took += opened
        .zip(last)
        .map_or(SignedDuration::ZERO, |(from, to)| between(from, to));
    // What was interrupted has no record, but a log. Without one it asked no model.
    for (key, checkpoint, number) in begun {
        let folder = plan
            .dir
            .attempt(&key.problem, key.trial, checkpoint, number);
        if let Ok(usage) = slope_gateway::logged_usage(&folder.join(LOG)) {
            gateway.book_earlier(&trial_name(key), &usage, Duration::ZERO);
        }
    }
    gateway.book_earlier_time(Duration::try_from(took).unwrap_or_default());
}

/// Time between two moments; none where the clock was set back.
fn between(from: Timestamp, to: Timestamp) -> SignedDuration {
    to.duration_since(from).max(SignedDuration::ZERO)
}

/// Scratch space on the host, emptied whenever a run is opened or left.
pub(crate) fn scratch(plan: &Plan) -> std::path::PathBuf {
    plan.dir.root().join("tmp")
}

fn clear_scratch(plan: &Plan) -> Result<(), Error> {
    let path = scratch(plan);
    match std::fs::remove_dir_all(&path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(slope_store::Error::io("cannot empty", &path)(e).into())
        }
        _ => Ok(()),
    }
}

fn run_trials(bench: &Bench<'_>, workers: u32) -> Result<(), Error> {
    let queue: VecDeque<(TrialKey, &Problem)> = bench
        .plan
        .problems
        .iter()
        .flat_map(|(name, problem)| {
            (1..=bench.plan.config.trials).map(move |trial| {
                (
                    TrialKey {
                        problem: name.clone(),
                        trial,
                    },
                    problem,
                )
            })
        })
        .collect();
    let queue = Mutex::new(queue);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((key, problem)) = next(&queue, &failure) {
                    if let Err(error) = run_trial(bench, &key, problem) {
                        lock(&failure).get_or_insert(error);
                    }
                }
            });
        }
    });
    failure
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .map_or(Ok(()), Err)
}

/// The next trial, unless one has failed.
fn next<T>(queue: &Mutex<VecDeque<T>>, failure: &Mutex<Option<Error>>) -> Option<T> {
    if lock(failure).is_some() {
        None
    } else {
        lock(queue).pop_front()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// One agent on one problem. Ends early when an attempt does not complete.
fn run_trial(bench: &Bench<'_>, key: &TrialKey, problem: &Problem) -> Result<(), Error> {
    let mut carried: Option<String> = None;
    for checkpoint in &problem.checkpoints {
        let tried = stand_or_try(bench, key, problem, checkpoint, carried.as_deref())?;
        let Some(attempt) = tried else {
            break;
        };
        let Some(snapshot) = attempt
            .snapshot
            .as_ref()
            .filter(|_| attempt.state == AttemptState::Completed)
        else {
            break;
        };
        bench.judge(key, problem, checkpoint, &attempt, snapshot)?;
        carried = Some(snapshot.clone());
    }
    (bench.observer)(Progress::TrialEnded { key: key.clone() });
    Ok(())
}

/// The attempt that stands from an earlier execution, or a new one; the harness's own failures are
/// tried again as often as the run allows. `None` where a cap of the run is reached, so that no
/// attempt could ask its model: nothing is recorded then, as nothing was tried.
fn stand_or_try(
    bench: &Bench<'_>,
    key: &TrialKey,
    problem: &Problem,
    checkpoint: &Checkpoint,
    carried: Option<&str>,
) -> Result<Option<Attempt>, Error> {
    let progress = bench.state.checkpoint(key, &checkpoint.name);
    if progress.attempt_stands()
        && let Some(attempt) = progress.attempt
    {
        return Ok(Some(attempt));
    }
    let tries = bench.plan.options.infrastructure_attempts.max(1);
    let mut number = progress.started;
    loop {
        if let Some(hit) = bench.gateway.and_then(Gateway::run_exhausted) {
            (bench.observer)(Progress::Attempted {
                key: key.clone(),
                state: AttemptState::Budget,
                reason: Some(format!("not started: {hit}")),
            });
            return Ok(None);
        }
        number += 1;
        bench.announce(key, problem, checkpoint, Phase::Agent);
        bench.journal.append(&Event::AttemptStarted {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number,
            at: Timestamp::now(),
        })?;
        let attempt = bench.attempt(key, problem, checkpoint, number, carried)?;
        bench.journal.append(&Event::AttemptEnded {
            key: key.clone(),
            attempt: Box::new(attempt.clone()),
            at: Timestamp::now(),
        })?;
        (bench.observer)(Progress::Attempted {
            key: key.clone(),
            state: attempt.state,
            reason: attempt.reason.clone(),
        });
        let again = attempt.state == AttemptState::Infrastructure
            && number < progress.started.saturating_add(tries);
        if !again {
            return Ok(Some(attempt));
        }
    }
}

impl Bench<'_> {
    pub(crate) fn announce(
        &self,
        key: &TrialKey,
        problem: &Problem,
        checkpoint: &Checkpoint,
        phase: Phase,
    ) {
        (self.observer)(Progress::Phase {
            key: key.clone(),
            index: checkpoint.index,
            of: u32::try_from(problem.checkpoints.len()).unwrap_or(u32::MAX),
            phase,
        });
    }
}
