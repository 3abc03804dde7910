//! Which metrics of a history to show, by what names and digits.

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
    /// Its name over a column of numbers.
    pub(super) column: &'static str,
    /// What it is, in a sentence.
    pub(super) about: &'static str,
}

/// Metrics in display order: amounts before shares.
pub(super) const METRICS: &[Metric] = &[
    Metric {
        id: "sloc",
        title: "source lines",
        kind: Kind::Count,
        column: "> source lines",
        about: "Lines that carry code.",
    },
    Metric {
        id: "mass",
        title: "complexity mass",
        kind: Kind::Mass,
        column: "> mass",
        about: "Complexity of functions weighted by their size: what changes have to carry.",
    },
    Metric {
        id: "high_complexity_mass",
        title: "mass above cut-off",
        kind: Kind::Mass,
        column: "> mass above",
        about: "The part of it in functions of high complexity.",
    },
    Metric {
        id: "clone_lines",
        title: "clone lines",
        kind: Kind::Count,
        column: "> clones",
        about: "Source lines that also appear elsewhere.",
    },
    Metric {
        id: "flagged_lines",
        title: "flagged lines",
        kind: Kind::Count,
        column: "> flagged",
        about: "Source lines that rules flag as redundant.",
    },
    Metric {
        id: "dead_code",
        title: "dead code",
        kind: Kind::Count,
        column: "> dead",
        about: "Findings of code that nothing reaches or uses, in all code.",
    },
    Metric {
        id: "erosion",
        title: "erosion",
        kind: Kind::Ratio,
        column: "> erosion",
        about: "Share of the mass that is above the cut-off.",
    },
    Metric {
        id: "verbosity",
        title: "verbosity",
        kind: Kind::Ratio,
        column: "> verbosity",
        about: "Share of source lines that are flagged or clones.",
    },
    Metric {
        id: "published.erosion",
        title: "erosion (paper)",
        kind: Kind::Ratio,
        column: "> erosion (paper)",
        about: "Python code by the published definitions.",
    },
    Metric {
        id: "published.verbosity",
        title: "verbosity (paper)",
        kind: Kind::Ratio,
        column: "> verbosity (paper)",
        about: "Python code by the published definitions.",
    },
];

/// The part that a summary is about: production code, where tests are separate.
pub(super) fn part(history: &History) -> Option<Part> {
    let parted = history
        .trends
        .iter()
        .any(|trend| trend.part == Some(Part::Product));
    parted.then_some(Part::Product)
}

/// The trend of a metric in a part, or of the whole where a metric has no parts.
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
