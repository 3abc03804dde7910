//! A node's roles in its context.

use crate::language::Roles;
use crate::tree::SyntaxTree;

impl SyntaxTree {
    /// A node's roles in its context.
    ///
    /// Most kinds mean the same everywhere. For the others ([`Roles::CONTEXT`]), the language looks
    /// at the nodes around: a method without a body does not count, and a `break` with a label is a
    /// jump.
    #[must_use]
    pub fn roles(&self, index: u32) -> Roles {
        let roles = self.info(index).roles;
        if roles.any(Roles::CONTEXT) {
            (self.language().spec().in_context)(self, index, roles.without(Roles::CONTEXT))
        } else {
            roles
        }
    }

    /// Name of a node's kind in the grammar; `ERROR` for code that does not parse.
    #[must_use]
    pub fn kind_name(&self, index: u32) -> &'static str {
        self.language().kind_name(self.node(index).kind)
    }

    /// Whether a node is of a named kind of this name.
    pub(crate) fn is_kind(&self, index: u32, kind: &str) -> bool {
        debug_assert!(
            self.language().has_kind(kind),
            "{:?} has no kind {kind}",
            self.language()
        );
        self.node(index).named && self.kind_name(index) == kind
    }

    /// Whether a node is a keyword or operator of this text.
    pub(crate) fn is_token(&self, index: u32, token: &str) -> bool {
        !self.node(index).named && self.kind_name(index) == token
    }

    /// Whether a node's first child is of a named kind or a token of this name.
    pub(crate) fn begins_with(&self, index: u32, name: &str) -> bool {
        let first = index + 1;
        first < self.node(index).end && self.kind_name(first) == name
    }

    /// The first child of a named kind of this name.
    pub(crate) fn child_of_kind(&self, index: u32, kind: &str) -> Option<u32> {
        self.children(index)
            .find(|&child| self.is_kind(child, kind))
    }

    /// The first child that has any of these roles by its kind.
    pub(crate) fn child_with(&self, index: u32, roles: Roles) -> Option<u32> {
        self.children(index)
            .find(|&child| self.info(child).roles.any(roles))
    }

    /// Whether a node has a child that is this keyword or operator.
    pub(crate) fn has_token(&self, index: u32, token: &str) -> bool {
        self.children(index)
            .any(|child| self.is_token(child, token))
    }

    /// The parent; `None` for the root.
    pub(crate) fn parent(&self, index: u32) -> Option<u32> {
        let parent = self.node(index).parent;
        (parent != index).then_some(parent)
    }

    /// Whether a node is short-circuit operator of an expression that joins by it.
    pub(crate) fn joins(&self, index: u32) -> bool {
        let parent = self.node(index).parent;
        self.roles(index).any(Roles::LOGICAL_OPERATOR)
            && self.info(parent).roles.any(Roles::LOGICAL)
    }

    /// Cyclomatic complexity of a node.
    pub(crate) fn decisions(&self, index: u32, roles: Roles, parent: Roles) -> u32 {
        let arm = roles.any(Roles::ARM) && !self.is_catch_all(index);
        let joins = roles.any(Roles::LOGICAL_OPERATOR) && parent.any(Roles::LOGICAL);
        u32::from(roles.any(Roles::DECISION) || arm || joins)
    }
}
