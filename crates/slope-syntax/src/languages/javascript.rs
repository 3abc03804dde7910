//! What the kinds of the JavaScript grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "javascript",
    suffixes: &["js", "mjs", "cjs", "jsx"],
    grammar: "tree-sitter-javascript",
    grammar_version: "0.25.0",
    grammar_fn: || tree_sitter_javascript::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

pub(super) fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function_declaration"
        | "generator_function_declaration"
        | "function_expression"
        | "arrow_function"
        | "method_definition"
        | "generator_function" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "class_declaration" | "class" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier"
        | "property_identifier"
        | "private_property_identifier"
        | "shorthand_property_identifier"
        | "shorthand_property_identifier_pattern" => Roles::IDENTIFIER,
        "if_statement" | "for_statement" | "for_in_statement" | "while_statement"
        | "do_statement" | "catch_clause" | "ternary_expression" => {
            Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT)
        }
        "statement_block" | "program" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
