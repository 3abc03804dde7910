//! The state of a watch as text and as a page.

mod drawing;
mod page;
mod parts;
mod task_map;

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use schemars::Schema;
use slope_model::plural;
use slope_model::watch::WatchDay;
use slope_model::watch_status::{AlarmReport, ClassShift, Monitored, State, Status};

use crate::ListDetail;
use crate::format::{MISSING, clean, number};
use crate::measurement::schema_of;
use crate::measurement::table::{Cell, Side, TextTable, paint};

pub use page::render_watch_page;
pub(crate) use parts::{TEMPLATE, acknowledged, parts};

const BOLD: Style = Style::new().bold();

/// Invalid days that a terminal lists, the last ones.
const MOST_INVALID: usize = 5;

/// The JSON schema of the state of a watch.
#[must_use]
pub fn watch_status_schema() -> Schema {
    schema_of::<Status>()
}

/// The JSON schema of a day of a watch.
#[must_use]
pub fn watch_day_schema() -> Schema {
    schema_of::<WatchDay>()
}

/// The state of a watch for a terminal.
#[must_use]
pub fn render_watch_status(status: &Status, detail: &ListDetail) -> String {
    let mut out = headline(status, detail);
    for report in &status.alarms {
        out.push_str(&alarm(report, detail));
    }
    let columns = [
        ("arm", Side::Left),
        ("measure", Side::Left),
        ("state", Side::Left),
        ("last day", Side::Right),
        ("scan", Side::Right),
        ("threshold", Side::Right),
    ];
    let mut table = TextTable::new(&columns, None);
    for series in status.series.iter().filter(|series| !series.is_empty()) {
        let last = series.days.last();
        table.push(vec![
            Cell::new(clean(&series.arm)),
            Cell::new(series.title.clone()),
            Cell::new(series.state.name()),
            Cell::new(last.map_or(MISSING.to_owned(), |day| difference(series, day.difference))),
            Cell::new(last.map_or(MISSING.to_owned(), |day| number(day.z, 2))),
            Cell::new(number(series.threshold, 2)),
        ]);
    }
    out.push_str(&table.render(detail.width.map(usize::from), detail.color));
    out
}

/// The state, the assistants, and days that do not count.
fn headline(status: &Status, detail: &ListDetail) -> String {
    let mut out = String::new();
    let color = if status.needs_attention() {
        AnsiColor::Yellow
    } else {
        AnsiColor::Green
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let is_acknowledged = status.state.is_alarm() && !status.needs_attention();
    let known = if is_acknowledged {
        ", acknowledged"
    } else {
        ""
    };
    let name = format!("{}{known}", status.state.name());
    let name = paint(&name, style, detail.color);
    let _ = writeln!(out, "{name}: {}", clean(&status.sentence));
    let _ = writeln!(out, "{}", facts(status));
    for arm in &status.arms {
        let (name, role, since) = (clean(&arm.name), arm.role.name(), clean(&arm.since));
        let _ = writeln!(
            out,
            "{name} ({role}): {} since {since}",
            clean(&arm.title())
        );
        if let Some(efficiency) = &arm.efficiency {
            let _ = writeln!(out, "  {}", efficiency.words());
        }
    }
    out.push('\n');
    for day in status.invalid_days.iter().rev().take(MOST_INVALID).rev() {
        let _ = writeln!(
            out,
            "{} does not count: {}",
            clean(&day.date),
            clean(&day.reason)
        );
    }
    if !status.invalid_days.is_empty() {
        out.push('\n');
    }
    out
}

/// Counts of days, and the rate of false alarms.
fn facts(status: &Status) -> String {
    let days = |count: usize| plural(count as u64, "day");
    let simulated = if status.simulated { "Simulated. " } else { "" };
    format!(
        "{simulated}{} with results, {} invalid, {} missing. False alarms: at most {} of quiet years.",
        days(status.valid_days),
        status.invalid_days.len(),
        status.missing_days.len(),
        percent(status.false_alarms_per_year)
    )
}

fn alarm(report: &AlarmReport, detail: &ListDetail) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}",
        paint(&clean(&report.sentence), BOLD, detail.color)
    );
    let _ = writeln!(out, "  id: {}", clean(&report.id));
    if let Some(note) = &report.acknowledged {
        let _ = writeln!(out, "  {}", acknowledged(note));
    }
    for line in &report.attribution.evidence {
        let _ = writeln!(out, "  {}", clean(line));
    }
    for flip in report.flips.iter().take(5) {
        let _ = writeln!(
            out,
            "  {}: passed {} of {} before, {} of {} since",
            clean(&flip.task),
            flip.before.0,
            flip.before.1,
            flip.since.0,
            flip.since.1
        );
    }
    let more = report.flips.len().saturating_sub(5);
    if more > 0 {
        let _ = writeln!(out, "  and {} more", plural(more as u64, "task"));
    }
    for shift in report.classes.iter().filter(|shift| is_clear(shift)) {
        let _ = writeln!(
            out,
            "  failures of the class {}: {} of runs before, {} since",
            clean(&shift.class),
            percent(rate(shift.before)),
            percent(rate(shift.since))
        );
    }
    out.push('\n');
    out
}

/// Whether a class changed more than chance explains.
fn is_clear(shift: &ClassShift) -> bool {
    shift.interval.0 > 0.0 || shift.interval.1 < 0.0
}

fn rate((count, runs): (u32, u32)) -> f64 {
    f64::from(count) / f64::from(runs.max(1))
}

/// A difference from the baseline: points, or percent of an amount.
fn difference(series: &Monitored, value: f64) -> String {
    if series.is_ratio {
        return format!(
            "{} %",
            crate::format::signed((value.exp() - 1.0) * 100.0, 0)
        );
    }
    format!("{} points", crate::format::signed(value * 100.0, 1))
}

pub(crate) fn percent(share: f64) -> String {
    format!(
        "{} %",
        number(share * 100.0, if share < 0.01 { 1 } else { 0 })
    )
}

/// Name of the style of a state.
pub(crate) fn tone(state: State) -> &'static str {
    match state {
        State::Suspected | State::Confirmed => "alarm",
        State::Watching => "watching",
        State::Steady | State::Recovered => "steady",
        State::Baseline => "baseline",
    }
}
