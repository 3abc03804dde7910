//! A run of the benchmark as it is sent to a server: its report first, then the details of each checkpoint, then the
//! agent's steps.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::exhibit::{CheckpointExhibit, Step};
use crate::numbers;
use crate::run::{CheckpointReport, RunReport};
use crate::schema;
use crate::series::check_name;
use crate::usage::{Tokens, Usage};

/// Largest number of trials of a run.
pub const MOST_TRIALS: usize = 2000;
/// Largest count of tests, requests and the like, so that sums stay in range.
const LARGEST_COUNT: u64 = 10_000_000;
/// Largest number of tokens of a checkpoint.
const LARGEST_TOKENS: u64 = 1 << 50;
/// Largest position of a step or line.
const LARGEST_PLACE: usize = 10_000_000;
/// Largest number of checkpoints of a trial.
pub const MOST_CHECKPOINTS: usize = 1000;
/// Longest name of a problem or checkpoint, in characters.
pub const LONGEST_NAME: usize = 200;

/// Current phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunPhase {
    /// Trials run.
    Running,
    /// Running attempts finish; none is started.
    Pausing,
    /// Nothing runs until it is resumed.
    Paused,
    /// Running attempts are being ended.
    Cancelling,
    /// No process executes it, as requested.
    Cancelled,
    /// No process executes it, and trials are left.
    Interrupted,
    /// No trials are left.
    Finished,
}

impl RunPhase {
    /// The names in every output, in the order of the phases.
    const NAMES: [&str; 7] = [
        "running",
        "pausing",
        "paused",
        "cancelling",
        "cancelled",
        "interrupted",
        "finished",
    ];

    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether a process executes the run, so that it can be paused, resumed and cancelled.
    #[must_use]
    pub fn is_live(self) -> bool {
        matches!(
            self,
            Self::Running | Self::Pausing | Self::Paused | Self::Cancelling
        )
    }
}

/// Request of a visitor to a run on another machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunRequest {
    /// Let running attempts end and start none.
    Pause,
    /// Go on after a pause.
    Resume,
    /// End running attempts and stop.
    Cancel,
}

impl RunRequest {
    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Cancel => "cancel",
        }
    }

    /// The request of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        [Self::Pause, Self::Resume, Self::Cancel]
            .into_iter()
            .find(|request| request.name() == name)
    }
}

/// A run as it is sent to a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentRun {
    /// [`schema::SENT_RUN`].
    pub schema: String,
    /// The phase of the run.
    pub phase: RunPhase,
    /// Time at which it began, RFC 3339 in UTC; `null` if that is not known.
    pub started: Option<String>,
    /// Number of processes that have worked on it. A request of a visitor is for one of them.
    #[serde(default)]
    pub executions: u32,
    /// Its report. Paths of folders are reduced to their last part.
    pub report: RunReport,
}

/// A checkpoint of a trial.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointPlace {
    /// Problem name.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// Checkpoint name.
    pub checkpoint: String,
}

/// The details of a checkpoint as they are sent to a server. They come last: a server that has them has all steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentDetails {
    /// The checkpoint.
    pub place: CheckpointPlace,
    /// A text that changes with the details or the steps.
    #[schemars(length(min = 1, max = 100))]
    pub digest: String,
    /// Number of steps that were sent before.
    pub steps: u32,
    /// The details, without steps.
    pub details: CheckpointExhibit,
}

/// Consecutive steps of an agent as they are sent to a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentSteps {
    /// The checkpoint.
    pub place: CheckpointPlace,
    /// Position of the first of them, from 0. With 0, the server drops the steps that it has.
    pub first: u32,
    /// The steps.
    #[schemars(length(max = 1000))]
    pub steps: Vec<Step>,
}

/// A server's answer to a run's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunKept {
    /// Whether the report differs from the one that the server had.
    pub is_new: bool,
    /// The open request of a visitor.
    pub request: Option<RunRequest>,
    /// The checkpoints whose details the server has, each with its digest.
    pub checkpoints: Vec<KnownDetails>,
}

/// Details that a server has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownDetails {
    /// The checkpoint.
    pub place: CheckpointPlace,
    /// The digest that came with them.
    pub digest: String,
}

