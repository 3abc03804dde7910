//! `p_dev`: deviation from the surrounding code, and comments that say nothing.
//!
//! One habit that is broken many times counts once, plus a part of itself: the mean within a habit.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::judged::{Judged, Scored, evidence, number};
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
    let amount: f64 = habits
        .values()
        .map(|(count, weight)| weight * (1.0 + saturated(number(count - 1), 4.0)))
        .sum();
    Scored {
        value: saturated(amount, judged.pack.scales.deviations),
        evidence: found,
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
