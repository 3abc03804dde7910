//! Detection and naming of callables.

use slope_syntax::SyntaxTree;

use super::languages::{Table, flag};

/// Kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SymbolKind {
    /// A callable outside a class.
    Function,
    /// A callable directly in a class.
    Method,
    /// A class: not a callable, but it may take a callable's name.
    Class,
}

/// A definition with a name.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    pub(crate) kind: SymbolKind,
    /// The definition's node, decorators excluded.
    pub(crate) node: u32,
    /// Enclosing classes and functions, then its own name, with dots.
    pub(crate) name: String,
    /// Names of the parameters, which distinguish namesakes in languages other than Python.
    pub(crate) parameters: Vec<String>,
}

/// The definitions of a file in order of position.
pub(crate) fn symbols(table: &Table, tree: &SyntaxTree) -> Vec<Symbol> {
    if table.is_python() {
        python(table, tree)
    } else {
        generic(table, tree)
    }
}

/// Definitions reached from the module only through classes, functions, decorators and their
/// blocks: not those below `if`, `try` and the like.
fn python(table: &Table, tree: &SyntaxTree) -> Vec<Symbol> {
    let mut found: Vec<Symbol> = Vec::new();
    // Index in `found` and end of the enclosing definitions.
    let mut scopes: Vec<(usize, u32)> = Vec::new();
    let mut node = 0_u32;
    while (node as usize) < tree.nodes().len() {
        while scopes.last().is_some_and(|&(_, end)| end <= node) {
            scopes.pop();
        }
        let end = tree.node(node).end;
        match table.name(tree, node) {
            "module" | "decorated_definition" => node += 1,
            "block" if leads_on(table, tree, node) => node += 1,
            "function_definition" | "class_definition" => {
                let outer = scopes.last().map(|&(index, _)| &found[index]);
                if let Some(symbol) = python_symbol(table, tree, node, outer) {
                    scopes.push((found.len(), end));
                    found.push(symbol);
                    node += 1;
                } else {
                    node = end;
                }
            }
            _ => node = end,
        }
    }
    found
}

/// Whether a block is the body of a definition, or a block in one.
fn leads_on(table: &Table, tree: &SyntaxTree, block: u32) -> bool {
    matches!(
        table.name(tree, tree.node(block).parent),
        "function_definition" | "class_definition" | "block" | "module"
    )
}

