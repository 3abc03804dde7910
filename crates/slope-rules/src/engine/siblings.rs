//! Siblings by the text of one of their fields, so that a search among very many for a bound
//! variable's code examines few of them.

use std::collections::HashMap;
use std::rc::Rc;

use slope_syntax::SyntaxTree;

use crate::program::{Matcher, PatternNode, Relation, StopBy};

use super::Engine;

/// Number of siblings that a search examines one by one before it builds an index: most lists are
/// shorter.
pub(super) const FEW: usize = 64;

/// The children of a node by the text of one of their fields.
pub(super) struct ByField<'a> {
    /// Ascending. Children without the field are left out.
    by_text: HashMap<&'a str, Vec<u32>>,
    /// Children whose field may be the same code as a different text, ascending.
    untold: Vec<u32>,
}

/// Requested indexes, by parent and field.
pub(super) type Indexes<'a> = HashMap<(u32, u16), Rc<ByField<'a>>>;

impl<'a> ByField<'a> {
    fn new(tree: &'a SyntaxTree, parent: u32, field: u16) -> Self {
        let mut index = Self {
            by_text: HashMap::new(),
            untold: Vec::new(),
        };
        for child in tree.children(parent) {
            let mut parts = tree.children(child);
            let Some(part) = parts.find(|&part| tree.node(part).field == field) else {
                continue;
            };
            if is_tiled(tree, part) {
                index
                    .by_text
                    .entry(tree.node_text(part))
                    .or_default()
                    .push(child);
            } else {
                index.untold.push(child);
            }
        }
        index
    }

    /// The first child from `first` on whose field may be the same code as a tiled node's text.
    fn next(&self, text: &str, first: u32) -> Option<u32> {
        let from = |nodes: &[u32]| {
            let at = nodes.partition_point(|&node| node < first);
            nodes.get(at).copied()
        };
        let told = self.by_text.get(text).and_then(|nodes| from(nodes));
        [told, from(&self.untold)].into_iter().flatten().min()
    }
}

/// Whether the leaves of a node cover all of its text: two such nodes are the same code only if
/// their texts are equal, see [`super::pattern::same_code`].
fn is_tiled(tree: &SyntaxTree, node: u32) -> bool {
    let place = tree.node(node);
    let mut covered = place.start_byte;
    for leaf in (node..place.end).filter(|&n| tree.node(n).end == n + 1) {
        if tree.node(leaf).start_byte != covered {
            return false;
        }
        covered = tree.node(leaf).end_byte;
    }
    covered == place.end_byte
}

/// A field that must be the same code as a slot's binding.
fn wanted(relation: &Relation) -> Option<(u16, u16)> {
    // Only these undo all bindings on failure.
    let Matcher::All(_, all) = &relation.matcher else {
        return None;
    };
    all.iter().find_map(|matcher| match matcher {
        Matcher::Has(has) if has.field != 0 && matches!(has.stop_by, StopBy::Neighbor) => {
            Some((has.field, slot_of(&has.matcher)?))
        }
        _ => None,
    })
}

/// The slot of a variable that must match the whole node.
fn slot_of(matcher: &Matcher) -> Option<u16> {
    match matcher {
        Matcher::Pattern(pattern) => match pattern.root {
            PatternNode::Capture { slot, .. } => Some(slot),
            _ => None,
        },
        Matcher::All(_, all) => all.iter().find_map(slot_of),
        _ => None,
    }
}

impl<'a> Engine<'a> {
    /// The related matcher's match among the siblings from `first` on, found by an index; `None` if
    /// an index is impossible for this relation.
    pub(super) fn find_indexed(
        &mut self,
        relation: &'a Relation,
        parent: u32,
        first: u32,
    ) -> Option<Option<u32>> {
        let (field, slot) = wanted(relation)?;
        let bound = self.bindings.get(slot).filter(|bound| bound.is_node())?;
        if !is_tiled(self.tree, bound.first) {
            return None;
        }
        let text = self.tree.node_text(bound.first);
        let tree = self.tree;
        let made = self.indexes.entry((parent, field));
        let index = Rc::clone(made.or_insert_with(|| Rc::new(ByField::new(tree, parent, field))));
        let mut first = first;
        while let Some(sibling) = index.next(text, first) {
            if let Some(found) = self.related(relation, sibling) {
                return Some(Some(found));
            }
            first = sibling + 1;
        }
        Some(None)
    }
}
