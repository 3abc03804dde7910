//! Facts of languages without separate rules: functions, parameters, imports, and classes where
//! their grammars agree.

use crate::facts::{Class, FileSignals, Function, NO_NAME, Parameter, Target, Traits};
use crate::forward::Taken;
use crate::gather::Gatherer;
use slope_syntax::Construct;

use crate::occurrences::Use;
use crate::parameter_use::{ParameterUse, is_placeholder};
use crate::words::Map;
use crate::{forward, imports, locals, privacy};
use slope_syntax::view::View;

/// The role of a name node.
pub(crate) fn classify(view: &View<'_>, node: u32) -> Use {
    let parent = view.parent(node);
    if let Some(how) = bound(view, parent, node) {
        return how;
    }
    let is_last = || view.parts(parent).last() == Some(node);
    match view.k(parent) {
        Construct::Call if node == parent + 1 => Use::Called,
        // `object.method(...)` in one node.
        Construct::Call => Use::MemberCalled,
        Construct::Attribute if is_last() && node != parent + 1 => {
            if is_called(view, parent) {
                Use::MemberCalled
            } else {
                Use::Member
            }
        }
        Construct::Function | Construct::Class | Construct::Interface
            if view.name_of(parent) == Some(node) =>
        {
            Use::Definition
        }
        Construct::Alias | Construct::Import | Construct::DottedName => {
            in_path(view, parent, node, is_last())
        }
        Construct::Tokens => in_tokens(view, node),
        _ if view.k(node) == Construct::Member => Use::Member,
        _ => Use::Load,
    }
}

/// The role of a name in an import or a path. The last name of a path is never a local.
fn in_path(view: &View<'_>, path: u32, node: u32, is_last: bool) -> Use {
    if is_in_import(view, node) {
        return Use::Import;
    }
    let is_path = view.k(path) == Construct::DottedName && is_last;
    match view.k(node) {
        _ if is_path && is_called(view, path) => Use::Called,
        _ if is_path => Use::Member,
        Construct::Member => Use::Member,
        _ => Use::Load,
    }
}

/// Whether a node is the callee of a call.
fn is_called(view: &View<'_>, node: u32) -> bool {
    let above = view.parent(node);
    view.k(above) == Construct::Call && node == above + 1
}

/// The role of a name in a macro's arguments.
fn in_tokens(view: &View<'_>, node: u32) -> Use {
    let neighbour = |other: Option<u32>| other.map_or("", |other| view.text(other));
    let is_member = neighbour(view.tree.previous_sibling(node)) == ".";
    let is_called = neighbour(view.tree.next_sibling(node)).starts_with('(');
    match (is_member, is_called) {
        (true, true) => Use::MemberCalled,
        (true, false) => Use::Member,
        (false, true) => Use::Called,
        (false, false) => Use::Load,
    }
}

/// The role of an identifier in declarations and parameters.
fn bound(view: &View<'_>, parent: u32, node: u32) -> Option<Use> {
    if view.k(node) != Construct::Identifier {
        return None;
    }
    match view.k(parent) {
        Construct::Declarator | Construct::Declaration | Construct::Pointer | Construct::Assign => {
            is_declared(view, parent, node).then_some(Use::Store)
        }
        Construct::PatternList => {
            (is_new(view, parent) && !is_guard(view, parent, node)).then_some(Use::Bind)
        }
        Construct::For if view.first(parent) == Some(node) => Some(Use::Bind),
        // Go lists the bound names: `a, b := f()`, `for a, b := range c`.
        Construct::Other if is_listed(view, parent) || is_variable_of_go(view, parent, node) => {
            Some(Use::Bind)
        }
        Construct::Param | Construct::Parameters | Construct::ParamSplat => {
            (!is_default(view, parent, node)).then_some(Use::Param)
        }
        // Ruby's `def object.method` reads the object.
        Construct::Function if node + 1 < view.end(parent) && view.text(node + 1) == "." => {
            Some(Use::Load)
        }
        _ => None,
    }
}

/// Whether a node is in the condition of a pattern: `'|' if wanted`.
fn is_guard(view: &View<'_>, pattern: u32, node: u32) -> bool {
    view.first_token(pattern, "if")
        .is_some_and(|sign| sign < node)
}

/// Whether a pattern declares its names, rather than assigning existing ones.
fn is_new(view: &View<'_>, pattern: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    let above = std::iter::successors(Some(pattern), outer)
        .take(8)
        .find(|&node| !matches!(view.k(node), Construct::PatternList | Construct::Other));
    above.is_some_and(|above| view.k(above) != Construct::Assign)
}

