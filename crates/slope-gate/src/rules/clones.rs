//! New code that is a copy of other code.

mod alike;
mod fresh;
mod own;
mod wording;

use slope_model::plural;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use slope_change::ledger::Booked;
use slope_model::gate::{Evidence, GatePlace, GateRule, Level, Violation};
use slope_model::ledger::{Copied, LedgerEntry, Likeness};
use slope_model::measurement::Part;
use slope_syntax::paths::is_example_beside_source;

use super::compared::{Compared, fingerprint};
use own::Own;

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let entries = &compared.impact.change.accounts.entries;
    let lines = Own::of(compared);
    let mut small: BTreeMap<(&str, Part), Vec<&LedgerEntry>> = BTreeMap::new();
    let mut copies = Vec::new();
    for Booked { entry, .. } in entries {
        if compares_itself(entry) {
            continue;
        }
        let violation = judge(compared, entry, &lines);
        if violation.is_none() && lines.gained_alike(entry).0 > 0 {
            let of_file = small.entry((&entry.path, entry.part)).or_default();
            of_file.push(entry);
        }
        copies.extend(violation.map(|found| (entry, found)));
    }
    found.extend(once_each(copies));
    // Clone lines that a file lost do not count as gains of its other code.
    let mut lost: BTreeMap<&str, i64> = BTreeMap::new();
    for Booked { entry, .. } in entries {
        let (before, after) = lines.own(entry);
        *lost.entry(&entry.path).or_default() += (before - after).max(0);
    }
    for ((path, _), entries) in small {
        let lost = lost.get(path).copied().unwrap_or(0);
        let new = entries.iter().map(|e| lines.gained_alike(e).0).sum::<i64>() - lost;
        found.extend(judge_together(compared, &entries, new));
    }
}

/// Reports two equal new pieces once: the more severe one, or the later one.
fn once_each(copies: Vec<(&LedgerEntry, Violation)>) -> Vec<Violation> {
    let place = |v: &Violation| (v.path.clone(), v.function.clone());
    let levels: BTreeMap<_, Level> = copies.iter().map(|(_, v)| (place(v), v.level)).collect();
    let is_known = |(entry, violation): &(&LedgerEntry, Violation)| {
        let Some(twin) = entry.twin.as_ref().filter(|_| entry.copied.is_none()) else {
            return false;
        };
        let other = (twin.path.clone(), twin.function.clone());
        let is_later = (&entry.path, entry.line) > (&twin.path, twin.line);
        let is_other = place(violation) != other;
        let level = levels.get(&other).filter(|_| is_other);
        level.is_some_and(|&level| match level.cmp(&violation.level) {
            Ordering::Less => false,
            Ordering::Equal => !is_later,
            Ordering::Greater => true,
        })
    };
    let kept = copies.into_iter().filter(|copy| !is_known(copy));
    kept.map(|(_, violation)| violation).collect()
}

/// Methods that compare an instance with another one. They look the same in all classes.
const COMPARING: [&str; 6] = [
    "equals",
    "hashCode",
    "Equals",
    "GetHashCode",
    "__eq__",
    "__hash__",
];

/// Whether an entry is such a method, and repeats one of another class.
fn compares_itself(entry: &LedgerEntry) -> bool {
    let other = entry.copied.as_ref().or(entry.twin.as_ref());
    let Some(name) = own_name(&entry.function) else {
        return false;
    };
    COMPARING.contains(&name) && other.is_some_and(|o| own_name(&o.function) == Some(name))
}

/// Whether code is a method that several classes share by convention, or the first of two new pieces. The second one is
/// then the copy.
fn is_by_convention(entry: &LedgerEntry) -> bool {
    let Some(other) = entry.copied.as_ref().or(entry.twin.as_ref()) else {
        return false;
    };
    let is_first = entry.copied.is_none() && (&entry.path, entry.line) < (&other.path, other.line);
    is_first || own_name(&entry.function).is_some_and(|own| own_name(&other.function) == Some(own))
}

/// The last part of a dotted name.
fn own_name(function: &Option<String>) -> Option<&str> {
    function.as_deref()?.rsplit('.').next()
}

