//! Items in macros of Rust: `cfg_if! { if #[cfg(unix)] { fn f() { … } } }`, `pin_project! { impl A { … } }`.
//!
//! The grammar sees a run of tokens in such a macro. If the tokens in its braces parse as items, and a function is among
//! them, the items take the place of the tokens.

use tree_sitter::{Point, Range};

use super::flatten::Flat;
use super::shown::Shown;
use super::{Limits, Node, narrow, parse_flat};
use crate::language::Language;

/// Nodes that have items.
const PLACES: &[&str] = &["source_file", "declaration_list"];

/// Kinds of items.
const ITEMS: &[&str] = &[
    "associated_type",
    "attribute_item",
    "block_comment",
    "const_item",
    "empty_statement",
    "enum_item",
    "extern_crate_declaration",
    "foreign_mod_item",
    "function_item",
    "function_signature_item",
    "impl_item",
    "inner_attribute_item",
    "line_comment",
    "macro_definition",
    "macro_invocation",
    "mod_item",
    "static_item",
    "struct_item",
    "trait_item",
    "type_item",
    "union_item",
    "use_declaration",
];

/// Deepest nesting of macros in items of macros.
const MAX_TURNS: usize = 4;

/// Puts the items of macros in the place of their tokens.
pub(super) fn graft(
    flat: &mut Flat,
    language: Language,
    text: &str,
    line_starts: &[u32],
    limits: &Limits,
) {
    if !["! {", "!{", "!("].iter().any(|begin| text.contains(begin)) {
        return;
    }
    let source = Source {
        language,
        text,
        line_starts,
        limits,
    };
    let mut from = 0;
    for _ in 0..MAX_TURNS {
        let found = source.bodies(flat, from);
        if found.is_empty() {
            return;
        }
        // Nodes before the first are as they were.
        from = found[0].tokens.start;
        splice(flat, found);
    }
}

/// Tokens next to each other, and the items that take their place.
struct Body {
    tokens: std::ops::Range<usize>,
    items: Flat,
}

struct Source<'t> {
    language: Language,
    text: &'t str,
    line_starts: &'t [u32],
    limits: &'t Limits,
}

impl Source<'_> {
    fn kind(&self, node: &Node) -> &'static str {
        self.language.kind_name(node.kind)
    }

    fn token(&self, node: &Node) -> &str {
        self.text
            .get(node.start_byte as usize..node.end_byte as usize)
            .unwrap_or_default()
    }

    /// The bodies in order of position, none inside another.
    fn bodies(&self, flat: &Flat, from: usize) -> Vec<Body> {
        let mut found = Vec::new();
        let mut at = from;
        while at < flat.nodes.len() {
            let end = flat.nodes[at].end as usize;
            let kind = self.kind(&flat.nodes[at]);
            if kind == "macro_invocation" && self.is_item(flat, at) {
                self.of_macro(flat, at, &mut found);
                at = end;
            } else if kind == "token_tree" {
                at = end;
            } else {
                at += 1;
            }
        }
        found
    }

    /// Whether a macro is in the place of an item.
    fn is_item(&self, flat: &Flat, node: usize) -> bool {
        let mut around = &flat.nodes[flat.nodes[node].parent as usize];
        if self.kind(around) == "expression_statement" {
            around = &flat.nodes[around.parent as usize];
        }
        PLACES.contains(&self.kind(around)) || self.kind(around) == "token_tree"
    }

    /// The body of a macro, or the bodies in it: those of the branches of `cfg_if!`.
    fn of_macro(&self, flat: &Flat, node: usize, found: &mut Vec<Body>) {
        let Some(tree) =
            children(flat, node).find(|&child| self.kind(&flat.nodes[child]) == "token_tree")
        else {
            return;
        };
        if let Some(body) = self.body(flat, tree) {
            found.push(body);
            return;
        }
        let mut before = [None; 2];
        // The first token of what may be an item.
        let mut first = tree + 2;
        for child in children(flat, tree) {
            let end = flat.nodes[child].end as usize;
            if self.token(&flat.nodes[child]).starts_with('{') && end > child + 1 {
                found.extend(match self.begins_branch(flat, before) {
                    true => self.body(flat, child),
                    false => {
                        let bytes = flat.nodes[first].start_byte..flat.nodes[child].end_byte;
                        self.items(flat, first..end, bytes)
                    }
                });
                first = end;
            } else if self.token(&flat.nodes[child]) == ";" {
                first = end;
            }
            before = [before[1], Some(child)];
        }
    }

    /// Whether braces behind these two tokens are a branch: behind `#[…]`, `else` and `=>`. Others may belong to an
    /// item.
    fn begins_branch(&self, flat: &Flat, before: [Option<usize>; 2]) -> bool {
        let text = |at: Option<usize>| at.map_or("", |at| self.token(&flat.nodes[at]));
        let (first, last) = (text(before[0]), text(before[1]));
        matches!(last, "else" | "=>") || first == "#" && last.starts_with('[')
    }

    /// The items between the brackets of a tree of tokens.
    fn body(&self, flat: &Flat, tree: usize) -> Option<Body> {
        let (first, after) = (tree + 1, flat.nodes[tree].end as usize - 1);
        let (open, close) = (&flat.nodes[first], &flat.nodes[after]);
        let is_closed = matches!(self.token(open), "{" | "(") && self.token(close).len() == 1;
        let bytes = open.end_byte..close.start_byte;
        is_closed
            .then(|| self.items(flat, first + 1..after, bytes))
            .flatten()
    }

    /// The items that tokens are, if they parse and a function with a body may be among them.
    fn items(
        &self,
        flat: &Flat,
        tokens: std::ops::Range<usize>,
        bytes: std::ops::Range<u32>,
    ) -> Option<Body> {
        let mut words = flat.nodes[tokens.clone()].iter();
        if !words.any(|node| self.token(node) == "fn") {
            return None;
        }
        let range = Range {
            start_byte: bytes.start as usize,
            end_byte: bytes.end as usize,
            start_point: self.point(bytes.start),
            end_point: self.point(bytes.end),
        };
        let shown = Shown {
            text: self.text.into(),
            ranges: vec![range],
        };
        let parsed = parse_flat(self.language, &shown, self.line_starts, self.limits);
        let (items, is_whole) = parsed.ok()?;
        let fits = |child: usize| {
            let node = &items.nodes[child];
            ITEMS.contains(&self.kind(node)) || self.is_macro_statement(&items, child)
        };
        let is_items = is_whole && items.errors.is_none() && children(&items, 0).all(fits);
        let may_have =
            |node: &Node| matches!(self.kind(node), "function_item" | "macro_invocation");
        let has_body = items.nodes.iter().any(may_have);
        (is_items && has_body).then_some(Body { tokens, items })
    }

    fn is_macro_statement(&self, flat: &Flat, node: usize) -> bool {
        self.kind(&flat.nodes[node]) == "expression_statement"
            && children(flat, node).all(|child| {
                let child = &flat.nodes[child];
                !child.named || self.kind(child) == "macro_invocation"
            })
    }

    fn point(&self, offset: u32) -> Point {
        let row = self.line_starts.partition_point(|&start| start <= offset) - 1;
        Point::new(row, (offset - self.line_starts[row]) as usize)
    }
}

