//! Clones of a snapshot, as classes, lines and findings.

use std::collections::HashSet;

use rayon::prelude::*;
use slope_clones::Memo;
use slope_model::finding::{Finding, Severity, Span};
use slope_model::measurement::{CloneClass, CloneKind, CloneMember};
use slope_syntax::LineSet;

use crate::fingerprint::Fingerprints;
use crate::measured_file::MeasuredFile;
use crate::options::Options;
use crate::places::Places;

/// Id of the finding for code that is elsewhere too.
pub(crate) const CLONE: &str = "clone";
/// Id of the finding for nearly the same code elsewhere.
pub(crate) const NEAR_CLONE: &str = "near-clone";

/// Results.
pub(crate) struct Clones {
    pub(crate) classes: Vec<CloneClass>,
    /// The same classes as found by the clone search, with files by index.
    pub(crate) classes_found: Vec<slope_clones::Class>,
    /// For each file, the rows in clones of types 1 and 2.
    pub(crate) lines: Vec<LineSet>,
    /// For each file, the rows in near misses. `None` if they are not searched.
    pub(crate) near_lines: Option<Vec<LineSet>>,
}

/// Finds the clones of files in path order.
pub(crate) fn find(files: &[MeasuredFile], options: &Options, memo: Option<&Memo>) -> Clones {
    let facts: Vec<_> = files.iter().map(|f| &f.facts.clones).collect();
    let mut wanted = slope_clones::Options::of(options.profile.definitions());
    if !options.near_miss {
        wanted.similarity = None;
    }
    let report = slope_clones::classes_with(&facts, &wanted, memo);
    let classes = report
        .classes
        .par_iter()
        .map(|class| CloneClass {
            kind: class.kind,
            lines: class.lines,
            tokens: class.tokens,
            members: class.members.iter().map(|m| member(files, m)).collect(),
            fingerprint: class.fingerprint.clone(),
        })
        .collect();
    Clones {
        classes,
        classes_found: report.classes,
        lines: report.clone_lines,
        near_lines: wanted.similarity.map(|_| report.near_lines),
    }
}

/// For each file, which classes it has members of: class and member, by number.
pub(crate) fn by_file(classes: &[slope_clones::Class], files: usize) -> Vec<Vec<(usize, usize)>> {
    let mut by_file: Vec<Vec<(usize, usize)>> = vec![Vec::new(); files];
    for (class, found) in classes.iter().enumerate() {
        for (index, place) in found.members.iter().enumerate() {
            by_file[place.file as usize].push((class, index));
        }
    }
    by_file
}

fn member(files: &[MeasuredFile], place: &slope_clones::Place) -> CloneMember {
    let file = &files[place.file as usize];
    CloneMember {
        path: file.path.clone(),
        span: span(&file.facts.line_starts, place),
        similarity: f64::from(place.similarity) / 1000.0,
    }
}

fn span(starts: &[u32], place: &slope_clones::Place) -> Span {
    let column = |row: u32, byte: u32| {
        let start = starts.get(row as usize).copied().unwrap_or(byte);
        byte.saturating_sub(start) + 1
    };
    Span {
        start_line: place.first_row + 1,
        start_column: column(place.first_row, place.start_byte),
        end_line: place.last_row + 1,
        end_column: column(place.last_row, place.end_byte),
    }
}

/// One finding for each of a file's members of classes.
pub(crate) fn findings(
    file: &MeasuredFile,
    members: &[(usize, usize)],
    classes: &[CloneClass],
) -> Vec<Finding> {
    if members.is_empty() {
        return Vec::new();
    }
    let lines = |member: &CloneMember| (member.span.start_line, member.span.end_line);
    let told: HashSet<(u32, u32)> = members
        .iter()
        .filter(|(class, _)| classes[*class].kind != CloneKind::NearMiss)
        .map(|&(class, index)| lines(&classes[class].members[index]))
        .collect();
    // A clone that equals one place and is similar to another is reported once, as equal.
    let is_told = |class: &CloneClass, index: usize| {
        class.kind == CloneKind::NearMiss && told.contains(&lines(&class.members[index]))
    };
    let places = Places::of_lines(&file.facts.callables);
    let mut prints = Fingerprints::default();
    let finding = |&(class, index): &(usize, usize)| {
        let class = &classes[class];
        let member = &class.members[index];
        let (rule, severity) = rule(class.kind);
        let around = places.around(member.span.start_line, member.span.end_line + 1);
        Finding {
            rule: rule.to_owned(),
            category: "duplication".to_owned(),
            severity,
            path: member.path.clone(),
            span: member.span,
            message: message(class, index),
            fingerprint: prints.of(rule, around, &class.fingerprint),
        }
    };
    let members = members.iter();
    let once = members.filter(|(class, index)| {
        let (class, index) = (&classes[*class], *index);
        !is_told(class, index) && !is_expected(file, class.kind, &class.members[index].span)
    });
    once.map(finding).collect()
}

/// Whether similar code is expected: Go examples have to be complete, and Rust defaults list the
/// fields of their type.
fn is_expected(file: &MeasuredFile, kind: CloneKind, span: &Span) -> bool {
    let is_test = file.path.ends_with("_test.go");
    let is_default = file.language.files().list_defaults && kind == CloneKind::NearMiss;
    let covers = |one: &Span| one.start_line <= span.start_line && span.end_line <= one.end_line;
    let mut callables = file.facts.callables.iter().filter(|c| covers(&c.span));
    (is_test || is_default)
        && callables.any(|callable| match is_test {
            true => callable.name.starts_with("Example"),
            false => callable.name.ends_with("default") && callable.complexity == 1,
        })
}

fn rule(kind: CloneKind) -> (&'static str, Severity) {
    match kind {
        CloneKind::Exact | CloneKind::Renamed => (CLONE, Severity::Warning),
        CloneKind::NearMiss => (NEAR_CLONE, Severity::Hint),
    }
}

fn message(class: &CloneClass, index: usize) -> String {
    let what = match class.kind {
        CloneKind::Exact => "The same code",
        CloneKind::Renamed => "The same code except for names and literals",
        CloneKind::NearMiss => "Nearly the same code",
    };
    let other = &class.members[usize::from(index == 0)];
    format!(
        "{what} appears in {} places, also at {}:{}.",
        class.members.len(),
        other.path,
        other.span.start_line,
    )
}
