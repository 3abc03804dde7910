//! The coordinator's services for trials, and their implementation in this process.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slope_gateway::{AttemptAuth, AttemptRecord, Gateway, Serving};
use slope_model::run::{Attempt, AttemptState, Cause, Spans};
use slope_sandbox::Killer;
use slope_store::Error as StoreError;

use crate::admission::Admission;
use crate::context::RunContext;
use crate::event::{Event, Observer, Phase, Progress, TrialKey};
use crate::journal::Journal;
use crate::layout::{LOG, trial_name};
use crate::plan::Plan;
use crate::retry;
use crate::state::{CheckpointState, RunState};
use crate::status::Wanted;
use crate::{Error, WorkerError};

/// Free bytes on disk below which no attempt starts, since its results could not be stored.
const LEAST_ROOM: u64 = 16 << 20;

/// Position of an attempt in its trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Checkpoint.
    pub(crate) checkpoint: String,
    /// Position of the checkpoint, from 1.
    pub(crate) index: u32,
    /// Number of the attempt.
    pub(crate) number: u32,
}

/// Next step of a trial at a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Next {
    /// Make the attempt of this number.
    Try(u32),
    /// The attempt counts; judge it unless that is done.
    Stands(Box<CheckpointState>),
    /// Nothing: the run ends, or cannot ask its model any more.
    Stop,
}

/// Coordinator services for a trial: journal, gateway, grading slots, cancellation.
pub(crate) trait CoordinatorHandle: Sync {
    /// The next step at a checkpoint. Waits while the run is paused.
    fn next(&self, key: &TrialKey, checkpoint: &str) -> Result<Next, Error>;
    /// Appends an event to the journal; it is durable when this returns.
    fn keep(&self, event: Event) -> Result<(), Error>;
    /// Sends progress to the display.
    fn show(&self, progress: Progress);
    /// Lets the gateway serve an attempt on `listener`.
    fn serve(
        &self,
        key: &TrialKey,
        place: &Place,
        listener: TcpListener,
        token: String,
    ) -> Result<(), Error>;
    /// Stops serving the attempt and returns its record. `ago` is the time since the agent ended.
    fn served(&self, key: &TrialKey, ago: Duration) -> Result<AttemptRecord, Error>;
    /// Waits until the trial may grade. [`CoordinatorHandle::graded`] ends that.
    fn grade(&self, key: &TrialKey) -> Result<(), Error>;
    /// Releases a grading slot.
    fn graded(&self, key: &TrialKey) -> Result<(), Error>;
    /// Registers the handle that kills the running agent; `None` clears it.
    fn at_work(&self, key: &TrialKey, killer: Option<Killer>);
    /// Whether the run is being cancelled.
    fn cancelled(&self) -> bool;
}

/// The process that runs a trial, as its coordinator sees it.
#[derive(Debug, Clone)]
pub(crate) struct Worker {
    pub(crate) child: Arc<Mutex<Child>>,
    pub(crate) sender: Arc<Mutex<UnixStream>>,
}

/// An attempt that has begun and not ended.
#[derive(Debug)]
struct Open {
    place: Place,
    began: Instant,
    serving: Option<Serving>,
    record: Option<AttemptRecord>,
}

/// A trial that runs.
#[derive(Debug)]
pub(crate) struct Active {
    pub(crate) worker: Option<Worker>,
    pub(crate) killer: Option<Killer>,
    open: Option<Open>,
    gradings: u32,
    /// Whether its worker is gone, so that nothing may grade.
    abandoned: bool,
    pub(crate) index: u32,
    pub(crate) of: u32,
    pub(crate) phase: Option<Phase>,
    pub(crate) since: Instant,
}

impl Active {
    pub(crate) fn new(worker: Option<Worker>) -> Self {
        Self {
            worker,
            killer: None,
            open: None,
            gradings: 0,
            abandoned: false,
            index: 0,
            of: 0,
            phase: None,
            since: Instant::now(),
        }
    }

