//! Items in macros of Rust: `cfg_if! { if #[cfg(unix)] { fn f() { … } } }`, `pin_project! { impl A { … } }`.
//!
//! The grammar sees a run of tokens in such a macro. If what stands in its braces parses as items, and a function is
//! among them, the items take the place of the tokens.

use tree_sitter::{Point, Range};

use super::flatten::Flat;
use super::shown::Shown;
use super::{Limits, Node, narrow, parse_flat};
use crate::language::Language;

/// Where items may stand.
const PLACES: &[&str] = &["source_file", "declaration_list"];

/// What a body of items holds, and nothing else.
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

/// How deep macros may stand in the items of macros.
const MOST_TURNS: usize = 4;

/// Puts the items of macros in the place of their tokens.
pub(super) fn graft(
    flat: &mut Flat,
    language: Language,
    text: &str,
    line_starts: &[u32],
    limits: &Limits,
) {
    if !text.contains("! {") && !text.contains("!{") {
        return;
    }
    let source = Source {
        language,
        text,
        line_starts,
        limits,
    };
    let mut from = 0;
    for _ in 0..MOST_TURNS {
        let found = source.bodies(flat, from);
        if found.is_empty() {
            return;
        }
        // Nodes before the first are as they were.
        from = found[0].first;
        for body in found.into_iter().rev() {
            splice(flat, body);
        }
    }
}

/// The tokens of a body, and the items that take their place.
struct Body {
    /// The first token behind the brace, and the brace that closes the body.
    first: usize,
    after: usize,
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

    /// Whether a macro stands where an item may.
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
        let inner =
            children(flat, tree).filter(|&child| self.kind(&flat.nodes[child]) == "token_tree");
        found.extend(inner.filter_map(|child| self.body(flat, child)));
    }

    /// The items between the braces of a tree of tokens, if they parse and a function with a body is among them.
    fn body(&self, flat: &Flat, tree: usize) -> Option<Body> {
        let (first, after) = (tree + 1, flat.nodes[tree].end as usize - 1);
        let (open, close) = (&flat.nodes[first], &flat.nodes[after]);
        let tokens = &flat.nodes[first..after];
        let has_function = tokens.iter().any(|node| self.token(node) == "fn");
        if self.token(open) != "{" || self.token(close) != "}" || !has_function {
            return None;
        }
        let range = Range {
            start_byte: open.end_byte as usize,
            end_byte: close.start_byte as usize,
            start_point: self.point(open.end_byte),
            end_point: self.point(close.start_byte),
        };
        let shown = Shown {
            text: self.text.into(),
            ranges: vec![range],
        };
        let (items, is_whole) =
            parse_flat(self.language, &shown, self.line_starts, self.limits).ok()?;
        let fits = |child: usize| {
            let node = &items.nodes[child];
            ITEMS.contains(&self.kind(node)) || self.is_macro_statement(&items, child)
        };
        let is_items = is_whole && items.errors.is_none() && children(&items, 0).all(fits);
        let has_body = items
            .nodes
            .iter()
            .any(|node| self.kind(node) == "function_item");
        (is_items && has_body).then_some(Body {
            first: first + 1,
            after,
            items,
        })
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

/// Puts items in the place of tokens.
fn splice(flat: &mut Flat, body: Body) {
    let tree = flat.nodes[body.first - 1].parent;
    let removed = body.after - body.first;
    let depth = std::iter::successors(Some(tree), |&node| {
        let parent = flat.nodes[node as usize].parent;
        (parent != node).then_some(parent)
    });
    flat.deepest = flat.deepest.max(narrow(depth.count()) + body.items.deepest);
    let (first, after) = (narrow(body.first), narrow(body.after));
    // The root of the items is left out.
    let added = body.items.nodes.len() - 1;
    let moved = |index: u32| match index < after {
        true => index,
        false => index + narrow(added) - narrow(removed),
    };
    for node in &mut flat.nodes {
        node.end = match node.end <= first {
            true => node.end,
            false => moved(node.end),
        };
        node.parent = moved(node.parent);
    }
    let items = body.items.nodes.iter().skip(1).map(|node| Node {
        parent: match node.parent {
            0 => tree,
            parent => parent + first - 1,
        },
        end: node.end + first - 1,
        ..*node
    });
    flat.nodes
        .splice(body.first..body.after, items.collect::<Vec<_>>());
    let kinds = body.items.kinds.iter().skip(1).copied();
    flat.kinds
        .splice(body.first..body.after, kinds.collect::<Vec<_>>());
    flat.nodes[tree as usize].flags |= Node::HAS_NAMED_CHILD;
}

#[cfg(test)]
mod tests {
    use crate::{Language, Limits, Profile, SyntaxTree, callables, parse};

    fn tree(code: &str) -> SyntaxTree {
        parse(
            Language::by_id("rust").unwrap(),
            code.as_bytes(),
            &Limits::default(),
        )
        .unwrap()
    }

    fn names(code: &str) -> Vec<(String, u32)> {
        let tree = tree(code);
        check(&tree);
        let found = callables(&tree, Profile::Slope, &tree.source_lines(Profile::Slope));
        found
            .into_iter()
            .map(|found| (found.name, found.complexity))
            .collect()
    }

    /// Every node lies in its parent, and ends where the next begins.
    fn check(tree: &SyntaxTree) {
        for index in 1..tree.node(0).end {
            let (node, parent) = (tree.node(index), tree.node(tree.node(index).parent));
            assert!(node.parent < index && node.end <= parent.end && node.end > index);
            assert!(parent.start_byte <= node.start_byte && node.end_byte <= parent.end_byte);
            assert!(tree.children(node.parent).any(|child| child == index));
        }
    }

    #[test]
    fn items_in_macros_are_seen() {
        let code = "cfg_if::cfg_if! {\n    if #[cfg(unix)] {\n        fn f(x: u8) { if x > 1 { g(); } }\n    } else {\n        mod m { pub fn h() {} }\n        fn f() {}\n    }\n}\nfn after() {}\n";
        let found = names(code);
        let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        assert_eq!(found, [("f", 2), ("m.h", 1), ("f", 1), ("after", 1)]);
        let code = "impl A {\n    cfg_rt! {\n        /// Doc.\n        pub fn f(&self) { while x {} }\n    }\n}\ncfg_io! { cfg_net! { fn g() {} } use a::b; }\n";
        let found = names(code);
        let found: Vec<_> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        assert_eq!(found, [("A.f", 2), ("g", 1)]);
        let before = "fn x() {}\n";
        assert_eq!(names(&format!("{before}{code}"))[1].0, "A.f");
    }

    #[test]
    fn other_macros_stay_tokens() {
        for code in [
            "macro_rules! m { ($x:ident) => { fn $x() {} } }\n",
            "lazy_static! { static ref X: u8 = { fn f() {} 1 }; }\n",
            "fn f() { quote! { fn g() {} } }\n",
            "html! { <b>fn</b> }\n",
        ] {
            assert!(names(code).iter().all(|(name, _)| name == "f"), "{code}");
        }
    }
}