fn children(flat: &Flat, node: usize) -> impl Iterator<Item = usize> + '_ {
    let last = flat.nodes[node].end as usize;
    let mut next = node + 1;
    std::iter::from_fn(move || {
        (next < last).then(|| {
            let child = next;
            next = flat.nodes[child].end as usize;
            child
        })
    })
}

/// Offsets of nodes: the end of each replaced run of tokens, and the number of nodes added minus removed up to there.
struct Shifts(Vec<(u32, i64)>);

impl Shifts {
    fn of(bodies: &[Body]) -> Self {
        let mut sum = 0;
        let shift = |body: &Body| {
            // The root of the items is left out.
            sum += body.items.nodes.len() as i64 - 1 - body.tokens.len() as i64;
            (narrow(body.tokens.end), sum)
        };
        Self(bodies.iter().map(shift).collect())
    }

    /// The new index of a node that stays, or of the end of one.
    fn moved(&self, index: u32) -> u32 {
        let before = self.0.partition_point(|(end, _)| *end <= index);
        let by = before.checked_sub(1).map_or(0, |at| self.0[at].1);
        u32::try_from(i64::from(index) + by).unwrap_or(index)
    }
}

/// Puts items in the place of tokens; the runs of tokens are in order.
fn splice(flat: &mut Flat, bodies: Vec<Body>) {
    let shifts = Shifts::of(&bodies);
    let old = std::mem::take(&mut flat.nodes);
    let old_kinds = std::mem::take(&mut flat.kinds);
    let mut from = 0;
    for body in &bodies {
        let (first, tree) = (body.tokens.start, old[body.tokens.start].parent);
        copy(flat, (&old, &old_kinds), from..first, &shifts);
        let depth = std::iter::successors(Some(tree), |&node| {
            let parent = old[node as usize].parent;
            (parent != node).then_some(parent)
        });
        flat.deepest = flat.deepest.max(narrow(depth.count()) + body.items.deepest);
        let (tree, base) = (shifts.moved(tree), narrow(flat.nodes.len()));
        let items = body.items.nodes.iter().skip(1).map(|node| Node {
            parent: match node.parent {
                0 => tree,
                parent => parent + base - 1,
            },
            end: node.end + base - 1,
            ..*node
        });
        flat.nodes.extend(items);
        flat.kinds.extend(body.items.kinds.iter().skip(1));
        flat.nodes[tree as usize].flags |= Node::HAS_NAMED_CHILD;
        from = body.tokens.end;
    }
    copy(flat, (&old, &old_kinds), from..old.len(), &shifts);
}

/// Appends a range of the old nodes with their kinds.
fn copy(
    flat: &mut Flat,
    (nodes, kinds): (&[Node], &[u16]),
    range: std::ops::Range<usize>,
    shifts: &Shifts,
) {
    let moved = nodes[range.clone()].iter().map(|node| Node {
        parent: shifts.moved(node.parent),
        end: shifts.moved(node.end),
        ..*node
    });
    flat.nodes.extend(moved);
    flat.kinds.extend(&kinds[range]);
}
