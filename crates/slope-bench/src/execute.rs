//! Executes a plan: admits trials, runs them, applies control requests, reports progress.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use slope_gateway::Gateway;
use slope_model::error_text::{ErrorText, one_line};
use slope_model::problem::Problem;
use slope_model::run::Cause;
use slope_store::run_dir::Lock;

use crate::Error;
use crate::admission::{Admission, Resources, WaitReason, memory_available};
use crate::context::RunContext;
use crate::control::{self, RunPhase, Status, TrialStatus, Wanted};
use crate::coordinator::{Active, Coordinator, CoordinatorHandle, without_end};
use crate::event::{Event, Observer, Progress, TrialKey};
use crate::journal::{self, Entry, Journal};
use crate::layout::{LOG, scratch, trial_name};
use crate::link;
use crate::log;
use crate::plan::Plan;
use crate::state::RunState;
use crate::trial::Trial;
use crate::worker;

/// Interval for checking control requests and admission.
const TICK: Duration = Duration::from_millis(200);
/// Time between two statuses.
const STATUS_EVERY: Duration = Duration::from_secs(1);
/// Time that workers have to end cancelled attempts before they are killed.
const CANCEL_GRACE: Duration = Duration::from_secs(20);

/// How an execution runs its trials.
#[derive(Debug, Clone, Copy)]
pub struct ExecuteOptions<'a> {
    /// Trials at a time; `None` for as many as fit.
    pub workers: Option<u32>,
    /// Whether each trial has a process of its own. Otherwise it is a thread of this process, which
    /// a crash would end.
    pub processes: bool,
    /// Log filter of these processes, their variable `SLOPE_LOG`; `None` to inherit it.
    pub log: Option<&'a str>,
}

/// Executes the remaining work of the run.
///
/// Safe to call again after any interruption, and on a finished run.
///
/// # Errors
/// If another process executes the run, it was cancelled, or the harness cannot continue (disk
/// full, broken files). Failures of an agent or its program are never an error here.
pub fn execute(
    run: RunContext<'_>,
    options: &ExecuteOptions<'_>,
    observer: Observer<'_>,
) -> Result<(), Error> {
    let plan = run.plan;
    let _lock: Lock = plan.dir.lock()?;
    if control::wanted(&plan.dir) == Wanted::Cancel {
        return Err(Error::Cancelled(plan.dir.root().to_owned()));
    }
    let _span = log::run(plan).entered();
    let began = Instant::now();
    log::run_started(plan);
    let outcome = locked(run, options, observer);
    log::run_ended(began, &outcome);
    drop(std::fs::remove_file(plan.dir.status()));
    match outcome {
        Err(error) if error.is_disk_full() && !matches!(error, Error::DiskFull { .. }) => {
            Err(Error::DiskFull {
                run: plan.dir.root().to_owned(),
                why: ErrorText::of(&error).message,
            })
        }
        other => other,
    }
}

fn locked(
    run: RunContext<'_>,
    options: &ExecuteOptions<'_>,
    observer: Observer<'_>,
) -> Result<(), Error> {
    let plan = run.plan;
    clear_scratch(plan)?;
    std::fs::create_dir_all(scratch(plan))
        .map_err(slope_store::Error::io("cannot create", scratch(plan)))?;
    plan.dir.snapshots().sweep();
    let (journal, mut entries) = Journal::open(&plan.dir.journal())?;
    end_interrupted(plan, &journal, &mut entries)?;
    let state = RunState::fold(entries.iter().map(|entry| &entry.event));
    if let Some(gateway) = run.gateway {
        book_earlier(gateway, &entries);
    }
    let admission = Admission::decide(options.workers, &plan.options, &Resources::now());
    journal.append(Event::Opened {
        at: Timestamp::now(),
        slope_version: plan.config.slope_version.clone(),
        admission: Some(admission.clone()),
    })?;
    let coordinator = Coordinator::new(run, journal, observer, admission, state);
    run_trials(&coordinator, options);
    let (failure, cancelled) = {
        let mut inner = coordinator.inner();
        (inner.failure.take(), inner.wanted == Wanted::Cancel)
    };
    let cleared = clear_scratch(plan);
    match failure {
        Some(error) => Err(error),
        None if cancelled => Err(Error::Cancelled(plan.dir.root().to_owned())),
        None => cleared,
    }
}

