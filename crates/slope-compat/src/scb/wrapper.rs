//! The structural rule `trivial-wrapper`: Python functions that only forward their arguments.

use std::collections::{BTreeMap, BTreeSet};

use slope_syntax::SyntaxTree;

use super::functions::{Symbol, SymbolKind};
use super::languages::Table;
use super::sloc::standalone_text;

/// Id of the rule.
pub(crate) const RULE: &str = "trivial-wrapper";

/// Sources of a file's names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// Dotted name of the file's module.
    pub(crate) module: String,
    /// Imported names at the top of the module, with their targets.
    pub(crate) imports: BTreeMap<String, String>,
}

impl Names {
    /// Meanings of a called name, most likely first.
    pub(crate) fn meanings(&self, callee: &str) -> Vec<String> {
        let (first, rest) = callee.split_once('.').unwrap_or((callee, ""));
        let mut meanings = vec![match self.imports.get(first) {
            Some(full) if rest.is_empty() => full.clone(),
            Some(full) => format!("{full}.{rest}"),
            None => callee.to_owned(),
        }];
        if rest.is_empty() {
            meanings.push(format!("{}.{callee}", self.module));
        }
        meanings
    }
}

/// The rule's facts about a definition; the rest depends on all other files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    /// Whether it raises at the top of its body.
    pub(crate) raises: bool,
    /// The calls at the top of its body; `None` for a callee without a plain name.
    pub(crate) calls: Vec<Option<String>>,
    /// Its shape if its body is like a wrapper.
    pub(crate) shape: Option<Shape>,
}

/// The shape of a body that may be a wrapper.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// Returns one of its parameters.
    Parameter,
    /// Calls this with its parameters.
    Call(String),
}

/// The imports at the top of a module. A relative import is misread as in the original: the first
/// imported name is taken for the module.
pub(crate) fn imports(table: &Table, tree: &SyntaxTree) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let text = |node: u32| tree.node_text(node).to_owned();
    for statement in tree.children(0) {
        let kind = table.name(tree, statement);
        let from = kind == "import_from_statement";
        if !from && kind != "import_statement" {
            continue;
        }
        let mut module: Option<String> = None;
        for child in tree.children(statement) {
            let (full, name) = match table.name(tree, child) {
                "dotted_name" => (text(child), None),
                "aliased_import" => {
                    let mut parts = tree.children(child).filter(|&c| tree.node(c).named);
                    let Some(full) = parts.next() else { continue };
                    (text(full), parts.last().map(text))
                }
                _ => continue,
            };
            if from && module.is_none() && name.is_none() {
                module = Some(full);
                continue;
            }
            let name = name.unwrap_or_else(|| {
                let first = full.split('.').next().unwrap_or(&full);
                first.to_owned()
            });
            let full = match &module {
                Some(module) => format!("{module}.{full}"),
                None => full,
            };
            found.insert(name, full);
        }
    }
    found
}

/// The rule's facts of a Python definition.
pub(crate) fn effects(table: &Table, tree: &SyntaxTree, symbol: &Symbol) -> Effects {
    let mut effects = Effects::default();
    let Some(body) = child_of(table, tree, symbol.node, "block") else {
        return effects;
    };
    if symbol.kind == SymbolKind::Class {
        return effects;
    }
    let statements: Vec<u32> = tree
        .children(body)
        .filter(|&c| tree.node(c).named && table.name(tree, c) != "comment")
        .filter(|&c| standalone_text(table, tree, c).is_none())
        .collect();
    for &statement in &statements {
        match table.name(tree, statement) {
            "raise_statement" => effects.raises = true,
            "expression_statement" | "return_statement" => {
                calls_in(table, tree, statement, &mut effects.calls);
            }
            _ => {}
        }
    }
    if let [only] = statements[..]
        && table.name(tree, only) == "return_statement"
        && may_be_wrapper(table, tree, symbol)
    {
        effects.shape = shape(table, tree, symbol, only);
    }
    effects
}

