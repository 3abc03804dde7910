//! What the kinds of the Go grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "go",
    suffixes: &["go"],
    grammar: "tree-sitter-go",
    grammar_version: "0.25.0",
    grammar_fn: || tree_sitter_go::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function_declaration" | "method_declaration" | "func_literal" => {
            Roles::CALLABLE.and(Roles::CLONE_UNIT)
        }
        "type_declaration" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier" | "field_identifier" | "type_identifier" | "package_identifier" => {
            Roles::IDENTIFIER
        }
        "if_statement" | "for_statement" => {
            Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT)
        }
        "block" | "source_file" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
