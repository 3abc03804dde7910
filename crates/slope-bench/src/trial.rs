//! One trial: an agent on a problem, checkpoint by checkpoint.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::{AttemptState, Start};
use slope_store::ignore::Ignore;

use crate::attempt::conversation;
use crate::context::RunContext;
use crate::coordinator::{CoordinatorHandle, Next};
use crate::event::{Event, Phase, Progress, TrialKey};
use crate::log;
use crate::retry;
use crate::state::CheckpointState;
use crate::{Error, WorkerError, steps};

/// A trial of a run.
pub(crate) struct Trial<'a> {
    pub(crate) run: &'a RunContext<'a>,
    pub(crate) coordinator: &'a dyn CoordinatorHandle,
    pub(crate) key: &'a TrialKey,
    pub(crate) problem: &'a Problem,
    /// Time that events took until they were durable, by checkpoint.
    journal_time: Mutex<BTreeMap<String, Duration>>,
}

/// What an attempt takes over from the checkpoint before.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// Snapshot of the workspace.
    pub(crate) snapshot: Option<String>,
    /// File with the conversation, if the agent continues it.
    pub(crate) conversation: Option<PathBuf>,
}

/// The judging of one checkpoint, as a closure to run now or later.
type Judge<'a> = Box<dyn FnOnce() -> Result<(), Error> + Send + 'a>;

impl<'a> Trial<'a> {
    /// The trial `key` of `problem`.
    pub(crate) fn new(
        run: &'a RunContext<'a>,
        coordinator: &'a dyn CoordinatorHandle,
        key: &'a TrialKey,
        problem: &'a Problem,
    ) -> Self {
        Self {
            run,
            coordinator,
            key,
            problem,
            journal_time: Mutex::default(),
        }
    }

    /// Runs the agent on the problem. Ends early if an attempt does not complete.
    ///
    /// If the agent's snapshots are known in advance, all checkpoints are judged concurrently.
    pub(crate) fn run(&self) -> Result<(), Error> {
        let done = if self.run.agent.is_fixed() {
            self.judge_together()
        } else {
            self.attempt_each(|judge| judge())
        };
        done?;
        self.coordinator.show(Progress::TrialEnded {
            key: self.key.clone(),
        });
        Ok(())
    }

    /// Judges each checkpoint in a thread of its own; the coordinator limits concurrent gradings.
    fn judge_together(&self) -> Result<(), Error> {
        std::thread::scope(|scope| {
            let mut judging = Vec::new();
            let attempted = self.attempt_each(|judge| {
                judging.push(scope.spawn(judge));
                Ok(())
            });
            let judged = judging.into_iter().map(|thread| {
                let panicked = |_| Error::from(WorkerError::Panicked);
                thread.join().map_err(panicked).flatten()
            });
            // Every thread is waited for, and the first error is the trial's.
            judged.fold(attempted, Result::and)
        })
    }

    /// Makes the attempts in order, and passes the judging of each to `judge`.
    fn attempt_each<'s>(
        &'s self,
        mut judge: impl FnMut(Judge<'s>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let independent = self.run.plan.config.start == Start::Reference;
        let mut carried = Carried::default();
        for checkpoint in self.checkpoints() {
            if steps::starts_anew(checkpoint, self.run.plan.config.start) {
                carried.snapshot = self.start_of(checkpoint)?;
            }
            let Some(progress) = self.attempt_to_grade(checkpoint, &carried)? else {
                break;
            };
            let graded = progress.attempt.clone().filter(retry::graded);
            let Some((attempt, snapshot)) =
                graded.and_then(|attempt| Some((attempt.clone(), attempt.snapshot?)))
            else {
                if independent {
                    continue;
                }
                break;
            };
            let (state, number) = (attempt.state, attempt.number);
            let before = carried.snapshot.take();
            let span = tracing::Span::current();
            judge(Box::new(move || {
                span.in_scope(|| self.judge(checkpoint, &progress, &attempt, before.as_deref()))
            }))?;
            if state != AttemptState::Completed && !independent {
                break;
            }
            carried = Carried {
                snapshot: Some(snapshot),
                conversation: self.conversation(checkpoint, number),
            };
        }
        Ok(())
    }

