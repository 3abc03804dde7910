//! Hunks of an edit that its tests do not need (tier `T` of `p_min`).
//!
//! Hunks are removed, many at first and then one by one, while the tests still pass. Weak tests make needed code look
//! unneeded, so hunks that share a name with the task do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use similar::{Algorithm, DiffTag, capture_diff_slices};
use slope_model::grade::{Evidence, Fault};
use slope_model::plural;
use slope_syntax::paths::is_test;

use crate::base::Base;
use crate::components::{code_tokens, place};
use crate::edit::{Edit, Text};

/// Most runs for one edit.
pub(super) const MAX_RUNS: usize = 24;
/// Most hunks of an edit that is looked at.
const MAX_HUNKS: usize = 200;
/// Tokens by which the removable ones of a smaller edit are divided.
const LEAST_TOKENS: f64 = 60.0;
/// Shortest word of a task that can be a name.
const LEAST_NAME: usize = 4;

/// What an edit has that its tests do not need.
pub(crate) struct Unneeded {
    /// Share of the changed tokens, from 0 to 1.
    pub(crate) share: f64,
    pub(crate) evidence: Vec<Evidence>,
}

/// A run of lines that the edit replaces in a file of code.
struct Hunk<'e> {
    path: &'e str,
    before: Range<usize>,
    after: Range<usize>,
    tokens: usize,
    /// Whether it has a name of the task.
    is_of_task: bool,
}

/// The unneeded hunks; `None` if the tests say nothing about the edit. `passes` runs the tests over a part of it.
pub(super) fn unneeded(
    base: &Base,
    edit: &Edit,
    task: Option<&str>,
    passes: &mut dyn FnMut(&Edit) -> Result<bool, Fault>,
) -> Result<Option<Unneeded>, Fault> {
    let names = names_of(task);
    // Code is read in threads with a large stack.
    let hunks = base.measurer.install(|| hunks(base, edit, &names));
    if hunks.is_empty() || hunks.len() > MAX_HUNKS || passes(&Edit::default())? {
        return Ok(None);
    }
    let mut runs = 1;
    let mut kept: BTreeSet<usize> = (0..hunks.len()).collect();
    let mut size = kept.len().div_ceil(2).min(kept.len().saturating_sub(1));
    while size > 0 && runs < MAX_RUNS {
        let mut has_removed = false;
        let order: Vec<usize> = kept.iter().copied().collect();
        for part in order.chunks(size) {
            let fewer: BTreeSet<usize> = kept
                .iter()
                .copied()
                .filter(|at| !part.contains(at))
                .collect();
            if runs >= MAX_RUNS || fewer.is_empty() {
                break;
            }
            runs += 1;
            if passes(&part_of(edit, &hunks, &fewer))? {
                kept = fewer;
                has_removed = true;
            }
        }
        // A hunk can become unneeded when another one is gone.
        if size > 1 || !has_removed {
            size /= 2;
        }
    }
    Ok(Some(weigh(&hunks, &kept)))
}

fn weigh(hunks: &[Hunk<'_>], kept: &BTreeSet<usize>) -> Unneeded {
    let removed = hunks.iter().enumerate();
    let removed = removed.filter(|(at, hunk)| !kept.contains(at) && !hunk.is_of_task);
    let evidence: Vec<Evidence> = removed.map(|(_, hunk)| hunk.evidence()).collect();
    #[expect(clippy::cast_precision_loss, reason = "an edit has at most 5 MiB")]
    let all = hunks.iter().map(|hunk| hunk.tokens).sum::<usize>() as f64;
    let unneeded: f64 = evidence.iter().map(|piece| piece.amount).sum();
    Unneeded {
        share: unneeded / all.max(LEAST_TOKENS),
        evidence,
    }
}

impl Hunk<'_> {
    fn evidence(&self) -> Evidence {
        let line = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (first, last) = (
            line(self.after.start + 1),
            line(self.after.end.max(self.after.start + 1)),
        );
        let what = if self.after.is_empty() {
            "lines are removed here, and the tests pass with them".to_owned()
        } else {
            format!("tests pass without {}", plural(self.after.len(), "line"))
        };
        #[expect(clippy::cast_precision_loss, reason = "an edit has at most 5 MiB")]
        let amount = self.tokens as f64;
        Evidence {
            signal: "p_min".to_owned(),
            kind: "unneeded-hunk".to_owned(),
            at: place(self.path, first, last),
            of: None,
            message: format!("The {what}."),
            amount,
        }
    }
}

fn lines(text: &Text) -> String {
    String::from_utf8_lossy(text.as_deref().unwrap_or_default()).into_owned()
}

