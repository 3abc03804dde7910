//! C.

mod conventions;
pub(crate) mod cplusplus;
pub(super) mod files;
pub(super) mod headers;
pub(super) mod kinds;
pub(super) mod locals;
pub(super) mod macros;
pub(super) mod replacements;

use super::plain;
use super::plain::FUNCTION;
use crate::language::{Grammar, LanguageSpec, Roles};
use crate::repair::conditionals;
use crate::tree::SyntaxTree;

pub(crate) const SPEC: LanguageSpec = LanguageSpec {
    suffixes: &["c", "h"],
    interpreters: &["tcc"],
    kinds: &[kinds::KINDS, kinds::ONLY_C],
    tokens: &[kinds::TOKENS],
    literals: &[kinds::LITERALS],
    in_context,
    name,
    parameters,
    is_catch_all,
    conventions: Some(&conventions::CONVENTIONS),
    repairs: &[conditionals::rewrite, macros::rewrite],
    unseen_rows: Some(cplusplus::rows),
    replacements: &[
        replacements::C23,
        replacements::MACROS,
        replacements::LOOPS,
        replacements::ARGUMENTS,
    ],
    files: files::FILES,
    test_files: files::TESTS,
    ..LanguageSpec::new(
        "c",
        Grammar {
            name: "tree-sitter-c",
            version: "0.24.2",
            load: || tree_sitter_c::LANGUAGE.into(),
        },
    )
};

/// A function without a body (`= default`) does not count. A qualified function is a method. A
/// block after a macro call is a function that the macro defines.
pub(super) fn in_context(tree: &SyntaxTree, index: u32, roles: Roles) -> Roles {
    if !tree.node(index).named {
        return if plain::is_preprocessed(tree, index) {
            Roles::NONE
        } else {
            roles
        };
    }
    if roles.any(Roles::BLOCK) {
        return match macro_before(tree, index) {
            Some(_) => roles.and(FUNCTION),
            None => roles,
        };
    }
    let has_body = |child: u32| {
        tree.info(child).roles.any(Roles::BLOCK) || tree.kind_name(child) == "try_statement"
    };
    if !tree.children(index).any(has_body) {
        return Roles::NONE;
    }
    let in_function = tree.kind_name(tree.node(index).parent) == "compound_statement";
    if in_function && made_by_macro(tree, index).is_some() {
        // `CATCH(...) { ... }`, a statement.
        return Roles::NONE;
    }
    match declared(tree, index) {
        Some(name) if tree.kind_name(name) == "qualified_identifier" => roles.and(Roles::METHOD),
        _ => roles,
    }
}

/// Declarators within declarators deeper than this have no name and no parameters.
const MAX_DECLARATORS: usize = 64;

fn is_declarator(tree: &SyntaxTree, index: u32) -> bool {
    tree.node(index).named && tree.kind_name(index).ends_with("_declarator")
}

/// The innermost function declarator of a definition: `int (*f(int a))(int)` declares `f(int a)`.
fn function_declarator(tree: &SyntaxTree, definition: u32) -> Option<u32> {
    let mut found = None;
    let mut here = before_macro(tree, definition).unwrap_or(definition);
    for _ in 0..MAX_DECLARATORS {
        let Some(inner) = tree.children(here).find(|&c| is_declarator(tree, c)) else {
            break;
        };
        if tree.kind_name(inner).ends_with("function_declarator") {
            found = Some(inner);
        }
        here = inner;
    }
    found
}

/// The node around the declarator of a definition, if the grammar takes the text after it for
/// another: a macro, as in `int f(int a) PURE { ... }`, or what a macro before it made of a
/// constructor's initialisers. It is an error, or a declaration that ends before the macro.
fn before_macro(tree: &SyntaxTree, definition: u32) -> Option<u32> {
    let declares = |&node: &u32| {
        let mut inner = tree.children(node);
        inner.any(|child| tree.kind_name(child).ends_with("function_declarator"))
    };
    let behind = tree
        .children(definition)
        .find(|&child| is_declarator(tree, child))
        .and_then(|declarator| tree.parts(declarator).next());
    let is_macro_behind = behind.is_some_and(|name| is_macro(tree.node_text(name)));
    let mut children = tree.children(definition);
    let error = children.find(|&child| tree.kind_name(child) == "ERROR");
    if let Some(error) = error.filter(declares) {
        let is_list = tree.node_text(error).ends_with(':');
        return (behind.is_none() || is_macro_behind || is_list).then_some(error);
    }
    let before = tree.previous_sibling(definition)?;
    let end = tree.children(before).last()?;
    let is_cut = tree.kind_name(before) == "declaration"
        && tree.node(end).start_byte == tree.node(end).end_byte;
    (is_cut && is_macro_behind && !has_type(tree, definition))
        .then_some(before)
        .filter(declares)
}

/// Whether a definition begins with anything but its declarator.
fn has_type(tree: &SyntaxTree, definition: u32) -> bool {
    tree.parts(definition)
        .next()
        .is_none_or(|first| !is_declarator(tree, first))
}

/// The node that names what a definition declares.
fn declared(tree: &SyntaxTree, definition: u32) -> Option<u32> {
    match function_declarator(tree, definition) {
        Some(declarator) => tree.parts(declarator).next(),
        None => tree
            .parts(definition)
            .find(|&child| conversion(tree, child).is_some()),
    }
}

