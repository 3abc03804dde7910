//! Compensated summation.

/// Sum of the values by Neumaier's method: rounding errors are accumulated separately and added at
/// the end. The caller determines the order of the values.
pub(crate) fn sum(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut total = 0.0_f64;
    let mut lost = 0.0_f64;
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + lost
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    #[expect(clippy::float_cmp, reason = "the point is that these are exact")]
    fn sum_keeps_what_addition_loses() {
        assert_eq!(sum([1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(sum([0.1; 10]), 1.0);
        assert_eq!(sum([]), 0.0);
    }
}
