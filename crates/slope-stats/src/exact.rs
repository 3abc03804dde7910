//! Sums without rounding.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

/// Binary digits after the point.
const FRACTION: i32 = 52;

/// An exact sum of numbers: an integer multiple of 2⁻⁵² in 128 bits.
///
/// Every `f64` from 1 to 2⁷⁰ in size is such a multiple, so sums and differences of complexity
/// masses (1 or more, or 0) lose nothing, in any order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(i128);

impl Exact {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The number, if it is finite, below 2⁷⁰ in size, and has no digits after the 52nd binary place.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        let limit = 2f64.powi(70);
        if !value.is_finite() || value.abs() >= limit {
            return None;
        }
        // A power of two as factor only changes the exponent and rounds nothing.
        let scaled = value * 2f64.powi(FRACTION);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the number is whole and fits"
        )]
        let parts = scaled as i128;
        (scaled.fract() == 0.0).then_some(Self(parts))
    }

    /// The nearest number to the sum; ties round to even.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "this is the one rounding")]
        let scaled = self.0 as f64;
        scaled * 2f64.powi(-FRACTION)
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add for Exact {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Exact {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Exact {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sum for Exact {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> Exact {
        Exact::new(value).unwrap()
    }

    #[test]
    fn sums_are_exact_in_any_order() {
        let roots: Vec<f64> = (1..2000).map(|n: u32| 7.0 * f64::from(n).sqrt()).collect();
        let forth: Exact = roots.iter().map(|&v| exact(v)).sum();
        let back: Exact = roots.iter().rev().map(|&v| exact(v)).sum();
        assert_eq!(forth, back);
        let rest = roots.iter().fold(forth, |sum, &v| sum - exact(v));
        assert!(rest.is_zero());
    }

    #[test]
    fn exact_numbers_round_trip() {
        for value in [0.0, 1.0, 2f64.sqrt(), 12345.0 * 7f64.sqrt(), -3.25, 1e20] {
            assert_eq!(exact(value).to_f64().to_bits(), value.to_bits());
        }
    }

    #[test]
    fn unrepresentable_numbers_are_refused() {
        for value in [f64::NAN, f64::INFINITY, 1e22, 1e-20] {
            assert_eq!(Exact::new(value), None);
        }
    }
}
