//! Slop that an edit adds or removes, as one number with a sign. The sum over the edits of a trajectory is that of the
//! whole, so code that is made worse and then better counts nothing.

use slope_model::measurement::Part;

use super::complexity;
use super::judged::{Judged, number};
use super::units::Unit;
use crate::reward::rounded;

/// Complexity in large functions, clone lines and dead code, each by its weight and scale. The functions and lines are those
/// of production code.
pub(crate) fn debt(judged: &Judged<'_>) -> f64 {
    let sum = |units: &[Unit<'_>]| units.iter().map(Unit::concentration).sum::<f64>();
    let files = complexity::sides(judged, false);
    let mass: f64 = files
        .iter()
        .map(|file| sum(&file.units[1]) - sum(&file.units[0]))
        .sum();
    let accounts = &judged.impact.change.accounts;
    let entries = accounts.entries.iter().chain(&accounts.layout);
    let (mut clones, mut dead) = (0, 0);
    for booked in entries.filter(|booked| booked.entry.part == Part::Product) {
        clones += booked.change.clone_lines;
        dead += booked.change.dead_code;
    }
    let (weights, scales) = (&judged.pack.weights, &judged.pack.scales);
    rounded(
        weights.p_cx * mass / scales.concentration
            + weights.p_dup * number(clones) / scales.clone_lines
            + weights.p_dead * number(dead) / scales.dead_lines,
    )
}