/// Lines with their ends.
fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The hunks in production code, in order of place.
fn hunks<'e>(base: &Base, edit: &'e Edit, names: &BTreeSet<String>) -> Vec<Hunk<'e>> {
    let mut found = Vec::new();
    for (path, (before, after)) in &edit.files {
        if !base.measures(path) || is_test(path) {
            continue;
        }
        let (old, new) = (lines(before), lines(after));
        let tokens = code_tokens(base, path, (before, after));
        let is_whole = before.is_none() || after.is_none();
        let (old, new) = (split(&old), split(&new));
        let ranges: Vec<_> = if is_whole {
            vec![(0..old.len(), 0..new.len())]
        } else {
            let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
            let ops = ops.iter().filter(|op| op.tag() != DiffTag::Equal);
            ops.map(|op| (op.old_range(), op.new_range())).collect()
        };
        for (before, after) in ranges {
            let changed = old[before.clone()].iter().chain(&new[after.clone()]);
            let mut words = changed.flat_map(|line| line.split(|c: char| !is_of_name(c)));
            let sum = |counts: &[usize], range: &Range<usize>| -> usize {
                counts.get(range.clone()).unwrap_or_default().iter().sum()
            };
            found.push(Hunk {
                path,
                tokens: sum(&tokens.0, &before) + sum(&tokens.1, &after),
                is_of_task: words.any(|word| names.contains(word)),
                before,
                after,
            });
        }
    }
    // What costs no tokens of code, such as a comment, is not looked at.
    found.retain(|hunk| hunk.tokens > 0);
    found
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Words of a task that can be names in code.
fn names_of(task: Option<&str>) -> BTreeSet<String> {
    let words = task.unwrap_or_default().split(|c: char| !is_of_name(c));
    let names = words.filter(|word| word.len() >= LEAST_NAME);
    names.map(str::to_owned).collect()
}

/// The edit with some of its hunks in production code, and all else that it changes.
fn part_of(edit: &Edit, hunks: &[Hunk<'_>], kept: &BTreeSet<usize>) -> Edit {
    let mut removed: BTreeMap<&str, Vec<&Hunk<'_>>> = BTreeMap::new();
    for (at, hunk) in hunks.iter().enumerate() {
        if !kept.contains(&at) {
            removed.entry(hunk.path).or_default().push(hunk);
        }
    }
    let mut part = edit.clone();
    for (path, hunks) in removed {
        let Some((before, after)) = part.files.get_mut(path) else {
            continue;
        };
        if before.is_none() || after.is_none() {
            part.files.remove(path);
            continue;
        }
        let (old, new) = (lines(before), lines(after));
        let (old, mut new) = (split(&old), split(&new));
        for hunk in hunks.iter().rev() {
            new.splice(hunk.after.clone(), old[hunk.before.clone()].iter().copied());
        }
        *after = Some(Arc::from(new.concat().into_bytes()));
        if before == after {
            part.files.remove(path);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::{MAX_RUNS, unneeded};
    use crate::base::{Base, Engine};
    use crate::edit::Edit;
    use slope_model::grade_request::Change;

    const BEFORE: &str =
        "def f():\n    return 1\n\n\ndef g():\n    return 2\n\n\ndef h():\n    return 3\n";

    fn base() -> Base {
        let files = [("a.py".to_owned(), BEFORE.as_bytes().to_vec())];
        Engine::new(1)
            .unwrap()
            .of_files("base", files.into())
            .unwrap()
    }

    fn edit(base: &Base, after: &str) -> Edit {
        let files = [
            ("a.py".to_owned(), Some(after.to_owned())),
            ("new.py".to_owned(), Some("LONG = [1, 2, 3]\n".to_owned())),
        ];
        Edit::of(base, &Change::Files(files.into()), "change").unwrap()
    }

    fn text(edit: &Edit, path: &str) -> String {
        let (_, after) = edit.files.get(path).cloned().unwrap_or_default();
        String::from_utf8_lossy(after.as_deref().unwrap_or_default()).into_owned()
    }

    #[test]
    fn only_needed_hunks_are_left() {
        let base = base();
        let after = BEFORE
            .replace('1', "10")
            .replace('2', "20")
            .replace('3', "30");
        let edit = edit(&base, &after);
        let mut runs = 0;
        let mut needs = |part: &Edit| {
            runs += 1;
            Ok(text(part, "a.py").contains("20"))
        };
        let found = unneeded(&base, &edit, None, &mut needs).unwrap().unwrap();
        let at: Vec<&str> = found
            .evidence
            .iter()
            .map(|piece| piece.at.as_str())
            .collect();
        assert_eq!(at, ["a.py:2", "a.py:10", "new.py:1"]);
        assert!(found.share > 0.2 && found.share < 1.0, "{}", found.share);
        assert!(runs <= MAX_RUNS);
    }

    #[test]
    fn hunks_of_the_task_do_not_count() {
        let base = base();
        let edit = edit(&base, &BEFORE.replace("return 2", "return check(2)"));
        let mut needs = |part: &Edit| Ok(!text(part, "new.py").is_empty());
        let task = Some("Call `check` in g.");
        let found = unneeded(&base, &edit, task, &mut needs).unwrap().unwrap();
        assert!(found.evidence.is_empty());
    }

    #[test]
    fn tests_that_need_no_edit_say_nothing() {
        let base = base();
        let edit = edit(&base, BEFORE);
        assert!(
            unneeded(&base, &edit, None, &mut |_| Ok(true))
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn runs_are_limited() {
        let base = base();
        let after: String = (0..150).map(|n| format!("x{n} = {n}\n{BEFORE}")).collect();
        let edit = edit(&base, &after);
        let mut runs = 0;
        let mut needs = |part: &Edit| {
            runs += 1;
            Ok(part.files.len() == 2 && text(part, "a.py") == after)
        };
        drop(unneeded(&base, &edit, None, &mut needs).unwrap());
        assert!(runs > 2 && runs <= MAX_RUNS, "{runs}");
    }
}
