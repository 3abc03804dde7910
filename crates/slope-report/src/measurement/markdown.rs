//! GitHub-flavoured Markdown for a comment: a summary at the top, the rest folded.

use std::fmt::Write;

use slope_model::measurement::{CloneClass, Measurement};
use slope_model::metrics::MEASURE;

use super::catalogue::Origin;
use super::digest::{self, Headline, RuleCount, plural};
use super::{Detail, Subject};
use crate::diagnostics::severity_name;
use crate::format::{Kind, clean};
use crate::markdown::escape;

/// Places of a clone class that are listed.
const MAX_PLACES: usize = 4;

pub(super) fn render(subject: &Subject<'_>, detail: &Detail) -> String {
    let mut out = String::new();
    let measurement = subject.measurement;
    line(&mut out, &format!("### slope: {}", foreign(subject.title)));
    headline(&mut out, measurement);
    totals(&mut out, measurement);
    callables(&mut out, subject, detail.most());
    clones(&mut out, subject, detail.most());
    rules(&mut out, subject, detail.most());
    dead_code(&mut out, subject, detail.most());
    if detail.findings {
        findings(&mut out, subject);
    }
    gaps(&mut out, subject, detail.most());
    let definitions = &measurement.definitions;
    let about = format!(
        "\nProfile {}, definitions {} `{}`.",
        escape(&digest::profile(measurement)),
        foreign(&definitions.version),
        clean(&definitions.hash).replace('`', "")
    );
    line(&mut out, &about);
    out
}

