//! Item response theory: abilities from items of known difficulty, and equating of scales.

use serde::{Deserialize, Serialize};

use crate::{float, mean, stddev};

/// Steps of Newton's method; it needs a handful.
const MAX_STEPS: usize = 100;

/// An item of the two-parameter logistic model: P(pass) = 1 / (1 + e^(−slope·(ability − difficulty))).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Steepness of the pass probability as a function of ability; 1 in Rasch's model.
    pub slope: f64,
    /// The ability with a pass probability of one half.
    pub difficulty: f64,
}

impl Item {
    /// The chance to pass at an ability.
    #[must_use]
    pub fn chance(&self, ability: f64) -> f64 {
        1.0 / (1.0 + (-self.slope * (ability - self.difficulty)).exp())
    }

    /// Fisher's information on the ability.
    #[must_use]
    pub fn information(&self, ability: f64) -> f64 {
        let chance = self.chance(ability);
        self.slope * self.slope * chance * (1.0 - chance)
    }
}

/// Ability with its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ability {
    /// The estimate.
    pub value: f64,
    /// Its standard error, or the posterior's standard deviation.
    pub se: f64,
}

/// The most likely ability after outcomes of items, under a standard normal prior. `None` with a
/// parameter that is not finite.
#[must_use]
pub fn ability_map(outcomes: &[(Item, bool)]) -> Option<Ability> {
    let mut value = 0.0;
    let mut precision = 1.0;
    for _ in 0..MAX_STEPS {
        let pull = |(item, passed): &(Item, bool)| {
            item.slope * (f64::from(u8::from(*passed)) - item.chance(value))
        };
        let gradient = outcomes.iter().map(pull).sum::<f64>() - value;
        let known = outcomes.iter().map(|(item, _)| item.information(value));
        precision = 1.0 + known.sum::<f64>();
        let step = gradient / precision;
        // The posterior is concave; far from its top a full step can still overshoot.
        value += step.clamp(-1.0, 1.0);
        if step.abs() < 1e-14 {
            break;
        }
    }
    value.is_finite().then(|| Ability {
        value,
        se: 1.0 / precision.sqrt(),
    })
}

/// The mean ability after outcomes of items, under a standard normal prior: over `points` evenly
/// spaced from −4 to 4. `None` with fewer than two points or a parameter that is not finite.
#[must_use]
pub fn ability_eap(outcomes: &[(Item, bool)], points: usize) -> Option<Ability> {
    if points < 2 {
        return None;
    }
    let place = |number: usize| -4.0 + 8.0 * float(number) / float(points - 1);
    let posterior: Vec<(f64, f64)> = (0..points)
        .map(|number| {
            let ability = place(number);
            let chances = outcomes.iter().map(|(item, passed)| {
                let chance = item.chance(ability);
                if *passed { chance } else { 1.0 - chance }
            });
            (
                ability,
                (-ability * ability / 2.0).exp() * chances.product::<f64>(),
            )
        })
        .collect();
    let all: f64 = posterior.iter().map(|point| point.1).sum();
    let value = posterior.iter().map(|(x, weight)| x * weight).sum::<f64>() / all;
    let spread = posterior
        .iter()
        .map(|(x, weight)| (x - value).powi(2) * weight);
    let se = (spread.sum::<f64>() / all).sqrt();
    (value.is_finite() && se.is_finite()).then_some(Ability { value, se })
}

/// Mapping of a new scale to an old one: old = `slope`·new + `shift`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Equating {
    /// Ratio of the standard deviations of difficulties.
    pub slope: f64,
    /// Shift after that.
    pub shift: f64,
    /// Shift alone, as in Rasch's model.
    pub rasch: f64,
}

/// Equates by the difficulties of the same items on both scales (mean and sigma). `None` with fewer
/// than two, with different numbers on the sides, or if one side does not vary.
#[must_use]
pub fn equate(old: &[f64], new: &[f64]) -> Option<Equating> {
    if old.len() != new.len() {
        return None;
    }
    let slope = stddev(old)? / stddev(new).filter(|sd| *sd > 0.0)?;
    let (old, new) = (mean(old)?, mean(new)?);
    Some(Equating {
        slope,
        shift: old - slope * new,
        rasch: old - new,
    })
}
