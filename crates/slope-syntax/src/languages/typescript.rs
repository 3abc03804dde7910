//! Meanings of the TypeScript grammar's kinds.

use super::{javascript, plain};
use crate::language::{Bodies, LanguageSpec, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "typescript",
    suffixes: &["ts", "mts", "cts"],
    file_names: &[],
    interpreters: &["ts-node", "tsx", "deno", "bun"],
    grammar: "tree-sitter-typescript",
    grammar_version: "0.23.2",
    grammar_fn: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    kinds: &[javascript::KINDS, KINDS],
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

/// Additions to JavaScript.
pub(super) const KINDS: RoleRows = &[
    (
        Roles::CLASS,
        &[
            "abstract_class_declaration",
            "enum_declaration",
            "interface_declaration",
        ],
    ),
    (
        Roles::CLASS.and(Roles::NAMESPACE),
        &["internal_module", "module"],
    ),
    (Roles::IDENTIFIER, &["type_identifier"]),
    (Roles::IMPORT, &["import_alias"]),
    (
        Roles::PARAMETER,
        &["required_parameter", "optional_parameter"],
    ),
    (Roles::MEMBER, &["non_null_expression"]),
    (Roles::DECLARATION, &["public_field_definition"]),
];
