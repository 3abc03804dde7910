//! Trends of the metrics of a history.

use slope_model::history::{AxisTrend, ChangePoint, HistoryPoint, MetricTrend, SlopeEstimate};
use slope_model::measurement::Part;
use slope_model::metrics::{Metric, PUBLISHED, SLOC, Source, TRENDS};
use slope_stats::{change_points, ols, theil_sen_interval};

/// Maximum number of points for the quadratic statistics. More are thinned out evenly.
const MAX_POINTS: usize = 1500;

/// Months of a week: a shorter history proves nothing about a month.
const MIN_MONTHS: f64 = 7.0 / 30.436_875;

/// Whether points span the time that a monthly trend needs.
pub(crate) fn spans_months(points: &[HistoryPoint]) -> bool {
    span(points.iter().map(|point| point.months)) >= MIN_MONTHS
}

/// Difference of the greatest and the least value: clocks may have gone backwards.
fn span(values: impl Iterator<Item = f64>) -> f64 {
    let (least, most) = values.fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), value| (value.min(least), value.max(most)),
    );
    most - least
}

/// The trends of all metrics, for the whole code base and for each part.
#[must_use]
pub fn trends(points: &[HistoryPoint]) -> Vec<MetricTrend> {
    let mut found = Vec::new();
    for part in [None, Some(Part::Product), Some(Part::Tests)] {
        for metric in TRENDS {
            // Findings are only counted in all code.
            if part.is_some() && matches!(metric.source, Source::Findings(_)) {
                continue;
            }
            let of = |point: &HistoryPoint| point.value(metric, part);
            found.extend(trend(metric.id, metric, part, points, of));
        }
    }
    for metric in PUBLISHED {
        let of = |point: &HistoryPoint| point.published_value(metric);
        let id = metric.published_id();
        found.extend(trend(&id, metric, None, points, of));
    }
    found
}

/// A point that has a value.
struct Value {
    point: usize,
    position: f64,
    months: f64,
    kloc: f64,
    value: f64,
}

fn trend(
    id: &str,
    metric: &Metric,
    part: Option<Part>,
    points: &[HistoryPoint],
    of: impl Fn(&HistoryPoint) -> Option<f64>,
) -> Option<MetricTrend> {
    let value = |(index, point): (usize, &HistoryPoint)| {
        let sloc = match part {
            None => point.totals.sloc,
            Some(part) => point.parts.get(&part)?.sloc,
        };
        #[expect(clippy::cast_precision_loss, reason = "lines are far below 2^53")]
        let kloc = sloc as f64 / 1000.0;
        Some(Value {
            point: index,
            position: f64::from(point.position),
            months: point.months,
            kloc,
            value: of(point)?,
        })
    };
    let values: Vec<Value> = points.iter().enumerate().filter_map(value).collect();
    let (first, last) = (values.first()?, values.last()?);
    let growth = (first.value != 0.0).then(|| last.value / first.value - 1.0);
    let steps: Vec<f64> = values.windows(2).map(|w| w[1].value - w[0].value).collect();
    let moving = steps.iter().filter(|step| **step != 0.0).count();
    let rising = steps.iter().filter(|step| **step > 0.0).count();
    let thin = thinned(&values);
    let axis = |x: fn(&Value) -> f64| axis(&thin, x);
    Some(MetricTrend {
        metric: id.to_owned(),
        part,
        is_relative: metric.aggregation.is_relative(),
        points: u32::try_from(values.len()).unwrap_or(u32::MAX),
        first: first.value,
        last: last.value,
        growth: growth.filter(|growth| growth.is_finite()),
        rising_share: (moving > 0).then(|| share(rising, moving)),
        per_commit: axis(|v| v.position),
        per_month: match span(thin.iter().map(|v| v.months)) >= MIN_MONTHS {
            true => axis(|v| v.months),
            false => AxisTrend::default(),
        },
        per_kloc: if *metric == SLOC {
            AxisTrend::default()
        } else {
            axis(|v| v.kloc)
        },
        change_points: paces(points, &thin),
    })
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// Evenly chosen values, the first and the last among them.
fn thinned(values: &[Value]) -> Vec<&Value> {
    let n = values.len();
    if n <= MAX_POINTS {
        return values.iter().collect();
    }
    (0..MAX_POINTS)
        .map(|i| &values[i * (n - 1) / (MAX_POINTS - 1)])
        .collect()
}

fn axis(values: &[&Value], x: fn(&Value) -> f64) -> AxisTrend {
    let points: Vec<(f64, f64)> = values.iter().map(|v| (x(v), v.value)).collect();
    let estimate = |slope: f64, interval: Option<slope_stats::Interval>| SlopeEstimate {
        slope,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
    };
    AxisTrend {
        ols: ols(&points).map(|fit| estimate(fit.slope, fit.slope_interval())),
        theil_sen: theil_sen_interval(&points).map(|(slope, interval)| estimate(slope, interval)),
    }
}

/// Points at which the mean step between snapshots changes.
fn paces(points: &[HistoryPoint], values: &[&Value]) -> Vec<ChangePoint> {
    let steps: Vec<f64> = values.windows(2).map(|w| w[1].value - w[0].value).collect();
    let places = change_points(&steps);
    let borders: Vec<usize> = std::iter::once(0)
        .chain(places.iter().copied())
        .chain([steps.len()])
        .collect();
    let mean = |from: usize, to: usize| slope_stats::mean(&steps[from..to]).unwrap_or_default();
    let change = |border: &[usize]| {
        let point = values[border[1]].point;
        ChangePoint {
            point: u32::try_from(point).unwrap_or(u32::MAX),
            commit: points[point].commit.id.clone(),
            before: mean(border[0], border[1]),
            after: mean(border[1], border[2]),
        }
    };
    borders.windows(3).map(change).collect()
}

#[cfg(test)]
mod tests {
    use slope_model::history::CommitInfo;
    use slope_model::measurement::Totals;

    use super::*;

    fn point(index: u32, months: f64) -> HistoryPoint {
        HistoryPoint {
            position: index,
            commit: CommitInfo {
                id: index.to_string(),
                time: String::new(),
                author: String::new(),
                email: String::new(),
                agents: Vec::new(),
                subject: String::new(),
                is_merge: false,
            },
            months,
            changed_files: 1,
            totals: Totals {
                sloc: 100 * u64::from(index + 1),
                ..Totals::default()
            },
            parts: std::collections::BTreeMap::new(),
            published: None,
            findings: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn short_history_has_no_monthly_trend() {
        let by_month = |apart: f64| {
            let points: Vec<_> = (0..3).map(|i| point(i, f64::from(i) * apart)).collect();
            let sloc = trends(&points).into_iter().find(|t| t.metric == "sloc");
            let sloc = sloc.unwrap();
            assert!(sloc.per_commit.theil_sen.is_some());
            assert_eq!(spans_months(&points), sloc.per_month.theil_sen.is_some());
            (sloc.per_month.ols, sloc.per_month.theil_sen)
        };
        assert_eq!(by_month(1e-6), (None, None));
        assert_eq!(by_month(-1e-6), (None, None));
        let (ols, theil_sen) = by_month(0.5);
        assert_eq!(ols.unwrap().slope.round(), 200.0);
        assert_eq!(theil_sen.unwrap().slope.round(), 200.0);
    }
}
