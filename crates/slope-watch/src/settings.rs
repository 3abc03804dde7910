//! The settings of a watch, `watch.toml`.

mod new;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use slope_bench::plan::{CapPlan, RunOptions, StabilityPlan, UpstreamPlan};
use slope_deliver::Receiver;
use slope_model::run::Start;
use slope_model::sent_watch::{SentArm, SentWatch};
use slope_model::usage::Prices;
use slope_model::watch::Role;
use slope_suite::track::TrackName;

use crate::Error;
use crate::monitor::Limits;

pub use new::{new_settings, spread};

/// Name of the file.
pub const FILE: &str = "watch.toml";

/// Names of the controls, which no arm may have.
const CONTROLS: [&str; 2] = ["oracle", "empty"];

/// Largest number of runs of a task on a day.
const MOST_RUNS: u32 = 100;

/// A task: a checkpoint that extends the reference solution of the one before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task {
    /// Language.
    pub track: TrackName,
    /// Name of the problem.
    pub problem: String,
    /// Name of the checkpoint.
    pub checkpoint: String,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.track, self.problem, self.checkpoint)
    }
}

impl FromStr for Task {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = Vec::from_iter(text.split('/'));
        let [track, problem, checkpoint] = parts[..] else {
            return Err(format!(
                "{text:?} is not a task\nhelp: write TRACK/PROBLEM/CHECKPOINT, for example \
                 \"python/herbarium-vault/checkpoint_2\""
            ));
        };
        let is_plain = |name: &str| !name.is_empty() && name != "." && name != "..";
        if !is_plain(problem) || !is_plain(checkpoint) {
            return Err(format!(
                "{text:?} is not a task\nhelp: name a problem and a checkpoint"
            ));
        }
        Ok(Self {
            track: track
                .parse::<TrackName>()
                .map_err(|why| format!("{text:?}: {why}"))?,
            problem: problem.to_owned(),
            checkpoint: checkpoint.to_owned(),
        })
    }
}

/// Settings of a watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The tasks, as `TRACK/PROBLEM/CHECKPOINT`. Other tasks begin a new baseline.
    pub tasks: Vec<String>,
    /// Folders of problems that do not ship with slope.
    #[serde(default)]
    pub problems: Vec<PathBuf>,
    /// The days before any alarm.
    #[serde(default)]
    pub baseline: BaselineSettings,
    /// Alarms.
    #[serde(default)]
    pub alarms: AlarmSettings,
    /// Amounts that are not exceeded.
    #[serde(default)]
    pub budget: BudgetSettings,
    /// Receivers of messages about alarms, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deliver: BTreeMap<String, Receiver>,
    /// Assistants by name.
    pub arms: BTreeMap<String, ArmSettings>,
}

/// The days before any alarm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct BaselineSettings {
    /// Valid days.
    pub days: usize,
    /// Runs of each task on each of them.
    pub replicates: u32,
}

impl Default for BaselineSettings {
    fn default() -> Self {
        Self {
            days: 15,
            replicates: 2,
        }
    }
}

/// Alarms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct AlarmSettings {
    /// Share of quiet years with a false alarm in anything that is watched.
    pub false_alarms_per_year: f64,
    /// Runs of each task on the day after a high scan.
    pub replicates: u32,
}

impl Default for AlarmSettings {
    fn default() -> Self {
        Self {
            false_alarms_per_year: 0.1,
            replicates: 4,
        }
    }
}

/// Amounts that are not exceeded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct BudgetSettings {
    /// US dollars of each arm on a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arm_day_usd: Option<f64>,
    /// US dollars of all arms in a calendar month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month_usd: Option<f64>,
}

