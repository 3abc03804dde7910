//! GitLab's Code Quality report: a list of issues in Code Climate's form.

use serde_json::{Value, json};
use slope_model::gate::{GateRule, Judgement, Level, Violation};

use crate::format::{clean, clean_path};

/// A place is needed there; what concerns the change as a whole has none and is left out.
pub(super) fn render(judgement: &Judgement) -> serde_json::Result<String> {
    let placed = judgement.violations.iter().filter(|v| !v.path.is_empty());
    let entries: Vec<Value> = placed.map(entry).collect();
    Ok(serde_json::to_string_pretty(&entries)? + "\n")
}

fn entry(violation: &Violation) -> Value {
    let category = match violation.rule {
        GateRule::NewClone | GateRule::Reimplementation => "Duplication",
        GateRule::NewComplexity | GateRule::ComplexityGrowth => "Complexity",
        _ => "Style",
    };
    let severity = match violation.level {
        Level::Error => "major",
        Level::Warning => "minor",
    };
    json!({
        "type": "issue",
        "check_name": format!("slope-{}", violation.rule.id()),
        "description": format!("{} {}", clean(&violation.message), clean(&violation.advice)),
        "categories": [category],
        "severity": severity,
        "fingerprint": format!("{}-{}", violation.rule.id(), violation.fingerprint),
        "location": {
            "path": clean_path(&violation.path),
            "lines": {
                "begin": violation.line.max(1),
                "end": violation.end_line.max(violation.line).max(1),
            },
        },
    })
}
