//! What the kinds of the Zig grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "zig",
    suffixes: &["zig"],
    grammar: "tree-sitter-zig",
    grammar_version: "1.1.2",
    grammar_fn: || tree_sitter_zig::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function_declaration" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "struct_declaration" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier" => Roles::IDENTIFIER,
        "if_statement" | "for_statement" | "while_statement" => {
            Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT)
        }
        "block" | "source_file" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
