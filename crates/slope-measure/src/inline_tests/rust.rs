//! Test-only parts of a Rust file.

use slope_syntax::{Roles, SyntaxTree};

use super::{Piece, kind_of, outermost};

/// Attributes that make a function a test or benchmark of the test harness, by the last segment of
/// their path: those of the harness and of well-known crates.
const TEST_ATTRIBUTES: &[&str] = &[
    "bench",
    "gtest",
    "proptest",
    "quickcheck",
    "rstest",
    "test",
    "test_case",
    "test_matrix",
    "wasm_bindgen_test",
];

/// Macros that contain complete tests, called at item positions.
const TEST_MACROS: &[&str] = &["proptest", "quickcheck"];

/// Texts in a file that has tests between its code, so that others are not searched.
const SIGNS: &[&str] = &["test", "quickcheck", "bench"];

/// Limit of nested `all` and `any`.
const DEEPEST_CONDITION: u32 = 16;

/// As [`super::pieces`], for Rust.
pub(super) fn pieces(tree: &SyntaxTree) -> Vec<Piece> {
    if !SIGNS.iter().any(|sign| tree.text().contains(sign)) {
        return Vec::new();
    }
    let begins = ["attribute_item", "inner_attribute_item", "macro_invocation"];
    let [outer, inner, call] = begins.map(|name| kind_of(tree.language(), name));
    outermost(tree, |index| match Some(tree.kinds()[index as usize]) {
        kind if kind == outer => below(tree, index),
        kind if kind == inner => around(tree, index),
        kind if kind == call => called(tree, index),
        _ => None,
    })
}

/// Test-only item of an outer attribute, with all its attributes.
fn below(tree: &SyntaxTree, attribute: u32) -> Option<Piece> {
    let text = tree.node_text(attribute);
    let is_condition = is_condition_of_test(text);
    if !is_condition && !is_test_attribute(text) {
        return None;
    }
    let parent = tree.node(attribute).parent;
    if is_condition && holds_its_attributes(tree, parent) {
        return Some(with_comma(tree, parent, parent));
    }
    let next = |&node: &u32| tree.next_sibling(node);
    let mut after = std::iter::successors(tree.next_sibling(attribute), next);
    let item = after.find(|&node| tree.node(node).named && !stands_before_items(tree, node))?;
    if !is_condition && tree.kind_name(item) != "function_item" {
        return None;
    }
    let last = match tree.kind_name(parent) {
        "ordered_field_declaration_list" => before_comma(tree, item),
        _ => item,
    };
    Some(with_comma(tree, first_attribute(tree, attribute), last))
}

/// Test-only code around an inner attribute: a module, a function or the file.
fn around(tree: &SyntaxTree, attribute: u32) -> Option<Piece> {
    if !is_condition_of_test(tree.node_text(attribute)) {
        return None;
    }
    let block = tree.node(attribute).parent;
    if block == 0 {
        return Some(Piece::of_nodes(tree, 0, 0));
    }
    let item = tree.node(block).parent;
    Some(Piece::of_nodes(tree, first_attribute(tree, item), item))
}

/// Macro call that contains complete tests.
fn called(tree: &SyntaxTree, call: u32) -> Option<Piece> {
    let name = tree.node_text(tree.children(call).next()?);
    if !TEST_MACROS.contains(&last_of_path(name)) {
        return None;
    }
    let mut item = call;
    if tree.kind_name(tree.node(call).parent) == "expression_statement" {
        item = tree.node(call).parent;
    }
    let place = tree.kind_name(tree.node(item).parent);
    let is_item = matches!(place, "source_file" | "declaration_list");
    is_item.then(|| Piece::of_nodes(tree, first_attribute(tree, item), item))
}

/// Whether a node begins with its own attributes; for others they come before the node.
fn holds_its_attributes(tree: &SyntaxTree, node: u32) -> bool {
    matches!(
        tree.kind_name(node),
        "field_initializer" | "shorthand_field_initializer" | "match_arm"
    )
}

fn stands_before_items(tree: &SyntaxTree, node: u32) -> bool {
    tree.info(node).roles.any(Roles::COMMENT) || tree.kind_name(node) == "attribute_item"
}

/// First attribute of the item of a node, or the node itself if no attribute comes before it.
fn first_attribute(tree: &SyntaxTree, node: u32) -> u32 {
    let previous = |&node: &u32| tree.previous_sibling(node);
    std::iter::successors(tree.previous_sibling(node), previous)
        .take_while(|&before| stands_before_items(tree, before))
        .filter(|&before| tree.kind_name(before) == "attribute_item")
        .last()
        .unwrap_or(node)
}

