//! A judgement's violations as diagnostics.

use serde_json::json;
use slope_model::finding::{Severity, Span};
use slope_model::gate::{GateRule, Judgement, Level, Violation};

use super::{balance, compared, verdict};
use crate::diagnostics::{Diagnostic, Note, Place, Report, Rule, Silenced, Topic};
use crate::format::clean;

/// The violations of a judgement, and further information for viewers.
pub(super) fn report(judgement: &Judgement) -> Report<'_> {
    let open = judgement.violations.iter().map(|v| diagnostic(v, None));
    let waived = judgement.waived.iter();
    let waived = waived.map(|w| diagnostic(&w.violation, Some(Silenced::Waiver(&w.reason))));
    Report {
        id: "slope/check/".to_owned(),
        title: "slope check".to_owned(),
        summary: summary(judgement),
        definitions: None,
        labels: vec![("definitions", clean(&judgement.definitions.hash))],
        properties: json!({
            "base": judgement.base,
            "head": judgement.head,
            "passes": judgement.passes,
            "definitionsHash": judgement.definitions.hash,
            "balance": {
                "change": judgement.balance.change,
                "layout": judgement.balance.layout,
            },
        }),
        diagnostics: open.chain(waived).collect(),
        rules: GateRule::all().map(rule).collect(),
        fails_from: Severity::Error,
        check_prefix: "slope-",
        notes: judgement.notes.iter().map(|text| note(text)).collect(),
        files: Vec::new(),
        unread: Vec::new(),
        prefix: "",
        base: None,
        root: "Root of the judged code.",
        sources: None,
    }
}

fn summary(judgement: &Judgement) -> String {
    let text = format!("{} {}", verdict(judgement), compared(judgement));
    match balance(judgement) {
        Some(added) => format!("{text}; {added}"),
        None => text,
    }
}

fn note(text: &str) -> Note<'_> {
    Note {
        severity: Severity::Warning,
        path: None,
        text: clean(text),
    }
}

fn rule(rule: GateRule) -> Rule {
    let meaning = rule.meaning();
    Rule {
        id: rule.id().to_owned(),
        short: meaning.to_owned(),
        full: meaning.to_owned(),
        help_text: format!("{meaning} See docs/check.md."),
        help_markdown: format!("{meaning} See `docs/check.md`."),
        on_by_default: true,
        severity: Severity::Error,
        tags: vec!["slope-check".to_owned()],
        precision: None,
    }
}

fn diagnostic<'a>(violation: &'a Violation, silenced: Option<Silenced<'a>>) -> Diagnostic<'a> {
    let places = violation.evidence.places.iter();
    let lines = |start_line, end_line| Span {
        start_line,
        end_line,
        ..Span::default()
    };
    Diagnostic {
        rule: violation.rule.id().to_owned(),
        category: None,
        topic: match violation.rule {
            GateRule::NewClone | GateRule::Reimplementation => Topic::Duplication,
            GateRule::NewComplexity | GateRule::ComplexityGrowth => Topic::Complexity,
            _ => Topic::Style,
        },
        severity: match violation.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
        },
        place: (!violation.path.is_empty()).then(|| Place {
            path: &violation.path,
            span: lines(violation.line, violation.end_line),
        }),
        message: format!("{} {}", clean(&violation.message), clean(&violation.advice)),
        fingerprint: violation.fingerprint.clone(),
        silenced,
        others: places
            .map(|place| Place {
                path: &place.path,
                span: lines(place.line, place.line),
            })
            .collect(),
        more_others: 0,
    }
}
