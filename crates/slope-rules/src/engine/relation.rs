//! Conditions on other nodes: inside, has, precedes, follows.

use crate::program::{KindSet, Relation, StopBy};

use super::Engine;
use super::siblings::FEW;

impl<'a> Engine<'a> {
    /// The parent of a node; `None` for the root.
    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        let parent = self.tree.node(node).parent;
        (parent != node).then_some(parent)
    }

    /// The first child in a field.
    fn child_in_field(&mut self, node: u32, field: u16) -> Option<u32> {
        let tree = self.tree;
        let mut children = tree.children(node).inspect(|_| self.take(1));
        children.find(|&child| tree.node(child).field == field)
    }

    /// The related matcher's result for a node, if the node's kind lets it.
    pub(super) fn related(&mut self, relation: &'a Relation, node: u32) -> Option<u32> {
        self.take(1);
        if !may_match(relation.kinds.as_ref(), self.kind(node)) || self.left == 0 {
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

    /// Whether a search ends after this node.
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
        // Most are passed over, at a look at their kind each.
        let passed = |nodes: u32| u64::from(nodes) / 8;
        for (node, &kind) in (first..).zip(kinds) {
            if may_match(relation.kinds.as_ref(), kind)
                && let Some(found) = self.related(relation, node)
            {
                self.take(passed(node - first));
                return Some(found);
            }
        }
        self.take(passed(end - first));
        None
    }

    /// A field names one child; a deeper search continues below that child, and one with a stop
    /// rule examines its children only.
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

    /// Start of a search over a node's siblings, and the end of the siblings.
    ///
    /// ast-grep finds the node by its first byte among its parent's children. So it mistakes an
    /// empty node for the next non-empty one, and the root for its own first child.
    fn among_siblings(&mut self, node: u32) -> Option<(u32, u32)> {
        let place = self.tree.node(node);
        let around = self.parent(node).unwrap_or(node);
        let end = self.tree.node(around).end;
        if around != node && place.end_byte > place.start_byte {
            return Some((node, end));
        }
        let start = place.start_byte;
        let tree = self.tree;
        let mut children = tree.children(around).inspect(|_| self.take(1));
        let here = children.find(|&c| tree.node(c).end_byte > start)?;
        Some((here, end))
    }
}

#[inline]
fn may_match(kinds: Option<&KindSet>, kind: u16) -> bool {
    kinds.is_none_or(|kinds| kinds.contains(kind))
}
