//! Which metrics of a history are told, by what names and digits.

use slope_model::history::{History, HistoryPoint, MetricTrend};
use slope_model::measurement::{Part, Totals};

use crate::format::Kind;

/// A metric of a history.
pub(super) struct Metric {
    /// Its name in the history.
    pub(super) id: &'static str,
    /// Its name for people.
    pub(super) title: &'static str,
    pub(super) kind: Kind,
}

const fn metric(id: &'static str, title: &'static str, kind: Kind) -> Metric {
    Metric { id, title, kind }
}

/// Metrics in the order in which they are told: amounts before shares.
pub(super) const METRICS: &[Metric] = &[
    metric("sloc", "source lines", Kind::Count),
    metric("mass", "complexity mass", Kind::Mass),
    metric("high_complexity_mass", "mass above cut-off", Kind::Mass),
    metric("clone_lines", "clone lines", Kind::Count),
    metric("flagged_lines", "flagged lines", Kind::Count),
    metric("dead_code", "dead code", Kind::Count),
    metric("erosion", "erosion", Kind::Ratio),
    metric("verbosity", "verbosity", Kind::Ratio),
    metric("published.erosion", "erosion (paper)", Kind::Ratio),
    metric("published.verbosity", "verbosity (paper)", Kind::Ratio),
];

/// The part that a summary is about: product code, where tests are told apart from it.
pub(super) fn part(history: &History) -> Option<Part> {
    let parted = history
        .trends
        .iter()
        .any(|trend| trend.part == Some(Part::Product));
    parted.then_some(Part::Product)
}

/// The trend of a metric in a part, or of the whole where a metric is not told by part.
pub(super) fn trend<'a>(
    history: &'a History,
    id: &str,
    part: Option<Part>,
) -> Option<&'a MetricTrend> {
    let of = |part| {
        history
            .trends
            .iter()
            .find(|t| t.metric == id && t.part == part)
    };
    of(part).or_else(|| of(None))
}

/// The value of a metric at a point.
pub(super) fn value(point: &HistoryPoint, id: &str, part: Option<Part>) -> Option<f64> {
    if id == "dead_code" {
        return Some(count(point.findings.get("dead-code").copied().unwrap_or(0)));
    }
    if let Some(id) = id.strip_prefix("published.") {
        return of_totals(point.published.as_ref()?, id);
    }
    match part {
        None => of_totals(&point.totals, id),
        Some(part) => of_totals(point.parts.get(&part)?, id),
    }
}

fn of_totals(totals: &Totals, id: &str) -> Option<f64> {
    match id {
        "sloc" => Some(count(totals.sloc)),
        "mass" => totals.mass,
        "high_complexity_mass" => totals.high_complexity_mass,
        "clone_lines" => totals.clone_lines.map(count),
        "flagged_lines" => totals.flagged_lines.map(count),
        "erosion" => totals.erosion,
        "verbosity" => totals.verbosity,
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn count(n: u64) -> f64 {
    n as f64
}