    /// Number of the running attempt and its usage so far.
    pub(crate) fn attempt(&self) -> Option<(u32, slope_model::usage::Usage)> {
        let open = self.open.as_ref()?;
        let usage = match (&open.serving, &open.record) {
            (Some(serving), _) => serving.record().usage,
            (None, Some(record)) => record.usage.clone(),
            (None, None) => crate::state::none_used(),
        };
        Some((open.place.number, usage))
    }

    /// Whether an attempt or a grading is in progress.
    pub(crate) fn busy(&self) -> bool {
        self.open.is_some() || self.gradings > 0 || self.phase == Some(Phase::Measure)
    }
}

/// Mutable state of a run while it is executed.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) state: RunState,
    /// Attempts of this execution that ended by an infrastructure failure.
    tries: BTreeMap<(TrialKey, String), u32>,
    pub(crate) wanted: Wanted,
    /// When the cancelling began.
    pub(crate) cancelled_at: Option<Instant>,
    pub(crate) active: BTreeMap<TrialKey, Active>,
    gradings: u32,
    pub(crate) failure: Option<Error>,
}

/// Coordinates a run in this process.
pub(crate) struct Coordinator<'a> {
    pub(crate) run: RunContext<'a>,
    pub(crate) journal: Journal,
    pub(crate) observer: Observer<'a>,
    pub(crate) admission: Admission,
    /// Checkpoints that were done when this execution began.
    pub(crate) done_before: u32,
    inner: Mutex<Inner>,
    changed: Condvar,
}

