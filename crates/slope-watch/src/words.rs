//! Amounts in words.

use crate::measure::Measure;

/// A difference with its 95 % interval: `−8.1 points (−11.0 to −5.2)`, or `+40 % (+31 % to +50 %)`.
#[must_use]
pub fn effect(measure: Measure, effect: f64, se: f64) -> String {
    let (low, high) = (effect - 1.96 * se, effect + 1.96 * se);
    if measure.is_log() {
        let ratio = |value: f64| format!("{} %", signed((value.exp() - 1.0) * 100.0, 0));
        return format!("{} ({} to {})", ratio(effect), ratio(low), ratio(high));
    }
    let points = |value: f64| signed(value * 100.0, 1);
    format!(
        "{} points ({} to {})",
        points(effect),
        points(low),
        points(high)
    )
}

/// A number with its sign, and a real minus.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let is_zero = text.chars().all(|c| c == '0' || c == '.');
    match (is_zero, value < 0.0) {
        (true, _) => text,
        (false, true) => format!("−{text}"),
        (false, false) => format!("+{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_have_signs_and_intervals() {
        let text = effect(Measure::PassRate, -0.081, 0.015);
        assert_eq!(text, "−8.1 points (−11.0 to −5.2)");
        let text = effect(Measure::OutputTokens, 0.336, 0.03);
        assert_eq!(text, "+40 % (+32 % to +48 %)");
    }
}
