//! Tests in a file of production code, as Rust and Zig have them.

use std::ops::Range;

use slope_model::measurement::{FileMeasurement, InlineTests, LineRange, Part};
use slope_syntax::{Language, LineSet, SyntaxTree, maintainability_without};

use crate::facts::FileFacts;

mod rust;

/// Contiguous part of a file that is compiled for tests only.
struct Piece {
    /// Positions of its nodes.
    nodes: Range<u32>,
    bytes: Range<u32>,
    first_row: u32,
    last_row: u32,
}

impl Piece {
    /// Piece from one node to a sibling of it, or of one node.
    fn of_nodes(tree: &SyntaxTree, first: u32, last: u32) -> Self {
        let [from, to] = [first, last].map(|node| tree.node(node));
        Self {
            nodes: first..to.end,
            bytes: from.start_byte..to.end_byte,
            first_row: from.start_row,
            // The root node ends after the last row of the file.
            last_row: to.end_row.min(tree.physical_lines().saturating_sub(1)),
        }
    }
}

/// The tests in a file of production code.
pub(crate) struct Tests {
    pieces: Vec<Piece>,
    /// The text with blanks in their place.
    pub(crate) blanked: Vec<u8>,
    /// First and last rows, from 0, in order. None shares a row with another. A row with both tests
    /// and production code counts as production code.
    pub(crate) rows: Vec<(u32, u32)>,
}

impl Tests {
    /// Test code of a tree: items below `#[cfg(test)]`, test functions and `test` declarations.
    /// `None` if there is none.
    pub(crate) fn of(tree: &SyntaxTree) -> Option<Self> {
        let pieces = pieces(tree);
        if pieces.is_empty() {
            return None;
        }
        let mut blanked = tree.text().as_bytes().to_vec();
        for piece in &pieces {
            let bytes = &mut blanked[piece.bytes.start as usize..piece.bytes.end as usize];
            let shown = bytes.iter_mut().filter(|byte| !b"\r\n".contains(byte));
            shown.for_each(|byte| *byte = b' ');
        }
        let rows = rows(tree, &pieces, &blanked);
        Some(Self {
            pieces,
            blanked,
            rows,
        })
    }

    /// Number of rows of tests.
    pub(crate) fn row_count(&self) -> u32 {
        let rows = self.rows.iter();
        rows.map(|(first, last)| last - first + 1).sum()
    }

    /// The maintainability index of the code between tests.
    pub(crate) fn maintainability_without(
        &self,
        tree: &SyntaxTree,
        source: &LineSet,
    ) -> Option<f64> {
        let mut source = source.clone();
        for &(first, last) in &self.rows {
            source.remove_range(first, last);
        }
        let left_out = self.pieces.iter().map(|piece| piece.nodes.clone());
        maintainability_without(tree, &source, left_out)
    }
}

/// The rows of pieces that share no source line with other code.
fn rows(tree: &SyntaxTree, pieces: &[Piece], blanked: &[u8]) -> Vec<(u32, u32)> {
    let starts = tree.line_starts();
    let is_free = |row: u32| {
        let start = starts[row as usize] as usize;
        let end = starts.get(row as usize + 1);
        let text = &blanked[start..end.map_or(blanked.len(), |&end| end as usize)];
        let says = |byte: &&u8| !byte.is_ascii_whitespace() && !b"{}()[],;".contains(byte);
        text.iter().find(says).is_none_or(|&byte| byte == b'/')
    };
    let mut rows: Vec<(u32, u32)> = Vec::new();
    for piece in pieces {
        // Only its first and its last row can be shared.
        let first = piece.first_row + u32::from(!is_free(piece.first_row));
        let is_last_free = piece.first_row == piece.last_row || is_free(piece.last_row);
        let end = piece.last_row + u32::from(is_last_free);
        match rows.last_mut().filter(|(_, before)| first <= *before) {
            _ if end <= first => {}
            Some((_, before)) => *before = (end - 1).max(*before),
            None => rows.push((first, end - 1)),
        }
    }
    rows
}

/// Test-only pieces in order, without overlap.
fn pieces(tree: &SyntaxTree) -> Vec<Piece> {
    match tree.language().id() {
        "rust" => rust::pieces(tree),
        "zig" => {
            let declaration = kind_of(tree.language(), "test_declaration");
            let is_test = |index: u32| declaration == Some(tree.node(index).kind);
            outermost(tree, |index| {
                is_test(index).then(|| Piece::of_nodes(tree, index, index))
            })
        }
        _ => Vec::new(),
    }
}

/// Pieces found at nodes, outermost ones only.
fn outermost(tree: &SyntaxTree, find: impl Fn(u32) -> Option<Piece>) -> Vec<Piece> {
    let mut found = Vec::new();
    // End of the nodes that belong to the last piece found.
    let mut done = 0;
    for index in 0..tree.node(0).end {
        if let Some(piece) = (index >= done).then(|| find(index)).flatten() {
            done = piece.nodes.end;
            found.push(piece);
        }
    }
    found
}

fn kind_of(language: Language, name: &str) -> Option<u16> {
    let mut kinds = (0u16..).zip(language.kind_names());
    let found = kinds.find(|(_, (kind, named))| *named && *kind == name);
    found.map(|(id, _)| id)
}

