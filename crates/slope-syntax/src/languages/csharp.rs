//! What the kinds of the C# grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "csharp",
    suffixes: &["cs"],
    grammar: "tree-sitter-c-sharp",
    grammar_version: "0.23.5",
    grammar_fn: || tree_sitter_c_sharp::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "method_declaration"
        | "constructor_declaration"
        | "local_function_statement"
        | "lambda_expression" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "class_declaration"
        | "struct_declaration"
        | "interface_declaration"
        | "record_declaration" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier" => Roles::IDENTIFIER,
        "if_statement"
        | "for_statement"
        | "foreach_statement"
        | "while_statement"
        | "do_statement"
        | "catch_clause"
        | "conditional_expression" => Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT),
        "block" | "compilation_unit" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
