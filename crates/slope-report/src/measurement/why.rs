//! All facts about a line.

use std::fmt::Write;

use anstyle::Style;
use serde::Serialize;
use slope_model::finding::{Finding, Span};
use slope_model::measurement::{
    Callable, CloneClass, CloneKind, CloneMember, Definitions, Measurement, Part, Suppressed,
};

use super::Subject;
use super::catalogue::Origin;
use super::digest::{self, plural};
use super::human::severity_style;
use super::table::paint;
use crate::diagnostics::severity_name;
use crate::format::{self, Kind, clean, clean_path};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Other places of a clone that are printed.
const MAX_PLACES: usize = 12;

/// All facts of one measured line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineFacts {
    /// `slope.line/1`.
    pub schema: &'static str,
    /// Definitions of the numbers.
    pub definitions: Definitions,
    /// Path relative to the measured root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// Its text, if it could be read.
    pub text: Option<String>,
    /// Whether it is a source line (not blank, not a comment); `None` if that could not be had.
    pub source: Option<bool>,
    /// Language id; `None` if the file was not measured.
    pub language: Option<String>,
    /// The file's part of the code base.
    pub part: Option<Part>,
    /// Reason that the file is not in the measurement.
    pub not_measured: Option<String>,
    /// Callables that contain it, outermost first.
    pub callables: Vec<LineCallable>,
    /// Findings that cover the line.
    pub findings: Vec<Finding>,
    /// Silenced findings that cover the line.
    pub suppressed: Vec<Suppressed>,
    /// Clone classes with a member that covers it.
    pub clones: Vec<LineClone>,
}

/// A callable that contains a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineCallable {
    /// Its place among all callables by mass, 1 for the heaviest.
    pub rank: usize,
    /// Its numbers.
    pub callable: Callable,
}

/// A clone that contains a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineClone {
    /// Similarity of the places.
    pub kind: CloneKind,
    /// Source lines of the class's first member.
    pub lines: u32,
    /// The place that covers the line.
    pub here: Span,
    /// The other places.
    pub others: Vec<CloneMember>,
}

/// The facts about line `line` of the file at `path`, relative to the measured root.
///
/// `text` is the line's text, `source` whether it is a source line; a measurement contains neither.
#[must_use]
pub fn line_facts(
    measurement: &Measurement,
    path: &str,
    line: u32,
    text: Option<String>,
    source: Option<bool>,
) -> LineFacts {
    let file = measurement.files.iter().find(|file| file.path == path);
    let covers = |span: Span| (span.start_line..=span.end_line).contains(&line);
    let heaviest = digest::heaviest(measurement, usize::MAX);
    let within = heaviest.iter().enumerate();
    let mut callables: Vec<LineCallable> = within
        .filter(|(_, (file, callable))| file.path == path && covers(callable.span))
        .map(|(i, (_, callable))| LineCallable {
            rank: i + 1,
            callable: (*callable).clone(),
        })
        .collect();
    callables.sort_by_key(|c| {
        let span = c.callable.span;
        (
            span.start_line,
            span.start_column,
            std::cmp::Reverse(span.end_line),
        )
    });
    let here = |finding: &Finding| finding.path == path && covers(finding.span);
    let findings = measurement.findings.iter().filter(|f| here(f));
    let suppressed = measurement.suppressed.iter().filter(|s| here(&s.finding));
    let clones = measurement.clones.iter();
    LineFacts {
        schema: "slope.line/1",
        definitions: measurement.definitions.clone(),
        path: path.to_owned(),
        line,
        text,
        source,
        language: file.map(|f| f.language.clone()),
        part: file.map(|f| f.part_at(line)),
        not_measured: reason(measurement, path).filter(|_| file.is_none()),
        callables,
        findings: findings.cloned().collect(),
        suppressed: suppressed.cloned().collect(),
        clones: clones
            .filter_map(|class| line_clone(class, path, covers))
            .collect(),
    }
}

/// Reason that a file was not measured, if the measurement has it.
fn reason(measurement: &Measurement, path: &str) -> Option<String> {
    let unmeasured = measurement.unmeasured.iter().find(|u| u.path == path);
    let skipped = measurement.skipped.iter().find(|s| {
        let folder = s.path.strip_suffix('/').unwrap_or(&s.path);
        path == folder
            || path
                .strip_prefix(folder)
                .is_some_and(|rest| rest.starts_with('/'))
    });
    let unmeasured = unmeasured.map(|u| u.reason.clone());
    unmeasured.or_else(|| skipped.map(|s| format!("left out: {}", s.reason)))
}

fn line_clone(class: &CloneClass, path: &str, covers: impl Fn(Span) -> bool) -> Option<LineClone> {
    let at = class
        .members
        .iter()
        .position(|m| m.path == path && covers(m.span))?;
    let members = class.members.iter().enumerate();
    Some(LineClone {
        kind: class.kind,
        lines: class.lines,
        here: class.members.get(at)?.span,
        others: members
            .filter(|(i, _)| *i != at)
            .map(|(_, m)| m.clone())
            .collect(),
    })
}

