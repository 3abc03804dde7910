//! What the kinds of the TSX grammar mean.

use super::{javascript, plain, typescript};
use crate::language::{Bodies, LanguageSpec};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "tsx",
    suffixes: &["tsx"],
    file_names: &[],
    interpreters: &[],
    grammar: "tree-sitter-typescript",
    grammar_version: "0.23.2",
    grammar_fn: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    kinds: &[javascript::KINDS, typescript::KINDS],
    tokens: &[javascript::TOKENS],
    literals: &[javascript::LITERALS],
    in_context: javascript::in_context,
    name: javascript::name,
    anonymous: javascript::ANONYMOUS,
    parameters: javascript::parameters,
    is_part_of_owner: plain::never,
    equations: false,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: javascript::is_exempt_unit,
    named_kinds: &[],
    parts: &[],
    goes_on: &[],
    leads_on: &[],
    bodies: Bodies::Braces,
};
