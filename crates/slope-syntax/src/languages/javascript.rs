//! Meanings of the JavaScript grammar's kinds.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH, TERNARY, TRY};
use crate::language::{Bodies, LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "javascript",
    suffixes: &["js", "mjs", "cjs", "jsx"],
    file_names: &[],
    interpreters: &["node", "nodejs"],
    grammar: "tree-sitter-javascript",
    grammar_version: "0.25.0",
    grammar_fn: || tree_sitter_javascript::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters,
    is_part_of_owner: plain::never,
    equations: false,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all: plain::never,
    is_exempt_unit,
    named_kinds: &[],
    parts: &[],
    goes_on: &[],
    leads_on: &[],
    bodies: Bodies::Braces,
};

/// Accessors that get and set are alike by convention, as fields are, and so is what they hold.
pub(super) fn is_exempt_unit(tree: &SyntaxTree, index: u32) -> bool {
    let accessor = std::iter::once(index)
        .chain(plain::around(tree, index))
        .find(|&around| tree.is_kind(around, "method_definition"));
    accessor.is_some_and(|accessor| {
        let node = tree.node(accessor);
        let is_accessor = tree.has_token(accessor, "get") || tree.has_token(accessor, "set");
        let body = tree.child_of_kind(accessor, "statement_block");
        let statements = body.map_or(0, |body| tree.parts(body).count());
        is_accessor
            && node.end_row - node.start_row < plain::MAX_ACCESSOR_ROWS
            && statements <= plain::MAX_ACCESSOR_STATEMENTS
    })
}

pub(super) const KINDS: RoleRows = &[
    (
        FUNCTION,
        &["function_declaration", "generator_function_declaration"],
    ),
    (METHOD, &["method_definition"]),
    (
        LAMBDA,
        &[
            "function_expression",
            "arrow_function",
            "generator_function",
        ],
    ),
    (Roles::CLASS, &["class_declaration", "class"]),
    (BRANCH, &["if_statement"]),
    (
        LOOP,
        &[
            "for_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
        ],
    ),
    (SWITCH, &["switch_statement"]),
    (Roles::ARM, &["switch_case"]),
    (TRY, &["try_statement"]),
    (CATCH, &["catch_clause"]),
    (TERNARY, &["ternary_expression"]),
    (Roles::NESTING, &["with_statement"]),
    (Roles::LOGICAL, &["binary_expression"]),
    (Roles::PARENTHESES, &["parenthesized_expression"]),
    (Roles::BLOCK, &["statement_block", "program"]),
    (
        Roles::COMMENT,
        &["comment", "html_comment", "hash_bang_line"],
    ),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
            "statement_identifier",
        ],
    ),
    (
        Roles::JUMP.and(Roles::CONTEXT),
        &["break_statement", "continue_statement"],
    ),
    (Roles::RETURN, &["return_statement"]),
    (Roles::THROW, &["throw_statement"]),
    (Roles::IMPORT, &["import_statement"]),
    (Roles::PARAMETERS, &["formal_parameters"]),
    (Roles::STRING, &["string", "template_string"]),
    (Roles::CALL, &["call_expression", "new_expression"]),
    (Roles::ARGUMENTS, &["arguments"]),
    (
        Roles::ASSIGNMENT,
        &["assignment_expression", "augmented_assignment_expression"],
    ),
    (Roles::DECLARATION, &["variable_declarator"]),
    (
        Roles::MEMBER,
        &["member_expression", "subscript_expression"],
    ),
    (Roles::ANNOTATION, &["decorator"]),
    (
        Roles::STATEMENT,
        &[
            "break_statement",
            "continue_statement",
            "debugger_statement",
            "do_statement",
            "empty_statement",
            "export_statement",
            "expression_statement",
            "for_in_statement",
            "for_statement",
            "if_statement",
            "import_statement",
            "labeled_statement",
            "lexical_declaration",
            "return_statement",
            "switch_statement",
            "throw_statement",
            "try_statement",
            "variable_declaration",
            "while_statement",
            "with_statement",
        ],
    ),
];

pub(super) const TOKENS: RoleRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "??"]),
    (Roles::DECISION, &["&&=", "||=", "??="]),
    (Roles::HYBRID, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &["string", "template_string", "regex"],
    ),
    (LiteralClass::Integer, &["number"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["null", "undefined"]),
];

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

/// A name of its own, or that of the variable, property or field that it is given to.
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