/// An assistant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ArmSettings {
    /// Purpose.
    pub role: Role,
    /// Agent, as of `slope run --agent`.
    pub agent: String,
    /// Settings of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_config: Option<PathBuf>,
    /// Model to request.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Reasoning effort.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<slope_bench::plan::Effort>,
    /// Address of the model's server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream: Option<String>,
    /// Environment variable with its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// A scripted model in place of a server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<PathBuf>,
    /// Prompt: a name or a template file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Prices per million tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// Time limit of a task in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<u64>,
    /// Cap of a task in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_usd: Option<f64>,
    /// Number of tasks, of the first in the list; all by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tasks: Option<usize>,
}

impl Settings {
    /// Reads the settings in a folder. Relative paths in them start there.
    ///
    /// # Errors
    /// If there are none, or they are invalid.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoWatch(folder.to_owned()));
            }
            Err(source) => return Err(Error::Folder { path, source }),
        };
        let invalid = |message: String| Error::Settings {
            path: path.clone(),
            message,
        };
        let settings: Self = toml::from_str(&text).map_err(|e| {
            invalid(slope_model::data_words::with_remedy(
                e.to_string().trim_end(),
            ))
        })?;
        settings.check().map_err(invalid)?;
        Ok(settings.below(folder))
    }

    /// The tasks.
    ///
    /// # Errors
    /// If one is malformed.
    pub fn tasks(&self) -> Result<Vec<Task>, String> {
        self.tasks.iter().map(|task| task.parse()).collect()
    }

    /// Settings of the monitors.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            baseline_days: self.baseline.days,
            false_alarms_per_year: self.alarms.false_alarms_per_year,
        }
    }

    /// What a server needs of them: no keys, addresses or prompts.
    #[must_use]
    pub fn sent(&self) -> SentWatch {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let arm = |arm: &ArmSettings| SentArm {
            role: arm.role,
            agent: arm.agent.clone(),
            model: arm.model.clone(),
            effort: arm.effort.map(|effort| effort.name().to_owned()),
            tasks: arm.tasks.map(count),
        };
        SentWatch {
            schema: slope_model::schema::SENT_WATCH.to_owned(),
            baseline_days: count(self.baseline.days),
            baseline_replicates: self.baseline.replicates,
            alarm_replicates: self.alarms.replicates,
            false_alarms_per_year: self.alarms.false_alarms_per_year,
            tasks: count(self.tasks.len()),
            arms: self
                .arms
                .iter()
                .map(|(name, settings)| (name.clone(), arm(settings)))
                .collect(),
        }
    }

    fn check(&self) -> Result<(), String> {
        let tasks = self.tasks()?;
        let mut sorted = tasks.clone();
        sorted.sort();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!(
                "tasks: {} is there twice\nhelp: remove one",
                pair[0]
            ));
        }
        if tasks.is_empty() {
            return Err("tasks: there are none\nhelp: list at least one task".to_owned());
        }
        if self.baseline.days < 2 || self.baseline.replicates == 0 || self.alarms.replicates == 0 {
            return Err("baseline.days must be at least 2, and replicates at least 1".to_owned());
        }
        if self.baseline.replicates > MOST_RUNS || self.alarms.replicates > MOST_RUNS {
            return Err(format!("replicates must be at most {MOST_RUNS}"));
        }
        let budgets = [self.budget.arm_day_usd, self.budget.month_usd];
        if budgets
            .into_iter()
            .flatten()
            .any(|usd| !(usd.is_finite() && usd > 0.0))
        {
            return Err("budget: an amount must be a number above 0".to_owned());
        }
        let rate = self.alarms.false_alarms_per_year;
        if !(0.001..=0.5).contains(&rate) {
            return Err(format!(
                "alarms.false-alarms-per-year is {rate}\nhelp: choose a share of years from 0.001 to 0.5"
            ));
        }
        if !self.arms.values().any(|arm| arm.role == Role::Target) {
            return Err(
                "arms: none has the role target\nhelp: add [arms.main] with an agent".to_owned(),
            );
        }
        for (name, receiver) in &self.deliver {
            check_name("deliver", name)?;
            receiver
                .check()
                .map_err(|fault| format!("deliver.{name}: {fault}"))?;
        }
        self.arms
            .iter()
            .try_for_each(|(name, arm)| check_arm(name, arm))
    }

    /// The settings with relative paths below `folder`.
    fn below(mut self, folder: &Path) -> Self {
        let absolute = |path: &mut PathBuf| *path = folder.join(&*path);
        self.problems.iter_mut().for_each(absolute);
        for arm in self.arms.values_mut() {
            arm.agent_config.iter_mut().for_each(absolute);
            arm.script.iter_mut().for_each(absolute);
        }
        self
    }
}

