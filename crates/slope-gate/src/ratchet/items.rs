//! Ratchet items of a tree.

use slope_measure::{FileView, Measurer, Tracker};
use slope_model::gate::{GateRule, Level};
use slope_model::measurement::Part;

use super::{Found, Item};
use crate::rules::findings::rule_of;
use crate::{Check, Limits};

/// The items of a tree, sorted. Rules with level warning give no items.
pub(crate) fn items(tracker: &Tracker<'_>, measurer: &Measurer, check: &Check) -> Vec<Found> {
    let mut found = Vec::new();
    for view in tracker.paths().filter_map(|path| tracker.view(path)) {
        complexity(&view, check, &mut found);
        clones(&view, check, &mut found);
        findings(&view, measurer, check, &mut found);
    }
    found.sort_by(|a, b| (&a.item, a.line).cmp(&(&b.item, b.line)));
    found
}

/// Part of a line, and its limits if the rule has level error there.
fn at<'c>(
    view: &FileView,
    line: u32,
    check: &'c Check,
    rule: GateRule,
) -> Option<(Part, &'c Limits)> {
    by_part(view.part_at(line.saturating_sub(1)), check, rule)
}

fn by_part(part: Part, check: &Check, rule: GateRule) -> Option<(Part, &Limits)> {
    let limits = check.limits(part);
    (limits.level(rule) == Some(Level::Error)).then_some((part, limits))
}

fn complexity(view: &FileView, check: &Check, found: &mut Vec<Found>) {
    for (callable, form) in view.callables().iter().zip(view.forms()) {
        let line = callable.span.start_line;
        let Some((part, limits)) = at(view, line, check, GateRule::NewComplexity) else {
            continue;
        };
        let kinds = [
            ("complexity", callable.judged_complexity()),
            ("cognitive-complexity", callable.judged_cognitive()),
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
                    part,
                    line,
                    end_line: callable.span.end_line,
                });
            }
        }
    }
}

/// Adds clone lines by innermost callable.
fn clones(view: &FileView, check: &Check, found: &mut Vec<Found>) {
    let callables = view.callables();
    // One count per callable, and a last one for the code outside.
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
        let callable = callables.get(index);
        let line = callable.map_or(1, |c| c.span.start_line);
        let judged = match callable {
            Some(_) => at(view, line, check, GateRule::NewClone),
            None => by_part(view.part(), check, GateRule::NewClone),
        };
        let Some((part, limits)) = judged else {
            continue;
        };
        if value == 0 || value < limits.fewest_clone_lines(callable.is_none()) {
            continue;
        }
        let form = view.forms().get(index).copied();
        found.push(Found {
            item: Item {
                kind: "clone-lines".to_owned(),
                path: view.path().to_owned(),
                function: callable.map(|c| c.name.clone()).unwrap_or_default(),
                print: format!("{:016x}", form.unwrap_or_else(|| view.form_of_rest())),
                value,
            },
            part,
            line,
            end_line: callable.map_or(1, |c| c.span.end_line),
        });
    }
}

fn findings(view: &FileView, measurer: &Measurer, check: &Check, found: &mut Vec<Found>) {
    for finding in view.findings(measurer) {
        let Some(rule) = rule_of(&finding) else {
            continue;
        };
        let line = finding.span.start_line;
        let Some((part, limits)) = at(view, line, check, rule) else {
            continue;
        };
        if rule == GateRule::NewFinding && finding.severity < limits.severity {
            continue;
        }
        let head = match rule {
            GateRule::DeadCode => "dead-code",
            _ => "finding",
        };
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
            part,
            line,
            end_line: finding.span.end_line,
        });
    }
}
