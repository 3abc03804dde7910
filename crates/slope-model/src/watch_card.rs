//! What lists need of a watch.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::watch::Role;
use crate::watch_notes::{Acknowledgement, Notes};
use crate::watch_status::{AlarmReport, Layer, State, Status, WatchedArm};

/// What lists need of a watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WatchCard {
    /// State of the watch.
    pub state: State,
    /// The state in one or two sentences.
    pub sentence: String,
    /// The last day; `null` before the first.
    pub date: Option<String>,
    /// Whether results are simulated.
    pub simulated: bool,
    /// The watched assistants as of their last day.
    pub arms: Vec<WatchedArm>,
    /// The open alarms, those of the pass rate first.
    pub open: Vec<OpenAlarm>,
}

/// An open alarm in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenAlarm {
    /// Id of the alarm.
    pub id: String,
    /// The alarm in a sentence.
    pub sentence: String,
    /// Day of the alarm.
    pub raised: String,
    /// Whether the change is confirmed.
    pub is_confirmed: bool,
    /// The layer that changed.
    pub layer: Layer,
    /// Who has acknowledged it, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledged: Option<Acknowledgement>,
}

impl From<&AlarmReport> for OpenAlarm {
    fn from(report: &AlarmReport) -> Self {
        Self {
            id: report.id.clone(),
            sentence: report.sentence.clone(),
            raised: report.alarm.raised.clone(),
            is_confirmed: report.alarm.confirmed.is_some(),
            layer: report.attribution.layer,
            acknowledged: report.acknowledged.clone(),
        }
    }
}

impl From<&Status> for WatchCard {
    fn from(status: &Status) -> Self {
        let is_watched = |arm: &&WatchedArm| arm.role == Role::Target;
        Self {
            state: status.state,
            sentence: status.sentence.clone(),
            date: status.date.clone(),
            simulated: status.simulated,
            arms: status.arms.iter().filter(is_watched).cloned().collect(),
            open: status.open().map(OpenAlarm::from).collect(),
        }
    }
}

impl WatchCard {
    /// Adds to each alarm the acknowledgement that holds on the day `today`.
    pub fn acknowledge(&mut self, notes: &Notes, today: &str) {
        for alarm in &mut self.open {
            alarm.acknowledged = notes.on(&alarm.id, today).cloned();
        }
    }

    /// Whether an alarm is open that nobody has acknowledged.
    #[must_use]
    pub fn needs_attention(&self) -> bool {
        self.open.iter().any(|alarm| alarm.acknowledged.is_none())
    }
}