/// Whether a list of expressions is the left side of a declaration.
fn is_listed(view: &View<'_>, list: u32) -> bool {
    let above = view.parent(list);
    matches!(view.k(above), Construct::Declarator | Construct::ForIn)
        && view.conventions.naming.lists_declare
        && view.first(above) == Some(list)
}

/// Whether `var name type` of Go declares a name, or `const name = value` in a function.
fn is_variable_of_go(view: &View<'_>, spec: u32, node: u32) -> bool {
    let is_declaration = match view.tree.kind_name(spec) {
        "var_spec" => true,
        "const_spec" => view.scope(spec) != 0,
        _ => false,
    };
    is_declaration && view.first(spec) == Some(node)
}

/// Whether a declaration or an assignment has a name as its target.
fn is_declared(view: &View<'_>, parent: u32, node: u32) -> bool {
    let naming = &view.conventions.naming;
    match view.k(parent) {
        Construct::Declarator if is_default(view, parent, node) => false,
        Construct::Declarator => {
            let first = view.first(parent);
            // `let mut name`
            let mutable = first.filter(|&first| view.text(first) == "mut");
            first == Some(node) || mutable.is_some_and(|first| view.end(first) == node)
        }
        Construct::Assign => naming.assignments_declare && node == parent + 1,
        _ if !naming.declarators_nest => false,
        Construct::Declaration => true,
        _ => {
            let is_pointer = view.text(parent).starts_with('*');
            let is_named = if is_pointer {
                view.parts(parent).last() == Some(node)
            } else {
                node == parent + 1
            };
            is_named && is_declarator(view, parent)
        }
    }
}

/// Whether a pointer or array belongs to a declaration, and not to a parameter or a type.
fn is_declarator(view: &View<'_>, pointer: u32) -> bool {
    let mut inner = pointer;
    while view.k(inner) == Construct::Pointer && inner != 0 {
        let above = view.parent(inner);
        match view.k(above) {
            Construct::Declaration => return true,
            Construct::Declarator => return view.first(above) == Some(inner),
            _ => inner = above,
        }
    }
    false
}

/// Whether a name follows the `=` of a parameter or declaration, so that it is read.
fn is_default(view: &View<'_>, parameter: u32, node: u32) -> bool {
    view.first_token(parameter, "=")
        .is_some_and(|sign| sign < node)
}

/// Whether a node is in an import, a few levels up at most.
pub(crate) fn is_in_import(view: &View<'_>, node: u32) -> bool {
    let mut above = node;
    for _ in 0..6 {
        above = view.parent(above);
        if view.k(above) == Construct::Import {
            return true;
        }
    }
    false
}

/// Adds functions, classes and imports.
pub(crate) fn gather(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let positions = classes(gatherer, facts);
    functions(gatherer, facts, &positions);
    if let Some(handed_down) = &gatherer.view.conventions.imports.handed_down {
        facts.takes_all = (handed_down.takes_all)(&gatherer.view);
        let taken = (handed_down.taken)(&gatherer.view);
        let known = taken
            .into_iter()
            .filter_map(|name| gatherer.names.names.known(name));
        facts.taken_from_crate = known.collect();
        facts.taken_from_crate.sort_unstable();
        facts.taken_from_crate.dedup();
    }
    facts.generates = (gatherer.view.conventions.flow.asks_a_generator)(&gatherer.view);
    privacy::unused(gatherer);
    locals::find(gatherer);
    imports::find(gatherer, facts);
}

/// Collects classes; the result maps a class's node to its position.
fn classes(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) -> Map<u32, u32> {
    let Gatherer { view, names, .. } = gatherer;
    let mut positions = Map::default();
    for &node in view.of_kind(Construct::Class) {
        let Some(name) = view.name_of(node) else {
            continue;
        };
        let at = view.tree.node(node);
        let rows = (at.start_row..=at.end_row)
            .filter(|&row| view.source.contains(row))
            .count();
        let functions = view.kind_within(Construct::Function, node, view.end(node));
        let methods = functions.iter().filter(|&&f| view.scope(f) == node);
        positions.insert(node, u32::try_from(facts.classes.len()).unwrap_or(NO_NAME));
        let bases = view
            .child(node, Construct::Heritage)
            .map(|_| names.names.number("?"));
        facts.classes.push(Class {
            name: names.names.number(view.text(name)),
            place: view.place(name),
            sloc: u32::try_from(rows).unwrap_or(u32::MAX),
            methods: u32::try_from(methods.count()).unwrap_or(u32::MAX),
            exported: true,
            // The identity of the bases does not matter.
            bases: bases.into_iter().collect(),
            ..Class::default()
        });
    }
    positions
}

