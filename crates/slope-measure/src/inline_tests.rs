//! Tests that stand in a file of product code, as Rust has them.

use slope_syntax::{Language, SyntaxTree};

/// First and last rows, from 0, of what is compiled for tests only: items below `#[cfg(test)]`, and
/// functions that are tests. In order; none lies in another.
pub(crate) fn rows(tree: &SyntaxTree) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    if tree.language().id() != "rust" || !tree.text().contains("test") {
        return found;
    }
    let Some(attribute) = kind_of(tree.language(), "attribute_item") else {
        return found;
    };
    // Up to where attributes are of what was found already, or of nothing.
    let mut done = 0;
    for (index, &kind) in (0u32..).zip(tree.kinds()) {
        if index < done || kind != attribute || !is_of_test(tree.node_text(index)) {
            continue;
        }
        let item = item_of(tree, index, attribute);
        let last = item.unwrap_or(tree.node(index).parent);
        done = tree.node(last).end;
        found.extend(item.map(|item| (tree.node(index).start_row, tree.node(item).end_row)));
    }
    found
}

fn kind_of(language: Language, name: &str) -> Option<u16> {
    let mut kinds = (0u16..).zip(language.kind_names());
    let found = kinds.find(|(_, (kind, named))| *named && *kind == name);
    found.map(|(id, _)| id)
}

/// Whether an attribute says that what follows is a test, or there for tests only: `#[test]`,
/// `#[tokio::test(...)]`, `#[cfg(test)]`, `#[cfg(all(test, ...))]`.
fn is_of_test(attribute: &str) -> bool {
    let mut text = attribute.to_owned();
    text.retain(|c| !c.is_whitespace());
    let inner = text.strip_prefix("#[").unwrap_or(&text);
    let name = inner.split(['(', ']']).next().unwrap_or(inner);
    match name {
        "cfg" => {
            let condition = inner.strip_prefix("cfg(").unwrap_or_default();
            let condition = condition.strip_prefix("all(").unwrap_or(condition);
            let mut parts = condition.split([',', ')']);
            parts.next() == Some("test")
        }
        _ => name.rsplit("::").next() == Some("test"),
    }
}

/// What an attribute is of: what follows it, other attributes and comments left out.
fn item_of(tree: &SyntaxTree, attribute: u32, kind: u16) -> Option<u32> {
    let next = |&node: &u32| tree.next_sibling(node);
    let mut after = std::iter::successors(tree.next_sibling(attribute), next);
    after.find(|&node| {
        let is_comment = tree.info(node).roles.any(slope_syntax::Roles::COMMENT);
        tree.node(node).named && !is_comment && tree.node(node).kind != kind
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use slope_syntax::{Limits, parse};

    fn rows_of(language: &str, code: &str) -> Vec<(u32, u32)> {
        let language = Language::by_id(language).unwrap();
        rows(&parse(language, code.as_bytes(), &Limits::default()).unwrap())
    }

    #[test]
    fn what_is_for_tests_only_is_found() {
        let code = "\
fn f() {}

#[cfg(test)]
mod tests {
    #[test]
    fn g() {}
}
#[tokio::test(flavor = \"x\")]
// Why.
#[ignore]
async fn h() {
}
#[cfg(all(test, unix))]
use a::b;
#[cfg(not(test))]
fn i() {}
#[cfg(feature = \"test\")]
fn j() {}
#[test_log]
fn k() {}
";
        assert_eq!(rows_of("rust", code), [(2, 6), (7, 11), (12, 13)]);
        assert_eq!(rows_of("python", "#[cfg(test)]\ndef test(): pass\n"), []);
    }
}
