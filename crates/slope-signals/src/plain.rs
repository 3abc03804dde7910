//! Facts of languages without rules of their own: functions, their parameters,
//! imports, and classes, as far as their grammars agree.

use crate::facts::{Class, FileSignals, Function, Import, NO_NAME, Parameter, Traits};
use crate::gather::Gatherer;
use crate::kind::K;
use crate::occurrences::Use;
use crate::view::View;

/// How a name node occurs.
pub(crate) fn classify(view: &View<'_>, node: u32) -> Use {
    let parent = view.parent(node);
    let is_last = || view.parts(parent).last() == Some(node);
    match view.k(parent) {
        K::Call if node == parent + 1 => Use::Called,
        // `object.method(...)` in one node.
        K::Call => Use::MemberCalled,
        K::Attribute if is_last() && node != parent + 1 => {
            let above = view.parent(parent);
            if view.k(above) == K::Call && parent == above + 1 {
                Use::MemberCalled
            } else {
                Use::Member
            }
        }
        K::Function | K::Class | K::Interface if view.name_of(parent) == Some(node) => {
            Use::Definition
        }
        K::Declarator if view.first(parent) == Some(node) => Use::Store,
        K::Param | K::Parameters | K::ParamSplat if view.k(node) == K::Identifier => Use::Param,
        K::Alias | K::Import | K::DottedName if is_in_import(view, node) => Use::Import,
        _ if view.k(node) == K::Member => Use::Member,
        _ => Use::Load,
    }
}

/// Whether a node lies in an import, a few levels up at most.
fn is_in_import(view: &View<'_>, node: u32) -> bool {
    let mut above = node;
    for _ in 0..6 {
        above = view.parent(above);
        if view.k(above) == K::Import {
            return true;
        }
    }
    false
}

/// Adds functions, classes and imports.
pub(crate) fn gather(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    classes(gatherer, facts);
    functions(gatherer, facts);
    if matches!(
        facts.language.as_str(),
        "javascript" | "typescript" | "tsx" | "java"
    ) {
        imports(gatherer, facts);
    }
}

fn classes(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let Gatherer { view, names, .. } = gatherer;
    for &node in view.of_kind(K::Class) {
        let Some(name) = view.name_of(node) else {
            continue;
        };
        let at = view.tree.node(node);
        let rows = (at.start_row..=at.end_row)
            .filter(|&row| view.source.contains(row))
            .count();
        let functions = view.kind_within(K::Function, node, view.end(node));
        let methods = functions.iter().filter(|&&f| view.scope(f) == node);
        facts.classes.push(Class {
            name: names.names.number(view.text(name)),
            place: view.place(name),
            sloc: u32::try_from(rows).unwrap_or(u32::MAX),
            methods: u32::try_from(methods.count()).unwrap_or(u32::MAX),
            exported: true,
            ..Class::default()
        });
    }
}

/// The list of a function's parameters: the last before its body, since Go puts
/// the receiver into one of its own.
fn parameter_list(view: &View<'_>, function: u32) -> Option<u32> {
    let mut named = false;
    for child in view.children(function) {
        match view.k(child) {
            K::Identifier | K::Member => named = true,
            K::Parameters if named => return Some(child),
            _ => {}
        }
    }
    None
}

fn functions(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let Gatherer { view, names, .. } = gatherer;
    let nodes: Vec<u32> = view.of_kind(K::Function).to_vec();
    for node in nodes {
        let Some(name) = view.name_of(node) else {
            continue;
        };
        let parameters = parameters_of(view, node)
            .into_iter()
            .map(|(held, rest)| Parameter {
                name: names.names.number(view.text(held)),
                default: NO_NAME,
                positional: !rest,
                rest,
                unused: false,
                place: view.place(held),
            })
            .collect();
        facts.functions.push(Function {
            name: names.names.number(view.text(name)),
            class: None,
            traits: traits(view, node, view.text(name)),
            place: view.place(name),
            callable: view.callable(node).to_owned(),
            parameters,
            wraps: None,
            summary: None,
        });
    }
}

