//! Matches in code that the grammar may have misread.
//!
//! Preprocessor directives split conditions and branches, and a syntax error hides a part of the
//! code. A rule then matches another statement than the compiler sees.

use slope_rules::Hit;
use slope_syntax::SyntaxTree;

use crate::options::Profile;

/// Drops matches that contain a directive or an error. The published definitions keep them.
pub(crate) fn drop_doubtful(tree: &SyntaxTree, hits: &mut Vec<Hit>, profile: Profile) {
    if profile == Profile::Paper {
        return;
    }
    let has_directives = tree.language().files().have_directives;
    if !has_directives && tree.errors().is_none() {
        return;
    }
    hits.retain(|hit| !(has_directives && is_cut(tree, hit) || has_error(tree, hit)));
}

/// Whether an error or a node that the parser inserted is in a match.
fn has_error(tree: &SyntaxTree, hit: &Hit) -> bool {
    let inside = hit.node + 1..tree.node(hit.node).end;
    tree.errors().is_some()
        && inside
            .map(|index| tree.node(index))
            .any(|node| node.is_error() || node.is_missing())
}

/// Whether a directive is in a match, or between it and an `else` that the grammar misses.
fn is_cut(tree: &SyntaxTree, hit: &Hit) -> bool {
    let kind = tree.language().kind_name(tree.node(hit.node).kind);
    if kind.starts_with("preproc") || kind == "comment" {
        return false;
    }
    let mut rows = hit.first_row..=hit.last_row;
    rows.any(|row| is_condition(tree.row_text(row)))
        || kind == "if_statement" && loses_else(&tree.text()[hit.end_byte as usize..])
}

/// Whether a line is `#if`, `#else`, `#endif` or a similar directive.
fn is_condition(line: &str) -> bool {
    let name = line.trim_start().strip_prefix('#').map(str::trim_start);
    name.is_some_and(|name| ["if", "el", "endif"].iter().any(|d| name.starts_with(d)))
}

/// Whether `else` follows a statement, apart from directives and comments.
fn loses_else(behind: &str) -> bool {
    let mut rest = behind.trim_start();
    loop {
        let after = if rest.starts_with('#') || rest.starts_with("//") {
            rest.split_once('\n').map(|(_, after)| after)
        } else if rest.starts_with("/*") {
            rest.split_once("*/").map(|(_, after)| after)
        } else {
            let word = rest.strip_prefix("else");
            return word.is_some_and(|after| {
                !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            });
        };
        match after {
            Some(after) => rest = after.trim_start(),
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_condition, loses_else};

    #[test]
    fn lost_else_is_found_after_directives() {
        assert!(loses_else("\n    else\n#endif\n        i = -1;"));
        assert!(loses_else("\n#else\n // a\n /* b */ else { }"));
        assert!(!loses_else("\n#endif\n    elsewhere();"));
        assert!(!loses_else("\n}\nelse"));
        assert!(!loses_else("// a"));
    }

    #[test]
    fn conditional_directives_are_recognised() {
        for line in ["#if A", "  # ifdef B", "#elif C", "#else", "#endif"] {
            assert!(is_condition(line), "{line}");
        }
        for line in ["#include <a>", "#define A", "a #if", ""] {
            assert!(!is_condition(line), "{line}");
        }
    }
}
