//! A judgement for a terminal: a line or two for each violation.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use slope_model::gate::{Judgement, Level, Violation};

use super::{JudgementDetail, amounts, balance, compared, verdict};
use crate::format::{clean, clean_path};
use crate::measurement::table::paint;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

pub(super) fn render(judgement: &Judgement, detail: &JudgementDetail) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}", paint(&compared(judgement), DIM, detail.color));
    for note in &judgement.notes {
        let _ = writeln!(
            out,
            "{}",
            paint(&format!("note: {}", clean(note)), DIM, detail.color)
        );
    }
    for violation in &judgement.violations {
        one(&mut out, violation, detail);
    }
    for waived in &judgement.waived {
        let until = waived.until.as_ref();
        let until = until.map_or_else(String::new, |day| format!(" until {}", clean(day)));
        let text = format!(
            "waived{until}: {} {} ({})",
            place(&waived.violation),
            clean(&waived.violation.message),
            clean(&waived.reason)
        );
        let _ = writeln!(out, "{}", paint(&text, DIM, detail.color));
    }
    let color = match judgement.passes {
        true => AnsiColor::Green,
        false => AnsiColor::Red,
    };
    let style = BOLD.fg_color(Some(color.into()));
    let _ = writeln!(out, "{}", paint(&verdict(judgement), style, detail.color));
    if let Some(added) = balance(judgement) {
        let text = format!("The change adds: {added}");
        let _ = writeln!(out, "{}", paint(&text, DIM, detail.color));
    }
    if !judgement.violations.is_empty() && !detail.evidence {
        let text = "--verbose shows the evidence.";
        let _ = writeln!(out, "{}", paint(text, DIM, detail.color));
    }
    out
}

/// `path:line`; empty for the change as a whole.
fn place(violation: &Violation) -> String {
    match violation.path.is_empty() {
        true => String::new(),
        false => format!("{}:{}:", clean_path(&violation.path), violation.line.max(1)),
    }
}

fn one(out: &mut String, violation: &Violation, detail: &JudgementDetail) {
    let color = match violation.level {
        Level::Error => AnsiColor::Red,
        Level::Warning => AnsiColor::Yellow,
    };
    let style = BOLD.fg_color(Some(color.into()));
    let head = format!("{}[{}]", violation.level.id(), violation.rule.id());
    let at = paint(&place(violation), BOLD, detail.color);
    let gap = if at.is_empty() { "" } else { " " };
    let _ = writeln!(
        out,
        "{at}{gap}{}: {}\n    {}",
        paint(&head, style, detail.color),
        clean(&violation.message),
        clean(&violation.advice),
    );
    if detail.evidence {
        evidence(out, violation);
    }
}

fn evidence(out: &mut String, violation: &Violation) {
    let _ = writeln!(out, "    fingerprint {}", violation.fingerprint);
    for place in &violation.evidence.places {
        let function = place.function.as_deref().unwrap_or("outside of functions");
        let _ = writeln!(
            out,
            "    other code: {}:{} {}",
            clean_path(&place.path),
            place.line,
            clean(function)
        );
    }
    for finding in &violation.evidence.findings {
        let _ = writeln!(
            out,
            "    finding {}: {}:{}-{}",
            clean(&finding.rule),
            clean_path(&finding.path),
            finding.span.start_line,
            finding.span.end_line
        );
    }
    if let Some(entry) = &violation.evidence.entry {
        let _ = writeln!(out, "    the entry adds: {}", amounts(&entry.change));
        for (side, places) in [("before", &entry.from), ("after", &entry.to)] {
            for place in places {
                let name = place.function.as_deref().unwrap_or("outside of functions");
                let complexity = place
                    .complexity
                    .map_or_else(String::new, |n| format!(", complexity {n}"));
                // Code outside of functions has no line range.
                let lines = match place.end_line {
                    0 => String::new(),
                    end => format!(":{}-{end}", place.start_line),
                };
                let _ = writeln!(
                    out,
                    "    {side}: {}{lines} {}{complexity}",
                    clean_path(&place.path),
                    clean(name),
                );
            }
        }
    }
}
