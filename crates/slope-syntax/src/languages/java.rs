//! What the kinds of the Java grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "java",
    suffixes: &["java"],
    grammar: "tree-sitter-java",
    grammar_version: "0.23.5",
    grammar_fn: || tree_sitter_java::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "method_declaration" | "constructor_declaration" | "lambda_expression" => {
            Roles::CALLABLE.and(Roles::CLONE_UNIT)
        }
        "class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration" => Roles::CLASS,
        "line_comment" | "block_comment" => Roles::COMMENT,
        "identifier" | "type_identifier" => Roles::IDENTIFIER,
        "if_statement"
        | "for_statement"
        | "enhanced_for_statement"
        | "while_statement"
        | "do_statement"
        | "catch_clause"
        | "ternary_expression" => Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT),
        "block" | "program" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