/// Test-only parts of a measured file. `None` for a file that consists of tests.
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
        maintainability_without: facts.maintainability_without_tests,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use slope_syntax::{Limits, parse};

    fn tree(language: &str, code: &str) -> SyntaxTree {
        let language = Language::by_id(language).unwrap();
        parse(language, code.as_bytes(), &Limits::default()).unwrap()
    }

    fn rows_of(language: &str, code: &str) -> Vec<(u32, u32)> {
        Tests::of(&tree(language, code)).map_or_else(Vec::new, |tests| tests.rows)
    }

    /// A Rust file without its tests, and whether it parses.
    fn blanked(code: &str) -> (String, bool) {
        let blanked = Tests::of(&tree("rust", code)).unwrap().blanked;
        let blanked = String::from_utf8(blanked).unwrap();
        assert_eq!(blanked.len(), code.len());
        let is_whole = tree("rust", &blanked).errors().is_none();
        let words: Vec<&str> = blanked.split_whitespace().collect();
        (words.join(" "), is_whole)
    }

    #[test]
    fn test_only_items_are_found() {
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
#[cfg(any(test, feature = \"x\"))]
fn l() {}
#[rstest]
#[case(1)]
fn m() {}
#[cfg(all(unix, test))]
fn n() {}
#[test]
struct S;
";
        let rows = [(2, 6), (7, 11), (12, 13), (22, 24), (25, 26)];
        assert_eq!(rows_of("rust", code), rows);
        assert_eq!(rows_of("python", "#[cfg(test)]\ndef test(): pass\n"), []);
        let code = "fn f() void {}\n\ntest \"f\" {\n    f();\n}\ntest f {} test {}\n";
        assert_eq!(rows_of("zig", code), [(2, 4), (5, 5)]);
    }

    #[test]
    fn tests_are_blanked_in_place() {
        let code = "fn f() {}\n#[test]\nfn g() {\n    f()\n}\nfn h() {}\n";
        let blank = Tests::of(&tree("rust", code)).unwrap().blanked;
        let blank = String::from_utf8(blank).unwrap();
        let lines: Vec<&str> = blank.lines().map(str::trim_end).collect();
        assert_eq!(lines, ["fn f() {}", "", "", "", "", "fn h() {}"]);
    }

    #[test]
    fn test_list_items_vanish_with_comma() {
        for (code, left) in [
            (
                "struct F { #[cfg(test)] a: u8, b: u8 }",
                "struct F { b: u8 }",
            ),
            ("struct F(#[cfg(test)] pub u8, u8);", "struct F( u8);"),
            ("enum E { #[cfg(test)] A { x: u8 }, B }", "enum E { B }"),
            ("enum E { A, #[cfg(test)] B }", "enum E { A, }"),
            ("fn f<#[cfg(test)] T, U>() {}", "fn f< U>() {}"),
            ("fn f(#[cfg(test)] a: u8, b: u8) {}", "fn f( b: u8) {}"),
            (
                "fn f() { g(#[cfg(test)] 1, [#[cfg(test)] 1 /* one */, 2]) }",
                "fn f() { g( [ 2]) }",
            ),
            (
                "fn f() { S { #[cfg(test)] a: 1, #[cfg(test)] b, c } }",
                "fn f() { S { c } }",
            ),
            (
                "fn f() { match x { #[cfg(test)] A => 1, #[cfg(test)] B => {} _ => 2 } }",
                "fn f() { match x { _ => 2 } }",
            ),
            ("fn f() { #[cfg(test)] g!(1, 2); h() }", "fn f() { h() }"),
        ] {
            assert_eq!(blanked(code), (left.to_owned(), true), "{code}");
        }
    }

    #[test]
    fn attributes_above_test_attribute_are_blanked() {
        let code = "fn f() {}\n#[allow(x)]\n// Why.\n#[cfg(test)]\nmod tests {}\n";
        assert_eq!(rows_of("rust", code), [(1, 4)]);
        assert_eq!(blanked(code), ("fn f() {}".to_owned(), true));
    }

    #[test]
    fn inner_test_attributes_cover_their_item() {
        let code = "fn f() {}\n#[allow(x)]\nmod m {\n    #![cfg(test)]\n    fn g() {}\n}\n";
        assert_eq!(rows_of("rust", code), [(1, 5)]);
        let code = "//! Tests.\n#![cfg(all(test, unix))]\n\nfn g() {}\n";
        assert_eq!(blanked(code).0, "");
    }

    #[test]
    fn item_macros_around_tests_are_tests() {
        let code = "proptest! {\n    #[test]\n    fn f(a in 0..1) {}\n}\n\
                    fn g() { proptest!(|(x in 0..1)| {}); }\n";
        assert_eq!(rows_of("rust", code), [(0, 3)]);
    }

    #[test]
    fn rows_shared_with_production_are_kept() {
        let code = "fn f() { if a {} } #[test] fn g() {}\n";
        assert_eq!(rows_of("rust", code), []);
        let code = "fn f() {\n} #[test] fn g() {\n    f()\n} fn h() {}\n";
        assert_eq!(rows_of("rust", code), [(1, 2)]);
        let code = "#[test] fn f() {} #[test] fn g() {} // Both.\n";
        assert_eq!(rows_of("rust", code), [(0, 0)]);
    }
}
