//! Finished and remaining work, folded from the journal.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use slope_model::run::{Attempt, AttemptState, Start};
use slope_model::usage::Usage;
use slope_model::verdict::State;

use crate::event::{Event, TrialKey};
use crate::retry;
use crate::status::Trouble;

/// Progress of one checkpoint of one trial.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckpointState {
    /// Highest number of an attempt that was started.
    pub started: u32,
    /// The last attempt that ended.
    pub attempt: Option<Attempt>,
    /// State and file of its last verdict.
    pub verdict: Option<(State, PathBuf)>,
    /// Number of gradings so far, for file names.
    pub gradings: u32,
    /// File of its measurement.
    pub measurement: Option<PathBuf>,
}

impl CheckpointState {
    /// Whether the attempt counts: it ended, and not by a failure of the harness.
    #[must_use]
    pub fn attempt_stands(&self) -> bool {
        self.attempt.as_ref().is_some_and(retry::stands)
    }

    /// Whether all is done: the attempt counts and, if required, is graded and measured.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| {
            let judged = self.verdict_stands() && self.measurement.is_some();
            self.attempt_stands() && (!crate::retry::graded(attempt) || judged)
        })
    }

    /// Whether the verdict counts: there is one, and it is not an infrastructure failure.
    #[must_use]
    pub fn verdict_stands(&self) -> bool {
        self.verdict
            .as_ref()
            .is_some_and(|(state, _)| *state != State::Infrastructure)
    }
}

/// Progress of a whole run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunState {
    trials: BTreeMap<TrialKey, BTreeMap<String, CheckpointState>>,
    used: BTreeMap<TrialKey, Usage>,
    trouble: Vec<Trouble>,
}

/// Maximum number of incomplete attempts that a status lists.
const MAX_TROUBLE: usize = 50;

impl RunState {
    /// Folds the events of a journal.
    #[must_use]
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Self {
        let mut state = Self::default();
        for event in events {
            state.apply(event);
        }
        state
    }

    /// Progress of a checkpoint; the default if nothing has happened.
    #[must_use]
    pub fn checkpoint(&self, key: &TrialKey, checkpoint: &str) -> CheckpointState {
        self.trials
            .get(key)
            .and_then(|t| t.get(checkpoint))
            .cloned()
            .unwrap_or_default()
    }

    /// Number of checkpoints of a trial with nothing left to do: of a trajectory the leading ones,
    /// or all if it has ended.
    #[must_use]
    pub fn done(&self, key: &TrialKey, checkpoints: &[String], start: Start) -> u32 {
        let mut done = 0;
        for name in checkpoints {
            let progress = self.checkpoint(key, name);
            match (progress.is_done(), start) {
                (false, Start::Own) => return done,
                (false, Start::Reference) => continue,
                (true, _) => done += 1,
            }
            let state = progress.attempt.map(|attempt| attempt.state);
            if start == Start::Own && state != Some(AttemptState::Completed) {
                return u32::try_from(checkpoints.len()).unwrap_or(u32::MAX);
            }
        }
        done
    }

    /// Usage of all ended attempts of a trial.
    #[must_use]
    pub fn used(&self, key: &TrialKey) -> Usage {
        self.used.get(key).cloned().unwrap_or_default()
    }

    /// Usage of all ended attempts.
    #[must_use]
    pub fn used_by_all(&self) -> Usage {
        let mut sum = none_used();
        self.used.values().for_each(|used| sum += used);
        sum
    }

    /// The last attempts that did not complete.
    #[must_use]
    pub fn trouble(&self) -> Vec<Trouble> {
        self.trouble.clone()
    }

    fn note_trouble(&mut self, key: &TrialKey, attempt: &Attempt) {
        if attempt.state == AttemptState::Completed {
            return;
        }
        self.trouble.push(Trouble {
            key: key.clone(),
            checkpoint: attempt.checkpoint.clone(),
            number: attempt.number,
            state: attempt.state,
            cause: retry::cause(attempt),
            reason: attempt.reason.clone(),
        });
        if self.trouble.len() > MAX_TROUBLE {
            self.trouble.remove(0);
        }
    }

