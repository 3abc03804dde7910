//! Tests that stand in a file of product code, as Rust and Zig have them.

use slope_model::measurement::{FileMeasurement, InlineTests, LineRange, Part};
use slope_syntax::{Language, LineSet, SyntaxTree};

use crate::facts::FileFacts;

/// First and last rows, from 0, of what is compiled for tests only: items below `#[cfg(test)]`,
/// functions that are tests, and `test` declarations. In order; none shares a row with another.
pub(crate) fn rows(tree: &SyntaxTree) -> Vec<(u32, u32)> {
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for (first, last) in pieces(tree) {
        let (first, last) = (tree.node(first).start_row, tree.node(last).end_row);
        match rows.last_mut().filter(|(_, before)| first <= *before) {
            Some((_, before)) => *before = last.max(*before),
            None => rows.push((first, last)),
        }
    }
    rows
}

/// The text with blanks in the place of tests; `None` where there are none.
pub(crate) fn blanked(tree: &SyntaxTree) -> Option<Vec<u8>> {
    let pieces = pieces(tree);
    let mut text = (!pieces.is_empty()).then(|| tree.text().as_bytes().to_vec())?;
    for (first, last) in pieces {
        let (start, end) = (tree.node(first).start_byte, tree.node(last).end_byte);
        let bytes = &mut text[start as usize..end as usize];
        let shown = bytes.iter_mut().filter(|byte| !b"\r\n".contains(byte));
        shown.for_each(|byte| *byte = b' ');
    }
    Some(text)
}

/// The first and the last node of each piece that is there for tests only.
fn pieces(tree: &SyntaxTree) -> Vec<(u32, u32)> {
    let language = tree.language();
    let begins = match language.id() {
        "rust" => "attribute_item",
        "zig" => "test_declaration",
        _ => return Vec::new(),
    };
    match kind_of(language, begins).filter(|_| tree.text().contains("test")) {
        Some(kind) => pieces_at(tree, kind),
        None => Vec::new(),
    }
}

/// As [`pieces`]: `begins` is the kind of the declarations, or of the attributes that make them.
fn pieces_at(tree: &SyntaxTree, begins: u16) -> Vec<(u32, u32)> {
    let is_rust = tree.language().id() == "rust";
    let mut found = Vec::new();
    // Up to where attributes are of what was found already, or of nothing.
    let mut done = 0;
    for (index, &kind) in (0u32..).zip(tree.kinds()) {
        if index < done || kind != begins || is_rust && !is_of_test(tree.node_text(index)) {
            continue;
        }
        let item = if is_rust {
            item_of(tree, index, begins)
        } else {
            Some(index)
        };
        let last = item.unwrap_or(tree.node(index).parent);
        done = tree.node(last).end;
        found.extend(item.map(|item| (index, item)));
    }
    found
}

/// What of a measured file is for tests only; nothing in files that are tests as a whole.
pub(crate) fn of_file(
    file: &FileMeasurement,
    facts: &FileFacts,
    cloned: &LineSet,
    near: Option<&LineSet>,
) -> Option<InlineTests> {
    if file.part == Part::Tests || facts.test_rows.is_empty() {
        return None;
    }
    let mut source = LineSet::with_rows(facts.lines);
    let mut lines = 0;
    for &(first, last) in &facts.test_rows {
        source.insert_range(first, last);
        lines += last - first + 1;
    }
    source.keep_common(&facts.source);
    let mut verbose = facts.flagged.clone();
    verbose.union_with(cloned);
    let range = |&(first, last): &(u32, u32)| LineRange {
        start_line: first + 1,
        end_line: last + 1,
    };
    Some(InlineTests {
        ranges: facts.test_rows.iter().map(range).collect(),
        lines,
        sloc: source.count(),
        flagged_lines: facts.flagged.count_common(&source),
        clone_lines: cloned.count_common(&source),
        verbose_lines: verbose.count_common(&source),
        near_clone_lines: near.map(|near| near.count_common(&source)),
    })
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
        let code = "fn f() void {}\n\ntest \"f\" {\n    f();\n}\ntest f {} test {}\n";
        assert_eq!(rows_of("zig", code), [(2, 4), (5, 5)]);
    }

    #[test]
    fn tests_are_blanked_in_their_place() {
        let code = "fn f() {}\n#[test]\nfn g() {\n    f()\n}\nfn h() {}\n";
        let language = Language::by_id("rust").unwrap();
        let tree = parse(language, code.as_bytes(), &Limits::default()).unwrap();
        let blank = String::from_utf8(blanked(&tree).unwrap()).unwrap();
        assert_eq!(blank.len(), code.len());
        let lines: Vec<&str> = blank.lines().map(str::trim_end).collect();
        assert_eq!(lines, ["fn f() {}", "", "", "", "", "fn h() {}"]);
    }
}
