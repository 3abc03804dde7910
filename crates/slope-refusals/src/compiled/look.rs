//! Questions about nodes.

use std::cell::OnceCell;
use std::collections::HashSet;

use slope_syntax::SyntaxTree;

use super::Checks;

/// A tree, asked by the names of its kinds.
pub(super) struct Look<'t> {
    pub(super) tree: &'t SyntaxTree,
    pub(super) checks: &'static Checks,
    with_inner_attributes: OnceCell<HashSet<u32>>,
}

impl<'t> Look<'t> {
    pub(super) fn new(tree: &'t SyntaxTree, checks: &'static Checks) -> Self {
        Self {
            tree,
            checks,
            with_inner_attributes: OnceCell::new(),
        }
    }

    /// Whether a node of Rust has an attribute such as `#![cfg(test)]` among its parts.
    pub(super) fn has_inner_attribute(&self, node: u32) -> bool {
        let nodes = self.with_inner_attributes.get_or_init(|| {
            let all = 0..self.tree.node(0).end;
            let inner = all.filter(|&node| self.kind(node) == "inner_attribute_item");
            inner.map(|node| self.parent(node)).collect()
        });
        nodes.contains(&node)
    }

    pub(super) fn kind(&self, node: u32) -> &'static str {
        self.tree.language().kind_name(self.tree.node(node).kind)
    }

    pub(super) fn text(&self, node: u32) -> &'t str {
        self.tree.node_text(node)
    }

    pub(super) fn parent(&self, node: u32) -> u32 {
        self.tree.node(node).parent
    }

    /// Named children without comments.
    pub(super) fn parts(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.tree.parts(node)
    }

    /// The first child of a kind; tokens are kinds too.
    pub(super) fn child(&self, node: u32, kind: &str) -> Option<u32> {
        self.tree
            .children(node)
            .find(|&child| self.kind(child) == kind)
    }

    pub(super) fn has_child(&self, node: u32, kind: &str) -> bool {
        self.child(node, kind).is_some()
    }

    /// The nodes around a node, from the inside out.
    pub(super) fn around(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = node;
        std::iter::from_fn(move || {
            let parent = self.parent(at);
            (parent != at).then(|| {
                at = parent;
                parent
            })
        })
    }

    /// Whether a declaration has a modifier, alone or in a list.
    pub(super) fn has_modifier(&self, node: u32, word: &str) -> bool {
        self.modifiers(node)
            .any(|modifier| self.text(modifier) == word)
    }

    /// The modifiers of a declaration: words, not annotations.
    pub(super) fn modifiers(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let of = |child: u32| match self.kind(child) {
            "modifier" => vec![child],
            "modifiers" | "function_modifiers" => self.tree.children(child).collect(),
            _ => Vec::new(),
        };
        self.tree.children(node).flat_map(of)
    }
}
