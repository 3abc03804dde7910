//! What a tree holds of what the ratchet lists.

use slope_measure::{FileView, Measurer, Tracker};
use slope_model::gate::{GateRule, Level};

use super::{Found, Item};
use crate::rules::findings::rule_of;
use crate::{Check, Limits};

/// The items of a tree in order. What the configuration tells as a warning only is no item.
pub(crate) fn items(tracker: &Tracker<'_>, measurer: &Measurer, check: &Check) -> Vec<Found> {
    let mut found = Vec::new();
    for view in tracker.paths().filter_map(|path| tracker.view(path)) {
        let limits = check.limits(view.part());
        if is_error(limits, GateRule::NewComplexity) {
            complexity(&view, limits, &mut found);
        }
        if is_error(limits, GateRule::NewClone) {
            clones(&view, limits, &mut found);
        }
        findings(&view, measurer, limits, &mut found);
    }
    found.sort_by(|a, b| (&a.item, a.line).cmp(&(&b.item, b.line)));
    found
}

fn is_error(limits: &Limits, rule: GateRule) -> bool {
    limits.level(rule) == Some(Level::Error)
}

fn complexity(view: &FileView, limits: &Limits, found: &mut Vec<Found>) {
    for (callable, form) in view.callables().iter().zip(view.forms()) {
        let kinds = [
            ("complexity", callable.complexity),
            ("cognitive-complexity", callable.cognitive),
        ];
        for (kind, value) in kinds {
            if value > limits.complexity {
                found.push(Found {
                    item: Item {
                        kind: kind.to_owned(),
                        path: view.path().to_owned(),
                        function: callable.name.clone(),
                        print: format!("{form:016x}"),
                        value,
                    },
                    part: view.part(),
                    line: callable.span.start_line,
                    end_line: callable.span.end_line,
                });
            }
        }
    }
}

/// Clone lines by the innermost callable that they stand in.
fn clones(view: &FileView, limits: &Limits, found: &mut Vec<Found>) {
    let callables = view.callables();
    // Of each callable, and last of what stands outside.
    let mut counts = vec![0_u32; callables.len() + 1];
    for row in view
        .cloned()
        .rows()
        .filter(|&row| view.source().contains(row))
    {
        let line = row + 1;
        let inside = callables
            .iter()
            .rposition(|c| (c.span.start_line..=c.span.end_line).contains(&line));
        counts[inside.unwrap_or(callables.len())] += 1;
    }
    for (index, &value) in counts.iter().enumerate() {
        if value == 0 || value < limits.fewest_clone_lines(index == callables.len()) {
            continue;
        }
        let callable = callables.get(index);
        let form = view.forms().get(index).copied();
        found.push(Found {
            item: Item {
                kind: "clone-lines".to_owned(),
                path: view.path().to_owned(),
                function: callable.map(|c| c.name.clone()).unwrap_or_default(),
                print: format!("{:016x}", form.unwrap_or_else(|| view.form_of_rest())),
                value,
            },
            part: view.part(),
            line: callable.map_or(1, |c| c.span.start_line),
            end_line: callable.map_or(1, |c| c.span.end_line),
        });
    }
}

fn findings(view: &FileView, measurer: &Measurer, limits: &Limits, found: &mut Vec<Found>) {
    for finding in view.findings(measurer) {
        let Some(rule) = rule_of(&finding) else {
            continue;
        };
        let is_told = rule != GateRule::NewFinding || finding.severity >= limits.severity;
        if !is_error(limits, rule) || !is_told {
            continue;
        }
        let head = match rule {
            GateRule::DeadCode => "dead-code",
            _ => "finding",
        };
        let line = finding.span.start_line;
        let mut callables = view.callables().iter();
        let around = callables.rfind(|c| (c.span.start_line..=c.span.end_line).contains(&line));
        found.push(Found {
            item: Item {
                kind: format!("{head}/{}", finding.rule),
                path: view.path().to_owned(),
                function: around.map(|c| c.name.clone()).unwrap_or_default(),
                print: finding.fingerprint.clone(),
                value: 1,
            },
            part: view.part(),
            line,
            end_line: finding.span.end_line,
        });
    }
}