/// Nodes that stand for a function's parameters, and whether each takes the rest.
fn parameters_of(view: &View<'_>, function: u32) -> Vec<(u32, bool)> {
    let mut found = Vec::new();
    let Some(list) = parameter_list(view, function) else {
        return found;
    };
    for part in view.parts(list) {
        let rest = view.k(part) == K::ParamSplat;
        match view.k(part) {
            K::Identifier => found.push((part, false)),
            K::Param | K::ParamSplat => {
                // One declaration may hold several names (`a, b int`), or a pattern.
                let before = found.len();
                let names = view.children(part).filter(|&c| view.k(c) == K::Identifier);
                found.extend(names.map(|name| (name, rest)));
                if found.len() == before {
                    found.push((part, rest));
                }
            }
            _ => {}
        }
    }
    found
}

fn traits(view: &View<'_>, function: u32, name: &str) -> u32 {
    let head = view.text(function).split('{').next().unwrap_or_default();
    let mut traits = Traits::EXPORTED;
    let mut set = |bit: u32, condition: bool| traits |= if condition { bit } else { 0 };
    set(Traits::NESTED, view.function(function).is_some());
    set(
        Traits::OVERRIDE,
        head.contains("@Override") || in_trait_impl(view, function),
    );
    set(Traits::ASYNC, head.contains("async "));
    set(Traits::STUB, view.child(function, K::Block).is_none());
    set(Traits::SPECIAL, matches!(name, "constructor" | "main"));
    traits
}

/// Whether a Rust function implements a trait, which prescribes it.
fn in_trait_impl(view: &View<'_>, function: u32) -> bool {
    let scope = view.scope(function);
    view.k(scope) == K::Impl && view.children(scope).any(|c| view.text(c) == "for")
}

/// Imports whose names occur nowhere else in the file, documentation included.
fn imports(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let Gatherer { view, names, .. } = gatherer;
    let java = facts.language == "java";
    let comments: Vec<u32> = view.of_kind(K::Comment).to_vec();
    let documented = |name: &str| comments.iter().any(|&c| view.text(c).contains(name));
    let mut outside = vec![false; names.names.len()];
    for occurrence in names.list.iter().filter(|o| !is_in_import(view, o.node)) {
        outside[occurrence.name as usize] = true;
    }
    let mut found = Vec::new();
    for &node in view.of_kind(K::Import) {
        for bound in bound_by(view, node, java) {
            let text = view.text(bound);
            let Some(name) = names.names.known(text) else {
                continue;
            };
            let elsewhere = outside.get(name as usize) == Some(&true);
            let used = elsewhere || text == "React" || documented(text) || is_wanted(view, node);
            found.push((node, bound, name, used));
        }
    }
    for (node, bound, name, used) in found {
        facts.imports.push(Import {
            name,
            taken: name,
            module: NO_NAME,
            unused: !used,
            place: view.place(bound),
            callable: view.callable(node).to_owned(),
        });
    }
}

/// Whether a comment in or above an import tells a tool to leave it.
fn is_wanted(view: &View<'_>, import: u32) -> bool {
    let at = view.tree.node(import);
    (at.start_row.saturating_sub(1)..=at.end_row).any(|row| {
        let text = view.tree.row_text(row);
        ["eslint", "biome", "@ts-", "@jsx", "noinspection"]
            .iter()
            .any(|word| text.contains(word))
    })
}

/// The name nodes that an import binds.
fn bound_by(view: &View<'_>, import: u32, java: bool) -> Vec<u32> {
    if java {
        let dotted = view.child(import, K::DottedName);
        let whole = view.child(import, K::Wildcard).is_none();
        let last = dotted.and_then(|d| view.last_child(d, K::Identifier));
        return last.filter(|_| whole).into_iter().collect();
    }
    let Some(clause) = view.child(import, K::DottedName) else {
        return Vec::new();
    };
    let mut bound: Vec<u32> = view
        .children(clause)
        .filter(|&c| view.k(c) == K::Identifier)
        .collect();
    let aliases = view.below(clause).filter(|&(_, k)| k == K::Alias);
    bound.extend(aliases.filter_map(|(alias, _)| view.last_child(alias, K::Identifier)));
    bound
}
