//! The ratchet: a committed list of the debt of a code base, which may only shrink.
//!
//! It has one sorted line per item and no line numbers, so that branches merge line by line. An
//! item is recognised by path and function, or by the form of its code, so renames and moves are
//! not new items.

mod file;
mod items;
mod judge;

use std::collections::{HashMap, VecDeque};

use slope_model::gate::{Evidence, GateRule, Level, Violation};
use slope_model::measurement::Part;

use crate::rules::fingerprint;
use slope_change::is_below;

pub(crate) use file::{Ratchet, Waiver};
pub(crate) use items::items;

/// A piece of debt, and its amount.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    /// Kind: `complexity`, `cognitive-complexity`, `clone-lines`, or `dead-code/` or `finding/`
    /// with a rule.
    pub(crate) kind: String,
    pub(crate) path: String,
    /// Function; empty for code outside of functions.
    pub(crate) function: String,
    /// Hash of the code without name and layout. A finding has its own.
    pub(crate) print: String,
    pub(crate) value: u32,
}

/// An item found in a tree, with its place.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) item: Item,
    pub(crate) part: Part,
    pub(crate) line: u32,
    pub(crate) end_line: u32,
}

/// Comparison of a tree with a ratchet.
#[derive(Default)]
pub(crate) struct Difference {
    pub(crate) violations: Vec<Violation>,
    /// The next ratchet: with improvements, without regressions.
    pub(crate) next: Vec<Item>,
    /// Number of items that improved or disappeared.
    pub(crate) better: usize,
}

/// The checked part of a tree.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scope<'a> {
    /// Only items below this path are shown and changed; empty for all.
    pub(crate) below: &'a str,
    /// Whether the check measures less than the configuration. Items that are not found may then
    /// still exist.
    pub(crate) is_narrowed: bool,
}

impl Scope<'_> {
    /// Whether to show and change an item.
    pub(crate) fn has(&self, item: &Item) -> bool {
        is_below(self.below, &item.path)
    }
}

/// Compares the items of a tree with a ratchet.
pub(crate) fn compare(found: &[Found], known: &[Item], scope: Scope<'_>) -> Difference {
    let partners = partners(found, known);
    let mut difference = Difference::default();
    let mut used = vec![false; known.len()];
    for (one, partner) in found.iter().zip(&partners) {
        let old = partner.map(|index| &known[index]);
        if scope.has(&one.item) && old.is_none_or(|old| one.item.value > old.value) {
            difference
                .violations
                .push(violation(one, old.map(|old| old.value)));
        }
        let (Some(index), Some(old)) = (*partner, old) else {
            continue;
        };
        used[index] = true;
        difference.keep(one, old, scope);
    }
    for (old, _) in known.iter().zip(used).filter(|(_, used)| !used) {
        if scope.is_narrowed || !scope.has(old) {
            difference.next.push(old.clone());
        } else {
            difference.better += 1;
        }
    }
    difference.next.sort();
    difference
}

impl Difference {
    /// Adds the better of the found and the known item to the next ratchet. An item that moved into
    /// or out of the checked part stays unchanged.
    fn keep(&mut self, one: &Found, old: &Item, scope: Scope<'_>) {
        if !scope.has(old) || !scope.has(&one.item) {
            self.next.push(old.clone());
            return;
        }
        self.better += usize::from(one.item.value < old.value);
        self.next.push(Item {
            value: one.item.value.min(old.value),
            ..one.item.clone()
        });
    }
}

/// Identity of an item.
type Key<'a> = (&'a str, Option<&'a str>, Option<&'a str>, Option<&'a str>);

/// For each found item, the index of the same item in the ratchet.
fn partners(found: &[Found], known: &[Item]) -> Vec<Option<usize>> {
    let rounds: [fn(&Item) -> Option<Key<'_>>; 5] = [
        |i| Some((&i.kind, Some(&i.path), Some(&i.function), Some(&i.print))),
        |i| Some((&i.kind, Some(&i.path), Some(&i.function), None)),
        |i| Some((&i.kind, None, None, Some(&i.print))),
        |i| (!i.function.is_empty()).then_some((&i.kind, None, Some(&i.function), None)),
        // A renamed and changed function keeps its findings, but not its complexity.
        |i| {
            i.kind
                .contains('/')
                .then_some((&i.kind, Some(&i.path), None, None))
        },
    ];
    let mut partners = vec![None; found.len()];
    let mut taken = vec![false; known.len()];
    for key in rounds {
        let mut open: HashMap<Key<'_>, VecDeque<usize>> = HashMap::new();
        for (index, item) in known.iter().enumerate().filter(|(i, _)| !taken[*i]) {
            if let Some(key) = key(item) {
                open.entry(key).or_default().push_back(index);
            }
        }
        // If a merge left an item twice, the better one counts.
        for waiting in open.values_mut() {
            waiting
                .make_contiguous()
                .sort_by_key(|&index| known[index].value);
        }
        for (one, partner) in found.iter().zip(&mut partners) {
            if partner.is_some() {
                continue;
            }
            let waiting = key(&one.item).and_then(|key| open.get_mut(&key));
            if let Some(index) = waiting.and_then(VecDeque::pop_front) {
                *partner = Some(index);
                taken[index] = true;
            }
        }
    }
    partners
}

