//! What the kinds of the Haskell grammar mean.

use super::plain;
use super::plain::{BRANCH, FUNCTION, LAMBDA, SWITCH};
use crate::language::{LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "haskell",
    suffixes: &["hs"],
    grammar: "tree-sitter-haskell",
    grammar_version: "0.23.1",
    grammar_fn: || tree_sitter_haskell::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit: plain::never,
    named_kinds: &[],
};

const KINDS: RoleRows = &[
    (FUNCTION.and(Roles::CONTEXT), &["function", "bind"]),
    (LAMBDA, &["lambda", "lambda_case"]),
    (Roles::CLASS, &["class", "instance"]),
    (BRANCH, &["conditional"]),
    (SWITCH, &["case", "multi_way_if"]),
    (Roles::ARM, &["alternative"]),
    (Roles::DECISION.and(Roles::CONTEXT), &["guards"]),
    (Roles::DECISION, &["list_comprehension"]),
    (Roles::CONTEXT, &["operator", "boolean"]),
    (Roles::LOGICAL, &["infix"]),
    (Roles::PARENTHESES, &["parens"]),
    (Roles::BLOCK, &["haskell", "declarations", "do"]),
    (Roles::COMMENT, &["comment", "haddock"]),
    (Roles::IDENTIFIER, &["variable", "constructor", "module_id"]),
    (Roles::IMPORT, &["import"]),
    (Roles::PARAMETERS, &["patterns"]),
    (Roles::STRING, &["string"]),
    (Roles::CALL, &["apply"]),
];

const TOKENS: RoleRows = &[(Roles::CONTEXT, &["else"])];

const LITERALS: LiteralRows = &[
    (LiteralClass::String, &["string", "char"]),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float"]),
];
