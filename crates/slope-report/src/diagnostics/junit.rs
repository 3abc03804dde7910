//! JUnit's XML: a suite for each file, a failed case for each diagnostic.
//!
//! Written here and not with `quick-junit`: that crate adds times and counts of its own, and this is short.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Diagnostic, Report, Unread, severity_name};
use crate::format::{clean, clean_path};

/// A file without diagnostics is a passed case; an unreadable one is an error; a silenced
/// diagnostic is a skipped case. A diagnostic below the requested severity is a passed case with
/// output.
pub(crate) fn render(report: &Report<'_>) -> String {
    let suites = suites(report);
    let all = &report.diagnostics;
    let failures = all.iter().filter(|d| is_failure(report, d)).count();
    let clear = suites.values().filter(|found| found.is_empty()).count();
    let errors = report.unread.len();
    let name = match &report.definitions {
        Some(definitions) => format!("slope {definitions}"),
        None => report.title.clone(),
    };
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<testsuites name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">",
        escape(&name),
        all.len() + clear + errors + usize::from(!report.notes.is_empty()),
    );
    for (path, found) in &suites {
        suite(&mut out, report, path, found);
    }
    for file in &report.unread {
        unread(&mut out, report, file);
    }
    notes(&mut out, report);
    out.push_str("</testsuites>\n");
    out
}

/// The notes and the outcome, as the output of a passed case.
fn notes(out: &mut String, report: &Report<'_>) {
    if report.notes.is_empty() {
        return;
    }
    let title = escape(&report.title);
    let lines = report.notes.iter().map(|note| {
        let path = note
            .path
            .map(|path| format!("{}: ", clean_path(&report.shown(path))));
        escape(&format!("note: {}{}", path.unwrap_or_default(), note.text))
    });
    let lines: Vec<String> = std::iter::once(escape(&report.summary))
        .chain(lines)
        .collect();
    let _ = write!(
        out,
        "  <testsuite name=\"{title}: notes\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n    \
         <testcase name=\"notes\" classname=\"{title}\"><system-out>{}</system-out></testcase>\n  </testsuite>\n",
        lines.join("\n")
    );
}

/// The diagnostics of each suite. Diagnostics without a file, and empty reports, use the title as
/// the suite.
fn suites<'a>(report: &'a Report<'_>) -> BTreeMap<String, Vec<&'a Diagnostic<'a>>> {
    let name = |path: &str| clean_path(&report.shown(path));
    let mut suites: BTreeMap<String, Vec<&Diagnostic<'_>>> = BTreeMap::new();
    for path in &report.files {
        suites.entry(name(path)).or_default();
    }
    for diagnostic in &report.diagnostics {
        let suite = diagnostic.place.map(|place| name(place.path));
        let suite = suite.unwrap_or_else(|| report.title.clone());
        suites.entry(suite).or_default().push(diagnostic);
    }
    if suites.is_empty() && report.unread.is_empty() {
        suites.insert(report.title.clone(), Vec::new());
    }
    suites
}

fn suite(out: &mut String, report: &Report<'_>, name: &str, found: &[&Diagnostic<'_>]) {
    let name = escape(name);
    let skipped = found.iter().filter(|d| d.silenced.is_some()).count();
    let label = |(name, value): &(&str, String)| {
        format!("<property name=\"{name}\" value=\"{}\"/>", escape(value))
    };
    let labels: String = report.labels.iter().map(label).collect();
    let _ = write!(
        out,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{skipped}\">\n    \
         <properties>{labels}</properties>\n",
        found.len().max(1),
        found.iter().filter(|d| is_failure(report, d)).count(),
    );
    if found.is_empty() {
        let _ = writeln!(
            out,
            "    <testcase name=\"no findings\" classname=\"{name}\"/>"
        );
    }
    let mut names = BTreeMap::new();
    for diagnostic in found {
        let case_name = case_name(diagnostic);
        let earlier: &mut usize = names.entry(case_name.clone()).or_default();
        *earlier += 1;
        // Viewers take cases of one name for one.
        let case_name = match *earlier {
            1 => case_name,
            n => format!("{case_name} ({n})"),
        };
        case(out, report, (&name, &escape(&case_name)), diagnostic);
    }
    out.push_str("  </testsuite>\n");
}

fn is_failure(report: &Report<'_>, diagnostic: &Diagnostic<'_>) -> bool {
    diagnostic.silenced.is_none() && diagnostic.severity >= report.fails_from
}

/// The name of a case before it is made unique.
fn case_name(diagnostic: &Diagnostic<'_>) -> String {
    match diagnostic.place {
        Some(place) => format!("{} at line {}", diagnostic.rule, place.span.start_line),
        None => diagnostic.rule.clone(),
    }
}

fn case(
    out: &mut String,
    report: &Report<'_>,
    (suite, name): (&str, &str),
    diagnostic: &Diagnostic<'_>,
) {
    let rule = escape(&diagnostic.rule);
    let message = escape(&diagnostic.message);
    let place = diagnostic.place.map(|place| place.span);
    let (file, at) = match place {
        Some(span) => {
            let (line, column) = (span.start_line, span.start_column);
            let at = match column {
                0 => format!("{suite}:{line}: "),
                _ => format!("{suite}:{line}:{column}: "),
            };
            let file = format!(" file=\"{suite}\" line=\"{line}\"");
            (file, at)
        }
        None => (String::new(), String::new()),
    };
    let _ = write!(
        out,
        "    <testcase name=\"{name}\" classname=\"{suite}\"{file}>"
    );
    let _ = match diagnostic.silenced {
        Some(silenced) => write!(
            out,
            "<skipped message=\"{}\"/><system-out>{at}{message} [{rule}]</system-out>",
            escape(&clean(silenced.reason()))
        ),
        None if !is_failure(report, diagnostic) => write!(
            out,
            "<system-out>{}: {at}{message} [{rule}]</system-out>",
            severity_name(diagnostic.severity)
        ),
        None => write!(
            out,
            "<failure type=\"{}\" message=\"{message}\">{at}{message} [{rule}]</failure>",
            severity_name(diagnostic.severity)
        ),
    };
    out.push_str("</testcase>\n");
}

fn unread(out: &mut String, report: &Report<'_>, file: &Unread<'_>) {
    let path = escape(&clean_path(&report.shown(file.path)));
    let reason = escape(&clean(file.reason));
    let _ = write!(
        out,
        "  <testsuite name=\"{path}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    \
         <testcase name=\"measured\" classname=\"{path}\">\
         <error type=\"not-measured\" message=\"{reason}\"/></testcase>\n  </testsuite>\n"
    );
}

/// Text for XML 1.0, which cannot represent some characters at all.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
