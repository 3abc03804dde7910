//! One trial: an agent on a problem, checkpoint by checkpoint.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use slope_agent::{Agent, Installed};
use slope_model::problem::{Checkpoint, Problem};
use slope_model::run::AttemptState;

use crate::Error;
use crate::coordinator::{Desk, Next};
use crate::event::{Event, Phase, Progress, TrialKey};
use crate::machine::Machine;
use crate::plan::Plan;
use crate::retry;
use crate::state::CheckpointState;
use crate::tools::Tools;

/// Everything that a trial works with.
pub(crate) struct Bench<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) machine: &'a Machine,
    pub(crate) agent: &'a dyn Agent,
    pub(crate) installed: &'a Installed,
    pub(crate) desk: &'a dyn Desk,
    pub(crate) tools: &'a Tools,
    /// Time that events of the checkpoint took until they were durable.
    pub(crate) journal_time: Mutex<Duration>,
}

/// One agent on one problem. Ends early when an attempt does not complete.
pub(crate) fn run_trial(bench: &Bench<'_>, key: &TrialKey, problem: &Problem) -> Result<(), Error> {
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
        bench.judge(key, problem, checkpoint, &progress, &attempt, &snapshot)?;
        if attempt.state != AttemptState::Completed {
            break;
        }
        carried = Some(snapshot);
    }
    bench.desk.show(Progress::TrialEnded { key: key.clone() });
    Ok(())
}

/// The attempt that stands, from an earlier execution or a new one; what ended by no doing of the agent is
/// tried again as often as the run allows. `None` where the run ends, or none of its attempts could ask a
/// model: nothing is recorded then, as nothing was tried.
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
        bench.keep(Event::AttemptStarted {
            key: key.clone(),
            checkpoint: checkpoint.name.clone(),
            number,
            at: Timestamp::now(),
        })?;
        let attempt = bench.attempt(key, problem, checkpoint, number, carried)?;
        let (state, reason) = (attempt.state, attempt.reason.clone());
        bench.keep(Event::AttemptEnded {
            key: key.clone(),
            attempt: Box::new(attempt),
            at: Timestamp::now(),
        })?;
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

    /// Keeps an event, and notes how long that took.
    pub(crate) fn keep(&self, event: Event) -> Result<(), Error> {
        let began = Instant::now();
        let kept = self.desk.keep(event);
        *self.journal_time() += began.elapsed();
        kept
    }

    /// Time that events took since this was last asked.
    pub(crate) fn take_journal_time(&self) -> Duration {
        std::mem::take(&mut *self.journal_time())
    }

    fn journal_time(&self) -> std::sync::MutexGuard<'_, Duration> {
        self.journal_time
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A stopwatch that gives the time since it was last asked.
pub(crate) struct Laps(Instant);

impl Laps {
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