    /// File with the conversation of an attempt, if the next checkpoint continues it.
    fn conversation(&self, checkpoint: &Checkpoint, number: u32) -> Option<PathBuf> {
        let continues = self.run.plan.options.one_conversation;
        continues
            .then(|| conversation::of_attempt(&self.attempt_dir(checkpoint, number)))
            .flatten()
    }

    /// The checkpoints that the run attempts.
    fn checkpoints(&self) -> impl Iterator<Item = &'a Checkpoint> {
        let reference = self.run.plan.config.problems.get(&self.key.problem);
        let names = reference.map(|it| it.checkpoint_names.as_slice());
        let all = self.problem.checkpoints.iter();
        all.filter(move |it| names.is_none_or(|names| names.contains(&it.name)))
    }

    /// The code of the problem that `checkpoint` starts from, as a snapshot; `None` for the first one.
    fn start_of(&self, checkpoint: &Checkpoint) -> Result<Option<String>, Error> {
        let plan = self.run.plan;
        let from = steps::start_of(self.problem, checkpoint, plan.options.track)?;
        let Some(from) = from else {
            return Ok(None);
        };
        let imported = plan.dir.snapshots().import_dir(&from, &Ignore::default())?;
        Ok(Some(imported.id))
    }

    /// The attempt that counts, from an earlier execution or a new one; infrastructure failures are
    /// retried up to the run's limit. `None` if the run ends, or no attempt could ask a model: then
    /// nothing is recorded, as nothing was tried.
    fn attempt_to_grade(
        &self,
        checkpoint: &Checkpoint,
        carried: &Carried,
    ) -> Result<Option<CheckpointState>, Error> {
        loop {
            let number = match self.coordinator.next(self.key, &checkpoint.name)? {
                Next::Stop => return Ok(None),
                Next::Stands(progress) => return Ok(Some(*progress)),
                Next::Try(number) => number,
            };
            self.announce(checkpoint, Phase::Agent);
            let started = Event::AttemptStarted {
                key: self.key.clone(),
                checkpoint: checkpoint.name.clone(),
                number,
                at: Timestamp::now(),
            };
            self.keep(checkpoint, started)?;
            let attempt = log::attempt(checkpoint, number).in_scope(|| {
                log::attempt_started(&self.run.plan.options.model);
                let attempt = self.attempt(checkpoint, number, carried)?;
                log::attempt_ended(&attempt);
                Ok::<_, Error>(attempt)
            })?;
            let (state, reason) = (attempt.state, attempt.reason.clone());
            let ended = Event::AttemptEnded {
                key: self.key.clone(),
                attempt: Box::new(attempt),
                at: Timestamp::now(),
            };
            self.keep(checkpoint, ended)?;
            self.coordinator.show(Progress::Attempted {
                key: self.key.clone(),
                state,
                reason,
            });
        }
    }

    /// Folder of the attempt `number` at a checkpoint.
    pub(crate) fn attempt_dir(&self, checkpoint: &Checkpoint, number: u32) -> PathBuf {
        let dir = &self.run.plan.dir;
        dir.attempt(&self.key.problem, self.key.trial, &checkpoint.name, number)
    }

    /// Reports the phase of a checkpoint to the display.
    pub(crate) fn announce(&self, checkpoint: &Checkpoint, phase: Phase) {
        self.coordinator.show(Progress::Phase {
            key: self.key.clone(),
            index: checkpoint.index,
            of: u32::try_from(self.problem.checkpoints.len()).unwrap_or(u32::MAX),
            phase,
        });
    }

    /// Keeps an event of a checkpoint, and notes how long that took.
    pub(crate) fn keep(&self, checkpoint: &Checkpoint, event: Event) -> Result<(), Error> {
        let began = Instant::now();
        let kept = self.coordinator.keep(event);
        let name = checkpoint.name.clone();
        *self.journal_time().entry(name).or_default() += began.elapsed();
        kept
    }

    /// Time of the checkpoint's journal writes since the last call.
    pub(crate) fn take_journal_time(&self, checkpoint: &Checkpoint) -> Duration {
        let taken = self.journal_time().remove(&checkpoint.name);
        taken.unwrap_or_default()
    }

    fn journal_time(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Duration>> {
        self.journal_time
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A stopwatch that returns the time since the last call.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Seconds since the start or the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let since = now.duration_since(self.0);
        self.0 = now;
        since.as_secs_f64()
    }
}
