//! A tree with what every signal asks of it.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};
use slope_model::finding::Span;

use crate::callables::CallableFacts;
use crate::construct::Construct;
use crate::conventions::Conventions;
use crate::lines::LineSet;
use crate::text::identifiers_of;
use crate::tree::SyntaxTree;

/// A place: bytes of the parsed text, lines and columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// First byte.
    pub start_byte: u32,
    /// Byte after the last.
    pub end_byte: u32,
    /// Lines and columns.
    pub span: Span,
}

/// A tree, what its nodes mean, and what encloses them.
pub struct View<'a> {
    /// The tree.
    pub tree: &'a SyntaxTree,
    /// Facts about its language.
    pub conventions: &'static Conventions,
    /// The rows that carry code.
    pub source: &'a LineSet,
    /// Its callables in order of position.
    pub callables: &'a [CallableFacts],
    /// For each node what it is: one byte a node keeps the many passes cheap.
    kinds: Vec<Construct>,
    /// For each node the innermost definition around it (function, lambda or class), the root if none.
    scopes: Vec<u32>,
    /// Nodes by kind, each kind's in pre-order; those of no interest left out.
    by_kind: Vec<u32>,
    /// Start of each kind's nodes in `by_kind`.
    starts: [u32; Construct::COUNT + 1],
    /// Whether a mark of the language excludes the file. Computed on first use.
    exempt: OnceCell<bool>,
    /// Identifiers outside of comment lines, collected when first asked.
    words: OnceCell<HashSet<&'a str>>,
    /// The first child of the root that is a name, if it has any.
    root_name: OnceCell<Option<u32>>,
    /// First children with a text, by parent. A parent may have very many children that ask.
    first_tokens: RefCell<HashMap<(u32, &'static str), Option<u32>, FixedState>>,
}

impl<'a> View<'a> {
    /// A view; `None` if signals do not know the language.
    #[must_use]
    pub fn new(
        tree: &'a SyntaxTree,
        callables: &'a [CallableFacts],
        source: &'a LineSet,
    ) -> Option<Self> {
        let conventions = tree.language().known_conventions()?;
        let table = tree.language().constructs();
        let nodes = tree.nodes();
        let mut kinds: Vec<Construct> = Vec::with_capacity(nodes.len());
        let mut scopes: Vec<u32> = Vec::with_capacity(nodes.len());
        for (index, node) in (0u32..).zip(nodes) {
            kinds.push(
                table
                    .get(node.kind as usize)
                    .copied()
                    .unwrap_or(Construct::Other),
            );
            let parent = node.parent;
            scopes.push(if parent == index || parent == 0 {
                0
            } else if kinds[parent as usize].is_scope() {
                parent
            } else {
                scopes[parent as usize]
            });
        }
        let (by_kind, starts) = sorted_by_kind(&kinds);
        Some(Self {
            tree,
            conventions,
            source,
            callables,
            kinds,
            scopes,
            by_kind,
            starts,
            exempt: OnceCell::new(),
            words: OnceCell::new(),
            root_name: OnceCell::new(),
            first_tokens: RefCell::default(),
        })
    }

    /// The first child with a text.
    #[must_use]
    pub fn first_token(&self, parent: u32, text: &'static str) -> Option<u32> {
        let mut known = self.first_tokens.borrow_mut();
        let first = || {
            self.children(parent)
                .find(|&child| self.text(child) == text)
        };
        *known.entry((parent, text)).or_insert_with(first)
    }

    /// Kind of a node.
    #[must_use]
    pub fn k(&self, index: u32) -> Construct {
        self.kinds
            .get(index as usize)
            .copied()
            .unwrap_or(Construct::Other)
    }

    /// Every node of a kind, in pre-order.
    #[must_use]
    pub fn of_kind(&self, kind: Construct) -> &[u32] {
        let at = kind as usize;
        &self.by_kind[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The nodes of a kind from `first` to before `end`.
    #[must_use]
    pub fn kind_within(&self, kind: Construct, first: u32, end: u32) -> &[u32] {
        let all = self.of_kind(kind);
        let from = all.partition_point(|&node| node < first);
        let count = all[from..].partition_point(|&node| node < end);
        &all[from..from + count]
    }

    /// Whether a kind occurs below a node.
    #[must_use]
    pub fn has_below(&self, index: u32, kind: Construct) -> bool {
        !self
            .kind_within(kind, index + 1, self.end(index))
            .is_empty()
    }

    /// Every node with what it is, in pre-order.
    pub fn all(&self) -> impl Iterator<Item = (u32, Construct)> + '_ {
        (0u32..)
            .take(self.tree.nodes().len())
            .map(|index| (index, self.k(index)))
    }

    /// Every node below one, in pre-order.
    pub fn below(&self, index: u32) -> impl Iterator<Item = (u32, Construct)> + '_ {
        (index + 1..self.end(index)).map(|index| (index, self.k(index)))
    }

