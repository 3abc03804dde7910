//! Changes between two workspaces.

use std::collections::BTreeSet;

use similar::{Algorithm, DiffTag};
use slope_model::exhibit::{ChangeKind, Changes, FileChange, Held, Hunk};

use super::tree::{Node, Tree};

/// Lines that are shown around a change.
const AROUND: usize = 3;
/// Maximum number of lines of a file that are compared; the time grows with their square.
const MAX_LINES: usize = 8000;

/// The changes from `before` to `after`; of their lines, no more than `most` bytes.
pub(crate) fn between(before: &Tree, after: &Tree, most: usize) -> Changes {
    let paths: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
    let mut changes = Changes::default();
    let mut left = most;
    for path in paths {
        let (old, new) = (before.files.get(path), after.files.get(path));
        if old.map(|node| &node.id) == new.map(|node| &node.id) {
            continue;
        }
        // One file may take at most half of the remaining budget, so that others are shown too.
        let mut file = change(path, old, new);
        let used = shortened(&mut file, left / 2);
        left -= used.min(left);
        changes.added += file.added;
        changes.removed += file.removed;
        changes.files.push(file);
    }
    changes
}

fn change(path: &str, old: Option<&Node>, new: Option<&Node>) -> FileChange {
    let kind = match (old, new) {
        (None, _) => ChangeKind::Added,
        (_, None) => ChangeKind::Removed,
        _ => ChangeKind::Changed,
    };
    let mut change = FileChange {
        path: path.to_owned(),
        kind,
        added: 0,
        removed: 0,
        hunks: Vec::new(),
        left_out: 0,
        note: None,
    };
    let lines = |node: Option<&Node>| node.map_or_else(|| Ok(Vec::new()), Node::lines);
    match lines(old)
        .and_then(|old| Ok((old, lines(new)?)))
        .and_then(bounded)
    {
        Ok((old, new)) => {
            change.hunks = hunks(&old, &new);
            let all = || change.hunks.iter().flat_map(|hunk| &hunk.lines);
            change.added = all().filter(|line| line.starts_with('+')).count();
            change.removed = all().filter(|line| line.starts_with('-')).count();
        }
        Err(why) => change.note = Some(why),
    }
    change
}

/// Both files' lines, unless there are too many.
fn bounded(lines: (Vec<String>, Vec<String>)) -> Held<(Vec<String>, Vec<String>)> {
    let longest = lines.0.len().max(lines.1.len());
    if longest > MAX_LINES {
        return Err(format!("{longest} lines; too many to compare"));
    }
    Ok(lines)
}

fn hunks(old: &[String], new: &[String]) -> Vec<Hunk> {
    let ops = similar::capture_diff_slices(Algorithm::Myers, old, new);
    let groups = similar::group_diff_ops(ops, AROUND);
    let hunk = |group: Vec<similar::DiffOp>| {
        let first = group.first().map(similar::DiffOp::as_tag_tuple);
        let (old_line, new_line) = first.map_or((0, 0), |(_, a, b)| (a.start + 1, b.start + 1));
        let mut lines = Vec::new();
        for op in group {
            let (tag, before, after) = op.as_tag_tuple();
            let signed = |sign: char| move |line: &String| format!("{sign}{line}");
            if tag == DiffTag::Equal {
                lines.extend(new[after].iter().map(signed(' ')));
            } else {
                lines.extend(old[before].iter().map(signed('-')));
                lines.extend(new[after].iter().map(signed('+')));
            }
        }
        Hunk {
            old: old_line,
            new: new_line,
            lines,
        }
    };
    groups.into_iter().map(hunk).collect()
}

/// Cuts the lines of `file` to `most` bytes and counts the omitted ones. Returns the bytes kept.
fn shortened(file: &mut FileChange, most: usize) -> usize {
    let mut used = 0;
    let mut left_out = 0;
    for hunk in &mut file.hunks {
        let fits = |line: &String| {
            used += line.len() + 4;
            used <= most
        };
        let kept = hunk.lines.iter().map(fits).take_while(|fits| *fits).count();
        left_out += hunk.lines.len() - kept;
        hunk.lines.truncate(kept);
        // After a cut nothing more is shown, however short.
        if left_out > 0 {
            used = most + 1;
        }
    }
    file.hunks.retain(|hunk| !hunk.lines.is_empty());
    file.left_out = left_out;
    used.min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, Tree) {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let at = dir.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(at, text).unwrap();
        }
        let tree = Tree::of_folder(dir.path()).unwrap();
        (dir, tree)
    }

    #[test]
    fn added_removed_changed_files_are_shown() {
        let (_a, before) = tree(&[("gone.py", "x\n"), ("same.py", "s\n"), ("a/b.py", "1\n2\n")]);
        let (_b, after) = tree(&[
            ("new.py", "y\nz\n"),
            ("same.py", "s\n"),
            ("a/b.py", "1\n3\n"),
            ("venv/lib.py", "left out"),
            ("raw.bin", "\0"),
        ]);
        let changes = between(&before, &after, 10_000);
        let told: Vec<(&str, ChangeKind, usize, usize)> = changes
            .files
            .iter()
            .map(|f| (f.path.as_str(), f.kind, f.added, f.removed))
            .collect();
        assert_eq!(
            told,
            [
                ("a/b.py", ChangeKind::Changed, 1, 1),
                ("gone.py", ChangeKind::Removed, 0, 1),
                ("new.py", ChangeKind::Added, 2, 0),
                ("raw.bin", ChangeKind::Added, 0, 0),
            ]
        );
        assert_eq!(changes.files[0].hunks[0].lines, [" 1", "-2", "+3"]);
        assert_eq!(changes.files[3].note.as_deref(), Some("1 bytes, not text"));
        assert_eq!((changes.added, changes.removed), (3, 2));
    }

    #[test]
    fn lines_beyond_limit_are_counted() {
        let long = "a line\n".repeat(100);
        let (_a, after) = tree(&[("a.py", &long), ("b.py", &long)]);
        let changes = between(&Tree::default(), &after, 400);
        for file in &changes.files {
            let shown: usize = file.hunks.iter().map(|hunk| hunk.lines.len()).sum();
            assert!(shown > 0 && shown + file.left_out == 100, "{shown}");
            assert_eq!(file.added, 100, "the count is of all lines");
        }
        let other = format!("{long}{}", "b\n".repeat(MAX_LINES));
        let (_b, longer) = tree(&[("a.py", &other)]);
        let note = between(&after, &longer, 400).files[0].note.clone();
        assert_eq!(note.unwrap(), "8100 lines; too many to compare");
    }
}
