//! Grades as text, and the schemas of grades and requests.

use std::fmt::Write;

use schemars::Schema;
use schemars::generate::SchemaSettings;
use slope_model::grade::{Components, Evidence, Grade, TestResults};
use slope_model::grade_request::Request;

use crate::format::{clean, clean_path};
use crate::measurement::schema_of;

/// Components with their titles, in order.
const TITLES: [(&str, &str); 7] = [
    ("p_cx", "structural complexity"),
    ("p_dup", "redundancy"),
    ("p_dead", "dead code"),
    ("p_dev", "deviation from the surrounding code"),
    ("p_contract", "weakened checks and error handling"),
    ("p_min", "changes that the task does not need"),
    ("b_reuse", "reuse of the base"),
];

/// The JSON schema of a grade.
#[must_use]
pub fn grade_schema() -> Schema {
    schema_of::<Grade>()
}

/// The JSON schema of a request to grade an edit.
#[must_use]
pub fn grade_request_schema() -> Schema {
    SchemaSettings::draft2020_12()
        .into_generator()
        .into_root_schema_for::<Request>()
}

/// A grade for a terminal: quality, each component with its evidence, and flags.
#[must_use]
pub fn render_grade(grade: &Grade) -> String {
    let mut out = String::new();
    let quality = shown(grade.quality);
    let _ = writeln!(
        out,
        "Quality {quality} ({}, coverage {})",
        grade.pack,
        shown(grade.coverage)
    );
    if let Some(reward) = grade.reward {
        let _ = writeln!(out, "Reward {}", shown(Some(reward)));
    }
    if let Some(tests) = &grade.tests {
        out.push_str(&results(tests));
    }
    for ((key, title), value) in TITLES.into_iter().zip(values(&grade.components)) {
        let tier = grade.tiers.get(key).map(|tier| format!(", tier {tier}"));
        let tier = tier.unwrap_or_default();
        let _ = writeln!(out, "\n{key:<10} {:<5} {title}{tier}", shown(value));
        if let Some(reason) = grade.missing.get(key) {
            let _ = writeln!(out, "  not measured: {}", clean(reason));
        }
        for piece in grade.evidence.iter().filter(|piece| piece.signal == key) {
            out.push_str(&line(piece));
        }
    }
    if !grade.flags.is_empty() {
        out.push_str("\nFlags\n");
    }
    for flag in &grade.flags {
        let effect = if flag.is_hard {
            "reward 0"
        } else {
            "costs quality"
        };
        let path = clean_path(&flag.path);
        let at = if flag.line > 0 {
            format!("{path}:{}", flag.line)
        } else {
            path
        };
        let _ = writeln!(
            out,
            "  {} ({effect}) {at}: {}",
            flag.id,
            clean(&flag.message)
        );
    }
    out
}

/// Results of tests: counts, the reason of a failure, and the tests that fail.
fn results(tests: &TestResults) -> String {
    let mut out = if tests.pass {
        "Tests pass".to_owned()
    } else {
        "Tests fail".to_owned()
    };
    if let (Some(passed), Some(failed)) = (tests.passed, tests.failed) {
        let _ = write!(out, ": {passed} passed, {failed} failed");
    }
    if let Some(reason) = &tests.reason {
        let _ = write!(out, " ({})", clean(reason));
    }
    out.push('\n');
    for failure in &tests.failures {
        let outcome = format!("{:?}", failure.outcome).to_lowercase();
        let _ = writeln!(out, "  {outcome} {}", clean(&failure.id));
    }
    out
}

fn line(piece: &Evidence) -> String {
    let of = piece
        .of
        .as_ref()
        .map(|of| format!(" (see {})", clean_path(of)));
    format!(
        "  {} {}: {}{}\n",
        clean_path(&piece.at),
        piece.kind,
        clean(&piece.message),
        of.unwrap_or_default()
    )
}

/// The components in the order of their titles.
fn values(components: &Components) -> [Option<f64>; 7] {
    let Components {
        p_cx,
        p_dup,
        p_dead,
        p_dev,
        p_contract,
        p_min,
        b_reuse,
    } = *components;
    [p_cx, p_dup, p_dead, p_dev, p_contract, p_min, b_reuse]
}

fn shown(value: Option<f64>) -> String {
    value.map_or("none".to_owned(), |value| format!("{value:.2}"))
}

#[cfg(test)]
mod tests {
    use slope_model::grade::Components;

    #[test]
    fn every_component_has_a_title() {
        assert_eq!(super::TITLES.map(|(key, _)| key), Components::KEYS);
    }
}
