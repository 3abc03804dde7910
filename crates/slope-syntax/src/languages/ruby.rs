//! What the kinds of the Ruby grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "ruby",
    suffixes: &["rb"],
    grammar: "tree-sitter-ruby",
    grammar_version: "0.23.1",
    grammar_fn: || tree_sitter_ruby::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "method" | "singleton_method" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "class" | "module" => Roles::CLASS,
        "comment" => Roles::COMMENT,
        "identifier" | "constant" | "instance_variable" => Roles::IDENTIFIER,
        "if" | "elsif" | "unless" | "while" | "until" | "for" | "rescue" | "conditional" => {
            Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT)
        }
        "body_statement" | "program" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
