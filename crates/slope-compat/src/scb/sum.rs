//! Sums computed like Python 3.12.

use serde::{Serialize, Serializer};

/// A sum of floats. An empty sum is the integer 0 and is printed as such.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sum {
    /// The value; 0 for an empty sum.
    pub value: f64,
    /// Whether it is an empty sum.
    pub empty: bool,
}

impl Sum {
    /// Adds up by Neumaier's method: rounding errors are accumulated separately and added at the
    /// end. The caller fixes the order of the values.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut total = 0.0_f64;
        let mut lost = 0.0_f64;
        let mut empty = true;
        for value in values {
            empty = false;
            let next = total + value;
            lost += if total.abs() >= value.abs() {
                (total - next) + value
            } else {
                (value - next) + total
            };
            total = next;
        }
        let value = if lost != 0.0 && lost.is_finite() {
            total + lost
        } else {
            total
        };
        Self { value, empty }
    }

    /// This sum over another, 0 if the other is 0.
    #[must_use]
    pub fn over(self, whole: Self) -> f64 {
        if whole.value == 0.0 {
            0.0
        } else {
            self.value / whole.value
        }
    }
}

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.empty {
            serializer.serialize_u8(0)
        } else {
            serializer.serialize_f64(self.value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    #[test]
    #[expect(clippy::float_cmp, reason = "the point is that these are exact")]
    fn sum_keeps_what_addition_loses() {
        assert_eq!(Sum::of([1.0, 1e100, 1.0, -1e100]).value, 2.0);
        assert_eq!(Sum::of([0.1; 10]).value, 1.0);
    }

    #[test]
    fn empty_sum_prints_as_integer() {
        let text = |sum: Sum| serde_json::to_string(&sum).unwrap();
        assert_eq!(text(Sum::of([])), "0");
        assert_eq!(text(Sum::of([0.0])), "0.0");
    }
}
