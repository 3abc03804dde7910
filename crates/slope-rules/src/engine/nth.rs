//! The position of a node among its siblings.

use std::collections::HashMap;
use std::rc::Rc;

use crate::program::{Matcher, NthChild};

use super::Engine;
use super::siblings::FEW;

/// Counted children, ascending, of parents with very many, by the parent and by the rule that
/// selects them; `None` selects every named one.
pub(super) type Counted = HashMap<(u32, Option<*const Matcher>), Rc<[u32]>>;

impl<'a> Engine<'a> {
    pub(super) fn nth_child(&mut self, nth: &'a NthChild, node: u32) -> bool {
        let Some(index) = self.index_among_siblings(nth, node) else {
            return false;
        };
        if let Some(rule) = &nth.of_rule {
            let _bindings_stay = self.eval(rule, node);
        }
        let position = i32::try_from(index + 1).unwrap_or(i32::MAX);
        if nth.step == 0 {
            return position == nth.offset;
        }
        let beyond = position.wrapping_sub(nth.offset);
        beyond.wrapping_div(nth.step) >= 0 && beyond.wrapping_rem(nth.step) == 0
    }

    /// Index of a node among the counted named siblings, from the end if positions are counted from
    /// there.
    fn index_among_siblings(&mut self, nth: &'a NthChild, node: u32) -> Option<usize> {
        let parent = self.parent(node)?;
        let rule = nth.of_rule.as_ref();
        let (count, index) = match rule.is_none_or(is_plain) && self.has_many_children(parent) {
            true => {
                let known = self.known_siblings(rule, parent);
                (known.len(), known.binary_search(&node).ok())
            }
            false => self.count_siblings(nth, parent, node),
        };
        let index = index?;
        Some(if nth.reverse {
            count - 1 - index
        } else {
            index
        })
    }

    fn has_many_children(&self, parent: u32) -> bool {
        let below = (self.tree.node(parent).end - parent) as usize;
        below > FEW && self.tree.children(parent).nth(FEW).is_some()
    }

    /// Number of counted children of a parent, and of those before a node.
    fn count_siblings(
        &mut self,
        nth: &'a NthChild,
        parent: u32,
        node: u32,
    ) -> (usize, Option<usize>) {
        let end = self.tree.node(parent).end;
        let (mut count, mut index) = (0, None);
        let mut child = parent + 1;
        while child < end {
            if let Some(found) = self.counted(nth.of_rule.as_ref(), child) {
                // Counted from the end, the last of several matches of a node comes first.
                if found == node && (index.is_none() || nth.reverse) {
                    index = Some(count);
                }
                count += 1;
            }
            child = self.tree.node(child).end;
        }
        (count, index)
    }

    /// Children of a parent that count by a plain rule, searched once per parent.
    fn known_siblings(&mut self, rule: Option<&'a Matcher>, parent: u32) -> Rc<[u32]> {
        let key = (parent, rule.map(std::ptr::from_ref));
        if let Some(known) = self.counted.get(&key) {
            return Rc::clone(known);
        }
        let tree = self.tree;
        let children = tree.children(parent);
        let counted = children.filter(|&child| self.counted(rule, child).is_some());
        let counted: Rc<[u32]> = counted.collect();
        // A walk that ran out of steps is incomplete.
        if self.left > 0 {
            self.counted.insert(key, Rc::clone(&counted));
        }
        counted
    }

    /// The node that a sibling counts as.
    fn counted(&mut self, of_rule: Option<&'a Matcher>, sibling: u32) -> Option<u32> {
        self.take(1);
        if !self.tree.node(sibling).named {
            return None;
        }
        let Some(rule) = of_rule else {
            return Some(sibling);
        };
        let mark = self.bindings.mark();
        let found = self.eval(rule, sibling);
        self.bindings.undo(mark);
        found
    }
}

/// Whether a rule needs only the node itself, without bindings, and finds that node.
fn is_plain(rule: &Matcher) -> bool {
    match rule {
        Matcher::Kind(_) | Matcher::Text(_) => true,
        Matcher::Not(not) => is_plain(not),
        Matcher::All(_, all) | Matcher::Any(_, all) => all.iter().all(is_plain),
        _ => false,
    }
}
