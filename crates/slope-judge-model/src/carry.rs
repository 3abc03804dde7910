//! Issues of earlier judgements, at the places that their lines have now.
//!
//! A model does not report the same issues each time. An issue stays until its lines change: if an edit moves them, the
//! issue moves with them, and if a new judgement does not have it, it is *carried*.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use slope_model::assessment::Issue;

use crate::bundle::Item;

/// Lines, without blank ones, of code that is recognised in another file.
const FEWEST_LINES: usize = 3;
/// Bytes of a file with earlier judgements that is read.
const LARGEST: u64 = 64 << 20;

/// What was said of files before.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Earlier {
    files: BTreeMap<String, EarlierFile>,
}

/// A file as it was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct EarlierFile {
    /// Hashes of its lines. The code itself is not kept.
    lines: Vec<u64>,
    issues: Vec<Issue>,
}

impl Earlier {
    /// The earlier judgements in a file; none if there is no such file, or it is damaged.
    #[must_use]
    pub fn read(file: &Path) -> Self {
        let is_small = std::fs::symlink_metadata(file)
            .is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
        let read = is_small.then(|| slope_store::atomic::read_json(file).ok());
        read.flatten().unwrap_or_default()
    }

    /// Writes them into a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), slope_store::Error> {
        if let Some(folder) = file.parent() {
            let cannot_create = slope_store::Error::io("create", folder);
            std::fs::create_dir_all(folder).map_err(cannot_create)?;
        }
        slope_store::atomic::write_json(file, self)
    }

    /// The issues that files have from earlier, without those that the new judgement has.
    pub(crate) fn carried(&self, items: &[Item], new: &[Issue]) -> Vec<Issue> {
        let now: BTreeMap<&str, Vec<u64>> = items
            .iter()
            .map(|item| (item.path.as_str(), hashes(&item.written)))
            .collect();
        let mut carried: Vec<Issue> = Vec::new();
        for (path, file) in &self.files {
            let places = now.get(path.as_str());
            let places = places.map(|lines| Places::of(&file.lines, lines));
            for issue in &file.issues {
                let within = places.as_ref().and_then(|it| it.of_span(span(issue)));
                let found = match within {
                    Some(first) => Some((path.as_str(), first)),
                    None => self.elsewhere(path, span(issue), &now),
                };
                let Some((path, first)) = found else { continue };
                let is_changed = self.files.get(path).map(|it| &it.lines) != now.get(path);
                let issue = moved(issue, path, first, is_changed);
                if !new.iter().chain(&carried).any(|it| is_same(it, &issue)) {
                    carried.push(issue);
                }
            }
        }
        carried
    }

    /// The place of lines in a file that is new or changed, if they are in one only, and once.
    fn elsewhere<'n>(
        &self,
        path: &str,
        span: Range<usize>,
        now: &BTreeMap<&'n str, Vec<u64>>,
    ) -> Option<(&'n str, usize)> {
        let lines = self.files[path].lines.get(span)?;
        let blank = hash("");
        if lines.iter().filter(|line| **line != blank).count() < FEWEST_LINES {
            return None;
        }
        let others = now.iter().filter(|(other, text)| {
            **other != path && self.files.get(**other).map(|it| &it.lines) != Some(*text)
        });
        let found = others.flat_map(|(other, text)| {
            let starts = occurrences(text, lines);
            starts.map(move |start| (*other, start))
        });
        only(found)
    }

    /// Remembers what is said of files now. What was said of others stays, if they may still be there.
    pub(crate) fn remember(&mut self, items: &[Item], unjudged: &BTreeSet<&str>, issues: &[Issue]) {
        for item in items {
            let of_file = issues.iter().filter(|issue| issue.path == item.path);
            let file = EarlierFile {
                lines: hashes(&item.written),
                issues: of_file.cloned().collect(),
            };
            if !unjudged.contains(item.path.as_str()) {
                self.files.insert(item.path.clone(), file);
            }
        }
    }

    /// Forgets files that are not among these.
    pub fn keep_only(&mut self, paths: &BTreeSet<&str>) {
        self.files.retain(|path, _| paths.contains(path.as_str()));
    }
}

/// Whether two issues are about the same: one criterion, and lines that overlap.
pub(crate) fn is_same(one: &Issue, other: &Issue) -> bool {
    one.id == other.id
        && one.path == other.path
        && one.start_line <= other.end_line
        && other.start_line <= one.end_line
}

/// The lines of an issue, from 0.
fn span(issue: &Issue) -> Range<usize> {
    (issue.start_line as usize).saturating_sub(1)..issue.end_line as usize
}

/// The issue at another first line, from 0. In a changed file, the model has judged once more without reporting it.
fn moved(issue: &Issue, path: &str, first: usize, is_changed: bool) -> Issue {
    let start_line = u32::try_from(first + 1).unwrap_or(u32::MAX);
    let carried = issue.carried.unwrap_or_default() + u32::from(is_changed);
    Issue {
        path: path.to_owned(),
        start_line,
        end_line: start_line.saturating_add(issue.end_line - issue.start_line),
        carried: Some(carried),
        ..issue.clone()
    }
}

/// Where the lines of a file are in its new text.
struct Places<'l> {
    old: &'l [u64],
    new: &'l [u64],
    equal: Vec<DiffOp>,
}

impl<'l> Places<'l> {
    fn of(old: &'l [u64], new: &'l [u64]) -> Self {
        let mut equal = capture_diff_slices(Algorithm::Myers, old, new);
        equal.retain(|op| matches!(op, DiffOp::Equal { .. }));
        Self { old, new, equal }
    }

