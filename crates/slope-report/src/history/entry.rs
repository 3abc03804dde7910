//! An entry of a ledger on a page: description, author, and diff.

use minijinja::{Value, context};
use slope_model::history::{CommitInfo, DiffLine, DiffSide, EntryAt, EntryDiff, HistoryLedger};
use slope_model::ledger::{Amounts, LedgerEntry, LedgerPlace};
use slope_model::metrics::{CLONE_LINES, Metric};

use super::ledger::{self, kind};
use crate::format::{clean, clean_path, code_line, shorten};

/// Characters of names and subjects.
const MAX_TEXT: usize = 160;

/// The entry at a position.
pub(super) fn of(ledger: &HistoryLedger, at: EntryAt) -> Option<&LedgerEntry> {
    let commit = ledger.commits.get(at.commit as usize)?;
    commit.entries.get(at.entry as usize)
}

/// Name of an entry within the page.
pub(super) fn anchor(at: EntryAt) -> String {
    format!("e{}-{}", at.commit, at.entry)
}

/// One of the amounts with its sign.
pub(super) fn amount(change: &Amounts, metric: &Metric) -> String {
    let mut listed = change.listed().into_iter();
    let found = listed.find(|(listed, _)| *listed == metric);
    found.map_or_else(String::new, |(metric, value)| ledger::amount(metric, value))
}

/// The amounts that are not 0, in words.
pub(super) fn amount_text(change: &Amounts) -> String {
    let parts = badges(change);
    let texts: Vec<String> = parts.into_iter().map(|(text, _)| text).collect();
    match texts.is_empty() {
        true => "nothing".to_owned(),
        false => texts.join(", "),
    }
}

/// The amounts that are not 0, each with its tone: all of these are better low.
fn badges(change: &Amounts) -> Vec<(String, &'static str)> {
    let tone = |value: f64| if value > 0.0 { "bad" } else { "good" };
    let listed = change.listed().into_iter();
    let badge = |(metric, value): (&Metric, f64)| {
        let text = format!("{} {}", metric.words(), ledger::amount(metric, value));
        (value != 0.0).then(|| (text, tone(value)))
    };
    listed.filter_map(badge).collect()
}

/// Path and function of an entry, short enough for a list.
pub(super) fn short_place(entry: &LedgerEntry) -> String {
    let file = entry.path.rsplit('/').next().unwrap_or(&entry.path);
    let text = match &entry.function {
        Some(function) => format!("{} {}", clean_path(file), clean(function)),
        None => clean_path(file),
    };
    shorten(&text, 60)
}

fn place(path: &str, line: u32, function: Option<&str>) -> String {
    let text = match function {
        Some(function) => format!("{}:{line} {}", clean_path(path), clean(function)),
        None => format!("{}, outside of functions", clean_path(path)),
    };
    shorten(&text, MAX_TEXT)
}

fn of_place(place_of: &LedgerPlace) -> String {
    let function = place_of.function.as_deref();
    place(&place_of.path, place_of.start_line, function)
}

/// An entry for the page; `None` if the ledger lacks it.
pub(super) fn value(
    ledger: &HistoryLedger,
    at: EntryAt,
    diff: Option<&EntryDiff>,
) -> Option<Value> {
    let entry = of(ledger, at)?;
    let commit = &ledger.commits.get(at.commit as usize)?.commit;
    let badges = badges(&entry.change).into_iter();
    let hunks = diff.map_or(&[][..], |diff| &diff.hunks);
    Some(context! {
        anchor => anchor(at),
        kind => kind(entry.kind),
        place => place(&entry.path, entry.line, entry.function.as_deref()),
        badges => badges.map(|(text, tone)| context! { text, tone }).collect::<Vec<_>>(),
        commit => commit_value(commit),
        facts => facts(entry),
        hunks => hunks.iter().map(|hunk| hunk_value(hunk)).collect::<Vec<_>>(),
        left_out => diff.map_or(0, |diff| diff.left_out),
    })
}

fn commit_value(commit: &CommitInfo) -> Value {
    context! {
        id => clean(commit.id.get(..10).unwrap_or(&commit.id)),
        day => clean(commit.time.get(..10).unwrap_or(&commit.time)),
        author => shorten(&clean(&commit.author), MAX_TEXT),
        agents => commit.agents.iter().map(|agent| clean(agent)).collect::<Vec<_>>(),
        subject => shorten(&clean(&commit.subject), MAX_TEXT),
    }
}

/// Other facts about an entry, in short sentences.
fn facts(entry: &LedgerEntry) -> Vec<String> {
    let mut facts = Vec::new();
    let complexity = |places: &[LedgerPlace]| places.first().and_then(|place| place.complexity);
    match (complexity(&entry.from), complexity(&entry.to)) {
        (Some(a), Some(b)) if a != b => facts.push(format!("complexity {a} → {b}")),
        (None, Some(b)) => facts.push(format!("complexity {b}")),
        (Some(a), None) => facts.push(format!("complexity was {a}")),
        _ => {}
    }
    let is_here =
        |place: &&LedgerPlace| place.path == entry.path && place.function == entry.function;
    let from: Vec<String> = entry
        .from
        .iter()
        .filter(|p| !is_here(p))
        .map(of_place)
        .collect();
    if !entry.to.is_empty() && !from.is_empty() {
        facts.push(format!("was {}", from.join(" and ")));
    }
    let to: Vec<String> = entry
        .to
        .iter()
        .filter(|p| !is_here(p))
        .map(of_place)
        .collect();
    if !to.is_empty() {
        facts.push(format!("also {}", to.join(" and ")));
    }
    if let Some(copied) = &entry.copied {
        let of = place(&copied.path, copied.line, copied.function.as_deref());
        facts.push(format!("copy of {of}"));
    }
    if !entry.elsewhere.is_empty() {
        let sum: i64 = entry.elsewhere.iter().map(|e| e.clone_lines).sum();
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let sum = ledger::amount(&CLONE_LINES, sum as f64);
        facts.push(format!("{sum} {} in unchanged code", CLONE_LINES.title));
    }
    let dead = entry.dead_code.iter();
    facts.extend(dead.map(|finding| shorten(&clean(&finding.message), MAX_TEXT)));
    facts
}

fn hunk_value(hunk: &[DiffLine]) -> Vec<Value> {
    let line = |line: &DiffLine| {
        let (tone, sign) = match line.side {
            DiffSide::Both => ("same", " "),
            DiffSide::Before => ("gone", "−"),
            DiffSide::After => ("new", "+"),
        };
        context! { tone, sign, number => line.line, text => code_line(&line.text) }
    };
    hunk.iter().map(line).collect()
}
