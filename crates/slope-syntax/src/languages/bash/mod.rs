//! Bash and POSIX shells.

mod files;
mod kinds;

use super::plain;
use crate::language::{Bodies, Grammar, LanguageSpec, Roles};
use crate::repair::Replacement;
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    aliases: &["shell"],
    suffixes: &["sh", "bash"],
    interpreters: &["bash", "sh", "dash", "ash"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    is_catch_all,
    bodies: Bodies::Unknown,
    replacements: &[REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "bash",
        Grammar {
            name: "tree-sitter-bash",
            version: "0.25.1",
            load: || tree_sitter_bash::LANGUAGE.into(),
        },
    )
};

/// Syntax that the grammar lacks: `for x do`, `]` in the pattern of `${x%]*}`, and the base of a number in a variable.
const REPLACEMENTS: &[Replacement] = &[
    (r"\bfor\s+\w+( )do\b", ";"),
    (r"\$\{\w+%%?[^\s{}]*?(\])", "x"),
    (r"\b\d+(#)\$", "+"),
];

/// `break`, `continue` and `return` are commands; `break 2` leaves more than one loop, as a jump to a label does.
/// `[ x -a y ]` is a conjunction, and `[ -a x ]` is not.
fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    if tree.is_kind(index, "test_operator") {
        let joins = matches!(tree.node_text(index), "-a" | "-o")
            && tree.is_kind(tree.node(index).parent, "binary_expression");
        return if joins {
            Roles::LOGICAL_OPERATOR
        } else {
            Roles::NONE
        };
    }
    let mut parts = tree.parts(index);
    match parts.next().map(|name| tree.node_text(name)) {
        Some("break" | "continue") if parts.next().is_some() => Roles::JUMP.and(Roles::LABEL_JUMP),
        Some("break" | "continue") => Roles::JUMP,
        Some("return" | "exit") => Roles::RETURN,
        _ => roles,
    }
}

fn name(tree: &SyntaxTree, function: u32) -> Option<String> {
    let name = tree.child_of_kind(function, "word")?;
    Some(plain::short_text(tree, name))
}

/// `*)`, alone or as one of several patterns. The grammar divides a pattern such as `*"a"`.
fn is_catch_all(tree: &SyntaxTree, item: u32) -> bool {
    let mut tokens = tree.children(item);
    let Some(close) = tokens.find(|&child| tree.is_token(child, ")")) else {
        return false;
    };
    let (start, end) = (tree.node(item).start_byte, tree.node(close).start_byte);
    let patterns = &tree.text()[start as usize..end as usize];
    patterns
        .trim_start_matches('(')
        .split('|')
        .any(|pattern| pattern.trim() == "*")
}