fn line(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

fn foreign(text: &str) -> String {
    escape(&clean(text))
}

/// `text` as code, which cannot leave its span.
fn code(text: &str) -> String {
    let text = clean(text).replace('`', "'").replace('|', "\\|");
    format!("`{text}`")
}

fn row(out: &mut String, cells: &[String]) {
    line(out, &format!("| {} |", cells.join(" | ")));
}

/// A table's head: a column name that begins with `>` marks numbers.
fn head(out: &mut String, titles: &[&str]) {
    let names: Vec<String> = titles
        .iter()
        .map(|t| t.trim_start_matches("> ").to_owned())
        .collect();
    row(out, &names);
    let rules = titles
        .iter()
        .map(|t| if t.starts_with('>') { "--:" } else { "---" });
    line(out, &format!("|{}|", rules.collect::<Vec<_>>().join("|")));
}

fn headline(out: &mut String, measurement: &Measurement) {
    for headlines in digest::headlines(measurement) {
        out.push('\n');
        let title = escape(&headlines.title);
        head(out, &[title.as_str(), "> value", "rank"]);
        for number in &headlines.numbers {
            headline_row(out, number);
        }
    }
}

fn headline_row(out: &mut String, number: &Headline<'_>) {
    let standings = number.standings.iter().map(|s| {
        format!(
            "{} percentile of {} {}",
            digest::ordinal(s.percentile),
            s.count,
            escape(&digest::panel_name(s))
        )
    });
    let mut stands = standings.collect::<Vec<_>>().join("<br>");
    if let Some(why) = number.missing {
        stands = foreign(why);
    }
    row(
        out,
        &[number.title.clone(), format!("**{}**", number.text), stands],
    );
}

fn folded(out: &mut String, title: &str) {
    line(out, &format!("\n<details><summary>{title}</summary>\n"));
}

fn unfolded(out: &mut String) {
    line(out, "\n</details>");
}

fn totals(out: &mut String, measurement: &Measurement) {
    let parts = digest::parts(measurement);
    folded(out, "Totals");
    let names: Vec<String> = parts.iter().map(|(name, _)| format!("> {name}")).collect();
    let mut titles = vec![""];
    titles.extend(names.iter().map(String::as_str));
    head(out, &titles);
    for metric in MEASURE {
        let mut cells = vec![metric.title.to_owned()];
        cells.extend(
            parts
                .iter()
                .map(|(_, totals)| digest::figure(metric, totals)),
        );
        row(out, &cells);
    }
    unfolded(out);
}

fn callables(out: &mut String, subject: &Subject<'_>, most: usize) {
    let all = digest::heaviest(subject.measurement, most);
    if all.is_empty() {
        return;
    }
    folded(out, "Heaviest functions");
    head(
        out,
        &[
            "> mass",
            "> complexity",
            "> cognitive",
            "> lines",
            "function",
            "place",
        ],
    );
    for (file, callable) in all.iter().take(most) {
        let path = subject.path(&file.path);
        let cells = [
            digest::text(Kind::Real, callable.mass),
            callable.shown(callable.complexity),
            callable.shown(callable.cognitive),
            callable.sloc.to_string(),
            code(&callable.name),
            code(&format!("{path}:{}", callable.span.start_line)),
        ];
        row(out, &cells);
    }
    rest(out, all.len(), most);
    unfolded(out);
}

fn rest(out: &mut String, all: usize, shown: usize) {
    if all > shown {
        line(out, &format!("\n… and {} more", all - shown));
    }
}

fn clones(out: &mut String, subject: &Subject<'_>, most: usize) {
    let all = digest::largest_clones(subject.measurement);
    if all.is_empty() {
        return;
    }
    let kinds = digest::clone_kinds(subject.measurement);
    folded(out, &format!("Clones: {kinds}"));
    for class in all.iter().take(most) {
        clone_class(out, subject, class);
    }
    rest(out, all.len(), most);
    unfolded(out);
}

fn clone_class(out: &mut String, subject: &Subject<'_>, class: &CloneClass) {
    let places = class.members.iter().take(MAX_PLACES).map(|member| {
        let (start, end) = (member.span.start_line, member.span.end_line);
        code(&format!("{}:{start}-{end}", subject.path(&member.path)))
    });
    let mut places = places.collect::<Vec<_>>().join(", ");
    if class.members.len() > MAX_PLACES {
        places.push_str(", …");
    }
    let size = format!(
        "{} in {}",
        plural(class.lines.into(), "line"),
        plural(class.members.len() as u64, "place")
    );
    let kind = digest::clone_kind_name(class.kind);
    line(out, &format!("- {size}, {kind}: {places}"));
}

fn rules(out: &mut String, subject: &Subject<'_>, most: usize) {
    let counts = digest::rule_counts(subject);
    for (origin, title) in [
        (Origin::Rule, "Rules"),
        (Origin::Signal, "Signals"),
        (Origin::Metric, "Metrics"),
    ] {
        let of: Vec<&RuleCount<'_>> = counts.iter().filter(|c| c.origin == origin).collect();
        if of.is_empty() {
            continue;
        }
        let sum = of.iter().map(|c| c.count).sum::<usize>() as u64;
        folded(out, &format!("{title}: {}", plural(sum, "finding")));
        head(out, &["> count", "severity", "rule", "category", "what"]);
        for rule in of.iter().take(most) {
            let cells = [
                rule.count.to_string(),
                severity_name(rule.severity).to_owned(),
                code(rule.id),
                foreign(rule.category),
                escape(&rule.message),
            ];
            row(out, &cells);
        }
        rest(out, of.len(), most);
        unfolded(out);
    }
}

/// Dead code by origin, and the part caused by the change.
fn dead_code(out: &mut String, subject: &Subject<'_>, most: usize) {
    let Some(dead) = &subject.measurement.dead_code else {
        return;
    };
    let (counts, base) = (digest::dead_counts(dead), digest::dead_base(dead));
    folded(out, &format!("Dead code since {}: {counts}", escape(&base)));
    let of_change = digest::dead_of_change(dead);
    for one in of_change.iter().take(most) {
        let path = subject.path(&one.path);
        let text = format!(
            "- {} {}: {} {}",
            code(&format!("{path}:{}", one.span.start_line)),
            digest::origin_name(one.origin),
            foreign(&subject.message(&one.message)),
            code(&one.rule)
        );
        line(out, &text);
    }
    rest(out, of_change.len(), most);
    unfolded(out);
}

fn findings(out: &mut String, subject: &Subject<'_>) {
    let all = &subject.measurement.findings;
    folded(out, &format!("Findings: {}", all.len()));
    for finding in all {
        let path = subject.path(&finding.path);
        let span = subject.in_file(&finding.path, finding.span);
        let place = code(&format!("{path}:{}", span.start_line));
        let text = format!(
            "- {place} {} {}",
            foreign(&subject.placed(finding)),
            code(&finding.rule)
        );
        line(out, &text);
    }
    unfolded(out);
}

/// Code that the numbers do not cover.
fn gaps(out: &mut String, subject: &Subject<'_>, most: usize) {
    let measurement = subject.measurement;
    let broken = measurement.totals.files_with_syntax_errors;
    let counts = [
        (measurement.unmeasured.len() as u64, "file", "not measured"),
        (broken.into(), "file", "with syntax errors"),
        (measurement.skipped.len() as u64, "path", "left out"),
        (measurement.suppressed.len() as u64, "finding", "suppressed"),
    ];
    let said = counts.iter().filter(|(n, ..)| *n > 0);
    let said: Vec<String> = said
        .map(|(n, noun, what)| format!("{} {what}", plural(*n, noun)))
        .collect();
    if said.is_empty() {
        return;
    }
    folded(out, &said.join(", "));
    for file in measurement.unmeasured.iter().take(most) {
        let path = code(&subject.path(&file.path));
        line(out, &format!("- {path}: {}", foreign(&file.reason)));
    }
    rest(out, measurement.unmeasured.len(), most);
    for (reason, paths) in digest::skipped_by_reason(&measurement.skipped) {
        line(out, &format!("- {} {}", paths.len(), escape(&reason)));
    }
    unfolded(out);
}