impl SentRun {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        if self.schema != schema::SENT_RUN {
            return Err(format!("schema: it is not {}", schema::SENT_RUN));
        }
        if self.report.schema != schema::RUN_REPORT {
            return Err(format!("report.schema: it is not {}", schema::RUN_REPORT));
        }
        if self.report.trials.len() > MOST_TRIALS {
            return Err(format!("report.trials: use at most {MOST_TRIALS}"));
        }
        if let Some(time) = &self.started {
            check_length("started", time, 40)?;
        }
        let config = &self.report.config;
        check_most(
            "report.config.trials",
            config.trials.into(),
            MOST_TRIALS as u64,
        )?;
        check_most(
            "report.config.problems",
            config.problems.len() as u64,
            MOST_TRIALS as u64,
        )?;
        for problem in config.problems.values() {
            let names = problem.checkpoint_names.len() as u64;
            check_most(
                "report.config.problems.checkpoint_names",
                names,
                MOST_CHECKPOINTS as u64,
            )?;
        }
        check_usage("report.all_attempts.usage", &self.report.all_attempts.usage)?;
        let texts = [
            ("label", &config.label),
            ("agent", &config.agent),
            ("agent_version", &config.agent_version),
            ("model", &config.model),
        ];
        for (field, text) in texts {
            check_length(&format!("report.config.{field}"), text, LONGEST_NAME)?;
        }
        numbers::check("report.trials", &self.report.trials, false)?;
        let mut known = BTreeSet::new();
        for (at, trial) in self.report.trials.iter().enumerate() {
            if !known.insert((&trial.problem, trial.trial)) {
                return Err(format!("report.trials[{at}]: the trial is there twice"));
            }
            let field = format!("report.trials[{at}]");
            check_name_of(&format!("{field}.problem"), &trial.problem)?;
            if trial.checkpoints.len() > MOST_CHECKPOINTS {
                return Err(format!(
                    "{field}.checkpoints: use at most {MOST_CHECKPOINTS}"
                ));
            }
            for checkpoint in &trial.checkpoints {
                check_checkpoint(&format!("{field}.checkpoints"), checkpoint)?;
            }
        }
        Ok(())
    }

    /// Whether the report has a checkpoint.
    #[must_use]
    pub fn has(&self, place: &CheckpointPlace) -> bool {
        let mut trials = self.report.trials.iter();
        let trial =
            trials.find(|trial| trial.problem == place.problem && trial.trial == place.trial);
        let mut checkpoints = trial.into_iter().flat_map(|trial| &trial.checkpoints);
        checkpoints.any(|checkpoint| checkpoint.checkpoint == place.checkpoint)
    }
}

impl CheckpointPlace {
    /// Checks the lengths of names.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        check_length("place.problem", &self.problem, LONGEST_NAME)?;
        check_length("place.checkpoint", &self.checkpoint, LONGEST_NAME)
    }
}

/// Checks the key of a run on a server: a name as those of projects.
///
/// # Errors
/// The fault, as text.
pub fn check_run_key(key: &str) -> Result<(), String> {
    check_name(key)
}

/// Checks name and numbers of a checkpoint, and of its refactoring pass.
fn check_checkpoint(field: &str, checkpoint: &CheckpointReport) -> Result<(), String> {
    check_name_of(field, &checkpoint.checkpoint)?;
    for (group, count) in &checkpoint.counts {
        let field = format!("{field}.counts.{}", group.name());
        check_most(&field, count.total.into(), LARGEST_COUNT)?;
        let parts = u64::from(count.passed) + u64::from(count.unstable);
        check_most(
            &format!("{field}: passed and unstable"),
            parts,
            count.total.into(),
        )?;
    }
    if let Some(usage) = &checkpoint.usage {
        check_usage(&format!("{field}.usage"), usage)?;
    }
    match &checkpoint.after_pass {
        Some(pass) => check_checkpoint(&format!("{field}.after_pass"), pass),
        None => Ok(()),
    }
}

fn check_usage(field: &str, usage: &Usage) -> Result<(), String> {
    let Tokens {
        input,
        cache_read,
        cache_write,
        output,
        reasoning,
        ..
    } = usage.tokens;
    for tokens in [input, cache_read, cache_write, output, reasoning] {
        check_most(&format!("{field}.tokens"), tokens, LARGEST_TOKENS)?;
    }
    for count in [
        usage.requests,
        usage.failed_requests,
        usage.tool_calls,
        usage.unreported,
    ] {
        check_most(field, count, LARGEST_COUNT)?;
    }
    if usage
        .cost_usd
        .is_some_and(|usd| !(0.0..=1e12).contains(&usd))
    {
        return Err(format!("{field}.cost_usd: it is not an amount of money"));
    }
    Ok(())
}

fn check_most(field: &str, value: u64, most: u64) -> Result<(), String> {
    match value > most {
        true => Err(format!("{field}: {value} is more than {most}")),
        false => Ok(()),
    }
}

impl SentSteps {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        let last = u64::from(self.first) + self.steps.len() as u64;
        check_most("first", last, LARGEST_PLACE as u64)?;
        self.place.check()
    }
}

impl SentDetails {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        check_length("digest", &self.digest, 100)?;
        let files = self
            .details
            .changes
            .iter()
            .flat_map(|changes| &changes.files);
        for hunk in files.flat_map(|file| &file.hunks) {
            check_most(
                "details.changes: a line",
                hunk.new.max(hunk.old) as u64,
                LARGEST_PLACE as u64,
            )?;
        }
        self.place.check()
    }
}

/// Checks a name that is a part of addresses.
fn check_name_of(field: &str, name: &str) -> Result<(), String> {
    if matches!(name, "" | "." | "..") {
        return Err(format!("{field}: `{name}` is not a name"));
    }
    check_length(field, name, LONGEST_NAME)
}

/// Databases refuse null characters.
fn check_length(field: &str, text: &str, most: usize) -> Result<(), String> {
    if text.chars().count() > most || text.contains('\0') {
        return Err(format!(
            "{field}: use at most {most} characters, and no null character"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_written_by_their_names() {
        for name in RunPhase::NAMES {
            let phase: RunPhase = serde_json::from_value(name.into()).unwrap();
            assert_eq!(phase.name(), name);
        }
    }
}
