//! What the kinds of the C grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "c",
    suffixes: &["c", "h"],
    grammar: "tree-sitter-c",
    grammar_version: "0.24.2",
    grammar_fn: || tree_sitter_c::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function_definition" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "struct_specifier" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier" | "field_identifier" | "type_identifier" => Roles::IDENTIFIER,
        "if_statement"
        | "for_statement"
        | "while_statement"
        | "do_statement"
        | "conditional_expression" => Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT),
        "compound_statement" | "translation_unit" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
