//! New code that stands elsewhere.

mod own;

use std::collections::BTreeMap;

use slope_history::ledger::Booked;
use slope_model::gate::{Evidence, GatePlace, GateRule, Violation};
use slope_model::ledger::{Copied, LedgerEntry};
use slope_model::measurement::Part;

use super::{Compared, count, fingerprint};
use own::Own;

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let entries = &compared.full.change.accounts.entries;
    let lines = Own::of(compared);
    let mut small: BTreeMap<(&str, Part), Vec<&LedgerEntry>> = BTreeMap::new();
    for Booked { entry, .. } in entries {
        if compares_itself(entry) {
            continue;
        }
        let told = judge(compared, entry, &lines);
        if told.is_none() && lines.gained(entry) > 0 {
            let of_file = small.entry((&entry.path, entry.part)).or_default();
            of_file.push(entry);
        }
        found.extend(told);
    }
    // What code of the file lost is no gain of other code in it.
    let mut lost: BTreeMap<&str, i64> = BTreeMap::new();
    for Booked { entry, .. } in entries {
        let (before, after) = lines.own(entry);
        *lost.entry(&entry.path).or_default() += (before - after).max(0);
    }
    for ((path, _), entries) in small {
        let lost = lost.get(path).copied().unwrap_or(0);
        let new = entries.iter().map(|entry| lines.gained(entry)).sum::<i64>() - lost;
        found.extend(judge_together(compared, &entries, new));
    }
}

/// Methods by which a class is compared with itself, which have one form for all classes.
const COMPARING: [&str; 6] = [
    "equals",
    "hashCode",
    "Equals",
    "GetHashCode",
    "__eq__",
    "__hash__",
];

/// Whether an entry is a method whose form the language's contract gives, as that of another class has.
fn compares_itself(entry: &LedgerEntry) -> bool {
    let last = |name: &'_ Option<String>| {
        let name = name.as_deref()?;
        name.rsplit('.').next().map(str::to_owned)
    };
    let other = entry.copied.as_ref().or(entry.twin.as_ref());
    let Some(name) = last(&entry.function) else {
        return false;
    };
    COMPARING.contains(&name.as_str()) && other.is_some_and(|o| last(&o.function) == Some(name))
}

/// Functions of a file that gained few lines each, and many together.
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
    let (pieces, lines) = (
        count(i64::try_from(entries.len()).unwrap_or(i64::MAX), "piece"),
        count(new, "line"),
    );
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
            "{pieces} of the file have {lines} more together that stand elsewhere too{at}."
        ),
        advice: "Use what is there, or move it to where both can.".to_owned(),
        evidence: Evidence {
            entry: Some((*first).clone()),
            findings: Vec::new(),
            places: place.into_iter().collect(),
        },
    })
}

/// What tells apart the parts of a file that has several.
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
    let new = lines.gained(entry);
    if new < i64::from(limits.fewest_clone_lines(entry.function.is_none())) {
        return None;
    }
    let original = entry.copied.as_ref().map(place_of);
    let twin = entry.twin.as_ref().map(place_of);
    let (message, advice) = match &original {
        Some(original) => told_of_original(entry, new, original),
        None => told_of_twin(entry, new, twin.as_ref()),
    };
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
            places: original.or(twin).into_iter().collect(),
        },
    })
}

fn name_of(entry: &LedgerEntry) -> String {
    match &entry.function {
        Some(name) => format!("`{name}`"),
        None => "Code outside of functions".to_owned(),
    }
}

/// What is said of an entry whose new clone lines stand in changed code only, and what to do.
fn told_of_twin(entry: &LedgerEntry, new: i64, twin: Option<&GatePlace>) -> (String, String) {
    let (name, lines) = (name_of(entry), count(new, "line"));
    let at = twin.map_or(String::new(), |twin| {
        format!(", also at {}:{}", twin.path, twin.line)
    });
    let message = format!("{name} has {lines} more that stand twice in the changed code{at}.");
    let advice = match entry.function {
        Some(_) => "Write them once, as a function that both places call.",
        None => "Keep one of them, and use it in both places.",
    };
    (message, advice.to_owned())
}

/// What is said of an entry whose new clone lines stood elsewhere before, and what to do.
fn told_of_original(entry: &LedgerEntry, new: i64, place: &GatePlace) -> (String, String) {
    let (name, lines) = (name_of(entry), count(new, "line"));
    let at = format!("{}:{}", place.path, place.line);
    let advice = match &place.function {
        Some(function) if can_be_called(function) => {
            format!("Call `{function}` ({at}), or move what both need into one function.")
        }
        None if entry.function.is_none() => {
            format!("Keep one of them, and use it here and at {at}.")
        }
        _ => format!("Move what both need into one function, called here and at {at}."),
    };
    let message = format!("{name} has {lines} more that stand at {at} already.");
    (message, advice)
}

/// Whether a name is one that code can call: a part of it that has none of its own is written `<so>`.
fn can_be_called(function: &str) -> bool {
    !function.contains('<')
}
