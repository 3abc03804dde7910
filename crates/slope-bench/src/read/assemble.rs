//! Builds a run's report from its directory alone.

use std::collections::BTreeMap;
use std::path::Path;

use slope_model::detail::{CheckpointDetail, FunctionFact, NewSecurity, RunDetail, TrialDetail};
use slope_model::measurement::{Definitions, Measurement};
use slope_model::run::{
    AllAttempts, Attempt, AttemptState, CheckpointReport, LeftOver, RunReport, Start, TrialReport,
};
use slope_model::schema;
use slope_model::verdict::{Outcome, State, TestResult, Verdict};
use slope_store::atomic;
use slope_store::run_dir::RunDir;

use crate::Error;
use crate::directories::read_config;
use crate::event::{Event, TrialKey};
use crate::journal::{self, Entry};
use crate::layout::LOG;
use crate::security::FILE;
use crate::state::{CheckpointState, RunState};

/// Builds the report of the run in `root`, whether it is finished or not.
///
/// # Errors
/// If there is no run, or one of its files is malformed.
pub fn report(root: &Path) -> Result<RunReport, Error> {
    read(root).map(|(report, _)| report)
}

/// Builds the report of the run in `root`, with the details in the directory.
///
/// # Errors
/// As for [`report`].
pub fn read(root: &Path) -> Result<(RunReport, RunDetail), Error> {
    let dir = RunDir::at(root);
    let config = read_config(&dir)?;
    let entries: Vec<Entry> = if dir.journal().exists() {
        journal::read(&dir.journal())?
    } else {
        Vec::new()
    };
    let state = RunState::fold(entries.iter().map(|entry| &entry.event));
    let mut reader = Reader {
        dir: &dir,
        definitions: Vec::new(),
        took: took(&entries),
        attempts: ended(&entries),
    };
    let mut trials = Vec::new();
    let mut detail = RunDetail::default();
    for (problem, reference) in &config.problems {
        for trial in 1..=config.trials {
            let key = TrialKey {
                problem: problem.clone(),
                trial,
            };
            let (trial, own) =
                reader.trial(&state, key, &reference.checkpoint_names, config.start)?;
            trials.push(trial);
            detail.trials.push(own);
        }
    }
    let report = RunReport {
        schema: schema::RUN_REPORT.to_owned(),
        run: root.to_owned(),
        config,
        definitions: reader.definitions,
        all_attempts: all_attempts(&dir, &entries),
        trials,
    };
    Ok((report, detail))
}

/// Reads the files that the journal refers to.
struct Reader<'a> {
    dir: &'a RunDir,
    /// Definitions found so far, without duplicates.
    definitions: Vec<Definitions>,
    /// Overhead of the harness for each attempt, in seconds.
    took: BTreeMap<(TrialKey, String, u32), f64>,
    /// Attempts that ended, in order, by trial and checkpoint.
    attempts: BTreeMap<(TrialKey, String), Vec<Attempt>>,
}

/// All attempts that ended, in order.
fn ended(entries: &[Entry]) -> BTreeMap<(TrialKey, String), Vec<Attempt>> {
    let mut attempts: BTreeMap<(TrialKey, String), Vec<Attempt>> = BTreeMap::new();
    for entry in entries {
        if let Event::AttemptEnded { key, attempt, .. } = &entry.event {
            let place = (key.clone(), attempt.checkpoint.clone());
            attempts.entry(place).or_default().push((**attempt).clone());
        }
    }
    attempts
}

/// Usage of all attempts of a run, including unfinished and retried ones.
pub(crate) fn all_attempts(dir: &RunDir, entries: &[Entry]) -> AllAttempts {
    let mut all = AllAttempts {
        usage: crate::state::none_used(),
        ..AllAttempts::default()
    };
    for entry in entries {
        match &entry.event {
            Event::AttemptStarted { .. } => all.started += 1,
            Event::AttemptEnded { attempt, .. } => {
                *all.causes.entry(crate::retry::cause(attempt)).or_default() += 1;
                all.usage += &attempt.usage;
                all.agent_s += attempt.duration_s;
            }
            _ => {}
        }
    }
    for ((key, checkpoint, number), took) in journal::interrupted(entries) {
        let folder = dir.attempt(&key.problem, key.trial, &checkpoint, number);
        if let Ok(usage) = slope_gateway::logged_usage(&folder.join(LOG)) {
            all.usage += &usage;
        }
        all.agent_s += took;
    }
    all
}

