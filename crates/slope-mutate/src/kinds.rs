//! The table of kinds, and what makes one mutation.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::draft::{Draft, Site, errors};
use crate::pick::Pick;
use crate::style::styles;
use crate::subject::Subject;
use crate::{
    additions, checks, comments, copies, dead, flags, good, handlers, idioms, improve, inline,
    merges, names, neighbours, nesting, neutral, unused, utilities,
};

/// What a kind of edit is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Worse code.
    Slop,
    /// Better code.
    Improvement,
    /// Good code that looks like slop.
    HardNegative,
    /// Neither better nor worse.
    Neutral,
    /// The real change.
    Honest,
}

/// How much a mutation adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// One small instance.
    Low,
    /// A larger one, or several.
    High,
}

impl Severity {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Low, Self::High];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

/// A kind of edit.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its name.
    pub id: &'static str,
    /// What it is for.
    pub family: Family,
    /// One sentence about it.
    pub summary: &'static str,
    /// Whether the program still does the same.
    pub keeps_behaviour: bool,
    /// Languages that it does not have.
    pub(crate) lacks: &'static [&'static str],
    /// Whether it has both severities.
    pub(crate) has_degrees: bool,
    pub(crate) make: fn(&Site<'_>) -> Option<Draft>,
}

impl Kind {
    const fn new(
        family: Family,
        id: &'static str,
        summary: &'static str,
        make: fn(&Site<'_>) -> Option<Draft>,
    ) -> Self {
        Self {
            id,
            family,
            summary,
            keeps_behaviour: true,
            lacks: &[],
            has_degrees: true,
            make,
        }
    }

    pub(crate) const fn slop(
        id: &'static str,
        summary: &'static str,
        make: fn(&Site<'_>) -> Option<Draft>,
    ) -> Self {
        Self::new(Family::Slop, id, summary, make)
    }

    pub(crate) const fn single(
        family: Family,
        id: &'static str,
        summary: &'static str,
        make: fn(&Site<'_>) -> Option<Draft>,
    ) -> Self {
        let mut kind = Self::new(family, id, summary, make);
        kind.has_degrees = false;
        kind
    }

    pub(crate) const fn changing(mut self) -> Self {
        self.keeps_behaviour = false;
        self
    }

    pub(crate) const fn not_in(mut self, lacks: &'static [&'static str]) -> Self {
        self.lacks = lacks;
        self
    }

    /// The languages that it has.
    pub fn languages(&self) -> impl Iterator<Item = &'static str> {
        let ids = styles().iter().map(|style| style.id());
        ids.filter(|id| !self.lacks.contains(id))
    }

    /// Its severities.
    #[must_use]
    pub fn severities(&self) -> &'static [Severity] {
        if self.has_degrees {
            &Severity::ALL
        } else {
            &[Severity::Low]
        }
    }
}

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