/// The last node of an element of a list: a field without a name is no node of its own.
fn before_comma(tree: &SyntaxTree, element: u32) -> u32 {
    let next = |&node: &u32| tree.next_sibling(node);
    let siblings = std::iter::successors(Some(element), next);
    let named = siblings.take_while(|&node| tree.node(node).named);
    named.last().unwrap_or(element)
}

/// Piece with the comma after it, so that the rest of the list still parses.
fn with_comma(tree: &SyntaxTree, first: u32, last: u32) -> Piece {
    let next = |&node: &u32| tree.next_sibling(node);
    let mut after = std::iter::successors(tree.next_sibling(last), next);
    let follows = after.find(|&node| !tree.info(node).roles.any(Roles::COMMENT));
    let comma = follows.filter(|&node| tree.node_text(node) == ",");
    Piece::of_nodes(tree, first, comma.unwrap_or(last))
}

/// Whether an attribute makes a function a test: `#[test]`, `#[tokio::test(...)]`, `#[rstest]`.
fn is_test_attribute(attribute: &str) -> bool {
    let text = attribute.trim_start_matches(['#', '[', ' ']);
    let name = text.split(['(', ']', '=', ' ']).next().unwrap_or(text);
    TEST_ATTRIBUTES.contains(&last_of_path(name))
}

fn last_of_path(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

/// Whether an attribute limits its item to tests: `#[cfg(test)]`, `#[cfg(all(unix, test))]`, but
/// not `#[cfg(any(test, unix))]`.
fn is_condition_of_test(attribute: &str) -> bool {
    let mut in_text = false;
    // Without strings, in which commas and brackets have no meaning.
    let is_part = |&c: &char| {
        in_text ^= c == '"';
        !in_text && !c.is_whitespace()
    };
    let text: String = attribute.chars().filter(is_part).collect();
    let text = text.trim_start_matches(['#', '!', '[']);
    let condition = text.strip_prefix("cfg(");
    let condition = condition.and_then(|text| text.strip_suffix(")]"));
    condition.is_some_and(|condition| needs_test(condition, DEEPEST_CONDITION))
}

/// Whether a condition can be true only in a test build, judged by its text alone.
fn needs_test(condition: &str, depth: u32) -> bool {
    let Some((name, parts)) = condition.split_once('(') else {
        return condition == "test";
    };
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let parts = parts.strip_suffix(')').unwrap_or(parts);
    let mut parts = separated(parts).filter(|part| !part.is_empty()).peekable();
    match name {
        "all" => parts.any(|part| needs_test(part, depth)),
        "any" => parts.peek().is_some() && parts.all(|part| needs_test(part, depth)),
        _ => false,
    }
}

/// The parts of a list that commas outside of brackets separate.
fn separated(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    list.split(move |c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_condition_must_imply_test() {
        for condition in [
            "#[cfg(test)]",
            "#[ cfg ( test ) ]",
            "#![cfg(test)]",
            "#[cfg(all(test, unix))]",
            "#[cfg(all(feature = \"a\", not(b), test,))]",
            "#[cfg(all(a, all(b, test)))]",
            "#[cfg(any(test, all(test, unix)))]",
        ] {
            assert!(is_condition_of_test(condition), "{condition}");
        }
        for condition in [
            "#[cfg(not(test))]",
            "#[cfg(any(test, feature = \"x\"))]",
            "#[cfg(all(unix, not(test)))]",
            "#[cfg(not(all(test, x)))]",
            "#[cfg(feature = \"a,test,b\")]",
            "#[cfg(any())]",
            "#[cfg(all())]",
            "#[cfg_attr(test, derive(Debug))]",
        ] {
            assert!(!is_condition_of_test(condition), "{condition}");
        }
        let deep = format!("#[cfg({}test{})]", "all(".repeat(50), ")".repeat(50));
        assert!(!is_condition_of_test(&deep));
    }

    #[test]
    fn test_attributes_match_last_path_part() {
        for attribute in [
            "#[test]",
            "#[tokio::test(flavor = \"x\")]",
            "#[rstest]",
            "#[test_case::test_case(1, 2)]",
            "#[test_case(1 ; \"one\")]",
            "#[wasm_bindgen_test]",
            "#[quickcheck]",
        ] {
            assert!(is_test_attribute(attribute), "{attribute}");
        }
        for attribute in ["#[test_log]", "#[allow(test)]", "#[doc = \"test\"]"] {
            assert!(!is_test_attribute(attribute), "{attribute}");
        }
    }
}
