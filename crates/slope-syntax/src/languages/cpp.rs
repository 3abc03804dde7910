//! What the kinds of the C++ grammar mean.

use super::plain::{CATCH, LAMBDA, LOOP, TRY};
use super::{c, plain};
use crate::language::{Bodies, LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "cpp",
    suffixes: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "ipp"],
    file_names: &[],
    interpreters: &[],
    grammar: "tree-sitter-cpp",
    grammar_version: "0.23.4",
    grammar_fn: || tree_sitter_cpp::LANGUAGE.into(),
    kinds: &[c::KINDS, KINDS],
    tokens: &[c::TOKENS, TOKENS],
    literals: &[c::LITERALS, LITERALS],
    in_context: c::in_context,
    name,
    anonymous: ANONYMOUS,
    parameters: c::parameters,
    is_part_of_owner: plain::never,
    equations: false,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: c::is_catch_all,
    is_exempt_unit: plain::never,
    named_kinds: &[],
    parts: &[],
    goes_on: &[],
    leads_on: &[],
    bodies: Bodies::Braces,
};

const KINDS: RoleRows = &[
    (LAMBDA, &["lambda_expression"]),
    (Roles::CLASS, &["class_specifier"]),
    (
        Roles::CLASS.and(Roles::NAMESPACE),
        &["namespace_definition"],
    ),
    (LOOP, &["for_range_loop"]),
    (TRY, &["try_statement"]),
    (CATCH, &["catch_clause"]),
    (Roles::IDENTIFIER, &["namespace_identifier"]),
    (Roles::THROW, &["throw_statement"]),
    (Roles::RETURN, &["co_return_statement"]),
    (Roles::IMPORT, &["using_declaration"]),
    (
        Roles::PARAMETER,
        &[
            "optional_parameter_declaration",
            "variadic_parameter_declaration",
        ],
    ),
    (Roles::STRING, &["raw_string_literal"]),
    (Roles::CALL, &["new_expression"]),
    (
        Roles::STATEMENT,
        &[
            "co_return_statement",
            "co_yield_statement",
            "for_range_loop",
            "throw_statement",
            "try_statement",
        ],
    ),
];

const TOKENS: RoleRows = &[(Roles::LOGICAL_OPERATOR.and(Roles::CONTEXT), &["and", "or"])];

const LITERALS: LiteralRows = &[(
    LiteralClass::String,
    &["raw_string_literal", "user_defined_literal"],
)];

const ANONYMOUS: &[(&str, &str)] = &[("lambda_expression", "<lambda>")];

/// A lambda is called by the variable it is given to, a template's class without arguments.
fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let found = match tree.kind_name(index) {
        "lambda_expression" => {
            let parent = tree.parent(index)?;
            let binds = matches!(
                tree.kind_name(parent),
                "init_declarator" | "assignment_expression" | "field_declaration"
            );
            let target = if tree.kind_name(parent) == "field_declaration" {
                tree.child_of_kind(parent, "field_identifier")?
            } else {
                tree.parts(parent).next()?
            };
            (binds && target != index).then_some(target)?
        }
        "namespace_definition" => tree
            .parts(index)
            .find(|&part| !tree.info(part).roles.any(Roles::BLOCK))
            .filter(|&part| tree.kind_name(part) != "declaration_list")?,
        "class_specifier" | "struct_specifier" | "union_specifier" => {
            let is_name = |&part: &u32| {
                let kind = tree.kind_name(part);
                matches!(
                    kind,
                    "type_identifier" | "template_type" | "qualified_identifier"
                )
            };
            tree.parts(index).find(is_name)?
        }
        _ => return c::name(tree, index),
    };
    Some(plain::short_text(tree, found))
}
