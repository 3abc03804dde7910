//! Names that are declared twice in one place.

use std::collections::HashSet;

use super::Look;

pub(super) fn at(look: &Look<'_>, node: u32) -> Option<String> {
    match look.kind(node) {
        "formal_parameters" | "parameter_list" | "parameters" => {
            twice(look, parameters(look, node), "parameter")
        }
        "block" | "statement_list" => twice(look, variables(look, node), "variable"),
        kind => modifiers(look, node, kind == "modifiers"),
    }
}

fn twice(look: &Look<'_>, names: Vec<u32>, what: &str) -> Option<String> {
    let mut seen = HashSet::new();
    let again = names
        .into_iter()
        .find(|&name| !seen.insert(look.text(name)))?;
    Some(format!(
        "the {what} `{}` is declared twice",
        look.text(again)
    ))
}

/// The names of parameters of a function that all are declared in the same way.
fn parameters(look: &Look<'_>, list: u32) -> Vec<u32> {
    let around = look.kind(look.parent(list));
    // The parameters of a lambda may all be called `_`, and those of a type have no scope.
    let is_function = matches!(
        around,
        "function_item"
            | "function_declaration"
            | "method_declaration"
            | "constructor_declaration"
            | "local_function_statement"
            | "func_literal"
    );
    let has_attributes = look
        .parts(list)
        .any(|part| look.kind(part) == "attribute_item");
    if !is_function || has_attributes {
        return Vec::new();
    }
    let mut found = Vec::new();
    for parameter in look.parts(list) {
        let identifiers: Vec<u32> = look
            .parts(parameter)
            .filter(|&part| look.kind(part) == "identifier")
            .collect();
        found.extend((look.checks.names)(look, parameter, &identifiers));
    }
    found.retain(|&name| !matches!(look.text(name), "_" | "this" | ""));
    found
}

/// The names of variables that are declared directly in a block, by kinds of languages that hide none there.
fn variables(look: &Look<'_>, block: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for statement in look.parts(block) {
        let lists = match look.kind(statement) {
            "local_variable_declaration" => vec![statement],
            "local_declaration_statement" => look
                .parts(statement)
                .filter(|&part| look.kind(part) == "variable_declaration")
                .collect(),
            kind if kind.starts_with("preproc") => return Vec::new(),
            _ => Vec::new(),
        };
        let declared = lists
            .into_iter()
            .flat_map(|list| look.parts(list).collect::<Vec<_>>());
        let declared = declared.filter(|&part| look.kind(part) == "variable_declarator");
        found.extend(declared.filter_map(|part| look.child(part, "identifier")));
    }
    found.retain(|&name| !matches!(look.text(name), "_" | ""));
    found
}

/// A modifier that is written twice: among the parts of a declaration of C#, or in a list of Java.
fn modifiers(look: &Look<'_>, node: u32, is_list: bool) -> Option<String> {
    let has_parts = is_list || look.has_child(node, "modifier");
    let is_modifier =
        |&child: &u32| look.kind(child) == "modifier" || is_list && !look.tree.node(child).named;
    let all = || look.tree.children(node).filter(is_modifier).collect();
    has_parts.then(|| twice(look, all(), "modifier")).flatten()
}