/// Overhead of the harness for each attempt: all spans except the wait for a processor, which other
/// trials' gradings cause.
fn took(entries: &[Entry]) -> BTreeMap<(TrialKey, String, u32), f64> {
    let mut took = BTreeMap::new();
    for entry in entries {
        let (key, checkpoint, number, spans) = match &entry.event {
            Event::AttemptEnded { key, attempt, .. } => {
                (key, &attempt.checkpoint, attempt.number, &attempt.spans)
            }
            Event::Graded {
                key,
                checkpoint,
                number,
                spans,
                ..
            }
            | Event::Measured {
                key,
                checkpoint,
                number,
                spans,
                ..
            } => (key, checkpoint, *number, spans),
            _ => continue,
        };
        let place = (key.clone(), checkpoint.clone(), number);
        let own = spans.iter().filter(|(name, _)| *name != "slot_s");
        *took.entry(place).or_insert(0.0) += own.map(|(_, seconds)| seconds).sum::<f64>();
    }
    took.retain(|_, seconds| *seconds > 0.0);
    took
}

impl Reader<'_> {
    fn trial(
        &mut self,
        state: &RunState,
        key: TrialKey,
        names: &[String],
        start: Start,
    ) -> Result<(TrialReport, TrialDetail), Error> {
        let mut checkpoints = Vec::new();
        let mut detail = TrialDetail::default();
        let mut ended: Option<String> = None;
        for (index, name) in (1..).zip(names) {
            let progress = state.checkpoint(&key, name);
            let nothing = CheckpointDetail::default;
            let (report, own) = match (&ended, &progress.attempt) {
                (None, Some(attempt)) => self.attempted(index, &key, attempt, &progress)?,
                (Some(why), _) => (CheckpointReport::ungraded(name, index, why), nothing()),
                (None, None) => (
                    CheckpointReport::ungraded(name, index, "not attempted yet"),
                    nothing(),
                ),
            };
            let attempts = self.attempts.remove(&(key.clone(), name.clone()));
            detail.checkpoints.push(CheckpointDetail {
                attempts: attempts.unwrap_or_default(),
                ..own
            });
            if ended.is_none()
                && start == Start::Own
                && let Some(attempt) = progress
                    .attempt
                    .filter(|a| a.state != AttemptState::Completed)
            {
                ended = Some(format!(
                    "the trial ended at {name}: {}",
                    state_of(attempt.state).1
                ));
            }
            checkpoints.push(report);
        }
        let trial = TrialReport {
            problem: key.problem,
            trial: key.trial,
            checkpoints,
        };
        Ok((trial, detail))
    }

    /// A checkpoint that has an attempt.
    fn attempted(
        &mut self,
        index: u32,
        key: &TrialKey,
        attempt: &Attempt,
        progress: &CheckpointState,
    ) -> Result<(CheckpointReport, CheckpointDetail), Error> {
        let verdict: Option<Verdict> = match &progress.verdict {
            Some((_, file)) => Some(atomic::read_json(&self.dir.root().join(file))?),
            None => None,
        };
        let measurement = match &progress.measurement {
            Some(file) => Some(self.measurement(file)?),
            None => None,
        };
        let mut detail = CheckpointDetail {
            not_passed: verdict.as_ref().map(not_passed),
            ..CheckpointDetail::default()
        };
        if let Some(file) = &progress.measurement {
            detail.security = self.security(file)?;
        }
        let totals = measurement.map(|measurement| {
            detail.functions = Some(functions(&measurement));
            detail.published = measurement.published.map(|published| published.totals);
            measurement.totals
        });
        let ended_early = attempt.state != AttemptState::Completed;
        let (verdict, left) = match verdict {
            Some(verdict) if ended_early => (None, Some(verdict)),
            verdict => (verdict, None),
        };
        let verdict = verdict.unwrap_or_else(|| ungraded(attempt));
        let integrity = [attempt.integrity.clone(), verdict.integrity.clone()].concat();
        let report = CheckpointReport {
            checkpoint: attempt.checkpoint.clone(),
            index,
            state: verdict.state,
            reason: verdict.reason.clone(),
            not_passed: ids(&verdict, |o| {
                !matches!(o, Outcome::Passed | Outcome::Unstable)
            }),
            unstable: ids(&verdict, |o| o == Outcome::Unstable),
            counts: verdict.counts,
            integrity,
            totals,
            usage: Some(attempt.usage.clone()),
            agent_s: Some(attempt.duration_s),
            grade_s: progress.verdict.as_ref().map(|_| verdict.duration_s),
            harness_s: self
                .took
                .get(&(key.clone(), attempt.checkpoint.clone(), attempt.number))
                .copied(),
            snapshot: attempt.snapshot.clone(),
            efficiency: verdict.efficiency,
            left: left.map(|verdict| LeftOver {
                state: verdict.state,
                counts: verdict.counts,
            }),
            after_pass: None,
        };
        Ok((report, detail))
    }

    /// The security findings next to a measurement; `None` in runs of older versions, which do not have them.
    fn security(&self, measurement: &Path) -> Result<Option<NewSecurity>, Error> {
        let file = self.dir.root().join(measurement).with_file_name(FILE);
        if !file.exists() {
            return Ok(None);
        }
        Ok(atomic::read_json(&file)?)
    }

    /// Reads a measurement and records its definitions.
    fn measurement(&mut self, file: &Path) -> Result<Measurement, Error> {
        let measurement: Measurement = atomic::read_json(&self.dir.root().join(file))?;
        if !self.definitions.contains(&measurement.definitions) {
            self.definitions.push(measurement.definitions.clone());
        }
        Ok(measurement)
    }
}

