//! Ratios that move in the opposite direction of the amounts they are computed from.

use slope_model::history::MetricTrend;
use slope_model::measurement::Part;
use slope_model::metrics::{
    CLONE_LINES, EROSION, FLAGGED_LINES, HIGH_COMPLEXITY_MASS, MASS, Metric, VERBOSITY,
};

/// A ratio, and the amounts that its numerator is made of.
struct Pair {
    ratio: &'static Metric,
    amounts: &'static [&'static Metric],
    in_words: &'static str,
}

const PAIRS: [Pair; 2] = [
    Pair {
        ratio: &EROSION,
        amounts: &[&MASS, &HIGH_COMPLEXITY_MASS],
        in_words: "mass and mass above the cut-off",
    },
    Pair {
        ratio: &VERBOSITY,
        amounts: &[&CLONE_LINES, &FLAGGED_LINES],
        in_words: "clone lines and flagged lines",
    },
];

/// One note for each ratio that rises while its amounts fall, or falls while they rise.
pub(crate) fn notes(trends: &[MetricTrend]) -> Vec<String> {
    PAIRS.iter().filter_map(|pair| note(trends, pair)).collect()
}

fn note(trends: &[MetricTrend], pair: &Pair) -> Option<String> {
    let ratio = moved(trends, pair.ratio)?;
    let amounts: Option<Vec<f64>> = pair
        .amounts
        .iter()
        .map(|metric| moved(trends, metric))
        .collect();
    let amounts = amounts?;
    let has_sign = |sign: f64| amounts.iter().any(|amount| amount * sign > 0.0);
    if has_sign(ratio) || !has_sign(-ratio) {
        return None;
    }
    let (moves, cause) = if ratio > 0.0 {
        ("rises", "other code shrank more")
    } else {
        ("falls", "other code grew more")
    };
    Some(format!(
        "{} {moves}, but {} do not: {cause}; judge by the amounts",
        pair.ratio.title, pair.in_words
    ))
}

/// Change of a metric from the first snapshot to the last. Uses production code if it is separate.
fn moved(trends: &[MetricTrend], metric: &Metric) -> Option<f64> {
    let of = |part| {
        let mut trends = trends.iter();
        trends.find(|trend| trend.metric == metric.id && trend.part == part)
    };
    let trend = of(Some(Part::Product)).or_else(|| of(None))?;
    Some(trend.last - trend.first)
}

#[cfg(test)]
mod tests {
    use slope_model::history::AxisTrend;

    use super::*;

    fn trend(metric: &str, first: f64, last: f64) -> MetricTrend {
        MetricTrend {
            metric: metric.to_owned(),
            part: Some(Part::Product),
            is_relative: false,
            points: 2,
            first,
            last,
            growth: None,
            rising_share: None,
            per_commit: AxisTrend::default(),
            per_month: AxisTrend::default(),
            per_kloc: AxisTrend::default(),
            change_points: Vec::new(),
        }
    }

    #[test]
    fn ratio_against_falling_amounts_is_noted() {
        let trends = [
            trend("erosion", 0.2, 0.3),
            trend("mass", 100.0, 60.0),
            trend("high_complexity_mass", 20.0, 18.0),
        ];
        let expected = "erosion rises, but mass and mass above the cut-off do not: other code shrank more; \
                        judge by the amounts";
        assert_eq!(notes(&trends), [expected]);
    }

    #[test]
    fn ratio_against_growing_amounts_is_noted() {
        let trends = [
            trend("verbosity", 0.3, 0.2),
            trend("clone_lines", 10.0, 12.0),
            trend("flagged_lines", 4.0, 4.0),
        ];
        let expected = "verbosity falls, but clone lines and flagged lines do not: other code grew more; \
                        judge by the amounts";
        assert_eq!(notes(&trends), [expected]);
    }

    #[test]
    fn ratio_moving_with_amounts_is_unnoted() {
        let trends = [
            trend("erosion", 0.2, 0.3),
            trend("mass", 100.0, 60.0),
            trend("high_complexity_mass", 20.0, 28.0),
            trend("verbosity", 0.2, 0.3),
        ];
        assert_eq!(notes(&trends), Vec::<String>::new());
    }
}
