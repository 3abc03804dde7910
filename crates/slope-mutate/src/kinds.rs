//! The table of kinds, and what makes one mutation.

use std::collections::BTreeMap;

use crate::draft::{Site, errors};
use crate::kind::{Family, Kind, Severity};
use crate::pick::Pick;
use crate::subject::Subject;
use crate::{
    additions, checks, comments, copies, dead, flags, good, handlers, idioms, improve, inline,
    merges, names, neighbours, nesting, neutral, unused, utilities,
};

/// Every kind, families together.
pub const KINDS: &[&[Kind]] = &[
    copies::KINDS,
    inline::KINDS,
    utilities::KINDS,
    unused::KINDS,
    dead::KINDS,
    handlers::KINDS,
    checks::KINDS,
    nesting::KINDS,
    flags::KINDS,
    merges::KINDS,
    names::KINDS,
    idioms::KINDS,
    neighbours::KINDS,
    additions::KINDS,
    comments::KINDS,
    improve::KINDS,
    good::KINDS,
    neutral::KINDS,
];

/// A change that differs from a real one in a known way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// Name of its kind.
    pub kind: &'static str,
    /// Family of its kind.
    pub family: Family,
    /// How much it adds.
    pub severity: Severity,
    /// Language of the edited file.
    pub language: &'static str,
    /// Path of the main edit.
    pub path: String,
    /// Its first line in the new text, from 1.
    pub line: usize,
    /// What was done.
    pub message: String,
    /// The whole change: new texts by path, `None` for removed files.
    pub files: BTreeMap<String, Option<String>>,
}

/// All mutations of a change by some kinds, in the order of the table. One of high severity that equals that of low
/// severity is left out.
#[must_use]
pub fn mutations(
    subject: &Subject<'_>,
    wanted: &dyn Fn(&Kind, Severity) -> bool,
    seed: u64,
) -> Vec<Mutation> {
    let mut found: Vec<Mutation> = Vec::new();
    for kind in KINDS.iter().copied().flatten() {
        let start = found.len();
        for &severity in kind.severities().iter().filter(|s| wanted(kind, **s)) {
            let Some(mutation) = mutate(subject, kind, severity, seed) else {
                continue;
            };
            if found[start..]
                .iter()
                .all(|other| other.files != mutation.files)
            {
                found.push(mutation);
            }
        }
    }
    found
}

/// The mutation of a kind, `None` if the change has no place for it. The same seed gives the same one.
#[must_use]
pub fn mutate(
    subject: &Subject<'_>,
    kind: &Kind,
    severity: Severity,
    seed: u64,
) -> Option<Mutation> {
    let number = kind
        .id
        .bytes()
        .fold(seed, |sum, byte| sum.rotate_left(7) ^ u64::from(byte));
    let pick = Pick(number);
    for unit in pick.shuffled(subject.units()) {
        let language = unit.style.id();
        if kind.lacks.contains(&language) {
            continue;
        }
        let site = Site {
            subject,
            unit,
            pick,
            is_high: severity == Severity::High,
        };
        let Some(draft) = (kind.make)(&site) else {
            continue;
        };
        let Some(files) = checked(subject, draft.files) else {
            continue;
        };
        return Some(Mutation {
            kind: kind.id,
            family: kind.family,
            severity,
            language,
            path: draft.path,
            line: draft.line,
            message: draft.message,
            files,
        });
    }
    None
}

/// The whole change, if each edited file differs, and has no more syntax errors than without the edit.
fn checked(
    subject: &Subject<'_>,
    files: BTreeMap<String, Option<String>>,
) -> Option<BTreeMap<String, Option<String>>> {
    let mut change = subject.change().clone();
    let mut differs = false;
    for (path, text) in files {
        let before = subject.after(&path);
        let text = match (text, before) {
            (Some(text), Some(before)) if before.contains("\r\n") && !text.contains("\r\n") => {
                Some(text.replace('\n', "\r\n"))
            }
            (text, _) => text,
        };
        if let Some(text) = &text {
            let found = errors(&path, text);
            if found > 0 && found > before.map_or(0, |before| errors(&path, before)) {
                return None;
            }
        }
        differs |= text.as_deref() != before;
        change.insert(path, text);
    }
    differs.then_some(change)
}
