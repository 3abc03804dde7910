//! Reward packs: weights and scales, with a name and a version.

use serde::{Deserialize, Serialize};

use crate::Error;

/// A reward pack.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    /// Name.
    pub name: String,
    /// Version, from 1. Packs of one name and version are the same.
    pub version: u32,
    /// Weights of components.
    pub weights: Weights,
    /// How correctness and quality make a reward.
    pub reward: RewardRule,
    /// Half-points of saturation.
    pub scales: Scales,
}

/// Share of quality that each component takes at most, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// Structural complexity.
    pub p_cx: f64,
    /// Redundancy.
    pub p_dup: f64,
    /// Dead code.
    pub p_dead: f64,
    /// Deviation from the surrounding code.
    pub p_dev: f64,
    /// Checks and error handling that are weakened.
    pub p_contract: f64,
    /// Changes that the task does not need.
    pub p_min: f64,
}

/// How correctness and quality make a reward.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RewardRule {
    /// Share of the reward that quality decides, at most 0.5.
    pub lambda: f64,
    /// Pass rates of a group between which quality begins to count and counts fully.
    pub ramp: [f64; 2],
    /// Step of quality.
    pub grid: f64,
    /// Largest bonus for reuse.
    pub reuse_bonus: f64,
    /// Quality that each soft flag costs.
    pub soft_flag: f64,
}

/// Half-points: the amount at which a saturated number is 0.5.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Scales {
    /// Complexity mass in large functions.
    pub concentration: f64,
    /// Levels of nesting above three, summed over functions.
    pub nesting: f64,
    /// Cognitive complexity beyond what the base has per line.
    pub growth: f64,
    /// Findings of needless code.
    pub needless: f64,
    /// Source lines that are copies.
    pub clone_lines: f64,
    /// Source lines of a function that does what another one does.
    pub reimplemented_lines: f64,
    /// Lines that nothing uses or reaches.
    pub dead_lines: f64,
    /// Deviations from the surrounding code.
    pub deviations: f64,
    /// Weakened checks and widened handlers.
    pub contract: f64,
    /// Changed lines that the task does not need.
    pub churn_lines: f64,
    /// Rarity of the used names of the base, summed.
    pub reuse: f64,
}

impl Pack {
    /// The pack that slope comes with, as text.
    pub const DEFAULT_TEXT: &str = include_str!("../packs/default.toml");

    /// Reads a pack.
    ///
    /// # Errors
    /// If the text is no pack, or a number is out of range.
    pub fn read(text: &str, path: &str) -> Result<Self, Error> {
        let pack: Self = toml::from_str(text).map_err(|error| Error::Pack {
            path: path.to_owned(),
            line: error
                .span()
                .map_or(1, |span| 1 + text[..span.start].matches('\n').count()),
            message: error.message().to_owned(),
        })?;
        pack.check(path)?;
        Ok(pack)
    }

    /// The pack as text that [`Self::read`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    fn check(&self, path: &str) -> Result<(), Error> {
        let Self {
            weights,
            reward,
            scales,
            ..
        } = self;
        let shares = [
            ("weights.p_cx", weights.p_cx),
            ("weights.p_dup", weights.p_dup),
            ("weights.p_dead", weights.p_dead),
            ("weights.p_dev", weights.p_dev),
            ("weights.p_contract", weights.p_contract),
            ("weights.p_min", weights.p_min),
            ("reward.ramp", reward.ramp[0]),
            ("reward.ramp", reward.ramp[1]),
            ("reward.grid", reward.grid),
            ("reward.reuse_bonus", reward.reuse_bonus),
            ("reward.soft_flag", reward.soft_flag),
        ];
        let share = shares.into_iter().map(|(key, value)| (key, value, 1.0));
        let lambda = [("reward.lambda", reward.lambda, 0.5)];
        let bad = share
            .chain(lambda)
            .find(|(_, value, most)| !(0.0..=*most).contains(value));
        if let Some((key, value, most)) = bad {
            return Err(Error::PackValue {
                path: path.to_owned(),
                key,
                value,
                range: format!("from 0 to {most}"),
            });
        }
        let bad = scales
            .listed()
            .into_iter()
            .find(|(_, value)| !(*value > 0.0 && value.is_finite()));
        if let Some((key, value)) = bad {
            return Err(Error::PackValue {
                path: path.to_owned(),
                key,
                value,
                range: "above 0".to_owned(),
            });
        }
        if reward.ramp[0] >= reward.ramp[1] {
            return Err(Error::PackValue {
                path: path.to_owned(),
                key: "reward.ramp",
                value: reward.ramp[0],
                range: "below the second number".to_owned(),
            });
        }
        Ok(())
    }

    /// Name and version: `default@1`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

impl Default for Pack {
    /// The pack that slope comes with.
    fn default() -> Self {
        Self::read(Self::DEFAULT_TEXT, "default.toml").unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Scales {
    fn listed(&self) -> [(&'static str, f64); 11] {
        [
            ("scales.concentration", self.concentration),
            ("scales.nesting", self.nesting),
            ("scales.growth", self.growth),
            ("scales.needless", self.needless),
            ("scales.clone_lines", self.clone_lines),
            ("scales.reimplemented_lines", self.reimplemented_lines),
            ("scales.dead_lines", self.dead_lines),
            ("scales.deviations", self.deviations),
            ("scales.contract", self.contract),
            ("scales.churn_lines", self.churn_lines),
            ("scales.reuse", self.reuse),
        ]
    }
}
