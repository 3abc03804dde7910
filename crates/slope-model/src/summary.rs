//! Summaries of points: what lists and charts need.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assessment::{JudgeKind, LanguageScores, ScoreName};
use crate::measurement::Part;
use crate::metrics::{
    CALLABLES, CLONE_LINES, EROSION, FLAGGED_LINES, HIGH_COMPLEXITY_MASS, MASS, Metric, SLOC,
    VERBOSITY,
};
use crate::series::{Author, Origin, Point, PointCommit};

/// Metrics whose values a summary has.
const SUMMARISED: [&Metric; 8] = [
    &MASS,
    &HIGH_COMPLEXITY_MASS,
    &EROSION,
    &VERBOSITY,
    &CLONE_LINES,
    &FLAGGED_LINES,
    &SLOC,
    &CALLABLES,
];

/// What lists and charts need of a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Key in its series.
    pub key: String,
    /// Time of the code, in UTC.
    pub time: String,
    /// Number of the iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// The commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<PointCommit>,
    /// Who or what wrote the code.
    #[serde(default, skip_serializing_if = "Author::is_unknown")]
    pub author: Author,
    /// How the point was made.
    pub origin: Origin,
    /// Hash of the definitions behind the values.
    pub definitions: String,
    /// Values of production code by metric, and scores by name: `score.verbosity` of the static judge,
    /// `model.verbosity` of a model. `human-go-2022-10.erosion` is a value as that panel of human code was measured. What
    /// is missing is not there.
    pub values: BTreeMap<String, f64>,
}

impl Summary {
    /// The summary of a point.
    #[must_use]
    pub fn of(point: &Point) -> Self {
        let is_parted = point.parts.contains_key(&Part::Product);
        let part = is_parted.then_some(Part::Product);
        let mut values = BTreeMap::new();
        for metric in SUMMARISED {
            if let Some(value) = point.value(metric, part) {
                values.insert(metric.id.to_owned(), value);
            }
        }
        for (kind, prefix) in [(JudgeKind::Static, "score"), (JudgeKind::Model, "model")] {
            for name in ScoreName::ALL {
                if let Some(score) = point.scores_of(kind).and_then(|scores| scores.get(name)) {
                    values.insert(format!("{prefix}.{}", name.name()), score);
                }
            }
        }
        for language in measured_languages(point) {
            let Some(panel) = &language.panel else {
                continue;
            };
            for (metric, value) in [
                (&EROSION, language.erosion),
                (&VERBOSITY, language.verbosity),
            ] {
                values.extend(value.map(|value| (panel_value(panel, metric), value)));
            }
        }
        Self {
            key: point.key().to_string(),
            time: point.time.clone(),
            iteration: point.iteration,
            commit: point.commit.clone(),
            author: point.author.clone(),
            origin: point.origin,
            definitions: point.definitions.clone(),
            values,
        }
    }
}

/// Name of a score of the static judge among the values of a summary.
#[must_use]
pub fn score_value(name: ScoreName) -> String {
    format!("score.{}", name.name())
}

/// Name of a value that compares with those of a panel, among the values of a summary.
#[must_use]
pub fn panel_value(panel: &str, metric: &Metric) -> String {
    format!("{panel}.{}", metric.id)
}

/// The languages of a point as the static judge measured them, the one with the most code first; none in points of
/// earlier versions of slope.
#[must_use]
pub fn measured_languages(point: &Point) -> &[LanguageScores] {
    let mut entries = point.scores.iter();
    let entry = entries.find(|entry| entry.judge == JudgeKind::Static);
    let details = entry.and_then(|entry| entry.details.as_ref());
    details.map_or(&[], |details| &details.languages)
}
