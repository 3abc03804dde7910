//! Correctness and components to one reward.
//!
//! `R = C * (1 - lambda * (1 - Q))`, where `Q` is the product of `1 - w * p` over the penalties plus a small
//! bonus, on a grid. A failing edit and an empty one get 0, whatever their style. The worst passing edit gets
//! at least `1 - lambda`.

use std::collections::BTreeSet;

use crate::pack::Pack;
use slope_model::grade::{Components, Flag, Grade};

/// The number 0.5 at the half-point, towards 1 above it: `x / (x + half)`.
pub(crate) fn saturated(amount: f64, half: f64) -> f64 {
    let amount = amount.max(0.0);
    amount / (amount + half)
}

/// Quality from 0 to 1 on the grid of the pack; `None` if no component is known.
pub(crate) fn quality(components: &Components, flags: &[Flag], pack: &Pack) -> Option<f64> {
    let weights = &pack.weights;
    let penalties = [
        (components.p_cx, weights.p_cx),
        (components.p_dup, weights.p_dup),
        (components.p_dead, weights.p_dead),
        (components.p_dev, weights.p_dev),
        (components.p_contract, weights.p_contract),
        (components.p_min, weights.p_min),
    ];
    let known: Vec<(f64, f64)> = penalties
        .into_iter()
        .filter_map(|(penalty, weight)| Some((penalty?, weight)))
        .collect();
    if known.is_empty() && flags.is_empty() {
        return None;
    }
    let product: f64 = known
        .iter()
        .map(|(penalty, weight)| 1.0 - weight * penalty)
        .product();
    let soft = flags.iter().filter(|flag| !flag.is_hard);
    // A kind counts once: what a comment silences is reported anyway.
    let kinds: BTreeSet<&str> = soft.map(|flag| flag.id.as_str()).collect();
    #[expect(clippy::cast_precision_loss, reason = "few flags")]
    let costs = pack.reward.soft_flag * kinds.len() as f64;
    // Dead code that is called by nobody can name anything of the base.
    let is_earned = components.p_dead.is_some_and(|dead| dead <= 0.3);
    let bonus = components.b_reuse.filter(|_| is_earned).unwrap_or(0.0);
    // Reuse makes up for half of the penalties at most: it must not hide them.
    let bonus = (pack.reward.reuse_bonus * bonus).min((1.0 - product) / 2.0);
    let quality = product + bonus - costs;
    Some(on_grid(quality.clamp(0.0, 1.0), pack.reward.grid))
}

/// Sets the quality of a grade from its components, and returns the part that counts: code that cannot be read counts as
/// the worst.
pub(crate) fn set_quality(grade: &mut Grade, pack: &Pack) -> f64 {
    grade.quality = quality(&grade.components, &grade.flags, pack);
    let read = grade.coverage.unwrap_or(1.0);
    let counted = grade
        .quality
        .map_or(read, |quality| on_grid(quality * read, pack.reward.grid));
    grade.quality_conditioned = grade.correctness.map(|correctness| correctness * counted);
    counted
}

/// The nearest multiple of a step.
pub(crate) fn on_grid(value: f64, step: f64) -> f64 {
    if step <= 0.0 {
        return value;
    }
    rounded((value / step).round() * step)
}

/// A number with at most six decimals, so that equal grades print equally.
pub(crate) fn rounded(value: f64) -> f64 {
    let value = (value * 1e6).round() / 1e6;
    // No negative zero.
    if value == 0.0 { 0.0 } else { value }
}

/// The reward; `lambda` is the share that quality decides.
pub(crate) fn reward(correctness: f64, quality: f64, lambda: f64) -> f64 {
    rounded(correctness * (1.0 - lambda * (1.0 - quality)))
}

/// The share that quality decides in a group with a pass rate.
pub(crate) fn ramped(pass_rate: f64, pack: &Pack) -> f64 {
    let [from, to] = pack.reward.ramp;
    pack.reward.lambda * ((pass_rate - from) / (to - from)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{quality, ramped, reward};
    use crate::Pack;
    use slope_model::grade::Components;

    fn all(penalty: f64) -> Components {
        Components {
            p_cx: Some(penalty),
            p_dup: Some(penalty),
            p_dead: Some(penalty),
            p_dev: Some(penalty),
            p_contract: Some(penalty),
            p_min: Some(penalty),
            b_reuse: Some(0.0),
        }
    }

    #[test]
    fn worst_passing_edit_beats_failing_one() {
        let pack = Pack::default();
        let of = |penalty| quality(&all(penalty), &[], &pack).unwrap();
        let worst = of(1.0);
        assert!(reward(1.0, worst, pack.reward.lambda) >= 0.5);
        assert_eq!(reward(0.0, of(0.0), 0.5), 0.0);
        assert_eq!(reward(1.0, of(0.0), 0.5), 1.0);
    }

    #[test]
    fn quality_falls_with_each_penalty() {
        let pack = Pack::default();
        let of = |penalty| quality(&all(penalty), &[], &pack).unwrap();
        assert!(of(0.0) > of(0.3) && of(0.3) > of(0.7) && of(0.7) > of(1.0));
    }

    #[test]
    fn reuse_hides_no_penalty() {
        let mut pack = Pack::default();
        pack.reward.grid = 0.0;
        let of = |p_dev, b_reuse| {
            let components = Components {
                p_dev: Some(p_dev),
                b_reuse: Some(b_reuse),
                ..all(0.0)
            };
            quality(&components, &[], &pack).unwrap()
        };
        assert!(of(0.0, 1.0) > of(0.1, 1.0) && of(0.1, 1.0) > of(0.1, 0.0));
        assert!((of(0.0, 1.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn unknown_components_give_no_quality() {
        assert_eq!(quality(&Components::default(), &[], &Pack::default()), None);
    }

    #[test]
    fn hard_groups_learn_correctness_first() {
        let pack = Pack::default();
        assert_eq!(ramped(0.1, &pack), 0.0);
        assert_eq!(ramped(0.5, &pack), 0.25);
        assert_eq!(ramped(1.0, &pack), 0.5);
    }
}
