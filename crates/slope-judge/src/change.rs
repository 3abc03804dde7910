//! The assessment of a change.

use std::collections::{BTreeMap, BTreeSet};

use similar::{Algorithm, DiffOp};
use slope_model::assessment::{Assessment, Issue};

use crate::{Snapshot, judge};

/// Judges both sides of a change. The issues are those that the change adds: they are on lines that it adds, and the base
/// does not have the same.
#[must_use]
pub fn judge_change(base: &Snapshot, head: &Snapshot, most: usize) -> Assessment {
    let before = judge(base, usize::MAX);
    let mut after = judge(head, usize::MAX);
    let known: BTreeSet<_> = before.issues.iter().map(name).collect();
    let mut added: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    after.issues.retain(|issue| {
        let lines = added
            .entry(issue.path.clone())
            .or_insert_with(|| added_lines(base, head, &issue.path));
        let overlaps =
            |(first, last): &(u32, u32)| *first <= issue.end_line && issue.start_line <= *last;
        lines.iter().any(overlaps) && !known.contains(&name(issue))
    });
    after.more_issues = after.issues.len().saturating_sub(most) as u64;
    after.issues.truncate(most);
    after.target = format!("{}..{}", base.name, head.name);
    after.before = Some(before.scores);
    after
}

/// What makes two issues the same.
fn name(issue: &Issue) -> (String, String, String) {
    (issue.id.clone(), issue.path.clone(), issue.message.clone())
}

/// First and last lines of each range that a file gains.
fn added_lines(base: &Snapshot, head: &Snapshot, path: &str) -> Vec<(u32, u32)> {
    let text = |snapshot: &Snapshot| snapshot.text(path).unwrap_or_default();
    let (old, new) = (text(base), text(head));
    let lines =
        |text: &[u8]| -> Vec<Vec<u8>> { text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    let ops = similar::capture_diff_slices(Algorithm::Myers, &lines(&old), &lines(&new));
    let range = |op: &DiffOp| {
        let range = op.new_range();
        let line = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let is_added = !matches!(op, DiffOp::Equal { .. }) && !range.is_empty();
        is_added.then(|| (line(range.start + 1), line(range.end)))
    };
    ops.iter().filter_map(range).collect()
}
