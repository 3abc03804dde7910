//! What the kinds of the Ruby grammar mean.

use super::plain;
use super::plain::{BRANCH, CATCH, FUNCTION, LAMBDA, LOOP, METHOD, SWITCH, TERNARY, TRY};
use crate::language::{Bodies, LanguageSpec, LiteralClass, LiteralRows, RoleRows, Roles};
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    id: "ruby",
    suffixes: &["rb", "rake", "gemspec"],
    file_names: &[
        "Rakefile",
        "Gemfile",
        "Guardfile",
        "Vagrantfile",
        "Podfile",
        "Fastfile",
    ],
    interpreters: &["ruby", "jruby"],
    grammar: "tree-sitter-ruby",
    grammar_version: "0.23.1",
    grammar_fn: || tree_sitter_ruby::LANGUAGE.into(),
    kinds: &[KINDS],
    tokens: &[TOKENS],
    literals: &[LITERALS],
    in_context,
    name,
    anonymous: ANONYMOUS,
    parameters: plain::parameters,
    is_part_of_owner,
    equations: false,
    source_lines: plain::source_lines,
    is_documentation: plain::never,
    is_catch_all,
    is_exempt_unit: plain::never,
    named_kinds: &[],
    parts: &[],
    goes_on: &[],
    leads_on: &[],
    bodies: Bodies::Indented,
};

const KINDS: RoleRows = &[
    (FUNCTION, &["method"]),
    (METHOD, &["singleton_method"]),
    (LAMBDA, &["lambda"]),
    (LAMBDA.and(Roles::CONTEXT), &["block", "do_block"]),
    (Roles::CLASS, &["class", "module", "singleton_class"]),
    (BRANCH, &["if", "unless", "if_modifier", "unless_modifier"]),
    (Roles::DECISION.and(Roles::HYBRID), &["elsif"]),
    (Roles::CONTEXT, &["else"]),
    (
        LOOP,
        &["while", "until", "for", "while_modifier", "until_modifier"],
    ),
    (SWITCH, &["case", "case_match"]),
    (Roles::ARM, &["when", "in_clause"]),
    (Roles::DECISION, &["if_guard", "unless_guard"]),
    (TRY.and(Roles::CONTEXT), &["begin"]),
    (CATCH, &["rescue", "rescue_modifier"]),
    (TERNARY, &["conditional"]),
    (Roles::LOGICAL, &["binary"]),
    (Roles::PARENTHESES, &["parenthesized_statements"]),
    (
        Roles::BLOCK,
        &["body_statement", "block_body", "program", "then", "do"],
    ),
    (Roles::COMMENT, &["comment", "uninterpreted"]),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "constant",
            "instance_variable",
            "class_variable",
            "global_variable",
        ],
    ),
    (Roles::JUMP, &["break", "next", "redo", "retry"]),
    (Roles::RETURN, &["return"]),
    (
        Roles::PARAMETERS,
        &["method_parameters", "lambda_parameters", "block_parameters"],
    ),
    (
        Roles::PARAMETER,
        &[
            "optional_parameter",
            "keyword_parameter",
            "splat_parameter",
            "hash_splat_parameter",
            "block_parameter",
            "destructured_parameter",
        ],
    ),
    (Roles::STRING, &["string", "chained_string", "heredoc_body"]),
    (Roles::CALL, &["call", "yield", "super"]),
    (Roles::ARGUMENTS, &["argument_list"]),
    (Roles::ASSIGNMENT, &["assignment", "operator_assignment"]),
    (Roles::MEMBER, &["scope_resolution"]),
];

const TOKENS: RoleRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";", ":", "end"],
    ),
    (Roles::LOGICAL_OPERATOR, &["&&", "||", "and", "or"]),
    (Roles::DECISION, &["&&=", "||="]),
];

const LITERALS: LiteralRows = &[
    (
        LiteralClass::String,
        &[
            "string",
            "chained_string",
            "string_array",
            "symbol_array",
            "simple_symbol",
            "delimited_symbol",
            "character",
            "subshell",
            "regex",
        ],
    ),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float", "rational", "complex"]),
    (LiteralClass::Bool, &["true", "false"]),
    (LiteralClass::None, &["nil"]),
];

const ANONYMOUS: &[(&str, &str)] = &[
    ("lambda", "<lambda>"),
    ("block", "<block>"),
    ("do_block", "<block>"),
];

fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    let parent = tree.kind_name(tree.node(index).parent);
    let keep = match tree.kind_name(index) {
        // The body of a lambda is not another one.
        "block" | "do_block" => parent != "lambda",
        // Only `else` of a condition costs; that of `case` and `begin` does not.
        "else" => {
            return if matches!(parent, "if" | "unless" | "elsif") {
                plain::ELSE
            } else {
                Roles::NONE
            };
        }
        _ => tree
            .children(index)
            .any(|c| tree.is_kind(c, "rescue") || tree.is_kind(c, "ensure")),
    };
    if keep { roles } else { Roles::NONE }
}

/// A block is the body of a loop or a resource more often than a function.
fn is_part_of_owner(tree: &SyntaxTree, index: u32) -> bool {
    tree.is_kind(index, "block") || tree.is_kind(index, "do_block")
}

fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    let found = match tree.kind_name(index) {
        "method" => tree.parts(index).next()?,
        "singleton_method" => {
            let mut parts = tree.parts(index).map(|part| plain::short_text(tree, part));
            return Some(format!("{}.{}", parts.next()?, parts.next()?));
        }
        "class" | "module" => tree.parts(index).next()?,
        "lambda" => {
            let parent = tree.parent(index)?;
            let binds = tree.is_kind(parent, "assignment");
            tree.parts(parent).next().filter(|&t| binds && t != index)?
        }
        _ => return None,
    };
    Some(plain::short_text(tree, found))
}

/// `in _` and a bare name, unless guarded.
fn is_catch_all(tree: &SyntaxTree, arm: u32) -> bool {
    let mut parts = tree.parts(arm);
    let is_name = parts.next().is_some_and(|p| tree.is_kind(p, "identifier"));
    let guarded = parts
        .next()
        .is_some_and(|part| tree.is_kind(part, "if_guard") || tree.is_kind(part, "unless_guard"));
    tree.is_kind(arm, "in_clause") && is_name && !guarded
}