/// Ends attempts that were running when an earlier execution was killed, with their last known
/// usage.
fn end_interrupted(plan: &Plan, journal: &Journal, entries: &mut Vec<Entry>) -> Result<(), Error> {
    let interrupted: Vec<Event> = journal::interrupted(entries)
        .into_iter()
        .map(|(started, took)| {
            let (key, checkpoint, number) = started;
            let why = "the coordinator ended while it was running";
            let mut attempt = without_end(plan, &key, &checkpoint, number, Cause::Interrupted, why);
            let log = plan
                .dir
                .attempt(&key.problem, key.trial, &checkpoint, number)
                .join(LOG);
            // No log means that no model was asked.
            if let Ok(usage) = slope_gateway::logged_usage(&log) {
                attempt.usage = usage;
            }
            let logged = slope_gateway::logged_time(&log).unwrap_or_default();
            let longest = f64::from(u32::try_from(plan.options.timeout_s).unwrap_or(u32::MAX));
            attempt.duration_s = took.max(logged.as_secs_f64()).min(longest);
            Event::AttemptEnded {
                key,
                attempt: Box::new(attempt),
                at: Timestamp::now(),
            }
        })
        .collect();
    for event in interrupted {
        journal.append(event.clone())?;
        entries.push(Entry {
            seq: 0,
            since_s: None,
            event,
        });
    }
    Ok(())
}

/// Books the usage of earlier executions of the run, so that its caps cover all of them.
fn book_earlier(gateway: &Gateway, entries: &[Entry]) {
    for entry in entries {
        if let Event::AttemptEnded { key, attempt, .. } = &entry.event {
            let wall = Duration::try_from_secs_f64(attempt.duration_s).unwrap_or_default();
            gateway.book_earlier(&trial_name(key), &attempt.usage, wall);
        }
    }
    // According to the events: a killed execution may have run longer than its last one.
    let known = journal::time_used(entries);
    gateway.book_earlier_time(Duration::try_from_secs_f64(known).unwrap_or_default());
}

fn clear_scratch(plan: &Plan) -> Result<(), Error> {
    let path = scratch(plan);
    for attempt in 1.. {
        match std::fs::remove_dir_all(&path) {
            Ok(()) => break,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => break,
            // A worker whose coordinator was killed a moment ago may still be writing.
            Err(_) if attempt < 20 => std::thread::sleep(Duration::from_millis(50)),
            Err(e) => return Err(slope_store::Error::io("cannot empty", &path)(e).into()),
        }
    }
    Ok(())
}

fn run_trials(coordinator: &Coordinator<'_>, options: &ExecuteOptions<'_>) {
    let mut queue = queue(coordinator);
    let mut told: Option<Instant> = None;
    // Spans belong to threads, so each thread enters the span of the run.
    let run = &tracing::Span::current();
    std::thread::scope(|scope| {
        loop {
            apply_control_request(coordinator);
            let held = why_held(coordinator);
            match queue.front().filter(|_| held.is_none()) {
                Some((key, problem)) => {
                    let (key, problem) = (key.clone(), *problem);
                    queue.pop_front();
                    coordinator
                        .inner()
                        .active
                        .insert(key.clone(), Active::new(None));
                    scope.spawn(move || run.in_scope(|| work(coordinator, options, &key, problem)));
                }
                None => coordinator.wait(TICK),
            }
            if held == Some(WaitReason::Ending) {
                queue.clear();
            }
            if told.is_none_or(|told| told.elapsed() >= STATUS_EVERY) {
                told = Some(Instant::now());
                publish(coordinator, held.filter(|_| !queue.is_empty()));
            }
            if queue.is_empty() && coordinator.inner().active.is_empty() {
                break;
            }
        }
    });
}

/// Trials that are not complete.
fn queue<'a>(coordinator: &Coordinator<'a>) -> VecDeque<(TrialKey, &'a Problem)> {
    let inner = coordinator.inner();
    let mut queue = VecDeque::new();
    for (name, problem) in &coordinator.run.plan.problems {
        let config = &coordinator.run.plan.config;
        let Some(reference) = config.problems.get(name) else {
            continue;
        };
        let names = &reference.checkpoint_names;
        for trial in 1..=config.trials {
            let key = TrialKey {
                problem: name.clone(),
                trial,
            };
            if (inner.state.done(&key, names, config.start) as usize) < names.len() {
                queue.push_back((key, problem));
            }
        }
    }
    queue
}

/// Works on an admitted trial, here or in a process of its own.
fn work(
    coordinator: &Coordinator<'_>,
    options: &ExecuteOptions<'_>,
    key: &TrialKey,
    problem: &Problem,
) {
    let _span = log::trial(key).entered();
    let began = Instant::now();
    let outcome = if options.processes {
        worker::supervise(coordinator, options.log, key)
    } else {
        Trial::new(&coordinator.run, coordinator, key, problem).run()
    };
    log::trial_ended(began, &outcome);
    let why = outcome.as_ref().err().map(|error| one_line(error));
    let left = coordinator.leave(
        key,
        Cause::Harness,
        why.as_deref().unwrap_or("it was left unfinished"),
    );
    if let Err(error) = outcome.and(left) {
        coordinator.fail(error);
    }
}

