//! Facts about rules and signals.

use serde::Serialize;
use slope_model::finding::Severity;

/// Where findings of an id come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A rule of a pack: lines that it flags count as verbose.
    Rule,
    /// A signal beyond the published metrics: reported, never in verbosity.
    Signal,
    /// Measuring itself: places that the totals count, such as clones and heavy functions.
    Metric,
}

/// A rule or signal as users read of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleInfo {
    /// Id, kebab case; the same id may be in several languages.
    pub id: String,
    /// Where its findings come from.
    pub origin: Origin,
    /// Ids of the languages that it is for.
    pub languages: Vec<String>,
    /// Category, kebab case.
    pub category: String,
    /// Severity.
    pub severity: Severity,
    /// Whether it is reported unless asked otherwise.
    pub on_by_default: bool,
    /// Ids of the languages that it is reported for also where it is off, of what a change has left
    /// without use.
    pub in_changes: Vec<String>,
    /// The problem, one sentence.
    pub message: String,
    /// Why it is slop, and what to write instead.
    pub note: String,
    /// Code in which it finds something.
    pub bad: Vec<String>,
    /// Code in which it finds nothing.
    pub good: Vec<String>,
    /// Share of its findings that people judged right, 0 to 1; `None` if not judged.
    pub precision: Option<f64>,
}

impl Origin {
    /// Where findings of this origin count, in words.
    pub(crate) fn counts(self) -> &'static str {
        match self {
            Self::Rule => "its lines count as verbose",
            Self::Signal => "reported, outside verbosity",
            Self::Metric => "a place that the totals count",
        }
    }
}
