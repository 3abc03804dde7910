//! Grades as numbers by name, for trainers that take nothing else.

use slope_model::grade::{Components, Grade};

/// What a missing number is replaced by: the middle. `valid` says that it is not measured.
const NEUTRAL: f64 = 0.5;

/// The numbers of a grade, always with the same keys. A missing component is 0, as if nothing was found; `coverage` and
/// `valid` show that it is missing. A missing reward is 0.5, and `valid` is 0.
#[must_use]
pub fn flat(grade: &Grade) -> [(&'static str, f64); 14] {
    let Components {
        p_cx,
        p_dup,
        p_dead,
        p_dev,
        p_contract,
        p_min,
        b_reuse,
    } = grade.components;
    let known = |value: Option<f64>| value.unwrap_or(0.0);
    [
        ("reward", grade.reward.unwrap_or(NEUTRAL)),
        ("score", known(grade.score)),
        ("correctness", known(grade.correctness)),
        ("quality", grade.quality.unwrap_or(NEUTRAL)),
        ("quality_conditioned", known(grade.quality_conditioned)),
        ("p_cx", known(p_cx)),
        ("p_dup", known(p_dup)),
        ("p_dead", known(p_dead)),
        ("p_dev", known(p_dev)),
        ("p_contract", known(p_contract)),
        ("p_min", known(p_min)),
        ("b_reuse", known(b_reuse)),
        ("coverage", known(grade.coverage)),
        ("valid", f64::from(u8::from(grade.reward.is_some()))),
    ]
}
