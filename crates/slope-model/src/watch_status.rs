//! The state of a watch: series, alarms with what explains them, and what could have been seen.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::watch::{Role, agent_title};
use crate::watch_notes::{Acknowledgement, Notes};

/// State of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "WatchState")]
pub enum State {
    /// The baseline is not complete.
    Baseline,
    /// No change.
    Steady,
    /// The scan is high. The next day has more runs.
    Watching,
    /// The scan reached its threshold.
    Suspected,
    /// A stricter threshold, or the e-detector, confirmed the change.
    Confirmed,
    /// An earlier change is over.
    Recovered,
}

impl State {
    /// The name in outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Steady => "steady",
            Self::Watching => "watching",
            Self::Suspected => "suspected",
            Self::Confirmed => "confirmed",
            Self::Recovered => "recovered",
        }
    }

    /// Whether an alarm is open.
    #[must_use]
    pub fn is_alarm(self) -> bool {
        matches!(self, Self::Suspected | Self::Confirmed)
    }
}

/// A series with its state on each day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Monitored {
    /// The arm.
    pub arm: String,
    /// The measure.
    pub measure: String,
    /// The measure in words.
    pub title: String,
    /// Whether values are logarithms, so that a difference is that of a ratio.
    pub is_ratio: bool,
    /// State on the last day.
    pub state: State,
    /// Threshold of the scan.
    pub threshold: f64,
    /// Mean of the baseline; `None` while it is not complete. A logarithm for amounts.
    pub baseline: Option<f64>,
    /// Its standard error.
    pub baseline_se: Option<f64>,
    /// Each day after the baseline.
    pub days: Vec<Watched>,
    /// Alarms, the oldest first.
    pub alarms: Vec<Alarm>,
}

impl Monitored {
    /// Whether what it counts never happened, so that there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let never = |value: f64| value == 0.0;
        !self.is_ratio
            && self.baseline.is_some_and(never)
            && self.days.iter().all(|day| never(day.difference))
    }
}

/// A day of a monitored series.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Watched {
    /// The day.
    pub date: String,
    /// Mean difference from the baseline.
    pub difference: f64,
    /// Its standard error.
    pub se: f64,
    /// Tasks with a result.
    pub tasks: usize,
    /// The scan.
    pub z: f64,
    /// The e-detector; `None` for measures other than the pass rate.
    pub e_detector: Option<f64>,
    /// The state.
    pub state: State,
}

/// A change that was found.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Alarm {
    /// The arm.
    pub arm: String,
    /// The measure.
    pub measure: String,
    /// Whether the value fell.
    pub is_fall: bool,
    /// Day of the alarm.
    pub raised: String,
    /// Day of a confirmation.
    pub confirmed: Option<String>,
    /// Day on which the change began, as it fits best.
    pub began: String,
    /// First and last day on which it may have begun, at 95 %.
    pub began_between: (String, String),
    /// Mean difference since then from all before. A logarithm of the ratio for amounts.
    pub effect: f64,
    /// Standard error of the effect.
    pub effect_se: f64,
    /// Largest value of the scan.
    pub z: f64,
    /// Day from which the change is over.
    pub recovered: Option<String>,
    /// Id of the open alarm whose change this one continues; `None` for a change from the baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deepens: Option<String>,
}

impl Alarm {
    /// The id, which stays the same as days are added: `ARM.MEASURE.RAISED`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}.{}.{}", self.arm, self.measure, self.raised)
    }
}

/// A layer of an assistant, or of what measures it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The model, or the service that answers for it.
    Model,
    /// The agent around the model.
    Harness,
    /// Prompt, effort, tools or limits.
    Settings,
    /// The machine, the sandbox or the tasks, which all arms share.
    Infrastructure,
    /// The evidence is not enough.
    Unattributed,
}

/// Layers in sentences, in their order.
const LAYERS: [&str; 5] = [
    "model or service",
    "harness",
    "settings",
    "infrastructure or tasks",
    "unknown layer",
];

impl Layer {
    /// Its name in sentences.
    #[must_use]
    pub fn title(self) -> &'static str {
        LAYERS[self as usize]
    }
}

/// The layer of an alarm, and why.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Attribution {
    /// The layer.
    pub layer: Layer,
    /// Evidence, one sentence each.
    pub evidence: Vec<String>,
}

/// The state of a watch.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "WatchStatus")]
pub struct Status {
    /// Name and version of this format.
    pub schema: String,
    /// The last day; `None` before the first.
    pub date: Option<String>,
    /// All of it in one or two sentences.
    pub sentence: String,
    /// State of the pass rate, or of another measure with an alarm.
    pub state: State,
    /// Whether results are simulated.
    pub simulated: bool,
    /// Share of quiet years with a false alarm in anything that is watched.
    pub false_alarms_per_year: f64,
    /// Days that count.
    pub valid_days: usize,
    /// Days of the baseline so far.
    pub baseline_days: usize,
    /// Days whose results do not count, and why.
    pub invalid_days: Vec<InvalidDay>,
    /// Days without results between the first and the last.
    pub missing_days: Vec<String>,
    /// Hash of the tasks of the last day that counts.
    pub suite: Option<String>,
    /// The assistants as of their last day, the watched ones first.
    pub arms: Vec<WatchedArm>,
    /// How soon a drop would show; `None` while the baseline is not complete.
    pub sensitivity: Option<Sensitivity>,
    /// Alarms: open ones first, then those of the pass rate, then the newest.
    pub alarms: Vec<AlarmReport>,
    /// Each watched series.
    pub series: Vec<Monitored>,
    /// Dates with results, in order.
    pub dates: Vec<String>,
    /// Results of each task of the first watched arm, those that pass most often first.
    pub tasks: Vec<TaskDays>,
}

