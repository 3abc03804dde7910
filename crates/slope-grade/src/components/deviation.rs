//! `p_dev`: deviation from the surrounding code, and comments that say nothing.
//!
//! One habit that is broken many times counts once, plus a part of itself: the mean within a habit.
//!
//! The gate reports places that are odd in any state of the code. Here also counts a style that only the edit brings,
//! and single comments that name the statement below: too little for the gate.

use std::collections::{BTreeMap, HashMap, HashSet};

use slope_measure::{FileView, StyleDrift};
use slope_model::grade::Evidence;

use super::comments;
use super::judged::{Judged, Scored, evidence, number, place};
use super::{replaced, rewritten};
use crate::reward::saturated;

const SIGNAL: &str = "p_dev";

/// Findings, and how much one of them counts.
const COUNTED: &[(&str, f64)] = &[
    ("breaks-local-pattern", 1.0),
    ("narrated-code", 1.0),
    ("comment-restates-code", 0.5),
    ("leftover-comment", 0.5),
    ("numbered-step-comment", 0.5),
];

pub(super) fn score(judged: &Judged<'_>) -> Scored {
    let mut found = Vec::new();
    // By habit: how many, and what one counts.
    let mut habits: BTreeMap<String, (i64, f64)> = BTreeMap::new();
    let mut added: HashMap<&str, HashSet<u32>> = HashMap::new();
    for (violation, finding) in judged.findings() {
        let Some((_, weight)) = COUNTED.iter().find(|(rule, _)| *rule == finding.rule) else {
            continue;
        };
        // A line of the base that an edit outvotes does not deviate.
        let path = violation.path.as_str();
        let added = added.entry(path).or_insert_with(|| judged.added(path));
        if !added.contains(&violation.line) {
            continue;
        }
        let habit = habit(&finding.rule, &violation.message);
        let entry = habits.entry(habit).or_insert((0, *weight));
        entry.0 += 1;
        found.push(evidence(SIGNAL, violation, &finding.rule, *weight));
    }
    for (habit, count, piece) in drifts(judged, &found) {
        habits.entry(habit).or_insert((0, STYLE)).0 += i64::from(count);
        found.push(piece);
    }
    let comments = comments::narrating(judged, SIGNAL, NARRATING, NARRATING_COMMENT);
    let imports = rewritten::imports(judged, SIGNAL).into_iter();
    let imports = imports.chain(replaced::standard(judged, SIGNAL, REPLACED));
    for piece in comments.into_iter().chain(imports) {
        // The gate may report it too.
        if found.iter().all(|known| known.at != piece.at) {
            let entry = habits.entry(piece.kind.clone());
            entry.or_insert((0, piece.amount)).0 += 1;
            found.push(piece);
        }
    }
    let amount: f64 = habits
        .values()
        .map(|(count, weight)| weight * (1.0 + saturated(number(count - 1), 4.0)))
        .sum();
    Scored {
        value: saturated(amount, judged.pack.scales.deviations),
        evidence: found,
    }
}

/// What an added style counts.
const STYLE: f64 = 1.0;
/// What a package counts that takes the place of the standard library.
const REPLACED: f64 = 1.5;
/// Comments that name the statement below.
const NARRATING: &str = "narrating-comment";
/// What one of them counts.
const NARRATING_COMMENT: f64 = 0.3;

/// Styles that the edit adds and that the gate does not report: habit, number of places, evidence.
fn drifts(judged: &Judged<'_>, known: &[Evidence]) -> Vec<(String, u32, Evidence)> {
    let files: Vec<_> = judged.product_files().collect();
    let drifts = FileView::style_drift(&files, judged.base.code.styles());
    let mut found = Vec::new();
    for drift in drifts {
        let Some(path) = files[drift.file].1.map(FileView::path) else {
            continue;
        };
        let said = format!("{} {}.", drift.noun, drift.usual);
        let is_known = known
            .iter()
            .any(|piece| piece.at.starts_with(path) && piece.message.ends_with(&said));
        if !is_known {
            let habit = format!("{} {}", drift.noun, drift.odd);
            found.push((habit, drift.added, deviates(judged, path, &drift)));
        }
    }
    found
}

fn deviates(judged: &Judged<'_>, path: &str, drift: &StyleDrift) -> Evidence {
    let added = judged.added(path);
    let line = drift.lines.iter().find(|line| added.contains(line));
    let (agree, all) = drift.agree;
    Evidence {
        signal: SIGNAL.to_owned(),
        kind: "deviating-style".to_owned(),
        at: line.map_or_else(|| path.to_owned(), |&line| place(path, line, line)),
        of: None,
        message: format!(
            "The edit adds {} {} that {}: {agree} of {all} in the {} {}.",
            drift.added, drift.noun, drift.odd, drift.scope, drift.usual,
        ),
        amount: STYLE,
    }
}

/// The habit of a deviation: its message without the quoted code and the counts.
fn habit(rule: &str, message: &str) -> String {
    if rule != "breaks-local-pattern" {
        return rule.to_owned();
    }
    let said = message.rsplit_once('`').map_or(message, |(_, rest)| rest);
    said.chars().filter(|c| !c.is_ascii_digit()).collect()
}
