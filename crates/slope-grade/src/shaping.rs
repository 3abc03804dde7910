//! Rewards for the steps of trajectories: differences of a potential.
//!
//! The potential of a state is `-ETA * debt`. A step from one checkpoint to the next earns the difference, so the sum over a
//! trajectory depends on its ends only: making a mess and cleaning it up later earns nothing.

use std::collections::BTreeMap;

use slope_model::grade::{Grade, Shaping};
use slope_model::grade_request::Request;

use crate::reward::rounded;

/// Potential of a unit of debt.
const ETA: f64 = 0.5;
/// Largest reward of a step, in either direction.
const MAX_STEP: f64 = 0.2;

/// Where an attempt belongs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The group of attempts at one task.
    pub group: Option<String>,
    /// The trajectory.
    pub trajectory: Option<String>,
    /// Number of the checkpoint.
    pub checkpoint: Option<u32>,
    /// The base.
    pub base: Option<String>,
}

impl From<&Request> for Place {
    fn from(request: &Request) -> Self {
        Self {
            group: request.task.group.clone(),
            trajectory: request.task.trajectory.clone(),
            checkpoint: request.task.checkpoint,
            base: request.base.clone(),
        }
    }
}

/// Sets the shaping of grades with a trajectory. If all its edits have one base, each contains those before it. Otherwise,
/// each edit applies to the checkpoint before.
pub fn apply(grades: &mut [Grade], places: &[Place]) {
    let mut trajectories: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, place) in places.iter().enumerate().take(grades.len()) {
        if let Some(trajectory) = &place.trajectory {
            trajectories.entry(trajectory).or_default().push(at);
        }
    }
    for mut steps in trajectories.into_values() {
        steps.sort_by_key(|&at| places[at].checkpoint);
        if are_in_order(&steps, places) {
            shape(grades, places, &steps);
        } else {
            let reason = "the checkpoints of the trajectory have no numbers, or the same ones";
            steps
                .into_iter()
                .for_each(|at| lose(&mut grades[at], reason));
        }
    }
}

/// Whether every checkpoint has a number of its own.
fn are_in_order(steps: &[usize], places: &[Place]) -> bool {
    let number = |at: usize| places[at].checkpoint;
    let is_single = steps.windows(2).all(|two| number(two[0]) != number(two[1]));
    is_single && steps.iter().all(|&at| number(at).is_some())
}

/// Shapes the checkpoints of one trajectory, in their order.
fn shape(grades: &mut [Grade], places: &[Place], steps: &[usize]) {
    let mut bases = steps.iter().map(|&at| &places[at].base);
    let first = bases.next();
    let is_whole = bases.all(|base| Some(base) == first);
    let mut before = Some(0.0);
    for &at in steps {
        let debt = grades[at].debt;
        let since = if is_whole { before } else { Some(0.0) };
        before = debt;
        match debt.zip(since) {
            Some((debt, since)) => grades[at].shaping = Some(shaping(debt - since)),
            None => lose(
                &mut grades[at],
                "this checkpoint, or the one before, could not be graded",
            ),
        }
    }
}

fn lose(grade: &mut Grade, reason: &str) {
    grade
        .missing
        .insert("shaping".to_owned(), reason.to_owned());
}

fn shaping(added: f64) -> Shaping {
    let whole = -ETA * added;
    let reward = whole.clamp(-MAX_STEP, MAX_STEP);
    Shaping {
        reward: rounded(reward),
        residual: rounded(whole - reward),
    }
}

#[cfg(test)]
mod tests {
    use super::shaping;

    #[test]
    fn steps_are_limited_and_the_rest_reported() {
        let step = shaping(-0.1);
        assert_eq!((step.reward, step.residual), (0.05, 0.0));
        let step = shaping(1.0);
        assert_eq!((step.reward, step.residual), (-0.2, -0.3));
    }
}