fn python_symbol(
    table: &Table,
    tree: &SyntaxTree,
    node: u32,
    outer: Option<&Symbol>,
) -> Option<Symbol> {
    let own = tree
        .children(node)
        .find(|&c| table.name(tree, c) == "identifier")?;
    let own = tree.node_text(own);
    let kind = if table.name(tree, node) == "class_definition" {
        SymbolKind::Class
    } else if outer.is_some_and(|o| o.kind == SymbolKind::Class) {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    Some(Symbol {
        kind,
        node,
        name: outer.map_or_else(|| own.to_owned(), |o| format!("{}.{own}", o.name)),
        parameters: Vec::new(),
    })
}

/// Definitions anywhere. A name comes from the definition, or for those without one from the
/// nearest enclosing assignment to a plain name.
fn generic(table: &Table, tree: &SyntaxTree) -> Vec<Symbol> {
    let mut found = Vec::new();
    // Names and ends of classes and callables around.
    let mut scopes: Vec<(String, u32)> = Vec::new();
    for node in 0..u32::try_from(tree.nodes().len()).unwrap_or(u32::MAX) {
        let entry = tree.node(node);
        if !entry.named {
            continue;
        }
        while scopes.last().is_some_and(|&(_, end)| end <= node) {
            scopes.pop();
        }
        let is = |flag| table.is(tree, node, flag);
        let own = if is(flag::FUNCTION) {
            name_of(table, tree, node)
        } else if is(flag::BORROWED) {
            borrowed_name(table, tree, node)
        } else if is(flag::CLASS) {
            if let Some(name) = class_name(table, tree, node) {
                if table.name(tree, node) != "impl_item" {
                    let parameters = Vec::new();
                    found.push(symbol(SymbolKind::Class, node, &scopes, &name, parameters));
                }
                scopes.push((name, entry.end));
            }
            None
        } else {
            None
        };
        let Some(own) = own else { continue };
        let parameters = parameters(table, tree, node);
        let function = symbol(SymbolKind::Function, node, &scopes, &own, parameters);
        found.push(function);
        scopes.push((own, entry.end));
    }
    found
}

fn symbol(
    kind: SymbolKind,
    node: u32,
    scopes: &[(String, u32)],
    own: &str,
    parameters: Vec<String>,
) -> Symbol {
    let names = scopes.iter().map(|(name, _)| name.as_str());
    let name: Vec<&str> = names.chain([own]).collect();
    Symbol {
        kind,
        node,
        name: name.join("."),
        parameters,
    }
}

/// The first name: following declarators, then among the children, then anywhere inside.
fn name_of(table: &Table, tree: &SyntaxTree, node: u32) -> Option<String> {
    let identifier = declared(table, tree, node)
        .or_else(|| {
            tree.children(node)
                .find(|&c| table.is(tree, c, flag::IDENTIFIER))
        })
        .or_else(|| {
            (node + 1..tree.node(node).end).find(|&c| table.is(tree, c, flag::IDENTIFIER))
        })?;
    Some(tree.node_text(identifier).to_owned())
}

/// C++ hides a name in nested declarators.
fn declared(table: &Table, tree: &SyntaxTree, node: u32) -> Option<u32> {
    if table.spec.id != "cpp" {
        return None;
    }
    let mut at = node;
    loop {
        let declarator = |c: &u32| {
            matches!(
                table.name(tree, *c),
                "function_declarator"
                    | "pointer_declarator"
                    | "reference_declarator"
                    | "array_declarator"
                    | "parenthesized_declarator"
                    | "attributed_declarator"
                    | "qualified_identifier"
                    | "destructor_name"
                    | "template_function"
                    | "identifier"
                    | "field_identifier"
            )
        };
        // For a qualified name the last part; for everything else the first declarator.
        let next = if table.name(tree, at) == "qualified_identifier" {
            tree.children(at).filter(|c| tree.node(*c).named).last()
        } else {
            tree.children(at).find(declarator)
        }?;
        if table.is(tree, next, flag::IDENTIFIER) {
            return Some(next);
        }
        at = next;
    }
}

/// The name from an assignment around a definition.
fn borrowed_name(table: &Table, tree: &SyntaxTree, node: u32) -> Option<String> {
    let mut at = node;
    while at != 0 {
        at = tree.node(at).parent;
        if !table.is(tree, at, flag::LENDER) {
            continue;
        }
        let name = tree
            .children(at)
            .find(|&c| table.name(tree, c) == "identifier");
        if let Some(name) = name {
            return Some(tree.node_text(name).to_owned());
        }
    }
    None
}

/// The name of a class; for a Rust `impl` the type, which comes last.
fn class_name(table: &Table, tree: &SyntaxTree, node: u32) -> Option<String> {
    let named = || tree.children(node).filter(|&c| tree.node(c).named);
    if table.name(tree, node) == "impl_item" {
        let body = |c: &u32| table.name(tree, *c) != "declaration_list";
        let last = named()
            .filter(body)
            .filter(|&c| table.name(tree, c) != "where_clause")
            .last()?;
        return Some(tree.node_text(last).to_owned());
    }
    named()
        .find(|&c| table.is(tree, c, flag::IDENTIFIER))
        .map(|c| tree.node_text(c).to_owned())
}

/// The first name in each parameter.
fn parameters(table: &Table, tree: &SyntaxTree, node: u32) -> Vec<String> {
    let list = (node + 1..tree.node(node).end).find(|&c| {
        matches!(
            table.name(tree, c),
            "parameters" | "formal_parameters" | "parameter_list" | "patterns"
        )
    });
    let Some(list) = list else { return Vec::new() };
    tree.children(list)
        .filter(|&c| tree.node(c).named)
        .filter_map(|c| (c..tree.node(c).end).find(|&i| table.is(tree, i, flag::IDENTIFIER)))
        .map(|c| tree.node_text(c).to_owned())
        .collect()
}
