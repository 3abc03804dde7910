//! Masses of functions, summed.

use super::snapshot::to_float;
use super::{CUT_OFF, Function, Sum};

/// Cyclomatic complexity times the square root of size.
pub(crate) fn mass(function: &Function) -> f64 {
    f64::from(function.complexity) * f64::from(function.size).sqrt()
}

/// Cognitive complexity times the square root of size.
pub(crate) fn cognitive_mass(function: &Function) -> f64 {
    to_float(function.cognitive) * f64::from(function.size).sqrt()
}

/// Sums over functions, in order of appearance.
pub(crate) struct Masses {
    pub(crate) total: Sum,
    /// Sum over functions above the cut-off.
    pub(crate) high: Sum,
    pub(crate) count_high: usize,
    /// The same by cognitive complexity.
    pub(crate) cognitive: Sum,
    pub(crate) high_cognitive: Sum,
    pub(crate) count_high_cognitive: usize,
}

impl Masses {
    pub(crate) fn of(functions: &[&Function]) -> Self {
        let high = |f: &&&Function| f.complexity > CUT_OFF;
        let high_cognitive = |f: &&&Function| f.cognitive > u64::from(CUT_OFF);
        let of_cognitive = functions.iter().filter(high_cognitive);
        Self {
            total: Sum::of(functions.iter().map(|f| mass(f))),
            high: Sum::of(functions.iter().filter(high).map(|f| mass(f))),
            count_high: functions.iter().filter(high).count(),
            cognitive: Sum::of(functions.iter().map(|f| cognitive_mass(f))),
            count_high_cognitive: of_cognitive.clone().count(),
            high_cognitive: Sum::of(of_cognitive.map(|f| cognitive_mass(f))),
        }
    }
}