fn check_name(kind: &str, name: &str) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 40 || !name.chars().all(is_plain) {
        return Err(format!(
            "{kind}.{name}: not a name\nhelp: use at most 40 small letters, digits and hyphens"
        ));
    }
    Ok(())
}

fn check_arm(name: &str, arm: &ArmSettings) -> Result<(), String> {
    check_name("arms", name)?;
    if arm.role.is_control() || CONTROLS.contains(&name) {
        return Err(format!(
            "arms.{name}: the controls run every day by themselves\nhelp: remove this arm"
        ));
    }
    if arm.agent.is_empty() {
        return Err(format!(
            "arms.{name}: agent is missing\nhelp: add agent = \"NAME\""
        ));
    }
    if arm.tasks == Some(0) || arm.timeout == Some(0) {
        return Err(format!("arms.{name}: tasks and timeout must be above 0"));
    }
    if arm
        .max_usd
        .is_some_and(|usd| !(usd.is_finite() && usd > 0.0))
    {
        return Err(format!("arms.{name}: max-usd must be a number above 0"));
    }
    if arm.script.is_some() && arm.upstream.is_some() {
        return Err(format!(
            "arms.{name}: has a script and an upstream\nhelp: keep one of them"
        ));
    }
    Ok(())
}

impl ArmSettings {
    /// The control of this role.
    #[must_use]
    pub fn control(role: Role) -> Self {
        let agent = if role == Role::Oracle {
            "oracle"
        } else {
            "nop"
        };
        Self {
            role,
            agent: agent.to_owned(),
            ..Self::default()
        }
    }

    /// The options of a run of some tasks, all of one track, with `replicates` runs of each.
    #[must_use]
    pub fn options(&self, tasks: &[&Task], replicates: u32, budget: &BudgetSettings) -> RunOptions {
        let mut steps: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for task in tasks {
            steps
                .entry(task.problem.clone())
                .or_default()
                .push(task.checkpoint.clone());
        }
        let defaults = RunOptions::default();
        RunOptions {
            agent: self.agent.clone(),
            agent_config: self.agent_config.clone(),
            model: self.model.clone(),
            effort: self.effort,
            upstream: match (&self.script, &self.upstream) {
                (Some(script), _) => UpstreamPlan::Script(script.clone()),
                (None, Some(base_url)) => UpstreamPlan::Http {
                    base_url: base_url.clone(),
                    key_env: self.key_env.clone(),
                },
                (None, None) => UpstreamPlan::None,
            },
            prompt: self.prompt.clone().unwrap_or(defaults.prompt.clone()),
            prices: self.prices,
            timeout_s: self.timeout.unwrap_or(defaults.timeout_s),
            caps: CapPlan {
                usd: self.max_usd,
                ..CapPlan::default()
            },
            run_caps: CapPlan {
                usd: budget.arm_day_usd,
                ..CapPlan::default()
            },
            label: self.agent.clone(),
            track: tasks.first().map(|task| task.track).unwrap_or_default(),
            // Nobody asks which tests of an empty answer are unstable.
            stability: match self.role {
                Role::Empty => StabilityPlan::Off,
                _ => StabilityPlan::default(),
            },
            start: Start::Reference,
            steps,
            trials: replicates,
            ..defaults
        }
    }
}
