//! Correlation of two variables beyond what others and groups explain.

use std::collections::BTreeMap;

use crate::correlation::pearson;
use crate::mean;

/// An observation.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Its group; only differences within groups count.
    pub group: String,
    /// The predictor.
    pub x: f64,
    /// The outcome.
    pub y: f64,
    /// Variables whose part is taken out of both. All observations have as many.
    pub others: Vec<f64>,
}

/// Correlation of `x` and `y` within groups, with the linear part of `others` taken out of both (Frisch–Waugh–Lovell).
/// `None` if one of them does not vary then.
#[must_use]
pub fn partial_within(observations: &[&Observation]) -> Option<f64> {
    let width = observations.first()?.others.len();
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, observation) in observations.iter().enumerate() {
        groups.entry(&observation.group).or_default().push(at);
    }
    let column = |pick: &dyn Fn(&Observation) -> f64| -> Vec<f64> {
        let mut values: Vec<f64> = observations.iter().map(|one| pick(one)).collect();
        for members in groups.values() {
            let own: Vec<f64> = members.iter().map(|&at| values[at]).collect();
            let center = mean(&own).unwrap_or_default();
            for &at in members {
                values[at] -= center;
            }
        }
        values
    };
    let others: Vec<Vec<f64>> = (0..width)
        .map(|number| column(&|one| one.others[number]))
        .collect();
    let x = residuals(column(&|one| one.x), &others);
    let y = residuals(column(&|one| one.y), &others);
    let varies = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>() > 1e-12;
    if !varies(&x) || !varies(&y) {
        return None;
    }
    let pairs: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
    pearson(&pairs)
}

/// What the other columns do not explain of a column, by least squares.
fn residuals(column: Vec<f64>, others: &[Vec<f64>]) -> Vec<f64> {
    // Gram–Schmidt: each other column without the part of those before it, of length 1.
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for other in others {
        let own = without(other.clone(), &basis);
        let size = dot(&own, &own);
        if size > 1e-12 {
            basis.push(own.iter().map(|value| value / size.sqrt()).collect());
        }
    }
    without(column, &basis)
}

/// A column without its part in each direction.
fn without(mut column: Vec<f64>, basis: &[Vec<f64>]) -> Vec<f64> {
    for direction in basis {
        let part = dot(&column, direction);
        for (value, unit) in column.iter_mut().zip(direction) {
            *value -= part * unit;
        }
    }
    column
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::{Observation, partial_within};

    fn observation(group: &str, x: f64, y: f64, other: f64) -> Observation {
        Observation {
            group: group.to_owned(),
            x,
            y,
            others: vec![other],
        }
    }

    fn of(observations: &[Observation]) -> Option<f64> {
        partial_within(&observations.iter().collect::<Vec<_>>())
    }

    #[test]
    fn groups_and_others_are_taken_out() {
        // y is twice the other variable, plus a level of the group, plus x.
        let rows: Vec<Observation> = (0..20)
            .map(|number| {
                let (group, level) = if number % 2 == 0 {
                    ("a", 5.0)
                } else {
                    ("b", -3.0)
                };
                let n = f64::from(number);
                let (x, other) = ((n * 0.7).sin(), (n * 0.3).cos());
                observation(group, x, 2.0 * other + level + x, other)
            })
            .collect();
        assert!((of(&rows).unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn explained_predictors_have_no_correlation() {
        let rows: Vec<Observation> = (0..10)
            .map(|n| observation("a", 3.0 * f64::from(n), f64::from(n * n), f64::from(n)))
            .collect();
        assert_eq!(of(&rows), None);
        assert_eq!(of(&[]), None);
    }
}
