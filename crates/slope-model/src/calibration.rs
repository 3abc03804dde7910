//! How well a model judges code whose quality is known.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::usage::Usage;

/// A rate with its 95 % interval and the number of its observations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// Observations that are as they should be.
    pub hits: u64,
    /// All observations.
    pub count: u64,
    /// The share, 0 to 1; `null` without observations.
    pub rate: Option<f64>,
    /// Lower end of the interval (Wilson).
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
}

/// A mean with its 95 % interval and the number of its observations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mean {
    /// Observations.
    pub count: u64,
    /// The mean; `null` without observations.
    pub mean: Option<f64>,
    /// Lower end of the interval (Student); `null` with fewer than two observations.
    pub low: Option<f64>,
    /// Upper end of it.
    pub high: Option<f64>,
}

/// A calibration of a model with a rubric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// Name and version of this format: `slope.calibration/1`.
    pub schema: String,
    /// The requested model.
    pub model: String,
    /// The model that answered, as the server says.
    pub served: Option<String>,
    /// Name and version of the rubric.
    pub rubric: String,
    /// Hash of the rubric.
    pub rubric_hash: String,
    /// Day on which it ended, as `2026-11-30`.
    pub day: String,
    /// Version of slope.
    pub engine: String,
    /// Judgements of the same code.
    pub repeats: u32,
    /// Ranked pairs: the good sample of a criterion is above the bad one in the criterion's score.
    pub pairs: Rate,
    /// The same by criterion.
    pub pairs_by_criterion: BTreeMap<String, Rate>,
    /// Pairs of files that the static judge ranks: the model ranks them in the same way. By score. Equal scores of the
    /// model are no agreement.
    pub static_order: BTreeMap<String, Rate>,
    /// Planted bad code: an issue is on its lines.
    pub true_positives: Rate,
    /// The same by kind.
    pub true_positives_by_kind: BTreeMap<String, Rate>,
    /// Places of good code, where other copies have planted code: no issue is on their lines.
    pub true_negatives: Rate,
    /// Planted bad code: a score of the file is below that of the file without it.
    pub score_falls: Rate,
    /// Differences of scores for code of the same quality, by what differs. 0 is no bias.
    pub bias: BTreeMap<String, Mean>,
    /// Repeats of the same request with equal scores.
    pub equal_repeats: Rate,
    /// Highest minus lowest score over repeats of the same request.
    pub spread: Mean,
    /// Requests without an answer that could be used.
    pub unanswered: u32,
    /// What the gateway counted.
    pub usage: Option<Usage>,
}

/// The part of a calibration that is shown with scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationNote {
    /// Day of the calibration, as `2026-11-30`.
    pub day: String,
    /// Judgements of the same code.
    pub repeats: u32,
    /// Ranked pairs in the right order.
    pub pairs: Rate,
    /// Planted bad code that is reported.
    pub true_positives: Rate,
    /// Good code that is not reported.
    pub true_negatives: Rate,
    /// Repeats of the same request with equal scores.
    pub equal_repeats: Rate,
    /// Largest mean difference of scores for code of the same quality, whatever its sign.
    pub largest_bias: Option<f64>,
}

impl Calibration {
    /// The part that is shown with scores.
    #[must_use]
    pub fn note(&self) -> CalibrationNote {
        let bias = self.bias.values().filter_map(|it| it.mean);
        CalibrationNote {
            day: self.day.clone(),
            repeats: self.repeats,
            pairs: self.pairs,
            true_positives: self.true_positives,
            true_negatives: self.true_negatives,
            equal_repeats: self.equal_repeats,
            largest_bias: bias.map(f64::abs).reduce(f64::max),
        }
    }
}