    /// Index after a node's last descendant.
    #[must_use]
    pub fn end(&self, index: u32) -> u32 {
        self.tree.node(index).end
    }

    /// A node's parent; the root's is itself.
    #[must_use]
    pub fn parent(&self, index: u32) -> u32 {
        self.tree.node(index).parent
    }

    /// The innermost definition around a node, the root if none.
    #[must_use]
    pub fn scope(&self, index: u32) -> u32 {
        self.scopes[index as usize]
    }

    /// Whether a function belongs to a class or type. Go has the receiver before the name.
    #[must_use]
    pub fn is_method(&self, function: u32) -> bool {
        let has_receiver = || {
            let first = self.first(function);
            first.is_some_and(|first| self.k(first) == Construct::Parameters)
        };
        let holder = self.k(self.scope(function));
        let is_member = matches!(
            holder,
            Construct::Class | Construct::Impl | Construct::Interface
        );
        is_member || self.k(function) == Construct::Function && has_receiver()
    }

    /// The innermost function (not a lambda) around a node, if any.
    #[must_use]
    pub fn function(&self, index: u32) -> Option<u32> {
        let mut scope = self.scope(index);
        while scope != 0 {
            if self.k(scope) == Construct::Function {
                return Some(scope);
            }
            scope = self.scope(scope);
        }
        None
    }