impl Status {
    /// Reports of the alarms that are open.
    pub fn open(&self) -> impl Iterator<Item = &AlarmReport> {
        let reports = self.alarms.iter();
        reports.filter(|report| report.alarm.recovered.is_none())
    }

    /// Whether an alarm is open that nobody has acknowledged.
    #[must_use]
    pub fn needs_attention(&self) -> bool {
        self.open().any(|report| report.acknowledged.is_none())
    }

    /// Adds to each alarm the acknowledgement that holds on the day `today`.
    pub fn acknowledge(&mut self, notes: &Notes, today: &str) {
        for report in &mut self.alarms {
            report.acknowledged = notes.on(&report.id, today).cloned();
        }
    }
}

/// Programs of an arm next to the reference solutions, in the tests that both passed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ArmEfficiency {
    /// Runs in which it was measured.
    pub runs: usize,
    /// CPU time of the programs over that of the reference solutions.
    pub cpu: f64,
    /// Sum of the programs' largest memory over that of the reference solutions.
    pub memory: f64,
}

impl ArmEfficiency {
    /// Both ratios in words.
    #[must_use]
    pub fn words(&self) -> String {
        format!(
            "{:.2} times the CPU time and {:.2} times the memory of the reference solutions",
            self.cpu, self.memory
        )
    }
}

/// An assistant as of its last day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedArm {
    /// Name of the arm.
    pub name: String,
    /// Purpose of the arm.
    pub role: Role,
    /// The agent.
    pub agent: String,
    /// Version of the agent.
    pub agent_version: String,
    /// The requested model; empty without one.
    pub model: String,
    /// First day of this agent, version and model without another in between.
    pub since: String,
    /// Last day with results.
    pub last: String,
    /// Efficiency of its programs on that day; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<ArmEfficiency>,
}

impl WatchedArm {
    /// The agent with its version, and the model.
    #[must_use]
    pub fn title(&self) -> String {
        agent_title(&self.agent, &self.agent_version, &self.model)
    }
}

/// Results of a task day by day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TaskDays {
    /// The task.
    pub task: String,
    /// Passed runs and runs with a result on each date of the status.
    pub days: Vec<(u32, u32)>,
}

/// A day whose results do not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InvalidDay {
    /// The day.
    pub date: String,
    /// Reason.
    pub reason: String,
}

/// How soon a drop of the pass rate would show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Sensitivity {
    /// The drop in points.
    pub drop_points: f64,
    /// Days until half of such drops have an alarm; `None` for more than 300.
    pub half: Option<f64>,
    /// Days until nine of ten have one.
    pub nine_of_ten: Option<f64>,
}

/// An alarm with what explains it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AlarmReport {
    /// Id of the alarm: `ARM.MEASURE.RAISED`.
    pub id: String,
    /// The alarm.
    pub alarm: Alarm,
    /// Who has acknowledged it, and why; `null` if nobody has, or only until an earlier day.
    pub acknowledged: Option<Acknowledgement>,
    /// The alarm in a sentence.
    pub sentence: String,
    /// The layer that changed.
    pub attribution: Attribution,
    /// Tasks whose pass rate changed most.
    pub flips: Vec<Flip>,
    /// Effects by language and problem, with intervals that hold together.
    pub slices: Vec<Slice>,
    /// Classes of failures before and since, those that changed most first.
    pub classes: Vec<ClassShift>,
}

/// How often runs failed in one way, before a change and since.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClassShift {
    /// The class, as of `slope failures`.
    pub class: String,
    /// Runs of the class, and all runs with a result, before the change.
    pub before: (u32, u32),
    /// The same since.
    pub since: (u32, u32),
    /// Limits of the interval of the difference of shares, 95 % for all classes together.
    pub interval: (f64, f64),
}

/// A task whose pass rate changed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Flip {
    /// The task.
    pub task: String,
    /// Passed runs and runs before the change.
    pub before: (u32, u32),
    /// The same since.
    pub since: (u32, u32),
    /// Day and number of the last failed run, if it fell.
    pub example: Option<(String, u32)>,
    /// Tests that failed there.
    pub not_passed: Vec<String>,
}

/// Effect on some of the tasks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Slice {
    /// What the tasks share: a language or a problem.
    pub name: String,
    /// Tasks.
    pub tasks: usize,
    /// Difference of the pass rate.
    pub effect: f64,
    /// Limits of the interval, 95 % for all slices together.
    pub interval: (f64, f64),
}
