//! The diffs of the functions that changed most.

use std::path::{Path, PathBuf};

use slope_git::{Id, Kind, Reader};
use slope_history::function_diff;
use slope_model::ledger::LedgerEntry;
use slope_model::series::{PlaceDiff, Point};

use crate::Project;

/// Diffs of a point.
const MAX_DIFFS: usize = 5;
/// Bytes of a diff, and of all diffs of a point.
const MAX_BYTES: usize = 3_000;
const MAX_ALL: usize = 8_000;

/// Both sides of a change, and what is left for diffs.
pub(crate) struct Diffs {
    sides: Option<Sides>,
    diffs: usize,
    bytes: usize,
}

struct Sides {
    reader: Reader,
    before: Id,
    /// `None` for the files on disk.
    after: Option<Id>,
    top: PathBuf,
}

impl Diffs {
    /// Nothing has a diff if the settings refuse them, or if a side is not at hand.
    pub(crate) fn new(project: &Project, (before, after): (&Point, &Point), top: &Path) -> Self {
        let sides = || {
            let reader = project.repo.as_ref()?.reader();
            let tree = |point: &Point| {
                let id = reader.resolve(&point.commit.as_ref()?.id).ok()?;
                Some(reader.commit(id).ok()?.tree)
            };
            let before = tree(before)?;
            let after = match after.commit {
                Some(_) => Some(tree(after)?),
                None => None,
            };
            Some(Sides {
                before,
                after,
                reader,
                top: top.to_owned(),
            })
        };
        Self {
            sides: if project.settings.has_no_diffs {
                None
            } else {
                sides()
            },
            diffs: MAX_DIFFS,
            bytes: MAX_ALL,
        }
    }

    /// The diff of a function, while there is room for it.
    pub(crate) fn of(&mut self, entry: &LedgerEntry) -> Option<PlaceDiff> {
        let sides = self.sides.as_ref().filter(|_| self.diffs > 0)?;
        let before = |path: &str| sides.blob(sides.before, path);
        let after = |path: &str| match sides.after {
            Some(tree) => sides.blob(tree, path),
            None => std::fs::read(sides.top.join(path)).ok(),
        };
        let (hunks, left_out) = function_diff(entry, &before, &after)?;
        let mut diff = PlaceDiff { hunks, left_out };
        cut(&mut diff, MAX_BYTES.min(self.bytes));
        if diff.hunks.is_empty() {
            return None;
        }
        self.diffs -= 1;
        self.bytes = self.bytes.saturating_sub(diff.size());
        Some(diff)
    }
}

impl Sides {
    fn blob(&self, tree: Id, path: &str) -> Option<Vec<u8>> {
        match self.reader.entry(tree, path).ok()? {
            Some((Kind::File, id)) => self.reader.blob(id, path).ok(),
            _ => None,
        }
    }
}

/// Cuts a diff to a number of bytes, and counts the lines that are left out.
fn cut(diff: &mut PlaceDiff, mut bytes: usize) {
    for hunk in &mut diff.hunks {
        let mut fits = |line: &String| {
            let fits = line.len() < bytes;
            // After a cut nothing more is shown, however short.
            bytes = if fits { bytes - line.len() - 1 } else { 0 };
            fits
        };
        let kept = hunk.lines.iter().take_while(|line| fits(line)).count();
        let left_out = u32::try_from(hunk.lines.len() - kept).unwrap_or(u32::MAX);
        diff.left_out = diff.left_out.saturating_add(left_out);
        hunk.lines.truncate(kept);
    }
    diff.hunks.retain(|hunk| !hunk.lines.is_empty());
}

#[cfg(test)]
mod tests {
    use slope_model::exhibit::Hunk;

    use super::*;

    #[test]
    fn long_diffs_are_cut_and_counted() {
        let hunk = |count| Hunk {
            old: 1,
            new: 1,
            lines: vec!["+ten bytes".to_owned(); count],
        };
        let mut diff = PlaceDiff {
            hunks: vec![hunk(3), hunk(5), hunk(1)],
            left_out: 2,
        };
        cut(&mut diff, 50);
        assert_eq!((diff.hunks.len(), diff.left_out), (2, 7));
        assert_eq!(diff.hunks[1].lines.len(), 1);
        assert!(diff.size() <= 50);
    }
}
