//! Two days of a watched assistant, task by task.

use serde::Serialize;

/// Two days of an arm, paired by task. A task passed if more than half of its runs passed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The earlier day.
    pub from: ComparedDay,
    /// The later day.
    pub to: ComparedDay,
    /// The arm.
    pub arm: String,
    /// Whether the tasks are the same.
    pub same_suite: bool,
    /// Tasks that passed on both days.
    pub both: u64,
    /// Tasks that only passed on the later day.
    pub fixed: u64,
    /// Tasks that only passed on the earlier day.
    pub broke: u64,
    /// Tasks that failed on both days.
    pub neither: u64,
    /// Tasks without a result on one of the days, or with as many passed as failed runs.
    pub unpaired: u64,
    /// Two-sided mid-p of McNemar's test; `None` if no task differs.
    pub mid_p: Option<f64>,
    /// Amounts of a run.
    pub amounts: Vec<ComparedAmount>,
    /// Tasks with another rate, those that fell most first.
    pub tasks: Vec<ComparedTask>,
}

/// A day of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedDay {
    /// The day.
    pub date: String,
    /// The agent with its version, and the model.
    pub agent: String,
    /// Hash of the settings.
    pub settings: String,
    /// Reason that the day does not count.
    pub invalid: Option<String>,
}

/// Mean of an amount of a run, over the tasks that have it on both days.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedAmount {
    /// The amount in words.
    pub title: String,
    /// Its unit; empty for counts.
    pub unit: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Mean on the earlier day.
    pub from: f64,
    /// Mean on the later day.
    pub to: f64,
}

/// A task of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedTask {
    /// The task.
    pub task: String,
    /// Passed runs, and runs with a result, on the earlier day.
    pub from: (u32, u32),
    /// The same on the later day.
    pub to: (u32, u32),
    /// Tests that failed on the later day.
    pub not_passed: Vec<String>,
}
