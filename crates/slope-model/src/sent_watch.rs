//! A watch as it is sent to a server: what its monitors need, and its days.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::numbers;
use crate::schema;
use crate::series::check_name;
use crate::watch::{ArmDay, Requests, Role, WatchDay};
use crate::watch_notes::{Note, is_day};

/// Largest number of days of a baseline.
const MOST_DAYS: u32 = 1000;
/// Largest number of runs of a task on a day.
const MOST_RUNS: u32 = 100;
/// Largest number of arms, and of tasks.
const MOST_ARMS: usize = 50;
const MOST_TASKS: u32 = 100_000;
/// Largest number of runs of tasks on a day.
const MOST_RUNS_OF_DAY: usize = 20_000;
/// Longest name of an arm, which is a part of the ids of alarms.
const LONGEST_ARM: usize = 40;
/// Longest text, in characters.
const LONGEST: usize = 10_000;

/// What a server needs of a watch's settings. Keys, addresses and prompts stay where the watch runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentWatch {
    /// [`schema::SENT_WATCH`].
    pub schema: String,
    /// Valid days before any alarm.
    #[schemars(range(min = 2, max = 1000))]
    pub baseline_days: u32,
    /// Runs of each task on each of them.
    #[schemars(range(min = 1, max = 100))]
    pub baseline_replicates: u32,
    /// Runs of each task on the day after a high scan.
    #[schemars(range(min = 1, max = 100))]
    pub alarm_replicates: u32,
    /// Share of quiet years with a false alarm in anything that is watched.
    #[schemars(range(min = 0.001, max = 0.5))]
    pub false_alarms_per_year: f64,
    /// Number of tasks.
    #[schemars(range(max = 100000))]
    pub tasks: u32,
    /// The assistants by name.
    #[schemars(length(max = 50))]
    pub arms: BTreeMap<String, SentArm>,
}

/// An assistant of a watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SentArm {
    /// Purpose.
    pub role: Role,
    /// The agent.
    pub agent: String,
    /// The requested model; empty without one.
    #[serde(default)]
    pub model: String,
    /// Reasoning effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<String>,
    /// Number of tasks, of the first in the list; all by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<u32>,
}

/// A server's answer to a watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchKept {
    /// Whether the settings differ from those that the server had.
    pub is_new: bool,
    /// The days that the server has, in order.
    pub days: Vec<KnownDay>,
    /// The notes that the server has, by the id of their alarm.
    pub notes: BTreeMap<String, Note>,
}

/// A day that a server has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnownDay {
    /// The day.
    pub date: String,
    /// BLAKE3 of its results as JSON without spaces.
    pub digest: String,
}

impl SentWatch {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        if self.schema != schema::SENT_WATCH {
            return Err(format!("schema: it is not {}", schema::SENT_WATCH));
        }
        let within = [
            ("baseline_days", self.baseline_days, 2..=MOST_DAYS),
            (
                "baseline_replicates",
                self.baseline_replicates,
                1..=MOST_RUNS,
            ),
            ("alarm_replicates", self.alarm_replicates, 1..=MOST_RUNS),
            ("tasks", self.tasks, 0..=MOST_TASKS),
        ];
        for (field, value, range) in within {
            if !range.contains(&value) {
                let (least, most) = (range.start(), range.end());
                return Err(format!("{field}: {value} is not from {least} to {most}"));
            }
        }
        if !(0.001..=0.5).contains(&self.false_alarms_per_year) {
            return Err("false_alarms_per_year: it is not from 0.001 to 0.5".to_owned());
        }
        if self.arms.len() > MOST_ARMS {
            return Err(format!("arms: use at most {MOST_ARMS}"));
        }
        for (name, arm) in &self.arms {
            check_arm_name("arms", name)?;
            let effort = arm.effort.as_deref().unwrap_or_default();
            for (field, text) in [
                ("agent", arm.agent.as_str()),
                ("model", &arm.model),
                ("effort", effort),
            ] {
                check_text(&format!("arms.{name}.{field}"), text)?;
            }
        }
        Ok(())
    }
}

/// Checks the name of a watch on a server: a name as those of projects.
///
/// # Errors
/// The fault, as text.
pub fn check_watch_name(name: &str) -> Result<(), String> {
    check_name(name)
}

fn check_arm_name(field: &str, name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins_well && name.len() <= LONGEST_ARM && name.chars().all(is_plain) {
        return Ok(());
    }
    let start: String = name.chars().take(LONGEST_ARM).collect();
    Err(format!(
        "{field}: `{start}` is not a name of an arm: use at most {LONGEST_ARM} letters, digits and hyphens"
    ))
}

fn check_text(field: &str, text: &str) -> Result<(), String> {
    if text.chars().count() > LONGEST {
        return Err(format!("{field}: use at most {LONGEST} characters"));
    }
    Ok(())
}

impl WatchDay {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        if self.schema != schema::WATCH_DAY {
            return Err(format!("schema: it is not {}", schema::WATCH_DAY));
        }
        if !is_day(&self.date) {
            return Err("date: it is not a day such as 2026-11-30".to_owned());
        }
        check_text("suite", &self.suite)?;
        check_text("invalid", self.invalid.as_deref().unwrap_or_default())?;
        if self.arms.len() > MOST_ARMS {
            return Err(format!("arms: use at most {MOST_ARMS}"));
        }
        let runs: usize = self.arms.values().map(|arm| arm.tasks.len()).sum();
        if runs > MOST_RUNS_OF_DAY {
            return Err(format!(
                "arms: {runs} runs of tasks are more than {MOST_RUNS_OF_DAY}"
            ));
        }
        for (name, arm) in &self.arms {
            check_arm_name("arms", name)?;
            arm.check(&format!("arms.{name}"))?;
        }
        Ok(())
    }
}

impl Requests {
    fn check(&self, field: &str) -> Result<(), String> {
        let hashes = [&self.system, &self.tools, &self.parameters];
        let texts = hashes.into_iter().flatten().chain(&self.served);
        for text in texts {
            check_text(field, text)?;
        }
        Ok(())
    }
}

impl ArmDay {
    fn check(&self, field: &str) -> Result<(), String> {
        let tools = self.tools.as_deref().unwrap_or_default();
        let texts = [
            ("agent", self.agent.as_str()),
            ("agent_version", &self.agent_version),
            ("model", &self.model),
            ("settings", &self.settings),
            ("tools", tools),
        ];
        for (name, text) in texts {
            check_text(&format!("{field}.{name}"), text)?;
        }
        if let Some(requests) = &self.requests {
            requests.check(&format!("{field}.requests"))?;
        }
        numbers::check(&format!("{field}.tasks"), &self.tasks, false)?;
        let mut known = BTreeSet::new();
        for (at, run) in self.tasks.iter().enumerate() {
            let field = format!("{field}.tasks[{at}]");
            if !known.insert((&run.task, run.trial)) {
                return Err(format!("{field}: the run is there twice"));
            }
            check_text(&format!("{field}.task"), &run.task)?;
            check_text(
                &format!("{field}.reason"),
                run.reason.as_deref().unwrap_or_default(),
            )?;
            for test in &run.not_passed {
                check_text(&format!("{field}.not_passed"), test)?;
            }
            if run.passed_share.is_some_and(|share| share > 1.0) {
                return Err(format!("{field}.passed_share: it is above 1"));
            }
        }
        Ok(())
    }
}
