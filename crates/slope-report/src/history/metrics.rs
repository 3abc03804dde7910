//! Selection of a history's metrics, and their values at its points.

use std::sync::LazyLock;

use slope_model::history::{History, HistoryPoint, MetricTrend, SlopeEstimate};
use slope_model::measurement::Part;
use slope_model::metrics::{self, Direction};

use crate::format::{Kind, capitalised};

/// A metric of a history.
pub(super) struct Metric {
    metric: &'static metrics::Metric,
    is_published: bool,
    /// Its name in the history.
    pub(super) id: String,
    /// Display name.
    pub(super) title: String,
    pub(super) kind: Kind,
    /// Its name over a column of numbers.
    pub(super) column: String,
    /// Definition, in a sentence.
    pub(super) about: String,
}

/// Metrics in display order.
pub(super) static METRICS: LazyLock<Vec<Metric>> = LazyLock::new(|| {
    let own = metrics::HISTORY.iter().map(|metric| own(metric));
    let published = metrics::PUBLISHED.iter().map(|metric| published(metric));
    own.chain(published).collect()
});

fn own(metric: &'static metrics::Metric) -> Metric {
    Metric {
        metric,
        is_published: false,
        id: metric.id.to_owned(),
        title: metric.title.to_owned(),
        kind: metric.kind,
        column: format!("> {}", metric.short()),
        about: format!("{}.", capitalised(metric.gist())),
    }
}

fn published(metric: &'static metrics::Metric) -> Metric {
    Metric {
        is_published: true,
        id: metric.published_id(),
        title: format!("{} (paper)", metric.title),
        column: format!("> {} (paper)", metric.short()),
        about: "Python code by the published definitions.".to_owned(),
        ..own(metric)
    }
}

/// The metric of that name in a history.
pub(super) fn by_id(id: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.id == id)
}

impl Metric {
    /// The value at a point.
    pub(super) fn value(&self, point: &HistoryPoint, part: Option<Part>) -> Option<f64> {
        if self.is_published {
            point.published_value(self.metric)
        } else {
            point.value(self.metric, part)
        }
    }

    /// `good` or `bad` if its slope is surely up or down, by the direction that is better.
    pub(super) fn tone(&self, slope: &SlopeEstimate) -> &'static str {
        let (up, down) = match self.metric.direction {
            Direction::Lower => ("bad", "good"),
            Direction::Higher => ("good", "bad"),
            Direction::Neither => ("", ""),
        };
        match (slope.low, slope.high) {
            (Some(low), _) if low > 0.0 => up,
            (_, Some(high)) if high < 0.0 => down,
            _ => "",
        }
    }
}

/// The part that a summary is about: production code, where tests are separate.
pub(super) fn part(history: &History) -> Option<Part> {
    let parted = history
        .trends
        .iter()
        .any(|trend| trend.part == Some(Part::Product));
    parted.then_some(Part::Product)
}

/// The trend of a metric in a part, or in the whole for a metric without parts.
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
