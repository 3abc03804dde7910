//! JUnit's XML: a suite for each file, a failed case for each finding.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Subject;
use super::catalogue::severity_name;
use super::digest;
use super::issues::{self, Issue};
use crate::format::{clean, clean_path};

/// A file without findings is a passed case; one that could not be measured an error;
/// a silenced finding a skipped case.
pub(super) fn render(subject: &Subject<'_>) -> String {
    let measurement = subject.measurement;
    let issues = issues::issues(subject);
    let mut by_file: BTreeMap<&str, Vec<&Issue<'_>>> = BTreeMap::new();
    for file in &measurement.files {
        by_file.insert(&file.path, Vec::new());
    }
    for issue in &issues {
        by_file.entry(issue.path).or_default().push(issue);
    }
    let failures = issues.iter().filter(|i| i.suppressed.is_none()).count();
    let clear = by_file.values().filter(|issues| issues.is_empty()).count();
    let errors = measurement.unmeasured.len();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let tests = issues.len() + clear + errors;
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "<testsuites name=\"slope {}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">",
        escape(&digest::definitions_line(measurement))
    );
    for (path, issues) in &by_file {
        suite(&mut out, subject, path, issues);
    }
    for file in &measurement.unmeasured {
        let path = escape(&clean_path(&subject.path(&file.path)));
        let reason = escape(&clean(&file.reason));
        let _ = write!(
            out,
            "  <testsuite name=\"{path}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    \
             <testcase name=\"measured\" classname=\"{path}\">\
             <error type=\"not-measured\" message=\"{reason}\"/></testcase>\n  </testsuite>\n"
        );
    }
    out.push_str("</testsuites>\n");
    out
}

fn suite(out: &mut String, subject: &Subject<'_>, path: &str, issues: &[&Issue<'_>]) {
    let measurement = subject.measurement;
    let path = escape(&clean_path(&subject.path(path)));
    let skipped = issues.iter().filter(|i| i.suppressed.is_some()).count();
    let _ = write!(
        out,
        "  <testsuite name=\"{path}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{skipped}\">\n    \
         <properties><property name=\"profile\" value=\"{}\"/>\
         <property name=\"definitions\" value=\"{}\"/></properties>\n",
        issues.len().max(1),
        issues.len() - skipped,
        escape(&digest::profile(measurement)),
        escape(&clean(&measurement.definitions.hash)),
    );
    if issues.is_empty() {
        let _ = writeln!(
            out,
            "    <testcase name=\"no findings\" classname=\"{path}\"/>"
        );
    }
    for issue in issues {
        case(out, &path, issue);
    }
    out.push_str("  </testsuite>\n");
}

fn case(out: &mut String, path: &str, issue: &Issue<'_>) {
    let (line, column) = (issue.span.start_line, issue.span.start_column);
    let rule = escape(&issue.rule);
    let message = escape(&issue.message);
    let _ = write!(
        out,
        "    <testcase name=\"{rule} at line {line}\" classname=\"{path}\" file=\"{path}\" line=\"{line}\">"
    );
    let _ = match issue.suppressed {
        Some(reason) => write!(out, "<skipped message=\"{}\"/>", escape(&clean(reason))),
        None => write!(
            out,
            "<failure type=\"{}\" message=\"{message}\">{path}:{line}:{column}: {message} [{rule}]</failure>",
            severity_name(issue.severity)
        ),
    };
    out.push_str("</testcase>\n");
}

/// Text for XML 1.0, which has no way to write some characters at all.
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