/// The conversion operator that a node is or qualifies: `operator bool()`, `A::operator bool()`.
fn conversion(tree: &SyntaxTree, node: u32) -> Option<u32> {
    let mut here = node;
    for _ in 0..MAX_DECLARATORS {
        match tree.kind_name(here) {
            "operator_cast" => return Some(here),
            "qualified_identifier" => here = tree.parts(here).last()?,
            _ => return None,
        }
    }
    None
}

/// The call of a macro that makes a function of a block outside of functions:
/// `TEST_CASE("name") { ... }`.
fn macro_before(tree: &SyntaxTree, block: u32) -> Option<u32> {
    let place = tree.kind_name(tree.node(block).parent);
    if !matches!(place, "translation_unit" | "declaration_list") {
        return None;
    }
    let statement = tree.previous_sibling(block)?;
    let call = tree.child_of_kind(statement, "call_expression")?;
    let name = tree.parts(call).next()?;
    let is_made = tree.kind_name(statement) == "expression_statement"
        && is_macro(tree.node_text(name))
        && !tree.node_text(statement).ends_with(';');
    is_made.then_some(call)
}

/// `TEST_CASE("name")`: the macro and the first text that it is handed, or all that it is.
fn name_by_macro(tree: &SyntaxTree, call: u32) -> Option<String> {
    let mut parts = tree.parts(call);
    let (name, arguments) = (parts.next()?, parts.next()?);
    let mut handed = tree.parts(arguments);
    let text = handed.find(|&part| tree.kind_name(part).ends_with("string_literal"));
    Some(match text {
        Some(text) => {
            let text = plain::short_text(tree, text);
            format!("{}({text})", tree.node_text(name))
        }
        None => plain::short_text(tree, call),
    })
}

/// The name of what only looks like a function, and is a call of a macro that makes one:
/// `TEST(Suite, Name) { ... }`.
fn made_by_macro(tree: &SyntaxTree, definition: u32) -> Option<String> {
    if let Some(handed) = tree.child_of_kind(definition, "parenthesized_declarator") {
        // With a single argument C's grammar takes the macro for a type.
        let name = tree.node_text(tree.parts(definition).next()?);
        let handed = plain::short_text(tree, handed);
        return is_macro(name).then(|| format!("{name}{handed}"));
    }
    let declarator = function_declarator(tree, definition)?;
    let name = tree.parts(declarator).next()?;
    let in_class = tree.kind_name(tree.node(definition).parent) == "field_declaration_list";
    let is_made = !in_class
        && tree.kind_name(name) == "identifier"
        && is_macro(tree.node_text(name))
        && !has_type(tree, definition);
    is_made.then(|| plain::short_text(tree, declarator))
}

/// Whether a name is written as those of macros are.
fn is_macro(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.len() > 2 && name.chars().all(is_part)
}

pub(super) fn name(tree: &SyntaxTree, index: u32) -> Option<String> {
    if tree.is_kind(index, "compound_statement") {
        return name_by_macro(tree, macro_before(tree, index)?);
    }
    if !tree.is_kind(index, "function_definition") {
        return plain::name(tree, index);
    }
    if let Some(name) = made_by_macro(tree, index) {
        return Some(name);
    }
    let found = declared(tree, index)?;
    let text = plain::short_text(tree, found);
    if conversion(tree, found).is_some() {
        return Some(text.split('(').next().unwrap_or_default().trim().to_owned());
    }
    // Parentheses keep a macro of the same name away: `int (max)(int a)`.
    let bare = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    Some(dotted(bare.unwrap_or(&text)))
}

/// A qualified name with dots, as for methods inside a class: `walker.kind` for `walker::kind`. Template arguments stay
/// unchanged.
fn dotted(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let is_operator = out.ends_with("operator");
        match c {
            '<' if !is_operator => depth += 1,
            '>' if !is_operator => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && rest.starts_with("::") {
            // The global namespace has an empty name.
            if !out.is_empty() {
                out.push('.');
            }
            rest = &rest[2..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// `(void)` has none, and neither has the argument of a macro that makes a function.
pub(super) fn parameters(tree: &SyntaxTree, index: u32) -> u32 {
    if tree.kind_name(index) == "function_definition" && made_by_macro(tree, index).is_some() {
        return 0;
    }
    let list = function_declarator(tree, index).or_else(|| {
        // A conversion operator has its declarator one level deeper.
        let cast = tree
            .parts(index)
            .find(|&c| tree.kind_name(c) == "operator_cast")?;
        tree.child_of_kind(cast, "abstract_function_declarator")
    });
    let list = list.and_then(|list| tree.child_of_kind(list, "parameter_list"));
    list.map_or(0, |list| {
        let is_dots = |&child: &u32| tree.is_token(child, "...");
        let is_given = |&part: &u32| tree.node_text(part) != "void";
        plain::count(
            tree.parts(list)
                .filter(is_given)
                .chain(tree.children(list).filter(is_dots)),
        )
    })
}

pub(super) fn is_catch_all(tree: &SyntaxTree, case: u32) -> bool {
    tree.begins_with(case, "default")
}
