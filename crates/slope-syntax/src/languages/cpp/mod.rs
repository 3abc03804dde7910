//! C++.

mod conventions;
mod exports;
mod files;
mod kinds;
mod levels;
mod locals;
mod replacements;

use super::c::macros;
use super::{c, plain};
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::lines::LineSet;
use crate::repair::conditionals;
use crate::sniff;
use crate::spec::Claim;
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "ipp"],
    kinds: &[c::kinds::KINDS, kinds::KINDS],
    tokens: &[c::kinds::TOKENS, kinds::TOKENS],
    literals: &[c::kinds::LITERALS, kinds::LITERALS],
    in_context: c::in_context,
    name,
    anonymous: ANONYMOUS,
    parameters: c::parameters,
    is_catch_all: c::is_catch_all,
    conventions: Some(&conventions::CONVENTIONS),
    claim: Some(Claim {
        suffix: "h",
        is_own: sniff::is_cpp,
    }),
    blanked: Some(exports::blanked),
    repairs: &[conditionals::rewrite, macros::rewrite],
    unseen_rows: Some(|_| LineSet::default()),
    replacements: &[
        c::replacements::MACROS,
        replacements::LOOPS,
        c::replacements::LOOPS,
        replacements::COMMAS,
        c::replacements::ARGUMENTS,
        replacements::NEWER,
    ],
    files: files::FILES,
    test_files: c::files::TESTS,
    ..LanguageSpec::new(
        "cpp",
        Grammar {
            name: "tree-sitter-cpp",
            version: "0.23.4",
            load: || tree_sitter_cpp::LANGUAGE.into(),
        },
    )
};

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
