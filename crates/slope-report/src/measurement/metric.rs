//! One metric explained.

use std::fmt::Write;

use anstyle::Style;
use serde::Serialize;
use slope_model::metrics::{self, Metric};

use super::table::paint;
use crate::format::capitalised;
use crate::terminal::wrap;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Line width of an explanation, independent of the screen.
const LINE: usize = 88;

/// Description of a metric for users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetricInfo {
    /// The name in JSON.
    pub id: &'static str,
    /// Always `quantity`: other ids that can be explained are of rules, signals and findings.
    pub origin: &'static str,
    /// Name for users.
    pub title: &'static str,
    /// The name of its column in CSV and Parquet.
    pub column: &'static str,
    /// The unit; `None` for a plain number.
    pub unit: Option<&'static str>,
    /// The meaning in plain words.
    pub gist: &'static str,
    /// The exact definition.
    pub definition: &'static str,
    /// The formula; `None` if the definition is sufficient.
    pub formula: Option<&'static str>,
    /// Aggregation of values of functions, files or attempts.
    pub aggregation: String,
    /// The better direction: `lower`, `higher` or `neither`.
    pub direction: &'static str,
    /// The commands that show it.
    pub commands: Vec<&'static str>,
    /// Documentation page.
    pub page: &'static str,
}

impl From<&'static Metric> for MetricInfo {
    fn from(metric: &'static Metric) -> Self {
        let known = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        Self {
            id: metric.id,
            origin: "quantity",
            title: metric.title,
            column: metric.column(),
            unit: known(metric.unit),
            gist: metric.gist(),
            definition: metric.definition(),
            formula: known(metric.formula),
            aggregation: metric.aggregation.to_string(),
            direction: metric.direction.name(),
            commands: metrics::commands(metric).collect(),
            page: metric.page,
        }
    }
}

/// A metric explained: its meaning, then its facts.
#[must_use]
pub fn explain_metric(metric: &'static Metric, color: bool) -> String {
    let info = MetricInfo::from(metric);
    let commands = if info.commands.is_empty() {
        "in the JSON of slope measure".to_owned()
    } else {
        format!("of {}", info.commands.join(", "))
    };
    let id = paint(info.id, BOLD, color);
    let origin = paint(&format!("metric {commands}"), DIM, color);
    let mut out = format!("{id}  {origin}\n");
    let gist = format!("{}.", capitalised(info.gist));
    let texts = [gist.as_str(), info.definition];
    // Without simpler words, the definition is all.
    let is_same = gist == info.definition;
    for text in &texts[usize::from(is_same)..] {
        for line in wrap(text, LINE) {
            let _ = writeln!(out, "{line}");
        }
    }
    out.push('\n');
    let own_column = if info.column == info.id {
        ""
    } else {
        info.column
    };
    for (name, value) in [
        ("title", info.title),
        ("column", own_column),
        ("unit", info.unit.unwrap_or("none")),
        ("better", info.direction),
        ("combined", &info.aggregation),
        ("formula", info.formula.unwrap_or_default()),
        ("read more", info.page),
    ] {
        if !value.is_empty() {
            let name = paint(&format!("{name:<10}"), DIM, color);
            let _ = writeln!(out, "{name} {value}");
        }
    }
    out
}
