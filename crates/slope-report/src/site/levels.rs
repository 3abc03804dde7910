//! Places where the level of a measure changes.

use minijinja::{Value, context};
use slope_model::metrics::Metric;
use slope_model::summary::Summary;

use super::home::what;
use super::lines::level_changes;
use super::moves::comparable;
use super::point_address;
use crate::format::{capitalised, decimals, number};

/// Changes that a page lists, the latest first.
const MOST: usize = 10;

/// A change of level.
struct Change<'a> {
    metric: &'static Metric,
    /// Number of its point among those of the series.
    at: usize,
    point: &'a Summary,
    before: f64,
    after: f64,
}

/// The latest changes of level of these metrics, each with its point.
pub(super) fn changes(
    points: &[Summary],
    metrics: &[&'static Metric],
    (project, series): (&str, &str),
) -> Vec<Value> {
    let mut all: Vec<Change<'_>> = metrics
        .iter()
        .flat_map(|metric| of_metric(points, metric))
        .collect();
    all.sort_by_key(|change| std::cmp::Reverse(change.at));
    let rows = all.into_iter().take(MOST).map(|change| {
        let digits = decimals(change.metric.kind, change.after.max(change.before));
        context! {
            title => capitalised(change.metric.title),
            day => change.point.time.get(..10).unwrap_or_default(),
            what => what(change.point),
            address => point_address(project, series, &change.point.key),
            before => number(change.before, digits),
            after => number(change.after, digits),
            tone => if change.after > change.before { "bad" } else { "good" },
        }
    });
    rows.collect()
}

fn of_metric<'a>(points: &'a [Summary], metric: &'static Metric) -> Vec<Change<'a>> {
    let Some(last) = points.last() else {
        return Vec::new();
    };
    let known: Vec<(usize, f64)> = points
        .iter()
        .enumerate()
        // Other definitions give other levels for the same code.
        .filter(|(_, point)| comparable(point, last))
        .filter_map(|(at, point)| Some((at, *point.values.get(metric.id)?)))
        .collect();
    let values: Vec<f64> = known.iter().map(|(_, value)| *value).collect();
    let mut ends = level_changes(&values);
    ends.push(values.len());
    let mut start = 0;
    let mut before = None;
    let mut found = Vec::new();
    for end in ends {
        let mean = slope_stats::mean(&values[start..end]);
        if let (Some(before), Some(after)) = (before, mean) {
            let at = known[start].0;
            let point = &points[at];
            found.push(Change {
                metric,
                at,
                point,
                before,
                after,
            });
        }
        (start, before) = (end, mean);
    }
    found
}

#[cfg(test)]
mod tests {
    use slope_model::metrics::CLONE_LINES;

    use super::super::moves::tests::summary;
    use super::*;

    #[test]
    fn changes_of_level_name_their_point() {
        let values = [
            5.0, 6.0, 5.0, 6.0, 5.0, 6.0, 50.0, 51.0, 50.0, 51.0, 50.0, 51.0,
        ];
        let points: Vec<Summary> = values
            .iter()
            .zip(1..)
            .map(|(value, day)| summary(day, &[(CLONE_LINES.id, *value)]))
            .collect();
        let found = of_metric(&points, &CLONE_LINES);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].at, found[0].before, found[0].after),
            (6, 5.5, 50.5)
        );
        let rows = changes(&points, &[&CLONE_LINES], ("p", "main"));
        assert!(rows[0].to_string().contains("iteration-7"), "{}", rows[0]);
        assert!(changes(&points[..6], &[&CLONE_LINES], ("p", "main")).is_empty());
        let mut redefined = points;
        for point in &mut redefined[..6] {
            point.definitions = "other".to_owned();
        }
        assert!(of_metric(&redefined, &CLONE_LINES).is_empty());
    }
}
