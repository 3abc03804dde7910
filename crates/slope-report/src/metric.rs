//! Metrics of a trajectory, and the value of each at a checkpoint.

use std::ops::Deref;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use slope_model::measurement::Totals;
use slope_model::metrics::{self, Source};
use slope_model::run::CheckpointReport;

use crate::format::{Kind, capitalised};

/// A quantity that has a value at each checkpoint and a slope along a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric(&'static metrics::Metric);

/// A value, or the reason that it is missing.
pub(crate) type Value = Result<f64, String>;

/// The metrics that code of this crate and its tests names.
impl Metric {
    /// [`metrics::EROSION`].
    pub const EROSION: Self = Self(&metrics::EROSION);
    /// [`metrics::VERBOSITY`].
    pub const VERBOSITY: Self = Self(&metrics::VERBOSITY);
    /// [`metrics::MASS`].
    pub const MASS: Self = Self(&metrics::MASS);
    /// [`metrics::CLONE_LINES`].
    pub const CLONE_LINES: Self = Self(&metrics::CLONE_LINES);
    /// [`metrics::HIGH_COMPLEXITY_CALLABLES`].
    pub const HIGH_COMPLEXITY_CALLABLES: Self = Self(&metrics::HIGH_COMPLEXITY_CALLABLES);
    /// [`metrics::MAX_COMPLEXITY`].
    pub const MAX_COMPLEXITY: Self = Self(&metrics::MAX_COMPLEXITY);
    /// [`metrics::SLOC`].
    pub const SLOC: Self = Self(&metrics::SLOC);
    /// [`metrics::COST`].
    pub const COST: Self = Self(&metrics::COST);
    /// [`metrics::TOKENS`].
    pub const TOKENS: Self = Self(&metrics::TOKENS);
    /// [`metrics::AGENT_TIME`].
    pub const AGENT_TIME: Self = Self(&metrics::AGENT_TIME);
}

impl Metric {
    /// All metrics of reports, in print order.
    pub fn all() -> impl Iterator<Item = Self> {
        metrics::REPORT.iter().map(|metric| Self(metric))
    }

    /// The name used in JSON.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.0.column()
    }

    /// The title with a capital letter.
    #[must_use]
    pub fn title(self) -> String {
        capitalised(self.0.title)
    }

    /// The unit, as shown in headers; empty for plain numbers.
    #[must_use]
    pub fn unit(self) -> &'static str {
        self.0.unit_after(self.0.title)
    }

    /// Definition in one sentence.
    #[must_use]
    pub fn definition(self) -> &'static str {
        self.0.definition()
    }

    pub(crate) fn kind(self) -> Kind {
        self.0.kind
    }

    /// Whether it measures an attempt's effort, rather than the quality of its code.
    pub(crate) fn is_effort(self) -> bool {
        matches!(self.0.source, Source::Usage { .. } | Source::Checkpoint(_))
    }

    /// Whether it comes from the usage that the model reports.
    pub(crate) fn is_usage(self) -> bool {
        matches!(self.0.source, Source::Usage { .. })
    }

    /// The head of its column in a table with a dozen columns: a short title and the text below it.
    pub(crate) fn head(self) -> (&'static str, &'static str) {
        let (title, short, unit) = (self.0.title, self.0.short(), self.0.unit);
        let two_words = short.split_once(' ');
        let of_title = || title.split_once(' ').filter(|(_, end)| *end == unit);
        let of_unit = || (short, self.0.unit_after(short));
        two_words.or_else(of_title).unwrap_or_else(of_unit)
    }

    /// The value at `checkpoint`, or the reason that it is missing.
    pub(crate) fn value(self, checkpoint: &CheckpointReport) -> Value {
        let no_attempt = || absent(checkpoint, "no attempt was recorded");
        let value = match self.0.source {
            Source::Usage { value, missing } => {
                let usage = checkpoint.usage.as_ref().ok_or_else(no_attempt)?;
                value(usage).ok_or_else(|| missing.to_owned())
            }
            Source::Checkpoint(value) => value(checkpoint).ok_or_else(no_attempt),
            Source::Field { .. } | Source::Totals(_) | Source::Findings(_) => {
                let not_measured = || absent(checkpoint, "nothing was measured");
                self.of_totals(checkpoint.totals.as_ref().ok_or_else(not_measured)?)
            }
        }?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(format!("{} is not a finite number", self.key()))
        }
    }

    fn of_totals(self, totals: &Totals) -> Value {
        if let Some(reason) = self.0.missing_in(totals) {
            return Err(reason.to_owned());
        }
        // If no file of a snapshot could be read, or its complexity is missing, a 0 is meaningless
        // and must not be printed.
        let none_read = totals.files == 0 && totals.unmeasured_files > 0;
        let is_plain = matches!(self.0.source, Source::Field { is_plain: true, .. });
        let needed = self.0.needs.map(|needed| needed.of_totals(totals));
        let is_known = !(is_plain && none_read) && needed.is_none_or(|value| value.is_some());
        let value = self.0.of_totals(totals).filter(|_| is_known);
        value.ok_or_else(|| {
            let reason = if none_read {
                "no file could be measured"
            } else {
                "not measured"
            };
            reason.to_owned()
        })
    }
}

impl Deref for Metric {
    type Target = metrics::Metric;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let key = String::deserialize(deserializer)?;
        let found = Self::all().find(|metric| metric.key() == key);
        found.ok_or_else(|| serde::de::Error::custom(format!("unknown metric `{key}`")))
    }
}

/// Reason that a checkpoint lacks a value: its own reason if it has one, else `otherwise`.
fn absent(checkpoint: &CheckpointReport, otherwise: &str) -> String {
    match &checkpoint.reason {
        Some(reason) => format!("{}: {reason}", checkpoint.state.name()),
        None => format!("{}: {otherwise}", checkpoint.state.name()),
    }
}