/// The list of a function's parameters: the last one before its body, since Go has an extra one for
/// the receiver.
pub(crate) fn parameter_list(view: &View<'_>, function: u32) -> Option<u32> {
    let holder = view.signature(function).unwrap_or(function);
    if holder != function || view.k(function) == Construct::Lambda {
        return view.child(holder, Construct::Parameters);
    }
    let mut named = false;
    for child in view.children(function) {
        match view.k(child) {
            Construct::Identifier | Construct::Member => named = true,
            Construct::Parameters if named => return Some(child),
            _ => {}
        }
    }
    None
}

/// A forwarded parameter, from its node and whether it takes the remaining arguments.
fn taken<'a>(view: &View<'a>, (node, is_rest): (u32, bool)) -> Taken<'a> {
    Taken {
        name: view.text(named(view, node)),
        has_default: view.text(view.parent(node)).contains('='),
        is_rest,
    }
}

fn functions(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals, classes: &Map<u32, u32>) {
    let Gatherer { view, names, .. } = gatherer;
    let has_wrappers = view.conventions.wrappers.are_known;
    let lookups = privacy::lookups(view);
    let usage = ParameterUse::of(view, names);
    for (node, name) in view.definitions() {
        let held = parameters_of(view, node);
        let taken: Vec<Taken<'_>> = held.iter().map(|&held| taken(view, held)).collect();
        let wraps = forward::forwarded(view, node, &forward::statements(view, node), &taken);
        let passes_to = forward::passes_to(view, names, wraps.as_ref());
        let wraps = wraps.filter(|_| has_wrappers);
        let has_body = view.child(node, Construct::Block).is_some() || usage.is_known();
        let unread: Vec<bool> = held
            .iter()
            .map(|&(held, _)| has_body && usage.is_unread(view, names, node, named(view, held)))
            .collect();
        let parameters = held
            .into_iter()
            .zip(unread)
            .map(|((held, rest), unread)| Parameter {
                name: names.names.number(view.text(named(view, held))),
                default: NO_NAME,
                positional: !rest,
                rest,
                unused: unread && usage.is_known(),
                unread,
                place: view.place(held),
            })
            .collect();
        facts.functions.push(Function {
            name: names.names.number(view.text(name)),
            class: class_of(view, node, classes),
            traits: traits(view, node, name, &lookups),
            place: view.place(name),
            callable: match view.k(node) {
                Construct::Lambda => join(view.callable(view.parent(node)), view.text(name)),
                _ => view.callable(node).to_owned(),
            },
            parameters,
            wraps: wraps.map(|found| Target::of(view, names, &found)),
            passes_to,
            summary: None,
            body: Vec::new(),
            operations: Vec::new(),
        });
    }
    // Summaries are looked up in the order of nodes.
    facts.functions.sort_by_key(|f| f.place.start_byte);
}

/// The name of a parameter: of `const char *text` in C, the declared one.
fn named(view: &View<'_>, parameter: u32) -> u32 {
    if !view.conventions.naming.declarators_nest || view.k(parameter) == Construct::Identifier {
        return parameter;
    }
    let end = view.end(parameter);
    let names = view.kind_within(Construct::Identifier, parameter, end);
    names.last().copied().unwrap_or(parameter)
}

/// The dotted name of a member; `outer` may be empty.
fn join(outer: &str, name: &str) -> String {
    if outer.is_empty() {
        return name.to_owned();
    }
    format!("{outer}.{name}")
}

/// The class of a method; [`NO_NAME`] if the container is something else, such as an interface.
fn class_of(view: &View<'_>, function: u32, classes: &Map<u32, u32>) -> Option<u32> {
    let scope = view.scope(function);
    let receiver = view
        .children(function)
        .find_map(|child| match view.k(child) {
            Construct::Parameters => Some(true),
            Construct::Identifier | Construct::Member => Some(false),
            _ => None,
        });
    match view.k(scope) {
        Construct::Class => Some(classes.get(&scope).copied().unwrap_or(NO_NAME)),
        Construct::Interface | Construct::Impl => Some(NO_NAME),
        _ if view.k(function) == Construct::Function && receiver == Some(true) => Some(NO_NAME),
        _ => None,
    }
}

