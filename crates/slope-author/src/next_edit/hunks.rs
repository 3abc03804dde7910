//! The changes between two texts, line by line.

use std::ops::Range;

use similar::{Algorithm, DiffOp};

/// Two texts, and the runs of lines in which they differ.
#[derive(Debug)]
pub struct Hunks<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
    /// Changed runs of lines, from the top; no two are adjacent.
    pub all: Vec<Run>,
}

/// A run of old lines and the new lines that replace it; one of them may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Indices of lines of the old text.
    pub old: Range<usize>,
    /// Indices of lines of the new text.
    pub new: Range<usize>,
}

/// Compares two texts by their lines (patience algorithm).
///
/// Runs separated by at most two lines without letters or digits are merged: a common blank line or
/// closing bracket does not split a change.
#[must_use]
pub fn hunks<'a>(old: &'a str, new: &'a str) -> Hunks<'a> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    let mut all: Vec<Run> = Vec::new();
    for op in similar::capture_diff_slices(Algorithm::Patience, &old, &new) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let run = Run {
            old: op.old_range(),
            new: op.new_range(),
        };
        match all.last_mut() {
            Some(last) if is_slight(&old[last.old.end..run.old.start]) => {
                last.old.end = run.old.end;
                last.new.end = run.new.end;
            }
            _ => all.push(run),
        }
    }
    Hunks { old, new, all }
}

/// Whether lines between two runs do not part them.
fn is_slight(between: &[&str]) -> bool {
    let telling = |line: &&str| line.chars().any(char::is_alphanumeric);
    between.len() <= 2 && !between.iter().any(telling)
}

impl Hunks<'_> {
    /// The old lines of a run.
    #[must_use]
    pub fn removed(&self, run: &Run) -> String {
        self.old[run.old.clone()].concat()
    }

    /// The new lines of a run.
    #[must_use]
    pub fn added(&self, run: &Run) -> String {
        self.new[run.new.clone()].concat()
    }

    /// The old text with the runs changed that satisfy `is_made`, and the index of the line in that
    /// text at which each run begins.
    #[must_use]
    pub fn with(&self, is_made: impl Fn(usize) -> bool) -> (String, Vec<usize>) {
        let mut lines: Vec<&str> = Vec::new();
        let mut starts = Vec::new();
        let mut done = 0;
        for (index, run) in self.all.iter().enumerate() {
            lines.extend(&self.old[done..run.old.start]);
            starts.push(lines.len());
            if is_made(index) {
                lines.extend(&self.new[run.new.clone()]);
            } else {
                lines.extend(&self.old[run.old.clone()]);
            }
            done = run.old.end;
        }
        lines.extend(&self.old[done..]);
        (lines.concat(), starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "a\nb\n\nc\nd\ne\n";
    const NEW: &str = "a\nB\n\nC\nd\ne\nf\n";

    #[test]
    fn runs_across_blank_line_are_joined() {
        let found = hunks(OLD, NEW);
        let runs = [
            Run {
                old: 1..4,
                new: 1..4,
            },
            Run {
                old: 6..6,
                new: 6..7,
            },
        ];
        assert_eq!(found.all, runs);
        assert_eq!(found.removed(&found.all[0]), "b\n\nc\n");
        assert_eq!(found.added(&found.all[1]), "f\n");
    }

    #[test]
    fn applied_runs_rebuild_both_texts() {
        let found = hunks(OLD, NEW);
        assert_eq!(found.with(|_| true), (NEW.to_owned(), vec![1, 6]));
        assert_eq!(found.with(|_| false), (OLD.to_owned(), vec![1, 6]));
        assert_eq!(found.with(|run| run == 0).0, "a\nB\n\nC\nd\ne\n");
        assert_eq!(found.with(|run| run == 1).0, "a\nb\n\nc\nd\ne\nf\n");
    }
}