    fn entry(&mut self, key: &TrialKey, checkpoint: &str) -> &mut CheckpointState {
        self.trials
            .entry(key.clone())
            .or_default()
            .entry(checkpoint.to_owned())
            .or_default()
    }

    /// Applies the next event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Opened { .. } | Event::Asked { .. } => {}
            Event::AttemptStarted {
                key,
                checkpoint,
                number,
                ..
            } => {
                let state = self.entry(key, checkpoint);
                state.started = state.started.max(*number);
            }
            Event::AttemptEnded { key, attempt, .. } => {
                *self.used.entry(key.clone()).or_insert_with(none_used) += &attempt.usage;
                self.note_trouble(key, attempt);
                let state = self.entry(key, &attempt.checkpoint);
                state.attempt = Some(attempt.as_ref().clone());
                state.verdict = None;
                state.measurement = None;
                state.gradings = 0;
            }
            Event::Graded {
                key,
                checkpoint,
                number,
                state: verdict,
                verdict: file,
                ..
            } => {
                let state = self.entry(key, checkpoint);
                if state.is_current(*number) {
                    state.verdict = Some((*verdict, file.clone()));
                    state.gradings += 1;
                }
            }
            Event::Measured {
                key,
                checkpoint,
                number,
                measurement,
                ..
            } => {
                let state = self.entry(key, checkpoint);
                if state.is_current(*number) {
                    state.measurement = Some(measurement.clone());
                }
            }
        }
    }
}

/// Nothing used, at no cost.
pub(crate) fn none_used() -> Usage {
    Usage {
        cost_usd: Some(0.0),
        ..Usage::default()
    }
}

impl CheckpointState {
    fn is_current(&self, number: u32) -> bool {
        self.attempt.as_ref().is_some_and(|a| a.number == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use slope_model::usage::Usage;

    fn key() -> TrialKey {
        TrialKey {
            problem: "p".into(),
            trial: 1,
        }
    }

    fn ended(number: u32, state: AttemptState) -> Event {
        let attempt = Attempt {
            checkpoint: "checkpoint_1".into(),
            number,
            state,
            cause: None,
            reason: None,
            usage: Usage::default(),
            reported: None,
            costs: vec![],
            duration_s: 1.0,
            snapshot: Some("s".into()),
            start: None,
            prompt_hash: "h".into(),
            tools: vec![],
            notes: vec![],
            integrity: vec![],
            spans: slope_model::run::Spans::new(),
        };
        Event::AttemptEnded {
            key: key(),
            attempt: Box::new(attempt),
            at: Timestamp::UNIX_EPOCH,
        }
    }

    fn graded(number: u32, state: State) -> Event {
        Event::Graded {
            key: key(),
            checkpoint: "checkpoint_1".into(),
            number,
            state,
            verdict: format!("verdict-{number}.json").into(),
            spans: slope_model::run::Spans::new(),
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn interrupted_attempt_counts_as_started_only() {
        let started = Event::AttemptStarted {
            key: key(),
            checkpoint: "checkpoint_1".into(),
            number: 1,
            at: Timestamp::UNIX_EPOCH,
        };
        let state = RunState::fold(&[started]).checkpoint(&key(), "checkpoint_1");
        assert_eq!(state.started, 1);
        assert!(!state.attempt_stands());
    }

    #[test]
    fn new_attempt_discards_old_verdict() {
        let events = [
            ended(1, AttemptState::Infrastructure),
            graded(1, State::Infrastructure),
            ended(2, AttemptState::Completed),
            graded(1, State::Passed),
        ];
        let state = RunState::fold(&events).checkpoint(&key(), "checkpoint_1");
        assert!(state.attempt_stands());
        assert_eq!(
            state.verdict, None,
            "a late verdict on attempt 1 says nothing of attempt 2"
        );
    }

    #[test]
    fn infrastructure_verdict_is_replaced_later() {
        let mut events = vec![
            ended(1, AttemptState::Completed),
            graded(1, State::Infrastructure),
        ];
        assert!(
            !RunState::fold(&events)
                .checkpoint(&key(), "checkpoint_1")
                .verdict_stands()
        );
        events.push(graded(1, State::Failed));
        let state = RunState::fold(&events).checkpoint(&key(), "checkpoint_1");
        assert!(state.verdict_stands());
        assert_eq!(state.gradings, 2);
    }
}