    /// A node's text.
    #[must_use]
    pub fn text(&self, index: u32) -> &'a str {
        self.tree.node_text(index)
    }

    /// Children in order.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        self.tree.children(index)
    }

    /// Named children except comments; a block's are its statements.
    pub fn parts(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let has_lists =
            self.k(index) == Construct::Block && !self.of_kind(Construct::Statements).is_empty();
        let list = has_lists.then(|| self.child(index, Construct::Statements));
        self.tree.parts(list.flatten().unwrap_or(index))
    }

    /// The first child of a kind.
    #[must_use]
    pub fn child(&self, index: u32, kind: Construct) -> Option<u32> {
        self.children(index).find(|&child| self.k(child) == kind)
    }

    /// The last child of a kind.
    #[must_use]
    pub fn last_child(&self, index: u32, kind: Construct) -> Option<u32> {
        self.children(index)
            .filter(|&child| self.k(child) == kind)
            .last()
    }

    /// The only named child, if there is just one.
    #[must_use]
    pub fn only(&self, index: u32) -> Option<u32> {
        let mut parts = self.parts(index);
        let only = parts.next()?;
        parts.next().is_none().then_some(only)
    }

    /// The first named child.
    #[must_use]
    pub fn first(&self, index: u32) -> Option<u32> {
        self.parts(index).next()
    }

    /// A definition's name node: its first child that is a name. For a function it is not the
    /// return type, even if that comes first.
    #[must_use]
    pub fn name_of(&self, definition: u32) -> Option<u32> {
        if definition == 0 {
            // Each definition at the top asks, and a file may have very many.
            return *self.root_name.get_or_init(|| self.find_name(0));
        }
        self.find_name(definition)
    }

    fn find_name(&self, definition: u32) -> Option<u32> {
        let is_function = self.k(definition) == Construct::Function;
        if is_function && self.conventions.naming.types_precede_names {
            return self
                .children(definition)
                .take_while(|&child| self.k(child) != Construct::Parameters)
                .filter(|&child| self.k(child) == Construct::Identifier)
                .last();
        }
        if is_function && let Some(signature) = self.signature(definition) {
            return (signature + 1..self.end(signature))
                .take_while(|&node| self.k(node) != Construct::Parameters)
                .filter(|&node| matches!(self.k(node), Construct::Identifier | Construct::Member))
                .last();
        }
        self.children(definition)
            .find(|&child| match self.k(child) {
                Construct::Identifier | Construct::Member => true,
                Construct::TypeName => !is_function,
                _ => false,
            })
    }

    /// The node of a C function's name and parameters, which pointers may surround.
    #[must_use]
    pub fn signature(&self, function: u32) -> Option<u32> {
        let all = self.kind_within(Construct::Signature, function, self.end(function));
        let body = self.child(function, Construct::Block).unwrap_or(u32::MAX);
        all.first().copied().filter(|&signature| signature < body)
    }

    /// The values of function names: the function, or a lambda that a module names. Each with its
    /// name.
    #[must_use]
    pub fn definitions(&self) -> Vec<(u32, u32)> {
        let functions = self.of_kind(Construct::Function).iter().copied();
        let mut found: Vec<(u32, u32)> = functions
            .filter_map(|function| Some((function, self.name_of(function)?)))
            .collect();
        if self.conventions.naming.lambdas_define {
            let lambdas = self.of_kind(Construct::Lambda).iter().copied();
            found.extend(lambdas.filter_map(|lambda| {
                let declarator = self.parent(lambda);
                let name = self.first(declarator)?;
                let named = self.k(declarator) == Construct::Declarator
                    && self.k(name) == Construct::Identifier;
                named.then_some((lambda, name))
            }));
            found.sort_unstable();
        }
        found
    }

    /// [`View::definitions`], by the first byte of the name.
    #[must_use]
    pub fn nodes_by_name(&self) -> HashMap<u32, u32, FixedState> {
        let all = self.definitions().into_iter();
        all.map(|(node, name)| (self.tree.node(name).start_byte, node))
            .collect()
    }

    /// Whether the file is built under a condition only, or asks to be left alone.
    #[must_use]
    pub fn is_exempt(&self) -> bool {
        let text = self.tree.text();
        let marks = self.conventions.exempting;
        *self
            .exempt
            .get_or_init(|| marks.iter().any(|mark| text.contains(mark)))
    }

    /// The lines of comments, attributes and annotations directly above a node, nearest first.
    pub fn rows_above(&self, node: u32) -> impl Iterator<Item = &'a str> + '_ {
        let first = self.tree.node(node).start_row;
        let rows = (0..first).rev().map(|row| self.tree.row_text(row).trim());
        rows.take_while(|row| row.starts_with(['/', '*', '#', '@', '[']))
    }

    /// Whether an identifier appears in the file outside of comment lines.
    #[must_use]
    pub fn has_word(&self, word: &str) -> bool {
        let is_comment = |line: &str| {
            let marks = ["//", "#", "*", "/*", "--"];
            marks.iter().any(|mark| line.trim_start().starts_with(mark))
        };
        let words = self.words.get_or_init(|| {
            let code = self.tree.text().lines().filter(|line| !is_comment(line));
            code.flat_map(|line| identifiers_of(line, &['_', '$']))
                .collect()
        });
        words.contains(word)
    }

    /// The name after the last dot of a path, with a subscript or without; empty if it is neither.
    #[must_use]
    pub fn last_part(&self, node: u32) -> &'a str {
        match self.k(node) {
            Construct::Identifier => self.text(node),
            Construct::Attribute => self
                .last_child(node, Construct::Identifier)
                .map_or("", |name| self.text(name)),
            Construct::Subscript => self.first(node).map_or("", |value| {
                let text = self.text(value);
                text.rsplit('.').next().unwrap_or(text)
            }),
            _ => "",
        }
    }

    /// Whether a definition has decorators.
    #[must_use]
    pub fn decorated(&self, definition: u32) -> bool {
        self.k(self.parent(definition)) == Construct::Decorated
    }

    /// The statement that a definition is: itself, or what decorates it.
    #[must_use]
    pub fn outer(&self, definition: u32) -> u32 {
        if self.decorated(definition) {
            self.parent(definition)
        } else {
            definition
        }
    }

    /// Place of a node.
    #[must_use]
    pub fn place(&self, index: u32) -> Place {
        let node = self.tree.node(index);
        self.place_between(node.start_byte, node.end_byte)
    }

    /// Place of a range of bytes.
    #[must_use]
    pub fn place_between(&self, start_byte: u32, end_byte: u32) -> Place {
        Place {
            start_byte,
            end_byte,
            span: self.tree.span(start_byte as usize, end_byte as usize),
        }
    }

    /// Dotted name of the callable that a node is or is in; empty at the top level.
    #[must_use]
    pub fn callable(&self, index: u32) -> &'a str {
        let mut scope = if self.k(index) == Construct::Function {
            index
        } else {
            self.scope(index)
        };
        while scope != 0 {
            let found = self.callables.binary_search_by_key(&scope, |c| c.node);
            if let Ok(position) = found {
                return &self.callables[position].name;
            }
            scope = self.scope(scope);
        }
        ""
    }

    /// Whether a string, number, truth value or absent value, and not an interpolated text.
    #[must_use]
    pub fn is_constant(&self, index: u32) -> bool {
        match self.k(index) {
            Construct::Number | Construct::True | Construct::False | Construct::Null => true,
            Construct::String => !self.has_below(index, Construct::Interpolation),
            Construct::UnaryOp => self
                .only(index)
                .is_some_and(|n| self.k(n) == Construct::Number),
            _ => false,
        }
    }
}

/// Nodes by kind in pre-order, and where each kind begins. [`Construct::Other`] is left out.
fn sorted_by_kind(kinds: &[Construct]) -> (Vec<u32>, [u32; Construct::COUNT + 1]) {
    let mut starts = [0u32; Construct::COUNT + 1];
    for &kind in kinds {
        starts[kind as usize + 1] += 1;
    }
    starts[Construct::Other as usize + 1] = 0;
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts;
    let mut nodes = vec![0u32; starts[Construct::COUNT] as usize];
    for (index, &kind) in (0u32..).zip(kinds) {
        if kind != Construct::Other {
            let slot = &mut next[kind as usize];
            nodes[*slot as usize] = index;
            *slot += 1;
        }
    }
    (nodes, starts)
}
