//! The maintainability index of a file.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::language::Roles;
use crate::lines::LineSet;
use crate::tree::SyntaxTree;

/// Counts of Halstead's measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Halstead {
    /// Distinct operators: keywords and operator tokens. A pair of brackets is one.
    pub operators: u32,
    /// Distinct operands: names and literals.
    pub operands: u32,
    /// Operators and operands in all.
    pub length: u32,
}

impl Halstead {
    /// Volume: length times the binary logarithm of the number of distinct tokens.
    #[must_use]
    pub fn volume(self) -> f64 {
        let distinct = self.operators + self.operands;
        if distinct == 0 {
            return 0.0;
        }
        f64::from(self.length) * f64::from(distinct).log2()
    }
}

/// Halstead's counts of a file, and its decisions, without the excluded nodes.
fn counts(tree: &SyntaxTree, left_out: impl Iterator<Item = Range<u32>>) -> (Halstead, u32) {
    let mut left_out = left_out.peekable();
    let mut operators = vec![false; usize::from(tree.language().kind_count()) + 1];
    // Hashes that are sorted once are faster to count than separate texts.
    let mut operands: Vec<u64> = Vec::new();
    let mut length = 0u32;
    let mut decisions = 0u32;
    let mut index = 0;
    while index < tree.node(0).end {
        if let Some(range) = left_out.next_if(|range| range.start <= index) {
            index = range.end.max(index);
            continue;
        }
        let node = tree.node(index);
        let roles = tree.roles(index);
        if roles.any(Roles::COMMENT) || tree.is_documentation(index) {
            index = node.end;
            continue;
        }
        let parent = tree.info(node.parent).roles;
        decisions = decisions.saturating_add(tree.decisions(index, roles, parent));
        let info = tree.info(index);
        let is_leaf = node.end == index + 1;
        let is_text = info.literal.is_some() && !has_literal_part(tree, index);
        if is_text || (is_leaf && node.named && node.end_byte > node.start_byte) {
            let text = tree.node_text(index).as_bytes();
            operands.push(xxh3_64_with_seed(text, u64::from(info.canonical)));
            length += 1;
            index = node.end;
            continue;
        }
        if is_leaf && node.end_byte > node.start_byte && !closes(tree, index) {
            // Errors have no place in the table; they are one operator.
            let kind = usize::from(info.canonical).min(operators.len() - 1);
            operators[kind] = true;
            length += 1;
        }
        index += 1;
    }
    operands.sort_unstable();
    operands.dedup();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let halstead = Halstead {
        operators: count(operators.iter().filter(|&&met| met).count()),
        operands: count(operands.len()),
        length,
    };
    (halstead, decisions)
}

/// Whether a token closes a pair of brackets, which counts where it opens.
fn closes(tree: &SyntaxTree, index: u32) -> bool {
    // The text first, which most tokens fail; `%w(a b)` ends in another kind of token.
    let text = tree.node_text(index);
    !tree.node(index).named && matches!(text, ")" | "]" | "}") && tree.kind_name(index) == text
}

/// Whether a literal contains other literals or code, and so is not one operand.
fn has_literal_part(tree: &SyntaxTree, index: u32) -> bool {
    let node = tree.node(index);
    (index + 1..node.end).any(|below| {
        let info = tree.info(below);
        info.literal.is_some() || info.roles.any(Roles::IDENTIFIER)
    })
}

/// Halstead's counts of a file.
#[must_use]
pub fn halstead(tree: &SyntaxTree) -> Halstead {
    counts(tree, std::iter::empty()).0
}

/// The maintainability index of a file, 0 to 100; higher is better. `None` for a
/// file without source lines.
///
/// `171 - 5.2 ln V - 0.23 C - 16.2 ln L` (Coleman, Ash, Lowther and Oman, "Using metrics to
/// evaluate software system maintainability", Computer 27(8), 1994), times 100/171 and limited to 0
/// to 100, as in Visual Studio since 2007. V is the Halstead volume of the file, C is 1 plus its
/// decisions, L its source lines.
#[must_use]
pub fn maintainability(tree: &SyntaxTree, source: &LineSet) -> Option<f64> {
    maintainability_without(tree, source, std::iter::empty())
}

/// As [`maintainability`], of a file without some of its nodes: `source` are the source lines of
/// the rest, the positions left out are in order.
#[must_use]
pub fn maintainability_without(
    tree: &SyntaxTree,
    source: &LineSet,
    left_out: impl Iterator<Item = Range<u32>>,
) -> Option<f64> {
    let lines = source.count();
    if lines == 0 {
        return None;
    }
    let (halstead, decisions) = counts(tree, left_out);
    let volume = halstead.volume().max(1.0);
    let complexity = 1.0 + f64::from(decisions);
    let index = 171.0 - 5.2 * volume.ln() - 0.23 * complexity - 16.2 * f64::from(lines).ln();
    Some((index * 100.0 / 171.0).clamp(0.0, 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Limits, Profile, parse};

    fn tree(language: &str, code: &str) -> SyntaxTree {
        let language = Language::by_id(language).unwrap();
        parse(language, code.as_bytes(), &Limits::default()).unwrap()
    }

    fn index(language: &str, code: &str) -> Option<f64> {
        let tree = tree(language, code);
        maintainability(&tree, &tree.source_lines(Profile::Slope))
    }

    #[test]
    fn halstead_counts_match_hand_count() {
        // Operators: `=`, `+`, `(` of 4 tokens; operands: a, b, 1, f of 6.
        let found = halstead(&tree("python", "a = b + 1\nb = f(a)\n"));
        let expected = Halstead {
            operators: 3,
            operands: 4,
            length: 10,
        };
        assert_eq!(found, expected);
        assert!((found.volume() - 10.0 * 7f64.log2()).abs() < 1e-12);
    }

    #[test]
    fn index_follows_published_formula() {
        let volume = 10.0 * 7f64.log2();
        let expected = (171.0 - 5.2 * volume.ln() - 0.23 - 16.2 * 2f64.ln()) * 100.0 / 171.0;
        let found = index("python", "a = b + 1\nb = f(a)\n").unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn excluded_ranges_do_not_count() {
        let tree = tree("python", "a = b + 1\nif a:\n    b = f(a)\nc = 1\n");
        let [_, second, last] = [0, 1, 2].map(|n| tree.children(0).nth(n).unwrap());
        let left_out = [second..tree.node(second).end, last..tree.node(last).end];
        let mut source = tree.source_lines(Profile::Slope);
        source.remove_range(1, 3);
        let found = maintainability_without(&tree, &source, left_out.into_iter());
        assert_eq!(found, index("python", "a = b + 1\n"));
    }

    #[test]
    fn maintainability_index_falls_with_size() {
        assert_eq!(index("go", "// nothing\n"), None);
        let small = index("c", "int f(void) { return 1; }\n").unwrap();
        let large = "int f(int a) { if (a) { return a + 2; } return 1; }\n".repeat(400);
        let large = index("c", &large).unwrap();
        assert!(small > 60.0 && large < small, "{small} {large}");
    }
}
