//! What the kinds of the Rust grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "rust",
    suffixes: &["rs"],
    grammar: "tree-sitter-rust",
    grammar_version: "0.24.2",
    grammar_fn: || tree_sitter_rust::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function_item" | "closure_expression" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "struct_item" | "enum_item" | "trait_item" | "impl_item" => Roles::CLASS,
        "line_comment" | "block_comment" => Roles::COMMENT,
        "identifier" | "field_identifier" | "type_identifier" => Roles::IDENTIFIER,
        "if_expression" | "for_expression" | "while_expression" | "loop_expression" => {
            Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT)
        }
        "block" | "source_file" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