/// Judges functions of a file that each gained few lines, but many together.
fn judge_together(
    compared: &Compared<'_>,
    entries: &[&LedgerEntry],
    new: i64,
) -> Option<Violation> {
    let first = entries.iter().min_by_key(|entry| entry.line)?;
    let (limits, level) = compared.level(first.part, GateRule::NewClone)?;
    if new < i64::from(limits.fewest_clone_lines(true)) {
        return None;
    }
    let copied = entries
        .iter()
        .find_map(|e| e.copied.as_ref().or(e.twin.as_ref()));
    let place = copied.map(place_of);
    let at = place.as_ref().map_or(String::new(), |place| {
        format!(", the first at {}:{}", place.path, place.line)
    });
    let (pieces, lines) = (plural(entries.len(), "piece"), plural(new, "line"));
    #[expect(clippy::cast_precision_loss, reason = "numbers of lines")]
    let now = new as f64;
    Some(Violation {
        rule: GateRule::NewClone,
        level,
        part: first.part,
        path: first.path.clone(),
        function: None,
        line: first.line,
        end_line: first
            .to
            .first()
            .map_or(first.line, |p| p.end_line.max(first.line)),
        before: Some(0.0),
        after: now,
        limit: None,
        fingerprint: fingerprint(&[
            GateRule::NewClone.id(),
            &first.path,
            of_part(first.part),
            "<together>",
        ]),
        message: format!(
            "{pieces} of the file have {lines} together that are the same as other code{at}."
        ),
        advice: "Use the existing code, or move it to where both files can use it.".to_owned(),
        evidence: Evidence {
            entry: Some((*first).clone()),
            findings: Vec::new(),
            places: place.into_iter().collect(),
        },
    })
}

/// The name of a part if a file has several.
fn of_part(part: Part) -> &'static str {
    match part {
        Part::Product => "",
        Part::Tests => "tests",
    }
}

fn place_of(copied: &Copied) -> GatePlace {
    GatePlace {
        path: copied.path.clone(),
        function: copied.function.clone(),
        line: copied.line,
    }
}

fn judge(compared: &Compared<'_>, entry: &LedgerEntry, lines: &Own<'_>) -> Option<Violation> {
    let (limits, level) = compared.level(entry.part, GateRule::NewClone)?;
    let (before, after) = lines.own(entry);
    let (same, alike) = lines.gained_alike(entry);
    let fewest = i64::from(limits.fewest_clone_lines(entry.function.is_none()));
    let copied = entry.copied.as_ref().or(entry.twin.as_ref());
    let has_form = copied.is_some_and(|copied| copied.likeness == Likeness::Form);
    // Code with different calls may do something different. Examples cannot share the code that they explain.
    let is_form = same < fewest || has_form;
    let level = if is_example_beside_source(&entry.path) {
        level.min(Level::Warning)
    } else {
        level
    };
    // Tests with the same form follow a convention.
    let is_convention = entry.part == Part::Tests || is_by_convention(entry);
    if alike < fewest || has_form && is_convention {
        return None;
    }
    let (new, level) = if is_form {
        (alike, level.min(Level::Warning))
    } else {
        (same, level)
    };
    let (message, advice) = wording::of(entry, new);
    let place = entry.to.first();
    let name = entry.function.as_deref().unwrap_or("");
    #[expect(clippy::cast_precision_loss, reason = "numbers of lines")]
    let (was, now) = (before as f64, after as f64);
    Some(Violation {
        rule: GateRule::NewClone,
        level,
        part: entry.part,
        path: entry.path.clone(),
        function: entry.function.clone(),
        line: entry.line,
        end_line: place.map_or(entry.line, |p| p.end_line.max(entry.line)),
        before: Some(was),
        after: now,
        limit: None,
        fingerprint: fingerprint(&[GateRule::NewClone.id(), &entry.path, name]),
        message,
        advice,
        evidence: Evidence {
            entry: Some(entry.clone()),
            findings: Vec::new(),
            places: copied.map(place_of).into_iter().collect(),
        },
    })
}
