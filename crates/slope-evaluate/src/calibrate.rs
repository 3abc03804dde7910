//! Weights of components, fitted to pairs.
//!
//! A Bradley–Terry model: the log odds that the better edit wins are the weighted sum of how much worse each component
//! of the worse edit is. Weights are never negative, so no component can change its sign, and they are pulled towards
//! those of the pack. Accuracy is measured on groups that the fit does not see.

use std::collections::BTreeMap;

use serde::Serialize;
use slope_grade::Pack;
use slope_model::grade::Components;

use crate::accuracy::{COMPONENTS, Measure, Outcome, outcome};
use crate::grading::Error;
use crate::pair::Pair;

/// Penalties that have weights, in the order of [`COMPONENTS`].
const WEIGHTED: usize = 6;
/// Steps of the fit, and the size of a step.
const STEPS: usize = 2_000;
const RATE: f64 = 0.5;
/// How strongly weights are pulled towards those of the pack, for each pair.
const PULL: f64 = 0.05;
/// Log odds per unit of weight that the pack's own weights are taken to mean.
const ODDS: f64 = 10.0;

/// A fit, and how good it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// Pairs.
    pub pairs: usize,
    /// Groups.
    pub groups: usize,
    /// Each component.
    pub components: Vec<FittedComponent>,
    /// The pack's weights on all pairs.
    pub before: Outcome,
    /// The fitted weights, each group decided by weights that are fitted to the others.
    pub cross_validated: Outcome,
    /// Fewer lines on all pairs.
    pub fewer_lines: Outcome,
    /// A smaller diff on all pairs.
    pub smaller_diff: Outcome,
}

/// A component in a fit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedComponent {
    /// Its key.
    pub key: &'static str,
    /// How it decides pairs alone.
    pub alone: Outcome,
    /// Its weight in the pack.
    pub before: f64,
    /// Its fitted weight.
    pub after: f64,
}

type Weights = [f64; WEIGHTED];

/// Fits weights to pairs, with those of a pack as the start.
///
/// # Errors
/// If there are pairs of fewer than two groups.
pub fn fit(pairs: &[Pair], pack: &Pack) -> Result<Fit, Error> {
    let mut groups: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        groups.entry(&pair.group).or_default().push(pair);
    }
    if groups.len() < 2 {
        return Err(Error::TooFew {
            pairs: pairs.len(),
            groups: groups.len(),
        });
    }
    let start = weights_of(pack);
    let all: Vec<&Pair> = pairs.iter().collect();
    let fitted = fitted(&all, start);
    let mut cross_validated = Outcome::default();
    for (left_out, own) in &groups {
        let others = groups.iter().filter(|(group, _)| group != &left_out);
        let others: Vec<&Pair> = others
            .flat_map(|(_, pairs)| pairs.iter().copied())
            .collect();
        let weights = self::fitted(&others, start);
        for pair in own {
            cross_validated.decide(margin(pair, &weights));
        }
    }
    let mut before = Outcome::default();
    for pair in pairs {
        before.decide(margin(pair, &start));
    }
    let components = COMPONENTS[..WEIGHTED].iter().enumerate();
    let of = |name: &str| {
        let measure = crate::accuracy::MEASURES
            .iter()
            .find(|(known, _)| *known == name);
        measure
            .map(|(_, measure)| outcome(pairs, *measure))
            .unwrap_or_default()
    };
    Ok(Fit {
        pairs: pairs.len(),
        groups: groups.len(),
        components: components
            .map(|(at, (key, measure))| FittedComponent {
                key,
                alone: outcome(pairs, *measure),
                before: start[at],
                after: fitted[at],
            })
            .collect(),
        before,
        cross_validated,
        fewer_lines: of("fewer lines"),
        smaller_diff: of("smaller diff"),
    })
}

impl Fit {
    /// The pack with the fitted weights, as text. Scales and the rule of the reward stay.
    #[must_use]
    pub fn pack_text(&self, pack: &Pack, name: &str) -> String {
        let mut pack = pack.clone();
        name.clone_into(&mut pack.name);
        let after: Vec<f64> = self.components.iter().map(|one| one.after).collect();
        set_weights(&mut pack, &after);
        pack.text()
    }
}

fn weights_of(pack: &Pack) -> Weights {
    let weights = &pack.weights;
    [
        weights.p_cx,
        weights.p_dup,
        weights.p_dead,
        weights.p_dev,
        weights.p_contract,
        weights.p_min,
    ]
}

fn set_weights(pack: &mut Pack, to: &[f64]) {
    let weights = &mut pack.weights;
    let own = [
        &mut weights.p_cx,
        &mut weights.p_dup,
        &mut weights.p_dead,
        &mut weights.p_dev,
        &mut weights.p_contract,
        &mut weights.p_min,
    ];
    for (weight, value) in own.into_iter().zip(to) {
        *weight = *value;
    }
}

/// How much worse each component of the worse edit is.
fn differences(pair: &Pair) -> Weights {
    let mut differences = [0.0; WEIGHTED];
    let measures: &[(&str, Measure)] = &COMPONENTS[..WEIGHTED];
    for (difference, (_, measure)) in differences.iter_mut().zip(measures) {
        *difference = measure(pair);
    }
    differences
}

fn margin(pair: &Pair, weights: &Weights) -> f64 {
    let log = |components: &Components| -> f64 {
        let values = [
            components.p_cx,
            components.p_dup,
            components.p_dead,
            components.p_dev,
            components.p_contract,
            components.p_min,
        ];
        let each = values.iter().zip(weights);
        each.map(|(value, weight)| (1.0 - weight.min(0.999) * value.unwrap_or(0.0)).ln())
            .sum()
    };
    log(&pair.better.components) - log(&pair.worse.components)
}

/// The weights with the highest likelihood, by projected gradient ascent from `start`. Their sum is that of the
/// start: only how they compare can be fitted.
fn fitted(pairs: &[&Pair], start: Weights) -> Weights {
    let differences: Vec<Weights> = pairs.iter().map(|pair| differences(pair)).collect();
    #[expect(clippy::cast_precision_loss, reason = "there are few pairs")]
    let count = pairs.len().max(1) as f64;
    let begin = start.map(|weight| weight * ODDS);
    let mut odds = begin;
    for _ in 0..STEPS {
        let mut gradient = [0.0; WEIGHTED];
        for difference in &differences {
            let sum: f64 = odds.iter().zip(difference).map(|(w, d)| w * d).sum();
            let missing = 1.0 / (1.0 + sum.exp());
            for (slot, value) in gradient.iter_mut().zip(difference) {
                *slot += missing * value / count;
            }
        }
        for ((weight, slot), origin) in odds.iter_mut().zip(gradient).zip(begin) {
            *weight = (*weight + RATE * (slot - PULL * (*weight - origin) / ODDS)).max(0.0);
        }
    }
    let (sum, wanted) = (odds.iter().sum::<f64>(), start.iter().sum::<f64>());
    odds.map(|weight| {
        round(if sum > 0.0 {
            weight * wanted / sum
        } else {
            0.0
        })
        .min(1.0)
    })
}

/// Three decimals: more would promise too much.
fn round(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}
