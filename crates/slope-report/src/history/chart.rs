//! Charts of characters.

/// Levels of a spark line, lowest first.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Dots of a braille character by row and column, from the top left.
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// A sparkline with one character per column, scaled from the lowest to the highest value; a gap
/// for a missing value.
pub(crate) fn spark(values: &[Option<f64>], columns: usize) -> String {
    let values = fitted(values, columns);
    let Some((low, high)) = range(&values) else {
        return String::new();
    };
    let level = |value: f64| LEVELS[place(value, low, high, LEVELS.len())];
    values
        .iter()
        .map(|value| value.map_or(' ', level))
        .collect()
}

/// A chart of braille dots, `rows` high, as lines from the top.
pub(super) fn chart(values: &[Option<f64>], columns: usize, rows: usize) -> Vec<String> {
    let values = fitted(values, columns * 2);
    let Some((low, high)) = range(&values) else {
        return Vec::new();
    };
    let height = rows * 4;
    let mut cells = vec![vec![0u32; values.len().div_ceil(2)]; rows];
    let mut before: Option<usize> = None;
    for (x, value) in values.iter().enumerate() {
        let y = value.map(|value| height - 1 - place(value, low, high, height));
        if let Some(y) = y {
            // Steep steps are drawn as lines.
            let from = before.unwrap_or(y);
            for y in from.min(y)..=from.max(y) {
                cells[y / 4][x / 2] |= DOTS[y % 4][x % 2];
            }
        }
        before = y;
    }
    let character = |dots: &u32| char::from_u32(0x2800 + dots).unwrap_or(' ');
    cells
        .iter()
        .map(|row| row.iter().map(character).collect())
        .collect()
}

/// Lowest and highest value.
pub(super) fn range(values: &[Option<f64>]) -> Option<(f64, f64)> {
    let known = || values.iter().flatten().copied();
    let low = known().min_by(f64::total_cmp)?;
    Some((low, known().max_by(f64::total_cmp)?))
}

/// Index of the step from low to high that contains a value; the middle one if all values are
/// equal.
fn place(value: f64, low: f64, high: f64, steps: usize) -> usize {
    if high <= low {
        return steps / 2;
    }
    let share = (value - low) / (high - low);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "steps are few and the share is from 0 to 1"
    )]
    let step = (share * (steps - 1) as f64).round() as usize;
    step.min(steps - 1)
}

/// One value per column: the mean of its share, or spread out.
fn fitted(values: &[Option<f64>], columns: usize) -> Vec<Option<f64>> {
    let n = values.len();
    if n <= columns {
        return values.to_vec();
    }
    let column = |at: usize| {
        let share = &values[at * n / columns..((at + 1) * n / columns)];
        let known: Vec<f64> = share.iter().flatten().copied().collect();
        slope_stats::mean(&known)
    };
    (0..columns).map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(values: &[f64]) -> Vec<Option<f64>> {
        values.iter().map(|&v| Some(v)).collect()
    }

    #[test]
    fn spark_line_scales_lowest_to_highest() {
        assert_eq!(spark(&some(&[1.0, 2.0, 3.0]), 10), "▁▅█");
        assert_eq!(spark(&[Some(1.0), None, Some(1.0)], 10), "▅ ▅");
        assert_eq!(spark(&some(&[0.0, 2.0, 4.0, 6.0]), 2), "▁█");
        assert_eq!(spark(&[None], 3), "");
    }

    #[test]
    fn chart_line_spans_all_columns() {
        let lines = chart(&some(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), 4, 2);
        assert_eq!(lines[0].chars().count(), 4);
        assert!(lines[0].starts_with('\u{2800}') && lines[1].ends_with('\u{2800}'));
    }
}
