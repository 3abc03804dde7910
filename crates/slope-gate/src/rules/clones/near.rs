//! New functions that are nearly another one: copies with a few statements changed.

use std::collections::{BTreeMap, BTreeSet};

use slope_measure::{FileView, NearCopy};
use slope_model::gate::{Evidence, GatePlace, GateRule, Level, Violation};
use slope_model::measurement::{Callable, Part};

use crate::rules::{Compared, fingerprint};

/// A function: its path, its dotted name, its first line.
type Function<'a> = (&'a str, &'a str, u32);

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let clones = found.iter().filter(|v| v.rule == GateRule::NewClone);
    let known: BTreeSet<(String, u32)> = clones.map(|v| (v.path.clone(), v.line)).collect();
    let new = new_functions(compared);
    for near in compared.near {
        let Some((this, view)) = function(&new, &near.path, &near.callable, near.line) else {
            continue;
        };
        // Of two new functions the later one is the copy.
        let other = function(&new, &near.other_path, &near.other, near.other_line);
        let is_first = other.is_some_and(|(other, _)| (this.0, this.2) < (other.0, other.2));
        if !is_first && !known.contains(&(near.path.clone(), this.2)) {
            found.extend(judge(compared, near, this.2, view));
        }
    }
}

/// The function of a name at a line. Functions of one file may have one name; their lines tell them
/// apart.
fn function<'n>(
    new: &'n BTreeMap<Function<'n>, &'n FileView>,
    path: &'n str,
    name: &'n str,
    line: u32,
) -> Option<(&'n Function<'n>, &'n FileView)> {
    let mut same = new.range((path, name, 0)..=(path, name, line));
    same.next_back().map(|(function, view)| (function, *view))
}

/// Functions that the change adds, each with its file.
fn new_functions<'a>(compared: &Compared<'a>) -> BTreeMap<Function<'a>, &'a FileView> {
    let added = compared
        .changed()
        .filter(|followed| followed.from.is_empty());
    let units = added.flat_map(|followed| &followed.to);
    let functions = units.filter_map(|&at| {
        let (view, callable) = compared.after(at)?;
        let Callable { name, span, .. } = callable?;
        Some(((view.path(), name.as_str(), span.start_line), view))
    });
    functions.collect()
}

fn judge(
    compared: &Compared<'_>,
    near: &NearCopy,
    line: u32,
    view: &FileView,
) -> Option<Violation> {
    let part = view.part_at(line.saturating_sub(1));
    let (_, level) = compared.level(part, GateRule::NewClone)?;
    if part == Part::Tests {
        return None;
    }
    let (name, other) = (&near.callable, &near.other);
    let place = GatePlace {
        path: near.other_path.clone(),
        function: Some(other.clone()),
        line: near.other_line,
    };
    let at = format!("{}:{}", place.path, place.line);
    // A copy with a change is never said to be all the same.
    let percent = (near.likeness / 10).min(99);
    Some(Violation {
        rule: GateRule::NewClone,
        level: level.min(Level::Warning),
        part,
        path: near.path.clone(),
        function: Some(name.clone()),
        line,
        end_line: line,
        before: None,
        after: f64::from(near.likeness) / 1000.0,
        limit: None,
        fingerprint: fingerprint(&[GateRule::NewClone.id(), &near.path, name, "<near>"]),
        message: format!("`{name}` is nearly `{other}` ({percent} % alike, {at})."),
        advice: format!("Give `{other}` what differs as a parameter, and call it."),
        evidence: Evidence {
            places: vec![place],
            ..Evidence::default()
        },
    })
}
