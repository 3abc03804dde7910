//! SARIF 2.1.0: violations become results, waived ones with a suppression, other places of the
//! same code as related locations. Paths are relative to `%SRCROOT%`, as of measurements.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use slope_model::gate::{GateRule, Judgement, Level, Violation, Waived};

use crate::format::clean;
use crate::measurement::uri;

/// The schema that the log says it follows; nothing is fetched from there.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";

pub(super) fn render(judgement: &Judgement) -> serde_json::Result<String> {
    let all = judgement.violations.iter();
    let all = all.chain(judgement.waived.iter().map(|w| &w.violation));
    let used: BTreeSet<GateRule> = all.map(|v| v.rule).collect();
    let rules: Vec<GateRule> = used.into_iter().collect();
    let open = judgement.violations.iter().map(|v| result(v, &rules, None));
    let waived = judgement.waived.iter();
    let waived = waived.map(|w| result(&w.violation, &rules, Some(w)));
    let results: Vec<Value> = open.chain(waived).collect();
    let notes = judgement
        .notes
        .iter()
        .map(|note| json!({ "level": "warning", "message": { "text": clean(note) } }));
    let version = env!("CARGO_PKG_VERSION");
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "slope",
                "version": version,
                "semanticVersion": version,
                "rules": rules.iter().map(rule).collect::<Vec<Value>>(),
            } },
            "automationDetails": { "id": "slope/check/" },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notes.collect::<Vec<Value>>(),
            }],
            "originalUriBaseIds": {
                ROOT: { "description": { "text": "The top of what was judged." } },
            },
            "columnKind": "utf16CodeUnits",
            "results": results,
            "properties": {
                "base": judgement.base,
                "head": judgement.head,
                "passes": judgement.passes,
                "definitionsHash": judgement.definitions.hash,
                "balance": {
                    "change": judgement.balance.change,
                    "layout": judgement.balance.layout,
                },
            },
        }],
    });
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

fn rule(rule: &GateRule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.meaning() },
        "fullDescription": { "text": rule.meaning() },
        "help": {
            "text": format!("{} See docs/check.md.", rule.meaning()),
            "markdown": format!("{} See `docs/check.md`.", rule.meaning()),
        },
        "defaultConfiguration": { "enabled": true, "level": "error" },
        "properties": { "tags": ["slope-check"], "problem.severity": "error" },
    })
}

fn location(path: &str, line: u32, end_line: u32) -> Value {
    let line = line.max(1);
    // What concerns the change as a whole is shown at the folder.
    let path = if path.is_empty() { "." } else { path };
    json!({
        "artifactLocation": { "uri": uri(path), "uriBaseId": ROOT },
        "region": { "startLine": line, "endLine": end_line.max(line) },
    })
}

fn result(violation: &Violation, rules: &[GateRule], waived: Option<&Waived>) -> Value {
    let related = violation
        .evidence
        .places
        .iter()
        .enumerate()
        .map(|(i, place)| {
            json!({
                "id": i + 1,
                "physicalLocation": location(&place.path, place.line, place.line),
                "message": { "text": "the same code" },
            })
        });
    let level = match violation.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let text = format!("{} {}", clean(&violation.message), clean(&violation.advice));
    let mut result = json!({
        "ruleId": violation.rule.id(),
        "ruleIndex": rules.iter().position(|rule| *rule == violation.rule),
        "level": level,
        "message": { "text": text },
        "locations": [{
            "physicalLocation": location(&violation.path, violation.line, violation.end_line),
        }],
        "relatedLocations": related.collect::<Vec<Value>>(),
        "partialFingerprints": {
            "primaryLocationLineHash": format!("{}:1", violation.fingerprint),
            "slopeFingerprint/v1": violation.fingerprint,
        },
    });
    if let Some(waived) = waived {
        result["suppressions"] = json!([{
            "kind": "external",
            "status": "accepted",
            "justification": clean(&waived.reason),
        }]);
    }
    result
}