fn not_passed(verdict: &Verdict) -> Vec<TestResult> {
    let tests = verdict.tests.iter();
    tests
        .filter(|test| !matches!(test.outcome, Outcome::Passed | Outcome::Unstable))
        .cloned()
        .collect()
}

fn functions(measurement: &Measurement) -> Vec<FunctionFact> {
    let files = measurement.files.iter();
    let all = files.flat_map(|file| file.callables.iter().map(move |callable| (file, callable)));
    all.map(|(file, callable)| FunctionFact {
        path: file.path.clone(),
        name: callable.name.clone(),
        line: callable.span.start_line,
        end_line: callable.span.end_line,
        complexity: callable.complexity,
        sloc: callable.sloc,
    })
    .collect()
}

/// The verdict of an attempt that was not graded.
fn ungraded(attempt: &Attempt) -> Verdict {
    let (state, text) = state_of(attempt.state);
    let reason = attempt.reason.clone().unwrap_or_else(|| text.to_owned());
    Verdict::without_tests(&attempt.checkpoint, state, reason)
}

/// The verdict's state that follows from an attempt's, and words for it.
fn state_of(state: AttemptState) -> (State, &'static str) {
    match state {
        AttemptState::Completed => (State::Ungraded, "not graded yet"),
        AttemptState::AgentError => (State::AgentError, "agent error"),
        AttemptState::Budget => (State::Budget, "budget exhausted"),
        AttemptState::Timeout => (State::Timeout, "the agent ran out of time"),
        AttemptState::Infrastructure => (State::Infrastructure, "the harness failed"),
    }
}

fn ids(verdict: &Verdict, wanted: impl Fn(Outcome) -> bool) -> Vec<String> {
    let tests = verdict.tests.iter().filter(|t| wanted(t.outcome));
    tests
        .map(|t| format!("{}::{}", t.checkpoint, t.id))
        .collect()
}
