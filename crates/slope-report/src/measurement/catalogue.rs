//! Facts about rules and signals.

use serde::Serialize;
use slope_model::finding::Severity;

/// Source of findings with an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A rule of a pack: lines that it flags count as verbose.
    Rule,
    /// A signal beyond the published metrics: reported, never in verbosity.
    Signal,
    /// The measurement itself: places that the totals count, such as clones and heavy functions.
    Metric,
}

/// Description of a rule or signal for users.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleInfo {
    /// Id, kebab case; the same id may be in several languages.
    pub id: String,
    /// Source of its findings.
    pub origin: Origin,
    /// Ids of the languages that it is for.
    pub languages: Vec<String>,
    /// Category, kebab case.
    pub category: String,
    /// Severity.
    pub severity: Severity,
    /// Whether it is reported by default.
    pub on_by_default: bool,
    /// Ids of the languages for which it also reports code that a change has left without use,
    /// although it is off by default.
    pub in_changes: Vec<String>,
    /// The problem, in one sentence.
    pub message: String,
    /// The reason that it is slop, and the better alternative.
    pub note: String,
    /// Code with findings.
    pub bad: Vec<String>,
    /// Code without findings.
    pub good: Vec<String>,
    /// Share of its findings that people judged right, 0 to 1; `None` if not judged.
    pub precision: Option<f64>,
}

impl Origin {
    /// Effect of findings of this origin, as text.
    pub(crate) fn counts(self) -> &'static str {
        match self {
            Self::Rule => "its lines count as verbose",
            Self::Signal => "reported, outside verbosity",
            Self::Metric => "a finding that the totals count",
        }
    }
}