    /// The first line that a span has now; `None` if it changed, or moved to several places.
    fn of_span(&self, span: Range<usize>) -> Option<usize> {
        let lines = self.old.get(span.clone())?;
        let untouched = self.equal.iter().find_map(|op| {
            let old = op.old_range();
            let is_inside = old.start <= span.start && span.end <= old.end;
            is_inside.then(|| op.new_range().start + span.start - old.start)
        });
        untouched.or_else(|| only(occurrences(self.new, lines)))
    }
}

/// Where lines begin in a text.
fn occurrences<'t>(text: &'t [u64], lines: &'t [u64]) -> impl Iterator<Item = usize> + 't {
    let windows = text.windows(lines.len().max(1)).enumerate();
    windows.filter_map(move |(start, window)| (window == lines).then_some(start))
}

/// The only item, if there is exactly one.
fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next();
    first.filter(|_| items.next().is_none())
}

fn hashes(text: &str) -> Vec<u64> {
    text.lines().map(hash).collect()
}

/// The hash of a line without white space at its end.
fn hash(line: &str) -> u64 {
    let hash = blake3::hash(line.trim_end().as_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// The file with what a judge with these names said of code at a place.
#[must_use]
pub fn earlier_file(folder: &Path, names: &[String], root: &Path) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    for name in names {
        hasher.update(name.as_bytes());
        hasher.update(&[0]);
    }
    hasher.update(root.as_os_str().as_encoded_bytes());
    let name = hasher.finalize().to_hex();
    folder.join("earlier").join(format!("{name}.json"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use slope_model::assessment::{Issue, ScoreName};

    use super::Earlier;
    use crate::bundle::Item;

    const OLD: &str = "import a\n\ndef f(x):\n    y = x\n    return y\n\ndef g(x):\n    return x\n";

    fn issue(lines: (u32, u32)) -> Issue {
        Issue {
            score: ScoreName::Verbosity,
            id: "noise".to_owned(),
            path: "a.py".to_owned(),
            start_line: lines.0,
            end_line: lines.1,
            message: "why".to_owned(),
            weight: None,
            carried: None,
        }
    }

    fn items(files: &[(&str, &str)]) -> Vec<Item> {
        let items = files.iter();
        items
            .map(|(path, text)| Item::new(path, text.as_bytes()))
            .collect()
    }

    /// Lines, path and count of the issue that the old file's `f` has in other files.
    fn carried(files: &[(&str, &str)], new: &[Issue]) -> Option<(String, u32, u32, Option<u32>)> {
        let mut earlier = Earlier::default();
        earlier.remember(&items(&[("a.py", OLD)]), &BTreeSet::new(), &[issue((3, 5))]);
        let found = earlier.carried(&items(files), new);
        assert!(found.len() < 2, "{found:?}");
        let found = found.into_iter().next();
        found.map(|it| (it.path, it.start_line, it.end_line, it.carried))
    }

    #[test]
    fn issues_shift_with_inserted_lines() {
        let new = format!("import b\nimport c\n{OLD}");
        let found = carried(&[("a.py", &new)], &[]);
        assert_eq!(found, Some(("a.py".to_owned(), 5, 7, Some(1))));
        // The same issue of the new judgement replaces it.
        assert_eq!(carried(&[("a.py", &new)], &[issue((6, 6))]), None);
        assert!(carried(&[("a.py", &new)], &[issue((1, 2))]).is_some());
    }

    #[test]
    fn issues_follow_moved_functions() {
        let new = "import a\n\ndef g(x):\n    return x\n\ndef h():\n    return 1\n\ndef f(x):\n    y = x\n    return y\n";
        let found = carried(&[("a.py", new)], &[]);
        assert_eq!(found, Some(("a.py".to_owned(), 9, 11, Some(1))));
        let elsewhere = "def f(x):\n    y = x\n    return y\n";
        let files = [("a.py", "import a\n"), ("b.py", elsewhere)];
        assert_eq!(
            carried(&files, &[]),
            Some(("b.py".to_owned(), 1, 3, Some(1)))
        );
        // Two places: nobody knows which.
        let files = [("b.py", elsewhere), ("c.py", elsewhere)];
        assert_eq!(carried(&files, &[]), None);
    }

    #[test]
    fn changed_lines_end_an_issue() {
        let new = OLD.replace("    y = x\n", "    y = x + 1\n");
        assert_eq!(carried(&[("a.py", &new)], &[]), None);
        let inside = OLD.replace("    return y\n", "\n    return y\n");
        assert_eq!(carried(&[("a.py", &inside)], &[]), None);
        assert_eq!(carried(&[("a.py", "import a\n")], &[]), None);
        assert_eq!(carried(&[], &[]), None);
    }

    #[test]
    fn unchanged_files_count_once() {
        let mut earlier = Earlier::default();
        earlier.remember(&items(&[("a.py", OLD)]), &BTreeSet::new(), &[issue((3, 5))]);
        let longer = items(&[("a.py", &format!("import b\n{OLD}"))]);
        for _ in 0..2 {
            let found = earlier.carried(&longer, &[]);
            assert_eq!(found[0].carried, Some(1));
            earlier.remember(&longer, &BTreeSet::new(), &found);
        }
        let longest = items(&[("a.py", &format!("import b\nimport c\n{OLD}"))]);
        assert_eq!(earlier.carried(&longest, &[])[0].carried, Some(2));
        // A file without an answer keeps what was said of it.
        earlier.remember(&longest, &BTreeSet::from(["a.py"]), &[]);
        assert_eq!(earlier.carried(&longest, &[])[0].carried, Some(2));
    }
}
