//! Scores of judges in points.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JudgeDetails;
use crate::assessment::{Anchors, Assessment, JudgeKind, ScoreName, Scores};

/// Difference of an anchor's scores from which on the judge has changed.
pub const MOVED_ANCHOR: f64 = 1.0;

/// Scores of one judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeScores {
    /// Kind of the judge.
    pub judge: JudgeKind,
    /// The model that was asked. Absent for the static judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The model that answered, as the server says. Absent for the static judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<String>,
    /// Name and version of the rubric. Absent for the static judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric: Option<String>,
    /// Hash of the rubric. Absent for the static judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric_hash: Option<String>,
    /// Scores of two fixed files. If they move, the judge has changed. Absent for the static judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchors: Option<Anchors>,
    /// The scores.
    pub scores: Scores,
    /// Reasons for scores that are `null`, by score.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, String>,
    /// What the judge says besides. Absent in points of earlier versions of slope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<JudgeDetails>,
}

impl JudgeScores {
    /// The scores of the static judge.
    #[must_use]
    pub fn of_measures(assessment: &Assessment) -> Self {
        Self {
            judge: assessment.judge,
            model: None,
            served: None,
            rubric: None,
            rubric_hash: None,
            anchors: None,
            scores: assessment.scores,
            missing: assessment.missing.clone(),
            details: None,
        }
    }

    /// The scores of a model; `None` if no model judged.
    #[must_use]
    pub fn of_model(assessment: &Assessment) -> Option<Self> {
        let model = assessment.model.as_ref()?;
        Some(Self {
            judge: assessment.judge,
            model: Some(model.model.clone()),
            served: model.served.clone(),
            rubric: Some(model.rubric.clone()),
            rubric_hash: Some(model.rubric_hash.clone()),
            anchors: Some(model.anchors),
            scores: assessment.scores,
            missing: assessment.missing.clone(),
            details: None,
        })
    }

    /// The entry without details.
    #[must_use]
    pub fn numbers(&self) -> Self {
        Self {
            details: None,
            ..self.clone()
        }
    }

    /// The largest difference of the scores of fixed files between two points, whatever its sign; `None` if they have none
    /// in common.
    #[must_use]
    pub fn anchor_shift(&self, earlier: &Self) -> Option<f64> {
        let (now, then) = (self.anchors?, earlier.anchors?);
        let pairs = [(now.tidy, then.tidy), (now.sloppy, then.sloppy)];
        let differences = pairs.into_iter().flat_map(|(now, then)| {
            let of = move |name| Some((now?.get(name)? - then?.get(name)?).abs());
            ScoreName::ALL.into_iter().filter_map(of)
        });
        differences.reduce(f64::max)
    }

    /// Whether another entry is of the same judge, so that both can be compared.
    #[must_use]
    pub fn is_same_judge(&self, other: &Self) -> bool {
        let names = |it: &Self| {
            let model = (it.model.clone(), it.served.clone());
            (it.judge, model, it.rubric.clone(), it.rubric_hash.clone())
        };
        names(self) == names(other)
    }

    /// The name for people, for example `m (rubric slope@2)`.
    #[must_use]
    pub fn judge_name(&self) -> String {
        let model = self.served.as_ref().or(self.model.as_ref());
        match (model, &self.rubric) {
            (Some(model), Some(rubric)) => format!("{model} (rubric {rubric})"),
            (Some(model), None) => model.clone(),
            (None, _) => "the static judge".to_owned(),
        }
    }
}
