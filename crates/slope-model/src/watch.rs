//! A day of a watched assistant: results of its tasks, and of the controls.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::usage::Usage;
use crate::verdict::Efficiency;

/// Results of one day. Written once, when the day is over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchDay {
    /// Name and version of this format: `slope.watch-day/1`.
    pub schema: String,
    /// The day in UTC: `2026-11-30`.
    pub date: String,
    /// Hash of the tasks, with their specs and tests.
    pub suite: String,
    /// Runs of each task.
    pub replicates: u32,
    /// Version of the rules behind the classes of failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class_rules: Option<String>,
    /// Results of each arm.
    pub arms: BTreeMap<String, ArmDay>,
    /// Reason that the day's results do not count, for example a failed control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
    /// Whether the results are simulated rather than measured.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
}

/// Purpose of an arm.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The assistant that is watched.
    #[default]
    Target,
    /// The same model in a harness of a pinned version.
    Pinned,
    /// Another model. It moves only if the infrastructure or the tasks do.
    Other,
    /// The reference solutions, which must pass.
    Oracle,
    /// No change at all, which must fail.
    Empty,
}

/// Names of the roles, in their order.
const ROLES: [&str; 5] = ["target", "pinned", "other", "oracle", "empty"];

impl Role {
    /// The name in settings and outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        ROLES[self as usize]
    }

    /// Whether this is a control without a model.
    #[must_use]
    pub fn is_control(self) -> bool {
        matches!(self, Self::Oracle | Self::Empty)
    }
}

/// Results of one arm on one day.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmDay {
    /// Purpose of the arm.
    pub role: Role,
    /// The agent.
    pub agent: String,
    /// Version of the agent.
    pub agent_version: String,
    /// The requested model; empty without one.
    pub model: String,
    /// Hash of everything else that is set for the arm: prompt, effort, limits.
    pub settings: String,
    /// Hash of the tools that the agent offered to the model; `None` if it offered none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<String>,
    /// What most of its requests to the model had in common; `None` without a log of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<Requests>,
    /// Results by task and trial, in order.
    pub tasks: Vec<TaskRun>,
}

/// What the requests of an arm have in common, as the gateway logged them. Dates and ids are not part of the hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requests {
    /// Hash of the system prompt; `None` if it differs from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Hash of the definitions of tools; `None` if they differ from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<String>,
    /// Hash of effort, temperature, lengths and the like; `None` if they differ from run to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// Models that the answers name, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub served: Vec<String>,
}

/// One run of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRun {
    /// The task: `TRACK/PROBLEM/CHECKPOINT`.
    pub task: String,
    /// Number of the run on this day, from 1.
    pub trial: u32,
    /// Result.
    pub outcome: TaskOutcome,
    /// Reason, if there is no verdict on the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Share of the tests that passed, from 0 to 1; `None` without a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed_share: Option<f64>,
    /// How it failed: a class and its kind, as of `slope failures`, for example `crash/null`. `None` if it passed, or
    /// was not classified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Another class that fits besides: `security` if the code has a new security finding of high severity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// Tests that did not pass, at most 20.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_passed: Vec<String>,
    /// Usage of the model; `None` if it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Seconds of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_s: Option<f64>,
    /// Quality of the code afterwards; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<Quality>,
    /// Efficiency of the program next to the reference solution; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// How the assistant worked; `None` on days of older versions of slope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conduct: Option<Conduct>,
}

/// How the assistant worked on a task. What the run's directory does not show is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Conduct {
    /// Seconds in which no request was out: those of tools, and of the agent itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_s: Option<f64>,
    /// Calls that read before the first one that edits; `None` if no call edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads_before_edit: Option<u64>,
    /// Calls with arguments that are not JSON, or of a tool that was not on offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed_calls: Option<u64>,
    /// Answers that reached their length limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_answers: Option<u64>,
    /// Answers that the model refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusals: Option<u64>,
    /// Characters of the model in scripts that nothing it was sent contains, such as Thai.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub foreign_characters: Option<u64>,
    /// Files with syntax errors afterwards; `None` if nothing was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unparsable_files: Option<u64>,
}

/// Result of a run of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TaskOutcome {
    /// All tests passed.
    Passed,
    /// A test failed, or the agent ended without finished work.
    Failed,
    /// No result, by no fault of the assistant. Never counts as a failure.
    Missing,
}

impl TaskOutcome {
    /// The name in outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Missing => "missing",
        }
    }
}

/// Quality of the code after a task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quality {
    /// Source lines.
    pub sloc: u64,
    /// Erosion.
    pub erosion: Option<f64>,
    /// Verbosity.
    pub verbosity: Option<f64>,
    /// Complexity mass.
    pub mass: Option<f64>,
    /// Source lines in clones.
    pub clone_lines: Option<u64>,
    /// Security findings that the code before does not have. `None` if that was not measured, or no rule is for the
    /// language.
    #[serde(default)]
    pub new_security: Option<u64>,
}

/// An agent with its version, and the model.
pub(crate) fn agent_title(agent: &str, version: &str, model: &str) -> String {
    let parts = [agent, version].map(str::trim);
    let agent = parts.join(" ");
    match (agent.trim(), model) {
        (agent, "") => agent.to_owned(),
        (agent, model) => format!("{agent} · {model}"),
    }
}

impl ArmDay {
    /// The agent with its version, and the model.
    #[must_use]
    pub fn title(&self) -> String {
        agent_title(&self.agent, &self.agent_version, &self.model)
    }

    /// Runs that have a result, and all runs.
    #[must_use]
    pub fn valid(&self) -> (usize, usize) {
        let valid = |run: &&TaskRun| run.outcome != TaskOutcome::Missing;
        (self.tasks.iter().filter(valid).count(), self.tasks.len())
    }

    /// Cost in US dollars of the runs whose cost is known.
    #[must_use]
    pub fn known_cost(&self) -> f64 {
        let usages = self.tasks.iter().filter_map(|run| run.usage.as_ref());
        let costs = usages.filter_map(|usage| usage.cost_usd);
        costs.filter(|cost| *cost > 0.0).sum()
    }

    /// Cost in US dollars; `None` if any part of it is unknown.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let usages = self.tasks.iter().filter_map(|run| run.usage.as_ref());
        usages.map(|usage| usage.cost_usd).sum()
    }
}
