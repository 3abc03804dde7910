//! New code that stands elsewhere.

use slope_history::ledger::Booked;
use slope_model::gate::{Evidence, GatePlace, GateRule, Violation};
use slope_model::ledger::{Copied, EntryKind, LedgerEntry, LedgerPlace};

use super::{Compared, count, fingerprint};

pub(super) fn find(compared: &Compared<'_>, found: &mut Vec<Violation>) {
    let entries = &compared.full.change.accounts.entries;
    found.extend(entries.iter().filter_map(|booked| judge(compared, booked)));
}

fn judge(compared: &Compared<'_>, booked: &Booked) -> Option<Violation> {
    let entry = &booked.entry;
    let (limits, level) = compared.level(entry.part, GateRule::NewClone)?;
    let own =
        |places: &[LedgerPlace]| -> i64 { places.iter().map(|p| p.amounts.clone_lines).sum() };
    let (before, after) = (own(&entry.from), own(&entry.to));
    let new = after - before;
    let is_change = !matches!(
        entry.kind,
        EntryKind::Affected | EntryKind::Removed | EntryKind::Layout
    );
    if !is_change || new < i64::from(limits.fewest_clone_lines(entry.function.is_none())) {
        return None;
    }
    let place_of = |copied: &Copied| GatePlace {
        path: copied.path.clone(),
        function: copied.function.clone(),
        line: copied.line,
    };
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
