//! Assessments: scores of code from 0 to 10, and the issues behind them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Scores of a code base, and its issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// Name and version of this format: `slope.assessment/1`.
    pub schema: String,
    /// What judged.
    pub judge: JudgeKind,
    /// What was judged: a path, or a revision.
    pub target: String,
    /// The scores.
    pub scores: Scores,
    /// Reasons for scores that are `null`, by score.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, String>,
    /// The scores of the base, if a change was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Scores>,
    /// The measures behind the scores, the language with the most code first.
    pub languages: Vec<LanguageScores>,
    /// Issues, those with the largest effect first.
    pub issues: Vec<Issue>,
    /// Number of issues beyond those listed.
    pub more_issues: u64,
    /// Version of slope and of its definitions.
    pub engine: String,
}

/// What judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JudgeKind {
    /// slope's measures, without a model. The same code has the same scores.
    Static,
    /// A language model.
    Model,
}

/// Scores from 0 to 10. In each, 10 is best.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// 10 for code without needless and repeated lines.
    pub verbosity: Option<f64>,
    /// 10 for code whose complexity is low and spread over small functions.
    pub erosion: Option<f64>,
    /// 10 for code where a next change touches few places.
    pub extensibility: Option<f64>,
}

/// The measures of one language, or of several that count together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LanguageScores {
    /// Ids of the languages.
    pub languages: Vec<String>,
    /// Source lines of production code.
    pub sloc: u64,
    /// The scores of this code alone.
    pub scores: Scores,
    /// Reasons for scores that are `null`, by score.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, String>,
    /// Share of source lines that are flagged or in clones, 0 to 1.
    pub verbosity: Option<f64>,
    /// Share of complexity mass in highly complex functions, 0 to 1.
    pub erosion: Option<f64>,
    /// Complexity mass per thousand lines.
    pub mass_per_kloc: Option<f64>,
    /// Change points per thousand source lines.
    pub change_points_per_kloc: Option<f64>,
    /// Name of the human code bases that the scores compare with; `null` if there are none.
    pub panel: Option<String>,
}

/// A score that an issue lowers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ScoreName {
    /// Verbosity.
    Verbosity,
    /// Erosion.
    Erosion,
    /// Extensibility.
    Extensibility,
}

impl ScoreName {
    /// All scores, in the order of output.
    pub const ALL: [Self; 3] = [Self::Verbosity, Self::Erosion, Self::Extensibility];

    /// The name in every output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Verbosity => "verbosity",
            Self::Erosion => "erosion",
            Self::Extensibility => "extensibility",
        }
    }
}

impl Scores {
    /// The score of a name.
    #[must_use]
    pub fn get(&self, name: ScoreName) -> Option<f64> {
        match name {
            ScoreName::Verbosity => self.verbosity,
            ScoreName::Erosion => self.erosion,
            ScoreName::Extensibility => self.extensibility,
        }
    }

    /// Scores by a function of their names.
    #[must_use]
    pub fn of(value: impl Fn(ScoreName) -> Option<f64>) -> Self {
        Self {
            verbosity: value(ScoreName::Verbosity),
            erosion: value(ScoreName::Erosion),
            extensibility: value(ScoreName::Extensibility),
        }
    }
}

/// A place that lowers a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Issue {
    /// The score that it lowers.
    pub score: ScoreName,
    /// Id of the rule, signal, measure or criterion.
    pub id: String,
    /// Path.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// What is wrong.
    pub message: String,
    /// Size in the unit of its score: lines for verbosity, complexity mass for erosion, change points for
    /// extensibility. `null` if a model judged.
    pub weight: Option<f64>,
}