impl<'a> Coordinator<'a> {
    pub(crate) fn new(
        run: RunContext<'a>,
        journal: Journal,
        observer: Observer<'a>,
        admission: Admission,
        state: RunState,
    ) -> Self {
        Self {
            done_before: crate::control::at_rest(&run.plan.config, &state).checkpoints_done,
            run,
            journal,
            observer,
            admission,
            inner: Mutex::new(Inner {
                state,
                tries: BTreeMap::new(),
                wanted: Wanted::Run,
                cancelled_at: None,
                active: BTreeMap::new(),
                gradings: 0,
                failure: None,
            }),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something changes, or for so long.
    pub(crate) fn wait(&self, longest: Duration) {
        drop(self.changed.wait_timeout(self.inner(), longest));
    }

    pub(crate) fn changed(&self) {
        self.changed.notify_all();
    }

    /// Ends the run for a failure of the harness.
    pub(crate) fn fail(&self, error: Error) {
        self.inner().failure.get_or_insert(error);
        self.changed();
    }

    /// Removes a trial from the running ones, and ends its attempt and gradings.
    pub(crate) fn leave(&self, key: &TrialKey, cause: Cause, why: &str) -> Result<(), Error> {
        self.abandon(key);
        let active = self.inner().active.get_mut(key).map(|a| a.open.take());
        let open = active.flatten();
        let ended = open.map_or(Ok(()), |open| {
            self.keep(Event::AttemptEnded {
                key: key.clone(),
                attempt: Box::new(self.broken_off(key, open, cause, why)),
                at: Timestamp::now(),
            })
        });
        self.inner().active.remove(key);
        self.changed();
        ended
    }

    /// Releases a trial's grading slots and keeps its waiting gradings from starting.
    pub(crate) fn abandon(&self, key: &TrialKey) {
        let mut inner = self.inner();
        let given_back = inner.active.get_mut(key).map_or(0, |active| {
            active.abandoned = true;
            std::mem::take(&mut active.gradings)
        });
        inner.gradings = inner.gradings.saturating_sub(given_back);
        drop(inner);
        self.changed();
    }

    /// Record of an attempt whose worker ended in the middle of it.
    fn broken_off(&self, key: &TrialKey, open: Open, cause: Cause, why: &str) -> Attempt {
        let record = match (open.serving, open.record) {
            (Some(serving), _) => serving.finish(),
            (None, record) => record.unwrap_or_default(),
        };
        (self.observer)(Progress::Attempted {
            key: key.clone(),
            state: retry::rule(cause).state,
            reason: Some(why.to_owned()),
        });
        let place = open.place;
        Attempt {
            usage: record.usage,
            costs: record.costs,
            tools: record.tools,
            notes: record.errors,
            duration_s: open.began.elapsed().as_secs_f64(),
            ..self.without_end(key, &place.checkpoint, place.number, cause, why)
        }
    }

    fn without_end(
        &self,
        key: &TrialKey,
        checkpoint: &str,
        number: u32,
        cause: Cause,
        why: &str,
    ) -> Attempt {
        without_end(self.run.plan, key, checkpoint, number, cause, why)
    }

    /// Fails if the disk has no space for another attempt.
    fn require_room(&self) -> Result<(), Error> {
        let root = self.run.plan.dir.root();
        let free = rustix::fs::statvfs(root)
            .map_err(|e| StoreError::io("cannot look at", root)(e.into()))?;
        let free = free.f_bavail.saturating_mul(free.f_frsize);
        if free < LEAST_ROOM {
            return Err(Error::DiskFull {
                run: root.to_owned(),
                why: format!("{} MiB are free, and an attempt needs some", free >> 20),
            });
        }
        Ok(())
    }

    fn auth(&self, key: &TrialKey, place: &Place, token: String) -> AttemptAuth {
        let dir = &self.run.plan.dir;
        let folder = dir.attempt(&key.problem, key.trial, &place.checkpoint, place.number);
        AttemptAuth {
            token,
            trial: trial_name(key),
            checkpoint_index: place.index,
            log_path: folder.join(LOG),
            caps: self.run.plan.options.caps.caps(),
            prices: self.run.plan.options.prices,
        }
    }
}

/// Record of an attempt whose worker could not report its end.
pub(crate) fn without_end(
    plan: &Plan,
    key: &TrialKey,
    checkpoint: &str,
    number: u32,
    cause: Cause,
    why: &str,
) -> Attempt {
    let folder = plan
        .dir
        .attempt(&key.problem, key.trial, checkpoint, number);
    let prompt = std::fs::read(folder.join("prompt.md")).unwrap_or_default();
    Attempt {
        checkpoint: checkpoint.to_owned(),
        number,
        state: retry::rule(cause).state,
        cause: Some(cause),
        reason: Some(why.to_owned()),
        usage: crate::state::none_used(),
        reported: None,
        costs: Vec::new(),
        duration_s: 0.0,
        snapshot: None,
        start: None,
        prompt_hash: blake3::hash(&prompt).to_hex()[..32].to_owned(),
        tools: Vec::new(),
        notes: Vec::new(),
        integrity: Vec::new(),
        spans: Spans::new(),
    }
}

impl CoordinatorHandle for Coordinator<'_> {
    fn next(&self, key: &TrialKey, checkpoint: &str) -> Result<Next, Error> {
        let mut inner = self.inner();
        // Between checkpoints nothing of the trial runs, so it does not hold up a pause.
        if let Some(active) = inner.active.get_mut(key) {
            active.phase = None;
            active.since = Instant::now();
        }
        while inner.wanted == Wanted::Pause && inner.failure.is_none() {
            inner = self
                .changed
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if inner.wanted == Wanted::Cancel || inner.failure.is_some() {
            return Ok(Next::Stop);
        }
        let progress = inner.state.checkpoint(key, checkpoint);
        let place = (key.clone(), checkpoint.to_owned());
        let tries = inner.tries.get(&place).copied().unwrap_or(0);
        drop(inner);
        let again = progress.attempt.as_ref().is_none_or(|attempt| {
            let rule = retry::rule(retry::cause(attempt));
            rule.resumed && (tries == 0 || rule.retried && tries <= self.run.plan.options.retries)
        });
        if !again {
            return Ok(Next::Stands(Box::new(progress)));
        }
        if let Some(hit) = self.run.gateway.and_then(Gateway::run_exhausted) {
            (self.observer)(Progress::Attempted {
                key: key.clone(),
                state: AttemptState::Budget,
                reason: Some(format!("not started: {hit}")),
            });
            return Ok(Next::Stop);
        }
        self.require_room()?;
        Ok(Next::Try(progress.started + 1))
    }

    fn keep(&self, event: Event) -> Result<(), Error> {
        self.journal.append(event.clone())?;
        let mut inner = self.inner();
        inner.state.apply(&event);
        match &event {
            Event::AttemptStarted {
                key,
                checkpoint,
                number,
                ..
            } => {
                let place = Place {
                    checkpoint: checkpoint.clone(),
                    index: 0,
                    number: *number,
                };
                if let Some(active) = inner.active.get_mut(key) {
                    active.open = Some(Open {
                        place,
                        began: Instant::now(),
                        serving: None,
                        record: None,
                    });
                }
            }
            Event::AttemptEnded { key, attempt, .. } => {
                if let Some(active) = inner.active.get_mut(key) {
                    active.open = None;
                }
                if retry::rule(retry::cause(attempt)).resumed {
                    let place = (key.clone(), attempt.checkpoint.clone());
                    *inner.tries.entry(place).or_default() += 1;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn show(&self, progress: Progress) {
        if let Progress::Phase {
            key,
            index,
            of,
            phase,
        } = &progress
            && let Some(active) = self.inner().active.get_mut(key)
        {
            (active.index, active.of) = (*index, *of);
            active.phase = Some(*phase);
            active.since = Instant::now();
        }
        (self.observer)(progress);
    }

    fn serve(
        &self,
        key: &TrialKey,
        place: &Place,
        listener: TcpListener,
        token: String,
    ) -> Result<(), Error> {
        let Some(gateway) = self.run.gateway else {
            return Ok(());
        };
        let serving = gateway.serve(listener, self.auth(key, place, token))?;
        let mut inner = self.inner();
        let open = inner.active.get_mut(key).and_then(|a| a.open.as_mut());
        if let Some(open) = open {
            open.serving = Some(serving);
        }
        Ok(())
    }

    fn served(&self, key: &TrialKey, ago: Duration) -> Result<AttemptRecord, Error> {
        let serving = {
            let mut inner = self.inner();
            let open = inner.active.get_mut(key).and_then(|a| a.open.as_mut());
            open.and_then(|open| open.serving.take())
        };
        let Some(serving) = serving else {
            return Ok(AttemptRecord::default());
        };
        let now = Instant::now();
        let record = serving.finish_ended(now.checked_sub(ago).unwrap_or(now));
        let mut inner = self.inner();
        let open = inner.active.get_mut(key).and_then(|a| a.open.as_mut());
        if let Some(open) = open {
            open.record = Some(record.clone());
        }
        Ok(record)
    }

    fn grade(&self, key: &TrialKey) -> Result<(), Error> {
        let mut inner = self.inner();
        loop {
            let full = inner.gradings >= self.admission.processors;
            let active = inner.active.get_mut(key);
            let Some(active) = active.filter(|active| !active.abandoned) else {
                return Err(WorkerError::GivenUp.into());
            };
            if !full {
                active.gradings += 1;
                inner.gradings += 1;
                return Ok(());
            }
            inner = self
                .changed
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn graded(&self, key: &TrialKey) -> Result<(), Error> {
        let mut inner = self.inner();
        let active = inner.active.get_mut(key).filter(|a| a.gradings > 0);
        // An abandoned trial has given its places back already.
        if let Some(active) = active {
            active.gradings -= 1;
            inner.gradings -= 1;
        }
        drop(inner);
        self.changed();
        Ok(())
    }

    fn at_work(&self, key: &TrialKey, killer: Option<Killer>) {
        let mut inner = self.inner();
        if let (Wanted::Cancel, Some(killer)) = (inner.wanted, &killer) {
            killer.kill();
        }
        if let Some(active) = inner.active.get_mut(key) {
            active.killer = killer;
        }
    }

    fn cancelled(&self) -> bool {
        self.inner().wanted == Wanted::Cancel
    }
}