fn violation(found: &Found, before: Option<u32>) -> Violation {
    let item = &found.item;
    let name = match item.function.is_empty() {
        true => "Code outside of functions".to_owned(),
        false => format!("`{}`", item.function),
    };
    let (what, _) = item.kind.split_once('/').unwrap_or((&item.kind, ""));
    let message = match (what, before) {
        ("dead-code" | "finding", _) => {
            let rule = item.kind.rsplit('/').next().unwrap_or_default();
            format!("{name} has a finding of {rule} that the ratchet does not list.")
        }
        (_, Some(before)) => format!(
            "{name} has {} {}; the ratchet allows {before}.",
            what.replace('-', " "),
            item.value
        ),
        (_, None) => format!(
            "{name} has {} {}, which the ratchet does not list.",
            what.replace('-', " "),
            item.value
        ),
    };
    let print = fingerprint(&[
        GateRule::Ratchet.id(),
        &item.kind,
        &item.path,
        &item.function,
        if item.kind.contains('/') {
            &item.print
        } else {
            ""
        },
    ]);
    Violation {
        rule: GateRule::Ratchet,
        level: Level::Error,
        part: found.part,
        path: item.path.clone(),
        function: (!item.function.is_empty()).then(|| item.function.clone()),
        line: found.line,
        end_line: found.end_line,
        before: before.map(f64::from),
        after: f64::from(item.value),
        limit: Some(f64::from(before.unwrap_or(0))),
        message,
        advice: format!(
            "Fix it, or waive it in the ratchet with a reason and a last day: waive {print} YYYY-MM-DD REASON."
        ),
        fingerprint: print,
        evidence: Evidence::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: &str, path: &str, function: &str, print: &str, value: u32) -> Item {
        Item {
            kind: kind.to_owned(),
            path: path.to_owned(),
            function: function.to_owned(),
            print: print.to_owned(),
            value,
        }
    }

    fn found(item: Item) -> Found {
        Found {
            item,
            part: Part::Product,
            line: 1,
            end_line: 2,
        }
    }

    #[test]
    fn ratchet_values_only_improve() {
        let known = [
            item("complexity", "a.py", "f", "1", 20),
            item("complexity", "a.py", "g", "2", 20),
            item("complexity", "a.py", "gone", "3", 20),
        ];
        let tree = [
            found(item("complexity", "a.py", "f", "9", 18)),
            found(item("complexity", "a.py", "g", "8", 25)),
            found(item("complexity", "b.py", "new", "7", 30)),
        ];
        let difference = compare(&tree, &known, Scope::default());
        assert_eq!(difference.violations.len(), 2);
        assert_eq!(difference.better, 2);
        let values: Vec<_> = difference
            .next
            .iter()
            .map(|i| (i.function.as_str(), i.value))
            .collect();
        assert_eq!(values, [("f", 18), ("g", 20)]);
    }

    #[test]
    fn items_outside_the_scope_are_kept() {
        let known = [
            item("complexity", "a/x.py", "f", "1", 20),
            item("complexity", "a/x.py", "gone", "2", 20),
            item("complexity", "b/y.py", "g", "3", 20),
            item("complexity", "b/y.py", "gone_too", "4", 20),
        ];
        let tree = [
            found(item("complexity", "a/x.py", "f", "1", 18)),
            found(item("complexity", "b/y.py", "g", "3", 30)),
            found(item("complexity", "b/y.py", "new", "5", 30)),
        ];
        let in_a = Scope {
            below: "a/",
            is_narrowed: false,
        };
        let difference = compare(&tree, &known, in_a);
        assert_eq!((difference.violations.len(), difference.better), (0, 2));
        assert_eq!(difference.next[1..], known[2..]);
        let narrowed = Scope {
            below: "",
            is_narrowed: true,
        };
        let difference = compare(&tree[..1], &known, narrowed);
        assert_eq!((difference.better, difference.next.len()), (1, 4));
    }

    #[test]
    fn renamed_and_moved_items_match() {
        let known = [
            item("complexity", "a.py", "f", "1", 20),
            item("complexity", "a.py", "g", "2", 20),
            item("finding/bare-except", "a.py", "h", "x", 1),
        ];
        let tree = [
            found(item("complexity", "b.py", "renamed", "1", 20)),
            found(item("complexity", "b.py", "g", "5", 19)),
            found(item("finding/bare-except", "a.py", "other", "y", 1)),
        ];
        assert!(
            compare(&tree, &known, Scope::default())
                .violations
                .is_empty()
        );
        let twice = [
            found(item("finding/bare-except", "a.py", "h", "x", 1)),
            found(item("finding/bare-except", "a.py", "h", "x", 1)),
        ];
        assert_eq!(
            compare(&twice, &known, Scope::default()).violations.len(),
            1
        );
    }
}
