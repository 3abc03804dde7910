//! Conditions on other nodes: inside, has, precedes, follows, nthChild.

use crate::program::{KindSet, Matcher, NthChild, Relation, StopBy};

use super::Engine;
use super::siblings::FEW;

impl<'a> Engine<'a> {
    /// The parent of a node; the root has none.
    fn parent(&self, node: u32) -> Option<u32> {
        let parent = self.tree.node(node).parent;
        (parent != node).then_some(parent)
    }

    /// The first child in a field.
    fn child_in_field(&self, node: u32, field: u16) -> Option<u32> {
        self.tree
            .children(node)
            .find(|&child| self.tree.node(child).field == field)
    }

    /// What the related matcher finds for a node, if the node's kind lets it.
    pub(super) fn related(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        if !may_match(relation.kinds.as_ref(), self.kind(node)) {
            return None;
        }
        self.eval(&relation.matcher, node)
    }

    pub(super) fn inside(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        let mut below = node;
        while let Some(outer) = self.parent(below) {
            let in_field =
                relation.field == 0 || self.child_in_field(outer, relation.field) == Some(below);
            if in_field && let Some(found) = self.related(relation, outer) {
                return Some(found);
            }
            if self.stops(&relation.stop_by, outer) {
                return None;
            }
            below = outer;
        }
        None
    }

    /// Whether a search that looked at this node ends with it.
    fn stops(&mut self, stop_by: &'a StopBy, node: u32) -> bool {
        match stop_by {
            StopBy::Neighbor => true,
            StopBy::End => false,
            StopBy::Rule(rule) => self.eval_apart(rule, node),
        }
    }

    pub(super) fn has(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        if relation.field != 0 {
            return self.has_in_field(relation, node);
        }
        match &relation.stop_by {
            StopBy::Neighbor => self.has_child(relation, node),
            StopBy::End => self.has_between(relation, node + 1, self.tree.node(node).end),
            StopBy::Rule(stop) => {
                let end = self.tree.node(node).end;
                let mut next = node + 1;
                while next < end {
                    if let Some(found) = self.related(relation, next) {
                        return Some(found);
                    }
                    next = if self.eval_apart(stop, next) {
                        self.tree.node(next).end
                    } else {
                        next + 1
                    };
                }
                None
            }
        }
    }

    fn has_child(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        let end = self.tree.node(node).end;
        let mut child = node + 1;
        while child < end {
            if let Some(found) = self.related(relation, child) {
                return Some(found);
            }
            child = self.tree.node(child).end;
        }
        None
    }

    /// The first find among nodes that follow each other in pre-order.
    fn has_between(&mut self, relation: &'a Relation, first: u32, end: u32) -> Option<u32> {
        let kinds = &self.tree.kinds()[first as usize..end as usize];
        for (node, &kind) in (first..).zip(kinds) {
            if may_match(relation.kinds.as_ref(), kind)
                && let Some(found) = self.eval(&relation.matcher, node)
            {
                return Some(found);
            }
        }
        None
    }

    /// A field names one child; a search beyond it looks below that child, and
    /// one that a rule stops looks at its children only.
    fn has_in_field(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        let child = self.child_in_field(node, relation.field)?;
        match &relation.stop_by {
            StopBy::Neighbor => self.related(relation, child),
            StopBy::End => self.has_between(relation, child, self.tree.node(child).end),
            StopBy::Rule(stop) => {
                if let Some(found) = self.related(relation, child) {
                    return Some(found);
                }
                if self.eval_apart(stop, child) {
                    return None;
                }
                self.has_child(relation, child)
            }
        }
    }

    pub(super) fn precedes(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        if matches!(relation.stop_by, StopBy::Neighbor) {
            let next = self.tree.next_sibling(node)?;
            return self.related(relation, next);
        }
        let (here, end) = self.among_siblings(node)?;
        let mut sibling = self.tree.node(here).end;
        let mut looked_at = 0;
        while sibling < end {
            looked_at += 1;
            if looked_at == FEW
                && matches!(relation.stop_by, StopBy::End)
                && let Some(parent) = self.parent(node)
                && let Some(found) = self.find_indexed(relation, parent, sibling)
            {
                return found;
            }
            if let Some(found) = self.related(relation, sibling) {
                return Some(found);
            }
            if self.stops(&relation.stop_by, sibling) {
                return None;
            }
            sibling = self.tree.node(sibling).end;
        }
        None
    }

    pub(super) fn follows(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        if matches!(relation.stop_by, StopBy::Neighbor) {
            let previous = self.tree.previous_sibling(node)?;
            return self.related(relation, previous);
        }
        let (mut here, _) = self.among_siblings(node)?;
        while let Some(sibling) = self.tree.previous_sibling(here) {
            if let Some(found) = self.related(relation, sibling) {
                return Some(found);
            }
            if self.stops(&relation.stop_by, sibling) {
                return None;
            }
            here = sibling;
        }
        None
    }

    /// Where a search over a node's siblings begins, and the end of the siblings.
    ///
    /// ast-grep looks for the node by its first byte among its parent's children.
    /// So a node without width is taken for the next one that has some, and the
    /// root for its own first child.
    fn among_siblings(&self, node: u32) -> Option<(u32, u32)> {
        let place = self.tree.node(node);
        let around = self.parent(node).unwrap_or(node);
        let end = self.tree.node(around).end;
        if around != node && place.end_byte > place.start_byte {
            return Some((node, end));
        }
        let start = place.start_byte;
        let mut children = self.tree.children(around);
        let here = children.find(|&c| self.tree.node(c).end_byte > start)?;
        Some((here, end))
    }

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

    /// How many named siblings that count stand before a node, from the end if
    /// positions are counted from there.
    fn index_among_siblings(&mut self, nth: &'a NthChild, node: u32) -> Option<u32> {
        let parent = self.parent(node)?;
        let end = self.tree.node(parent).end;
        let (mut count, mut index) = (0, None);
        let mut child = parent + 1;
        while child < end {
            if self.tree.node(child).named
                && let Some(found) = self.counted(nth.of_rule.as_ref(), child)
            {
                // Counted from the end, the last of several finds of a node is met first.
                if found == node && (index.is_none() || nth.reverse) {
                    index = Some(count);
                }
                count += 1;
            }
            child = self.tree.node(child).end;
        }
        let index = index?;
        Some(if nth.reverse {
            count - 1 - index
        } else {
            index
        })
    }

    /// The node that a sibling counts as.
    fn counted(&mut self, of_rule: Option<&'a Matcher>, sibling: u32) -> Option<u32> {
        let Some(rule) = of_rule else {
            return Some(sibling);
        };
        let mark = self.bindings.mark();
        let found = self.eval(rule, sibling);
        self.bindings.undo(mark);
        found
    }
}

#[inline]
fn may_match(kinds: Option<&KindSet>, kind: u16) -> bool {
    kinds.is_none_or(|kinds| kinds.contains(kind))
}
