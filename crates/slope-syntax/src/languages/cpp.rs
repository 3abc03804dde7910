//! What the kinds of the C++ grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "cpp",
    suffixes: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx"],
    grammar: "tree-sitter-cpp",
    grammar_version: "0.23.4",
    grammar_fn: || tree_sitter_cpp::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function_definition" | "lambda_expression" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "class_specifier" | "struct_specifier" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier" | "field_identifier" | "type_identifier" | "namespace_identifier" => {
            Roles::IDENTIFIER
        }
        "if_statement"
        | "for_statement"
        | "for_range_loop"
        | "while_statement"
        | "do_statement"
        | "catch_clause"
        | "conditional_expression" => Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT),
        "compound_statement" | "translation_unit" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
