//! Calibrations of models as text, and their schema.

use std::fmt::Write;

use schemars::Schema;
use slope_model::calibration::{Calibration, Mean, Rate};
use slope_model::plural;

use crate::format::clean;
use crate::measurement::schema_of;

/// Kinds of planted code that are listed.
const LISTED: usize = 10;

/// The JSON schema of a calibration.
#[must_use]
pub fn calibration_schema() -> Schema {
    schema_of::<Calibration>()
}

/// A calibration for a terminal.
#[must_use]
pub fn render_calibration(found: &Calibration) -> String {
    let served = found.served.as_deref().unwrap_or(&found.model);
    let mut out = format!(
        "{} with the rubric {} ({}), {}, calibrated on {}\n\nrates with 95 % intervals and numbers of observations\n",
        clean(served),
        found.rubric,
        found.rubric_hash,
        plural(found.repeats as usize, "judgement"),
        found.day,
    );
    let mut row = |what: &str, value: String| {
        let _ = writeln!(out, "  {what:<46} {value}");
    };
    row("samples in the right order", rate(&found.pairs));
    row("planted bad code is reported", rate(&found.true_positives));
    row(
        "planted bad code lowers the scores",
        rate(&found.score_falls),
    );
    row("harmless code is not reported", rate(&found.true_negatives));
    for (score, agreed) in &found.static_order {
        row(
            &format!("{score} in the order of the static judge"),
            rate(agreed),
        );
    }
    row("repeats have equal scores", rate(&found.equal_repeats));
    out.push_str("\ndifferences of scores, where 0 is best\n");
    let mut row = |what: &str, value: &Mean| {
        let _ = writeln!(out, "  {:<46} {}", clean(what), mean(value));
    };
    row("repeats of the same request", &found.spread);
    for (what, value) in &found.bias {
        row(what, value);
    }
    let missed = |(kind, rate): (&String, &Rate)| (rate.hits < rate.count).then(|| kind.clone());
    list(
        &mut out,
        "not reported",
        found.true_positives_by_kind.iter().filter_map(missed),
    );
    list(
        &mut out,
        "samples in the wrong order",
        found.pairs_by_criterion.iter().filter_map(missed),
    );
    if found.unanswered > 0 {
        let _ = writeln!(
            out,
            "\n{} without an answer",
            plural(found.unanswered as usize, "judgement")
        );
    }
    out
}

fn list(out: &mut String, what: &str, names: impl Iterator<Item = String>) {
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        return;
    }
    let more = names.len().saturating_sub(LISTED);
    let _ = write!(out, "\n{what}: {}", names[..names.len() - more].join(", "));
    if more > 0 {
        let _ = write!(out, " and {more} more");
    }
    out.push('\n');
}

/// A rate with its interval and number of observations.
pub(crate) fn rate(rate: &Rate) -> String {
    let percent = |value: f64| format!("{:.0}", value * 100.0);
    match (rate.rate, rate.low, rate.high) {
        (Some(value), Some(low), Some(high)) => format!(
            "{} % ({} to {}, {} of {})",
            percent(value),
            percent(low),
            percent(high),
            rate.hits,
            rate.count
        ),
        _ => "unknown".to_owned(),
    }
}

fn mean(mean: &Mean) -> String {
    match (mean.mean, mean.low, mean.high) {
        (Some(value), Some(low), Some(high)) => {
            format!(
                "{value:+.1} ({low:+.1} to {high:+.1}, {} times)",
                mean.count
            )
        }
        (Some(value), _, _) => format!("{value:+.1} ({} times)", mean.count),
        _ => "unknown".to_owned(),
    }
}