/// Nodes of a function's parameters, and whether each takes the remaining arguments.
pub(crate) fn parameters_of(view: &View<'_>, function: u32) -> Vec<(u32, bool)> {
    let mut found = Vec::new();
    let Some(list) = parameter_list(view, function) else {
        // `x => ...`
        let alone = view.first(function).filter(|&p| {
            view.k(function) == Construct::Lambda
                && view.k(p) == Construct::Identifier
                && p == function + 1
        });
        found.extend(alone.map(|p| (p, false)));
        return found;
    };
    for part in view.parts(list) {
        let rest = view.k(part) == Construct::ParamSplat;
        match view.k(part) {
            Construct::Identifier => found.push((part, false)),
            Construct::Param | Construct::ParamSplat => {
                // One declaration may contain several names (`a, b int`), or a pattern.
                let before = found.len();
                let names = view
                    .children(part)
                    .take_while(|&c| view.text(c) != "=")
                    .filter(|&c| view.k(c) == Construct::Identifier);
                found.extend(names.map(|name| (name, rest)));
                if !view.conventions.naming.parameters_share_types && found.len() > before {
                    // A type may be a name too, and comes first in C#.
                    let last = found.pop();
                    found.truncate(before);
                    found.extend(last);
                }
                if found.len() == before {
                    found.push((part, rest));
                }
            }
            _ => {}
        }
    }
    found
}

/// Beginnings of names that test frameworks call.
const FRAMEWORK: &[&str] = &["test", "setUp", "tearDown", "Test", "Benchmark"];

fn traits(view: &View<'_>, function: u32, name: u32, lookups: &[u32]) -> u32 {
    let head = view.text(function).split('{').next().unwrap_or_default();
    let named = view.text(name);
    let mut traits = 0;
    let mut set = |bit: u32, condition: bool| traits |= if condition { bit } else { 0 };
    set(Traits::NESTED, view.function(function).is_some());
    set(
        Traits::OVERRIDE,
        head.contains("@Override") || head.contains("override ") || in_trait(view, function),
    );
    set(Traits::ASYNC, head.contains("async "));
    let is_lambda = view.k(function) == Construct::Lambda;
    set(
        Traits::STUB,
        view.child(function, Construct::Block).is_none() && !is_lambda,
    );
    set(
        Traits::SPECIAL,
        matches!(named, "constructor" | "main" | "init"),
    );
    set(
        Traits::TEST,
        FRAMEWORK.iter().any(|start| named.starts_with(start))
            || (view.conventions.tests.hold_function)(view, function),
    );
    let private = privacy::of(view, function, name);
    set(Traits::PRIVATE, private);
    let exported = view.k(view.parent(function)) == Construct::Export
        || view.k(view.parent(view.parent(view.parent(function)))) == Construct::Export;
    set(Traits::PLACEHOLDER, is_placeholder(view, function));
    let is_marked = view.conventions.naming.exports_are_marked;
    set(Traits::EXPORTED, !private && (exported || !is_marked));
    let rules = view.conventions;
    set(Traits::DECORATED, (rules.is_decorated)(view, function));
    set(
        Traits::SPARED,
        private
            && (privacy::is_class_searched(view, lookups, view.scope(function))
                || privacy::is_spared(view, function, named)),
    );
    set(Traits::KEPT, is_kept(view, function));
    // A variable may get another function later.
    let declared = view.text(view.parent(view.parent(function)));
    set(
        Traits::CONDITIONAL,
        is_lambda && !declared.starts_with("const "),
    );
    traits
}

/// Whether the comments above a function give a reason to keep it.
fn is_kept(view: &View<'_>, function: u32) -> bool {
    let kept = ["eprecat", "ompatib", "backward"];
    let mut rows = view.rows_above(function).take(12);
    rows.any(|text| kept.iter().any(|word| text.contains(word)))
}

/// Whether a Rust function belongs to a trait or implements it, so that the trait prescribes it.
fn in_trait(view: &View<'_>, function: u32) -> bool {
    let scope = view.scope(function);
    let is_impl = view.k(scope) == Construct::Impl;
    view.k(scope) == Construct::Interface
        || is_impl && view.children(scope).any(|c| view.text(c) == "for")
}
