//! A history as Markdown.

use std::fmt::Write;

use slope_model::history::{History, MetricTrend, Share};
use slope_model::ledger::Amounts;

use super::ListDetail;
use super::chart::spark;
use super::ledger::amounts;
use super::metrics::{self, METRICS, Metric};
use crate::format::{MISSING, decimals, number, signed, slope_decimals};
use crate::markdown::escape;

const SPARK: usize = 24;

pub(super) fn render(history: &History, detail: &ListDetail) -> String {
    let mut out = format!(
        "# {} {}\n\n",
        escape(&history.repository),
        escape(&history.revision)
    );
    let _ = writeln!(out, "{}.\n", super::measured(history));
    out.push_str(
        "| metric | first | last | growth | rising steps | a month (Theil–Sen, 95 %) | |\n",
    );
    out.push_str("|---|---:|---:|---:|---:|---:|---|\n");
    let part = metrics::part(history);
    for metric in METRICS.iter() {
        if let Some(trend) = metrics::trend(history, &metric.id, part) {
            row(&mut out, history, metric, trend);
        }
    }
    if let Some(ledger) = &history.ledger {
        shares(&mut out, "agent", &ledger.agents, detail);
        shares(&mut out, "author", &ledger.authors, detail);
        shares(&mut out, "file", &ledger.files, detail);
        shares(&mut out, "function", &ledger.functions, detail);
    }
    out.push('\n');
    for note in &history.notes {
        let _ = writeln!(out, "- {}", escape(note));
    }
    out
}

fn row(out: &mut String, history: &History, metric: &Metric, trend: &MetricTrend) {
    let digits = decimals(metric.kind, trend.last.abs().max(trend.first.abs()));
    let points = history.points.iter();
    let values = points.map(|point| metric.value(point, trend.part));
    let values: Vec<Option<f64>> = values.collect();
    let month = trend.per_month.theil_sen.map(|slope| {
        let digits = slope_decimals(metric.kind, slope.slope.abs());
        let limits = slope
            .low
            .zip(slope.high)
            .map(|(low, high)| format!(" [{}, {}]", signed(low, digits), signed(high, digits)));
        signed(slope.slope, digits) + &limits.unwrap_or_default()
    });
    let share = |share: Option<f64>, signs: bool| match share {
        Some(share) if signs => format!("{} %", signed(share * 100.0, 0)),
        Some(share) => format!("{} %", number(share * 100.0, 0)),
        None => MISSING.to_owned(),
    };
    let _ = writeln!(
        out,
        "| {} | {} | {} | {} | {} | {} | `{}` |",
        metric.title,
        number(trend.first, digits),
        number(trend.last, digits),
        share(trend.growth, true),
        share(trend.rising_share, false),
        month.unwrap_or_else(|| MISSING.to_owned()),
        spark(&values, SPARK)
    );
}

fn shares(out: &mut String, what: &str, list: &[Share], detail: &ListDetail) {
    let words = Amounts::default()
        .listed()
        .map(|(metric, _)| metric.words());
    let _ = writeln!(
        out,
        "\n| {what} | {} | commits |\n|---|---:|---:|---:|---:|---:|",
        words.join(" | ")
    );
    for share in detail.cut(list) {
        let values = amounts(&share.change).join(" | ");
        let _ = writeln!(
            out,
            "| {} | {values} | {} |",
            escape(&share.name),
            share.commits
        );
    }
}