/// Kinds of nodes that are searched for calls.
const TRANSPARENT: &[&str] = &[
    "argument_list",
    "list",
    "tuple",
    "set",
    "dictionary",
    "pair",
    "keyword_argument",
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
    "for_in_clause",
    "if_clause",
    "binary_operator",
    "boolean_operator",
    "not_operator",
    "unary_operator",
    "comparison_operator",
    "conditional_expression",
    "parenthesized_expression",
];

fn calls_in(table: &Table, tree: &SyntaxTree, statement: u32, calls: &mut Vec<Option<String>>) {
    let end = tree.node(statement).end;
    let mut node = statement + 1;
    while node < end {
        let kind = table.name(tree, node);
        if kind == "call" {
            let callee = node + 1;
            calls.push(dotted(table, tree, callee));
            node = tree.node(callee).end;
        } else if TRANSPARENT.contains(&kind) {
            node += 1;
        } else {
            node = tree.node(node).end;
        }
    }
}

/// A plain or dotted name.
fn dotted(table: &Table, tree: &SyntaxTree, node: u32) -> Option<String> {
    let plain = (node..tree.node(node).end)
        .all(|n| matches!(table.name(tree, n), "identifier" | "attribute" | "."));
    plain.then(|| tree.node_text(node).to_owned())
}

/// Decorated functions, special methods and methods of classes with bases are exempt.
fn may_be_wrapper(table: &Table, tree: &SyntaxTree, symbol: &Symbol) -> bool {
    let parent = tree.node(symbol.node).parent;
    if table.name(tree, parent) == "decorated_definition" {
        return false;
    }
    let own = symbol.name.rsplit('.').next().unwrap_or_default();
    if own.starts_with("__") && own.ends_with("__") {
        return false;
    }
    if symbol.kind != SymbolKind::Method {
        return true;
    }
    let class = tree.node(parent).parent;
    child_of(table, tree, class, "argument_list")
        .is_none_or(|bases| !tree.children(bases).any(|c| tree.node(c).named))
}

fn shape(table: &Table, tree: &SyntaxTree, symbol: &Symbol, statement: u32) -> Option<Shape> {
    let value = tree.children(statement).find(|&c| tree.node(c).named)?;
    let parameters = parameters(table, tree, symbol);
    match table.name(tree, value) {
        "identifier" => parameters
            .contains(tree.node_text(value))
            .then_some(Shape::Parameter),
        "call" => {
            let callee = dotted(table, tree, value + 1)?;
            let list = child_of(table, tree, value, "argument_list")?;
            let mut arguments = BTreeSet::new();
            for argument in tree.children(list).filter(|&c| tree.node(c).named) {
                let plain = table.name(tree, argument) == "identifier";
                if !plain || !arguments.insert(tree.node_text(argument)) {
                    return None;
                }
            }
            (!parameters.is_empty() && arguments == parameters).then_some(Shape::Call(callee))
        }
        _ => None,
    }
}

/// Names of the parameters: plain, typed, defaulted, and starred without a type.
fn parameters<'t>(table: &Table, tree: &'t SyntaxTree, symbol: &Symbol) -> BTreeSet<&'t str> {
    let Some(list) = child_of(table, tree, symbol.node, "parameters") else {
        return BTreeSet::new();
    };
    let name = |parameter: u32| match table.name(tree, parameter) {
        "identifier" => Some(parameter),
        "typed_parameter"
        | "default_parameter"
        | "typed_default_parameter"
        | "list_splat_pattern"
        | "dictionary_splat_pattern" => tree
            .children(parameter)
            .find(|&c| tree.node(c).named)
            .filter(|&c| table.name(tree, c) == "identifier"),
        _ => None,
    };
    let method = symbol.kind == SymbolKind::Method;
    tree.children(list)
        .filter_map(name)
        .map(|node| tree.node_text(node))
        .filter(|name| !(method && matches!(*name, "self" | "cls")))
        .collect()
}

fn child_of(table: &Table, tree: &SyntaxTree, node: u32, kind: &str) -> Option<u32> {
    tree.children(node).find(|&c| table.name(tree, c) == kind)
}
