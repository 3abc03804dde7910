//! JavaScript.

pub(super) mod conventions;
pub(super) mod files;
pub(super) mod kinds;
pub(super) mod locals;
pub(super) mod privacy;
pub(super) mod prose;
pub(super) mod replacements;
pub(super) mod values;

use super::plain;
use crate::language::{ECMASCRIPT, Grammar, LanguageSpec, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node", "nodejs"],
    kinds: &[kinds::KINDS],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_exempt_unit,
    conventions: Some(&conventions::CONVENTIONS),
    family: ECMASCRIPT,
    replacements: &[replacements::REPLACEMENTS],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "javascript",
        Grammar {
            name: "tree-sitter-javascript",
            version: "0.25.0",
            load: || tree_sitter_javascript::LANGUAGE.into(),
        },
    )
};

/// Accessors and their contents are similar by convention, as fields are.
pub(super) fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    let accessor = std::iter::once(index)
        .chain(plain::around(tree, index))
        .find(|&around| tree.is_kind(around, "method_definition"));
    accessor.is_some_and(|accessor| {
        let is_accessor = tree.has_token(accessor, "get") || tree.has_token(accessor, "set");
        let body = tree.child_of_kind(accessor, "statement_block");
        is_accessor && plain::is_short_accessor(tree, accessor, body)
    })
}

pub(super) const ANONYMOUS: &[(&str, &str)] = &[
    ("arrow_function", "<arrow>"),
    ("function_expression", "<function>"),
    ("generator_function", "<function>"),
];

pub(super) fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    plain::jump(tree, index, roles, "statement_identifier")
}

/// The target of a node's value; of a parameter in TypeScript the name, which modifiers may precede.
fn target(tree: &SyntaxTree, index: u32, value: u32) -> Option<String> {
    let mut before = tree.parts(index).take_while(|&part| part != value);
    let target = if tree.kind_name(index).ends_with("_parameter") {
        let is_name = |part: &u32| tree.info(*part).roles.any(Roles::IDENTIFIER);
        before.filter(is_name).last()
    } else {
        before.next()
    };
    Some(plain::short_text(tree, target?))
}

/// The name itself, or that of the variable, property or field that it is assigned to.
pub(super) fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let is_arrow = tree.is_kind(index, "arrow_function");
    let is_method = tree.is_kind(index, "method_definition");
    let own = match (is_method, is_arrow) {
        (true, _) => key(tree, index),
        (_, true) => None,
        _ => plain::name(tree, index),
    };
    let is_statement = tree.info(tree.node(index).parent).roles.any(Roles::BLOCK);
    if is_statement && own.is_some() {
        return own;
    }
    let named_expression = own.is_some() && !is_method;
    let mut parts: Vec<String> = own.into_iter().collect();
    let mut here = index;
    for _ in 0..MAX_BINDING {
        let Some(parent) = tree.parent(here) else {
            break;
        };
        match tree.kind_name(parent) {
            "parenthesized_expression" | "object" | "as_expression" | "satisfies_expression" => {}
            "pair" | "field_definition" | "public_field_definition" if !named_expression => {
                parts.extend(key(tree, parent));
                if !tree.is_kind(parent, "pair") {
                    break;
                }
            }
            "variable_declarator"
            | "assignment_expression"
            | "assignment_pattern"
            | "required_parameter"
            | "optional_parameter"
                if !named_expression =>
            {
                parts.extend(target(tree, parent, here));
                break;
            }
            "export_statement" if parts.is_empty() => {
                parts.push("default".to_owned());
                break;
            }
            _ => break,
        }
        here = parent;
    }
    parts.reverse();
    (!parts.is_empty()).then(|| parts.join("."))
}

/// Objects within objects deeper than this lend no more names.
const MAX_BINDING: usize = 32;

/// The name of a property: its first part that is a name, without quotes.
fn key(tree: &SyntaxTree, index: u32) -> Option<String> {
    let is_key = |&child: &u32| {
        let info = tree.info(child);
        info.roles.any(Roles::IDENTIFIER)
            || info.literal.is_some()
            || tree.is_kind(child, "computed_property_name")
    };
    let found = tree.parts(index).find(is_key)?;
    let text = plain::short_text(tree, found);
    Some(text.trim_matches(['"', '\'']).to_owned())
}

/// TypeScript's `this` parameter is a receiver; an arrow's single name has no list.
pub(super) fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    let Some(list) = tree.child_with(index, Roles::PARAMETERS) else {
        return u32::from(tree.is_kind(index, "arrow_function"));
    };
    let is_this = |&part: &u32| tree.begins_with(part, "this");
    plain::count(tree.parts(list).filter(|part| !is_this(part)))
}
