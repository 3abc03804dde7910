//! What is done and what is left, folded from the journal.

use std::collections::BTreeMap;
use std::path::PathBuf;

use slope_model::run::{Attempt, AttemptState};
use slope_model::verdict::State;

use crate::event::{Event, TrialKey};

/// Progress of one checkpoint of one trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckpointState {
    /// Highest number of an attempt that was started.
    pub started: u32,
    /// The last attempt that ended.
    pub attempt: Option<Attempt>,
    /// State and file of its last verdict.
    pub verdict: Option<(State, PathBuf)>,
    /// How many gradings there were, for file names.
    pub gradings: u32,
    /// File of its measurement.
    pub measurement: Option<PathBuf>,
}

impl CheckpointState {
    /// Whether the attempt stands: it ended, and not by a failure of the harness.
    #[must_use]
    pub fn attempt_stands(&self) -> bool {
        self.attempt
            .as_ref()
            .is_some_and(|a| a.state != AttemptState::Infrastructure)
    }

    /// Whether the verdict stands: there is one, and the harness did not fail.
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
}

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

    /// Progress of a checkpoint; the default where nothing happened yet.
    #[must_use]
    pub fn checkpoint(&self, key: &TrialKey, checkpoint: &str) -> CheckpointState {
        self.trials
            .get(key)
            .and_then(|t| t.get(checkpoint))
            .cloned()
            .unwrap_or_default()
    }

    fn entry(&mut self, key: &TrialKey, checkpoint: &str) -> &mut CheckpointState {
        self.trials
            .entry(key.clone())
            .or_default()
            .entry(checkpoint.to_owned())
            .or_default()
    }

    fn apply(&mut self, event: &Event) {
        match event {
            Event::Opened { .. } => {}
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
            reason: None,
            usage: Usage::default(),
            reported: None,
            costs: vec![],
            duration_s: 1.0,
            snapshot: Some("s".into()),
            prompt_hash: "h".into(),
            tools: vec![],
            notes: vec![],
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
            at: Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn an_interrupted_attempt_is_counted_but_does_not_stand() {
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
    fn a_new_attempt_puts_the_old_verdict_aside() {
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
    fn an_infrastructure_verdict_does_not_stand_and_a_later_one_replaces_it() {
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
