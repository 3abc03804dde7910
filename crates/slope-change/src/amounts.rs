//! Amounts that are added without rounding.

use derive_more::{Add, AddAssign, Neg, Sub, Sum};
use slope_model::ledger::Amounts;
use slope_stats::Exact;

/// The amounts of a ledger, without rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Add, AddAssign, Neg, Sub, Sum)]
pub struct ExactAmounts {
    /// Complexity mass.
    pub mass: Exact,
    /// Source lines in clones of types 1 and 2.
    pub clone_lines: i64,
    /// Source lines flagged by rules.
    pub flagged_lines: i64,
    /// Source lines that are in a clone or flagged, counted once.
    pub verbose_lines: i64,
    /// Number of dead-code findings.
    pub dead_code: i64,
    /// Source lines.
    pub sloc: i64,
}

impl ExactAmounts {
    /// Whether all accounted amounts are zero; source lines are not considered.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        let counted = Self { sloc: 0, ..*self };
        counted == Self::default()
    }

    /// The amounts with the mass rounded once.
    #[must_use]
    pub fn rounded(&self) -> Amounts {
        Amounts {
            mass: self.mass.to_f64(),
            clone_lines: self.clone_lines,
            flagged_lines: self.flagged_lines,
            verbose_lines: self.verbose_lines,
            dead_code: self.dead_code,
            sloc: self.sloc,
        }
    }

    /// Sum of differing lines and findings, for sorting.
    pub(crate) fn weight(&self) -> i64 {
        self.clone_lines.abs() + self.flagged_lines.abs() + self.dead_code.abs()
    }
}

/// Mass as a number with exact sums. Masses are 0, or from 1 to 2⁶⁴ (a complexity times a number of
/// lines, or its root), so they always fit.
pub(crate) fn exact_mass(mass: f64) -> Exact {
    Exact::new(mass).unwrap_or_default()
}
