//! One trial: an agent on a problem, checkpoint by checkpoint.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use slope_agent::{Agent, Installed};
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::AttemptState;

use crate::coordinator::{CoordinatorHandle, Next};
use crate::event::{Event, Phase, Progress, TrialKey};
use crate::log;
use crate::machine::Machine;
use crate::plan::Plan;
use crate::retry;
use crate::state::CheckpointState;
use crate::tools::Tools;
use crate::{Error, WorkerError};

/// Everything that a trial works with.
pub(crate) struct Bench<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) machine: &'a Machine,
    pub(crate) agent: &'a dyn Agent,
    pub(crate) installed: &'a Installed,
    pub(crate) desk: &'a dyn CoordinatorHandle,
    pub(crate) tools: &'a Tools,
    /// Time that events took until they were durable, by checkpoint.
    pub(crate) journal_time: Mutex<BTreeMap<String, Duration>>,
}

/// Runs one agent on one problem. Ends early if an attempt does not complete.
///
/// If the agent's snapshots are known in advance, all checkpoints are judged concurrently.
pub(crate) fn run_trial(bench: &Bench<'_>, key: &TrialKey, problem: &Problem) -> Result<(), Error> {
    let done = if bench.agent.is_fixed() {
        judge_together(bench, key, problem)
    } else {
        attempt_each(bench, key, problem, |judge| judge())
    };
    done?;
    bench.desk.show(Progress::TrialEnded { key: key.clone() });
    Ok(())
}

/// Judges each checkpoint in a thread of its own; the coordinator limits concurrent gradings.
fn judge_together(bench: &Bench<'_>, key: &TrialKey, problem: &Problem) -> Result<(), Error> {
    std::thread::scope(|scope| {
        let mut judging = Vec::new();
        let attempted = attempt_each(bench, key, problem, |judge| {
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

/// The judging of one checkpoint, as a closure to run now or later.
type Judge<'a> = Box<dyn FnOnce() -> Result<(), Error> + Send + 'a>;

/// Makes the attempts in order, and passes the judging of each to `judge`.
fn attempt_each<'a>(
    bench: &'a Bench<'_>,
    key: &'a TrialKey,
    problem: &'a Problem,
    mut judge: impl FnMut(Judge<'a>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut carried: Option<String> = None;
    for checkpoint in &problem.checkpoints {
        let tried = stand_or_try(bench, key, problem, checkpoint, carried.as_deref())?;
        let Some(progress) = tried else {
            break;
        };
        let Some(attempt) = progress.attempt.clone().filter(retry::graded) else {
            break;
        };
        let Some(snapshot) = attempt.snapshot.clone() else {
            break;
        };
        let (state, of) = (attempt.state, snapshot.clone());
        let span = tracing::Span::current();
        judge(Box::new(move || {
            span.in_scope(|| bench.judge(key, problem, checkpoint, &progress, &attempt, &of))
        }))?;
        if state != AttemptState::Completed {
            break;
        }
        carried = Some(snapshot);
    }
    Ok(())
}

/// The attempt that counts, from an earlier execution or a new one; infrastructure failures are
/// retried up to the run's limit. `None` if the run ends, or no attempt could ask a model: then
/// nothing is recorded, as nothing was tried.
fn stand_or_try(
    bench: &Bench<'_>,
    key: &TrialKey,
    problem: &Problem,
    checkpoint: &Checkpoint,
    carried: Option<&str>,
) -> Result<Option<CheckpointState>, Error> {
    loop {
        let number = match bench.desk.next(key, &checkpoint.name)? {
            Next::Stop => return Ok(None),
            Next::Stands(progress) => return Ok(Some(*progress)),
            Next::Try(number) => number,
        };
        bench.announce(key, problem, checkpoint, Phase::Agent);
        let started = Event::AttemptStarted {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number,
            at: Timestamp::now(),
        };
        bench.keep(checkpoint, started)?;
        let attempt = log::attempt(checkpoint, number).in_scope(|| {
            log::attempt_started(&bench.plan.options.model);
            let attempt = bench.attempt(key, problem, checkpoint, number, carried)?;
            log::attempt_ended(&attempt);
            Ok::<_, Error>(attempt)
        })?;
        let (state, reason) = (attempt.state, attempt.reason.clone());
        let ended = Event::AttemptEnded {
            key: key.clone(),
            attempt: Box::new(attempt),
            at: Timestamp::now(),
        };
        bench.keep(checkpoint, ended)?;
        bench.desk.show(Progress::Attempted {
            key: key.clone(),
            state,
            reason,
        });
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
        self.desk.show(Progress::Phase {
            key: key.clone(),
            index: checkpoint.index,
            of: u32::try_from(problem.checkpoints.len()).unwrap_or(u32::MAX),
            phase,
        });
    }

    /// Keeps an event of a checkpoint, and notes how long that took.
    pub(crate) fn keep(&self, checkpoint: &Checkpoint, event: Event) -> Result<(), Error> {
        let began = Instant::now();
        let kept = self.desk.keep(event);
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
