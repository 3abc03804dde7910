//! Data of slope's own run directories.

use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use slope_model::error_text::one_line;
use slope_model::exhibit::{Actor, Call, Excerpt, FindingLine, Held, Step, TestLine};
use slope_model::measurement::Measurement;
use slope_model::run::Attempt;
use slope_model::verdict::{Outcome, Verdict};
use slope_store::plain;
use slope_store::run_dir::RunDir;

use super::Whole;
use super::tree::{MAX_FILE, Tree, cannot_read};
use crate::event::TrialKey;
use crate::journal;
use crate::state::{CheckpointState, RunState};

/// Largest size of a test's failure message, in bytes.
const MAX_MESSAGE: usize = 1500;

/// Why a checkpoint has no details.
const NO_ATTEMPT: &str = "no attempt at this checkpoint has ended";

/// A run directory of slope, and its state from the journal.
pub(crate) struct Own {
    dir: RunDir,
    state: Held<RunState>,
}

impl Own {
    /// Opens the run in `root`; `None` if it is not a run of slope.
    pub(crate) fn open(root: &Path) -> Option<Self> {
        let dir = RunDir::at(root);
        if !dir.config().exists() {
            return None;
        }
        let state = match journal::read(&dir.journal()) {
            Ok(entries) => Ok(RunState::fold(entries.iter().map(|entry| &entry.event))),
            Err(error) => Err(one_line(&error)),
        };
        Some(Self { dir, state })
    }

    /// Details of a checkpoint: of its last attempt that ended.
    pub(crate) fn checkpoint(&self, key: TrialKey, name: &str, most: usize) -> Whole {
        let state = match &self.state {
            Ok(state) => state.checkpoint(&key, name),
            Err(why) => return Whole::missing(why),
        };
        let Some(attempt) = &state.attempt else {
            return Whole::missing(NO_ATTEMPT);
        };
        let folder = self
            .dir
            .attempt(&key.problem, key.trial, name, attempt.number);
        Whole {
            spec: text(&folder.join("prompt.md")),
            start: attempt.start.as_ref().map(|id| self.snapshot(id)),
            tree: self.tree(attempt),
            tests: self.tests(&state),
            findings: self.findings(&state),
            steps: steps(&folder.join("trajectory.json"), most),
        }
    }

    /// The workspace after a checkpoint: of its last attempt that ended.
    pub(crate) fn workspace(&self, key: &TrialKey, name: &str) -> Held<Tree> {
        let state = self.state.as_ref().map_err(Clone::clone)?;
        let attempt = state.checkpoint(key, name).attempt;
        self.tree(attempt.as_ref().ok_or(NO_ATTEMPT)?)
    }

    fn tree(&self, attempt: &Attempt) -> Held<Tree> {
        let id = attempt.snapshot.as_ref();
        let id = id.ok_or("no snapshot of the workspace was taken")?;
        self.snapshot(id)
    }

    fn snapshot(&self, id: &str) -> Held<Tree> {
        Tree::of_snapshot(&self.dir.snapshots(), id)
    }

    fn tests(&self, state: &CheckpointState) -> Held<Vec<TestLine>> {
        let (_, file) = state.verdict.as_ref().ok_or("it was not graded")?;
        let verdict: Verdict = read(&self.dir.root().join(file))?;
        let line = |test: slope_model::verdict::TestResult| TestLine {
            id: format!("{}::{}", test.checkpoint, test.id),
            group: test.group,
            outcome: test.outcome,
            message: test
                .message
                .filter(|_| test.outcome != Outcome::Passed)
                .map(|message| Excerpt::of(&message, MAX_MESSAGE).text),
        };
        Ok(verdict.tests.into_iter().map(line).collect())
    }

    fn findings(&self, state: &CheckpointState) -> Held<Vec<FindingLine>> {
        let file = state.measurement.as_ref().ok_or("it was not measured")?;
        let measurement: Measurement = read(&self.dir.root().join(file))?;
        let line = |found: slope_model::finding::Finding| FindingLine {
            rule: found.rule,
            severity: Some(found.severity),
            path: found.path,
            line: found.span.start_line,
            message: found.message,
        };
        Ok(measurement.findings.into_iter().map(line).collect())
    }
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Held<T> {
    let bytes = plain::read(path, MAX_FILE).map_err(cannot_read(path))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn text(path: &Path) -> Held<String> {
    let bytes = plain::read(path, MAX_FILE).map_err(cannot_read(path))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Trajectory in ATIF, limited to the shown fields.
#[derive(Deserialize)]
struct Trajectory {
    steps: Vec<AtifStep>,
}

#[derive(Deserialize)]
struct AtifStep {
    source: String,
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    message: Value,
    #[serde(default)]
    tool_calls: Vec<AtifCall>,
    #[serde(default)]
    observation: Option<Observation>,
}

#[derive(Deserialize)]
struct AtifCall {
    function_name: String,
    #[serde(default)]
    arguments: Value,
}

#[derive(Deserialize)]
struct Observation {
    #[serde(default)]
    results: Vec<ObservationResult>,
}

#[derive(Deserialize)]
struct ObservationResult {
    #[serde(default)]
    content: Value,
}

/// The steps of an attempt, each text of at most `most` bytes; the system's words are the same in all of them, and are
/// left out.
fn steps(path: &Path, most: usize) -> Held<Vec<Step>> {
    if !path.exists() {
        return Err("no exchange with a model was recorded".to_owned());
    }
    let trajectory: Trajectory = read(path)?;
    let took = took(&trajectory.steps);
    let said = trajectory.steps.into_iter().zip(took);
    let said = said.filter(|(step, _)| step.source != "system");
    Ok(said
        .map(|(read, took_s)| step(&read, took_s, most))
        .collect())
}

fn step(read: &AtifStep, took_s: Option<f64>, most: usize) -> Step {
    let told = |value: &Value| match value {
        Value::Null => Excerpt::default(),
        Value::String(text) => Excerpt::of(text, most),
        other => Excerpt::of(&other.to_string(), most),
    };
    let calls = read.tool_calls.iter();
    let results = read.observation.iter().flat_map(|seen| &seen.results);
    Step {
        actor: match read.source.as_str() {
            "agent" => Actor::Agent,
            _ => Actor::User,
        },
        message: told(&read.message),
        calls: calls
            .map(|call| Call::new(&call.function_name, &call.arguments, most))
            .collect(),
        results: results.map(|result| told(&result.content)).collect(),
        took_s,
    }
}

/// Seconds from each step to the next one.
fn took(steps: &[AtifStep]) -> Vec<Option<f64>> {
    let time = |step: &AtifStep| step.timestamp.as_ref()?.parse::<Timestamp>().ok();
    let times: Vec<Option<Timestamp>> = steps.iter().map(time).collect();
    let until_next = |at: usize| {
        let (here, next) = (times[at]?, (*times.get(at + 1)?)?);
        let seconds = next.duration_since(here).as_secs_f64();
        (seconds >= 0.0).then_some(seconds)
    };
    (0..steps.len()).map(until_next).collect()
}