/// Renders the facts of a line as text; the paths of the subject's prefix.
#[must_use]
pub fn render_line_facts(facts: &LineFacts, subject: &Subject<'_>, color: bool) -> String {
    let mut out = String::new();
    let place = format!("{}:{}", clean_path(&subject.path(&facts.path)), facts.line);
    put(&mut out, &paint(&place, BOLD, color));
    if let Some(text) = &facts.text {
        put(&mut out, &format!("  {}", paint(&clean(text), DIM, color)));
    }
    put(&mut out, &format!("  {}", what_it_is(facts)));
    if let Some(reason) = &facts.not_measured {
        put(
            &mut out,
            &format!("  the file was not measured: {}", clean(reason)),
        );
    }
    callables(&mut out, facts, color);
    findings(&mut out, facts, subject, color);
    clones(&mut out, facts, subject, color);
    let definitions = digest::definitions_line(subject.measurement);
    let profile = digest::profile(subject.measurement);
    let about = format!("profile {profile} · definitions {definitions}");
    put(&mut out, &format!("\n{}", paint(&about, DIM, color)));
    out
}

fn put(out: &mut String, text: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{text}");
}

fn what_it_is(facts: &LineFacts) -> String {
    let language = facts.language.as_deref().map(clean).unwrap_or_default();
    let part = match facts.part {
        Some(Part::Tests) => ", in tests",
        Some(Part::Product) => ", in production code",
        None => "",
    };
    let line = match facts.source {
        Some(true) => "a source line",
        Some(false) => "no source line: blank, or only comment",
        None => "a line",
    };
    let of = if language.is_empty() {
        String::new()
    } else {
        format!(" of {language}")
    };
    format!("{line}{of}{part}")
}

fn callables(out: &mut String, facts: &LineFacts, color: bool) {
    put(
        out,
        &format!("\n{}", paint("Functions around it", BOLD, color)),
    );
    if facts.callables.is_empty() {
        put(out, "  none");
    }
    for LineCallable { rank, callable } in &facts.callables {
        let span = callable.span;
        put(
            out,
            &format!(
                "  {}  lines {}–{}",
                clean(&callable.name),
                span.start_line,
                span.end_line
            ),
        );
        let numbers = format!(
            "    mass {} ({} heaviest), complexity {}, cognitive {}, nesting {}, {}, {}",
            digest::text(Kind::Real, callable.mass),
            digest::ordinal(f64::from(u32::try_from(*rank).unwrap_or(u32::MAX))),
            callable.shown(callable.complexity),
            callable.shown(callable.cognitive),
            callable.shown(callable.nesting),
            plural(callable.parameters.into(), "parameter"),
            plural(callable.sloc.into(), "source line"),
        );
        put(out, &paint(&numbers, DIM, color));
    }
}

fn findings(out: &mut String, facts: &LineFacts, subject: &Subject<'_>, color: bool) {
    put(out, &format!("\n{}", paint("Findings on it", BOLD, color)));
    if facts.findings.is_empty() && facts.suppressed.is_empty() {
        put(out, "  none");
    }
    let suppressed = facts.suppressed.iter();
    let suppressed = suppressed.map(|s| (&s.finding, Some(s.reason.as_str())));
    let all = facts.findings.iter().map(|f| (f, None)).chain(suppressed);
    for (finding, reason) in all {
        let severity = severity_name(finding.severity);
        let severity = paint(severity, severity_style(finding.severity), color);
        let rule = paint(&format!("[{}]", clean(&finding.rule)), DIM, color);
        put(
            out,
            &format!("  {severity}: {} {rule}", clean(&subject.placed(finding))),
        );
        let span = finding.span;
        let origin = subject
            .rule(finding)
            .map_or(Origin::Rule, |rule| rule.origin);
        let counts = origin.counts();
        let lines = if span.start_line == span.end_line {
            format!("line {}", span.start_line)
        } else {
            format!("lines {}–{}", span.start_line, span.end_line)
        };
        put(out, &paint(&format!("    {lines}; {counts}"), DIM, color));
        if let Some(reason) = reason {
            put(out, &format!("    suppressed: {}", clean(reason)));
        }
    }
}

fn clones(out: &mut String, facts: &LineFacts, subject: &Subject<'_>, color: bool) {
    put(
        out,
        &format!("\n{}", paint("Clones that contain it", BOLD, color)),
    );
    if facts.clones.is_empty() {
        put(out, "  none");
    }
    for clone in &facts.clones {
        let kind = digest::clone_kind_name(clone.kind);
        let (start, end) = (clone.here.start_line, clone.here.end_line);
        put(out, &format!("  {kind}: lines {start}–{end} are also at"));
        for member in clone.others.iter().take(MAX_PLACES) {
            let path = clean_path(&subject.path(&member.path));
            let (start, end) = (member.span.start_line, member.span.end_line);
            let alike = match clone.kind {
                CloneKind::NearMiss => {
                    format!("  {} % alike", format::number(member.similarity * 100.0, 0))
                }
                CloneKind::Exact | CloneKind::Renamed => String::new(),
            };
            put(
                out,
                &format!("    {path}:{start}-{end}{}", paint(&alike, DIM, color)),
            );
        }
        if clone.others.len() > MAX_PLACES {
            put(
                out,
                &format!("    … and {} more", clone.others.len() - MAX_PLACES),
            );
        }
    }
}
