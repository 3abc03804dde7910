//! What the kinds of the Haskell grammar mean.

use super::plain;
use crate::language::{LanguageSpec, LiteralClass, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "haskell",
    suffixes: &["hs"],
    grammar: "tree-sitter-haskell",
    grammar_version: "0.23.1",
    grammar_fn: || tree_sitter_haskell::LANGUAGE.into(),
    kind,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

fn kind(name: &str) -> (Roles, Option<LiteralClass>) {
    let roles = match name {
        "function" => Roles::CALLABLE.and(Roles::CLONE_UNIT),
        "class" => Roles::CLASS,
        "comment" | "haddock" => Roles::COMMENT,
        "variable" | "constructor" => Roles::IDENTIFIER,
        "conditional" | "case" => Roles::DECISION.and(Roles::NESTING).and(Roles::CLONE_UNIT),
        "haskell" => Roles::BLOCK.and(Roles::TRANSPARENT),
        _ => Roles::NONE,
    };
    (roles, None)
}