/// Reason that no further trial is admitted at the moment.
fn why_held(coordinator: &Coordinator<'_>) -> Option<WaitReason> {
    let running = {
        let inner = coordinator.inner();
        if inner.failure.is_some() || inner.wanted == Wanted::Cancel {
            return Some(WaitReason::Ending);
        }
        if inner.wanted == Wanted::Pause {
            return Some(WaitReason::Paused);
        }
        u32::try_from(inner.active.len()).unwrap_or(u32::MAX)
    };
    let quiet = coordinator.run.gateway.and_then(Gateway::backing_off);
    coordinator
        .admission
        .held(running, memory_available(), quiet.is_some())
}

/// Applies requests from outside.
fn apply_control_request(coordinator: &Coordinator<'_>) {
    let wanted = control::wanted(&coordinator.run.plan.dir);
    let before = coordinator.inner().wanted;
    // Cancelled attempts are already ending.
    if wanted != before && before != Wanted::Cancel {
        let asked = coordinator.keep(Event::Asked {
            wanted,
            at: Timestamp::now(),
        });
        if let Err(error) = asked {
            coordinator.fail(error);
        }
        coordinator.inner().wanted = wanted;
        coordinator.changed();
    }
    let mut inner = coordinator.inner();
    if inner.wanted != Wanted::Cancel {
        return;
    }
    let first = inner.cancelled_at.is_none();
    let since = inner
        .cancelled_at
        .get_or_insert_with(Instant::now)
        .elapsed();
    for active in inner.active.values() {
        match (&active.worker, &active.killer) {
            (Some(worker), _) if since >= CANCEL_GRACE => {
                // `try_lock` suffices: the waiting thread holds the lock only briefly.
                if let Ok(mut child) = worker.child.try_lock() {
                    drop(child.kill());
                }
            }
            (Some(worker), _) if first => link::cancel(&worker.sender),
            (None, Some(killer)) if first => killer.kill(),
            _ => {}
        }
    }
}

/// Publishes the run's status to the display and to `status.json`.
fn publish(coordinator: &Coordinator<'_>, held: Option<WaitReason>) {
    let status = status(coordinator, held);
    let json = serde_json::to_vec(&status).unwrap_or_default();
    let path = coordinator.run.plan.dir.status();
    let part = path.with_extension("part");
    // Best effort: a failed status write stops nothing.
    drop(std::fs::write(&part, json).and_then(|()| std::fs::rename(&part, &path)));
    (coordinator.observer)(Progress::Status(Box::new(status)));
}

fn status(coordinator: &Coordinator<'_>, held: Option<WaitReason>) -> Status {
    let inner = coordinator.inner();
    let mut status = control::at_rest(&coordinator.run.plan.config, &inner.state);
    status.usage = inner.state.used_by_all();
    for (key, active) in &inner.active {
        let mut used = inner.state.used(key);
        let attempt = active.attempt();
        if let Some((_, usage)) = &attempt {
            used += usage;
            status.usage += usage;
        }
        let tokens = used.tokens;
        status.running.push(TrialStatus {
            key: key.clone(),
            checkpoint: active.index,
            of: active.of,
            phase: active.phase,
            attempt: attempt.map(|(number, _)| number),
            worker: active.worker.as_ref().map(pid),
            phase_s: active.since.elapsed().as_secs_f64(),
            tokens: tokens.input + tokens.cache_read + tokens.cache_write + tokens.output,
            requests: used.requests,
            cost_usd: used.cost_usd,
        });
    }
    let busy = inner.active.values().any(Active::busy);
    status.doing = match inner.wanted {
        Wanted::Run => RunPhase::Running,
        Wanted::Pause if busy => RunPhase::Pausing,
        Wanted::Pause => RunPhase::Paused,
        Wanted::Cancel => RunPhase::Cancelling,
    };
    drop(inner);
    let elapsed = coordinator.journal.elapsed().as_secs_f64();
    let done = status
        .checkpoints_done
        .saturating_sub(coordinator.done_before);
    let left = status.checkpoints.saturating_sub(status.checkpoints_done);
    status.elapsed_s = Some(elapsed);
    status.estimate_s = (done > 0).then(|| elapsed / f64::from(done) * f64::from(left));
    status.coordinator = Some(std::process::id());
    status.admission = Some(coordinator.admission.clone());
    status.held = held;
    let quiet = coordinator.run.gateway.and_then(Gateway::backing_off);
    status.upstream_quiet_s = quiet.map(|quiet| quiet.as_secs_f64());
    status
}

fn pid(worker: &crate::coordinator::Worker) -> u32 {
    let child = worker.child.lock().unwrap_or_else(PoisonError::into_inner);
    child.id()
}
