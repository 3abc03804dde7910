//! Assessments: scores of code from 0 to 10, and the issues behind them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::calibration::CalibrationNote;
use crate::usage::Usage;

/// Scores of a code base, and its issues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// Name and version of this format: `slope.assessment/1`.
    pub schema: String,
    /// What judged.
    pub judge: JudgeKind,
    /// The judged code: a path, or a revision.
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
    /// Files that are not part of the scores, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Unjudged>,
    /// Issues, those with the largest effect first.
    pub issues: Vec<Issue>,
    /// Number of issues beyond those listed.
    pub more_issues: u64,
    /// Version of slope and of its definitions.
    pub engine: String,
    /// How a model judged. Absent if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelDetails>,
}

/// How a model judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelDetails {
    /// The requested model.
    pub model: String,
    /// The model that answered, as the server says.
    pub served: Option<String>,
    /// Name and version of the rubric.
    pub rubric: String,
    /// Hash of the rubric.
    pub rubric_hash: String,
    /// How well the model with this rubric judges code whose quality is known; `null` if nobody tried
    /// (`slope judge calibrate`).
    pub calibration: Option<CalibrationNote>,
    /// Judgements of the same code. A score is their median.
    pub repeats: u32,
    /// The lowest and the highest judgement of each score, over all repeats and forms of the code.
    pub ranges: BTreeMap<String, ScoreRange>,
    /// Scores of the code with its comments, long texts and long names. The scores themselves are without, so that text in
    /// the code cannot move them.
    pub as_written: Scores,
    /// Scores of the code without comments and with other names of local variables.
    pub as_renamed: Scores,
    /// The static scores of the same code.
    pub static_scores: Scores,
    /// Each score against the line that was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub positions: BTreeMap<String, Position>,
    /// Scores of two fixed files. If they move, the judge has changed.
    pub anchors: Anchors,
    /// Requests that were sent.
    pub requests: u32,
    /// Answers that were known from earlier.
    pub from_cache: u32,
    /// Answers that the model had to correct.
    pub repairs: u32,
    /// Issues of the model without a real place or criterion.
    pub dropped_issues: u32,
    /// Issues of earlier judgements whose lines are as they were.
    pub carried_issues: u32,
    /// Files without a judgement.
    pub unjudged: Vec<Unjudged>,
    /// Files whose comments and texts could not be removed, so that their text can move their scores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_plain: Vec<String>,
    /// Files whose local variables could not be renamed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_renamed: Vec<String>,
    /// What the gateway counted.
    pub usage: Option<Usage>,
}

/// The lowest and the highest of several judgements.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScoreRange {
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

/// A score against a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Position {
    /// All judgements are at least the line.
    Above,
    /// All judgements are below it.
    Below,
    /// Judgements differ.
    Undecided,
}

impl Position {
    /// The position of a range.
    #[must_use]
    pub fn of(range: &ScoreRange, line: f64) -> Self {
        match (range.low >= line, range.high >= line) {
            (true, _) => Self::Above,
            (_, false) => Self::Below,
            _ => Self::Undecided,
        }
    }
}

/// Scores of two fixed files; `null` if the model gave none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Anchors {
    /// Tidy code.
    pub tidy: Option<Scores>,
    /// The same program in sloppy code.
    pub sloppy: Option<Scores>,
}

/// A file without a judgement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unjudged {
    /// Path.
    pub path: String,
    /// The reason.
    pub reason: String,
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

    /// A score as it is printed: with one decimal.
    #[must_use]
    pub fn rounded(score: f64) -> f64 {
        (score * 10.0).round() / 10.0
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
    /// The problem, in one sentence.
    pub message: String,
    /// Size in the unit of its score: lines for verbosity, complexity mass for erosion, change points for
    /// extensibility. `null` if a model judged.
    pub weight: Option<f64>,
    /// Judgements of changed code since a model reported it last: its lines are as they were. Absent if the judgement
    /// reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<u32>,
}

/// Assessments of the checkpoints of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunAssessment {
    /// Name and version of this format: `slope.run-assessment/1`.
    pub schema: String,
    /// The run's folder.
    pub run: String,
    /// Its trials.
    pub trials: Vec<TrialAssessment>,
    /// What the gateway counted, if a model judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// Assessments of the checkpoints of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialAssessment {
    /// The problem.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// The checkpoints, in order.
    pub checkpoints: Vec<CheckpointAssessment>,
}

/// The assessment of the code after a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckpointAssessment {
    /// Name of the checkpoint.
    pub checkpoint: String,
    /// The assessment; `null` if the code could not be judged.
    pub assessment: Option<Assessment>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
