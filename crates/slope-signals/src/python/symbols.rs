//! Definitions and calls of Python code.

use slope_syntax::LineSet;

use super::hints::Hints;
use crate::facts::{
    Argument, Call, Class, FileSignals, Function, Mention, NO_NAME, Parameter, Target, Traits,
};
use crate::forward::{self, Forward, Taken};
use crate::gather::Gatherer;
use crate::parameter_use::is_passed_to_itself;
use crate::texts::TextWords;
use crate::words::Map;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// The block of a definition or compound statement.
pub(super) fn body(view: &View<'_>, definition: u32) -> Option<u32> {
    view.last_child(definition, Construct::Block)
}

/// The statements of a block.
pub(super) fn statements(view: &View<'_>, block: u32) -> Vec<u32> {
    view.parts(block).collect()
}

/// The statements of a definition without its documentation.
pub(super) fn own_statements(view: &View<'_>, definition: u32) -> Vec<u32> {
    let Some(block) = body(view, definition) else {
        return Vec::new();
    };
    let mut all = statements(view, block);
    if all.first().is_some_and(|&s| is_text(view, s)) {
        all.remove(0);
    }
    all
}

fn is_text(view: &View<'_>, statement: u32) -> bool {
    view.k(statement) == Construct::ExprStmt
        && view
            .only(statement)
            .is_some_and(|e| view.k(e) == Construct::String)
}

/// Documentation of a definition; empty if there is none.
pub(super) fn documentation<'a>(view: &View<'a>, definition: u32) -> &'a str {
    body(view, definition)
        .and_then(|block| view.first(block))
        .filter(|&s| is_text(view, s))
        .map_or("", |s| view.text(s))
}

/// Last parts of the names of a definition's decorators.
pub(super) fn decorators<'a>(view: &View<'a>, definition: u32) -> Vec<&'a str> {
    if !view.decorated(definition) {
        return Vec::new();
    }
    let outer = view.parent(definition);
    view.children(outer)
        .filter(|&c| view.k(c) == Construct::Decorator)
        .filter_map(|d| view.first(d))
        .map(|d| view.last_part(callee(view, d)))
        .collect()
}

/// The callee of a call, or the node itself.
fn callee(view: &View<'_>, node: u32) -> u32 {
    if view.k(node) == Construct::Call {
        node + 1
    } else {
        node
    }
}

/// Rows of a definition that carry code.
fn rows(source: &LineSet, view: &View<'_>, node: u32) -> u32 {
    let node = view.tree.node(node);
    let count = (node.start_row..=node.end_row)
        .filter(|&row| source.contains(row))
        .count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Names of bases that make a class abstract.
const ABSTRACT_BASES: &[&str] = &["ABC", "Protocol", "Interface"];

/// Collects classes; the result maps a class's node to its position.
pub(super) fn classes(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) -> Map<u32, u32> {
    let Gatherer { view, names, .. } = gatherer;
    let mut positions = Map::default();
    for &node in view.of_kind(Construct::Class) {
        let Some(name) = view.name_of(node) else {
            continue;
        };
        let mut class = Class {
            name: names.names.number(view.text(name)),
            place: view.place(name),
            decorated: view.decorated(node),
            nested: view.function(node).is_some(),
            sloc: rows(view.source, view, node),
            ..Class::default()
        };
        if let Some(bases) = view.child(node, Construct::Arguments) {
            for base in view.parts(bases) {
                let (keyword, value) = if view.k(base) == Construct::KeywordArg {
                    (true, view.parts(base).last().unwrap_or(base))
                } else {
                    (false, base)
                };
                let text = match view.k(value) {
                    Construct::Identifier | Construct::Subscript => view.last_part(value),
                    // A name of another module, so not of a known file.
                    _ if ABSTRACT_BASES.contains(&view.last_part(value)) => view.last_part(value),
                    _ => "?",
                };
                class.is_abstract |= ABSTRACT_BASES.contains(&text) || text == "ABCMeta";
                if !keyword && text != "object" {
                    let number = names.names.number(if text.is_empty() { "?" } else { text });
                    names.mention(number, Mention::BASE);
                    class.bases.push(number);
                }
            }
        }
        positions.insert(node, u32::try_from(facts.classes.len()).unwrap_or(u32::MAX));
        facts.classes.push(class);
    }
    positions
}

/// Collects functions and methods.
pub(super) fn functions(
    gatherer: &mut Gatherer<'_>,
    facts: &mut FileSignals,
    classes: &Map<u32, u32>,
) {
    let Gatherer { view, names, .. } = gatherer;
    let nodes: Vec<u32> = view.of_kind(Construct::Function).to_vec();
    let words = std::cell::OnceCell::new();
    let hints = Hints::default();
    for node in nodes {
        let Some(name) = view.name_of(node) else {
            continue;
        };
        let class = classes.get(&view.scope(node)).copied();
        let decorators = decorators(view, node);
        let mut traits = traits(view, node, view.text(name), &decorators);
        if traits & Traits::PRIVATE != 0 && hints.spare(view, node, view.text(name)) {
            traits |= Traits::SPARED;
        }
        if let Some(class) = class.and_then(|c| facts.classes.get_mut(c as usize)) {
            class.methods += 1;
            class.abstract_methods += u32::from(traits & Traits::ABSTRACT != 0);
        }
        let has_receiver = class.is_some() && !decorators.contains(&"staticmethod");
        let blind = sees_all_names(view, node);
        let mut parameters = Vec::new();
        for (node_of_name, default, positional, rest) in parameters_of(view, node, has_receiver) {
            let number = names.number(view, node_of_name);
            let default = default.map_or(NO_NAME, |d| names.names.number(view.text(d)));
            let unused = !blind
                && names
                    .reads(number, node, view.end(node))
                    .iter()
                    .all(|&read| is_passed_to_itself(view, node, read))
                && body(view, node).is_none_or(|block| {
                    let words = words.get_or_init(|| TextWords::of(view));
                    !words.has(view.text(node_of_name), block, view.end(block))
                });
            parameters.push(Parameter {
                name: number,
                default,
                positional,
                rest,
                unused,
                unread: unused,
                place: view.place(node_of_name),
            });
        }
        let wraps = wrapped(view, node, has_receiver);
        let passes_to = forward::passes_to(view, names, wraps.as_ref());
        let wraps = wraps.map(|found| Target::of(view, names, &found));
        facts.functions.push(Function {
            name: names.names.number(view.text(name)),
            class,
            traits,
            place: view.place(name),
            callable: view.callable(node).to_owned(),
            parameters,
            wraps,
            passes_to,
            summary: None,
            body: Vec::new(),
            operations: Vec::new(),
        });
    }
}

/// Words of documentation that give a reason to keep unused code.
const KEPT: &[&str] = &[
    "deprecat", "backward", "compatib", "unused", "ignored", "not used", "subclass", "overrid",
];

/// Whether documentation, in lower case, says that something exists for patches or plugins: "can be
/// patched", "kept for other plugins".
fn is_for_plugins(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_patched = |word: &&str| word.starts_with("monkey") || *word == "patched";
    let is_other = |word: &str| {
        let starts = ["plugin", "plug-in", "patch"];
        starts.iter().any(|start| word.starts_with(start))
    };
    let named = |pair: &[&str]| matches!(pair[0], "for" | "by") && is_other(pair[1]);
    let with_one_between = |three: &[&str]| named(&[three[0], three[2]]);
    words.iter().any(is_patched)
        || words.windows(2).any(named)
        || words.windows(3).any(with_one_between)
}

/// Beginnings of names that frameworks call by name, with arguments of their choice.
const FRAMEWORK: &[&str] = &[
    "test", "setUp", "tearDown", "setup", "teardown", "pytest_", "on_", "visit_", "handle_", "do_",
];

fn traits(view: &View<'_>, node: u32, name: &str, decorators: &[&str]) -> u32 {
    let mut traits = 0;
    let mut set = |bit: u32, condition: bool| traits |= if condition { bit } else { 0 };
    let plain = |d: &&str| matches!(*d, "staticmethod" | "classmethod");
    set(Traits::DECORATED, !decorators.iter().all(plain));
    let around = view.scope(node);
    set(
        Traits::ASYNC,
        view.children(node)
            .next()
            .is_some_and(|c| view.text(c) == "async"),
    );
    set(Traits::NESTED, view.function(node).is_some());
    set(Traits::STUB, is_stub(view, node));
    let special = name.starts_with("__") && name.ends_with("__");
    set(
        Traits::SPECIAL,
        special || (name.starts_with('_') && name.ends_with('_')),
    );
    set(Traits::PRIVATE, name.starts_with('_') && !special);
    let text = documentation(view, node).to_ascii_lowercase();
    let kept = KEPT.iter().any(|word| text.contains(word)) || is_for_plugins(&text);
    set(Traits::KEPT, kept);
    set(Traits::OVERRIDE, decorators.contains(&"override"));
    set(
        Traits::ABSTRACT,
        decorators.iter().any(|d| d.starts_with("abstract")),
    );
    let block = view.parent(view.outer(node));
    let holder = if view.k(block) == Construct::Block {
        view.parent(block)
    } else {
        block
    };
    set(Traits::CONDITIONAL, holder != around && holder != 0);
    set(
        Traits::TEST,
        FRAMEWORK.iter().any(|start| name.starts_with(start)),
    );
    traits
}

/// Whether a function has no real body.
fn is_stub(view: &View<'_>, node: u32) -> bool {
    own_statements(view, node)
        .iter()
        .all(|&statement| match view.k(statement) {
            Construct::Pass | Construct::Raise => true,
            Construct::ExprStmt => view
                .only(statement)
                .is_some_and(|e| view.k(e) == Construct::Ellipsis),
            Construct::Return => match view.only(statement) {
                None => true,
                Some(value) => {
                    view.is_constant(value)
                        || is_empty_display(view, value)
                        || view.text(value) == "NotImplemented"
                }
            },
            _ => false,
        })
}

fn is_empty_display(view: &View<'_>, node: u32) -> bool {
    matches!(
        view.k(node),
        Construct::List | Construct::Dict | Construct::Tuple
    ) && view.first(node).is_none()
}

/// Whether a function accesses its names dynamically.
pub(super) fn sees_all_names(view: &View<'_>, node: u32) -> bool {
    let calls = view.kind_within(Construct::Call, node + 1, view.end(node));
    let is_import = |call: u32| {
        let outer = view.parent(view.parent(call));
        view.k(outer) == Construct::Call && view.text(outer + 1) == "__import__"
    };
    calls.iter().any(|&call| {
        let shows = matches!(
            view.text(call + 1),
            "locals" | "vars" | "eval" | "exec" | "globals"
        );
        shows && !is_import(call)
    })
}

/// Name node, default, whether it can be positional, whether it takes the remaining arguments.
type RawParameter = (u32, Option<u32>, bool, bool);

fn parameters_of(view: &View<'_>, function: u32, has_receiver: bool) -> Vec<RawParameter> {
    let Some(list) = view.child(function, Construct::Parameters) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut positional = true;
    for child in view.parts(list) {
        match view.k(child) {
            Construct::Identifier => found.push((child, None, positional, false)),
            Construct::ParamSplat => {
                positional = false;
                found.extend(view.first(child).map(|name| (name, None, false, true)));
            }
            Construct::Param => {
                let Some(first) = view.first(child) else {
                    continue;
                };
                let rest = view.k(first) == Construct::ParamSplat;
                positional &= !rest;
                let name = if rest {
                    view.first(first).unwrap_or(first)
                } else {
                    first
                };
                let has_default = view.children(child).any(|c| view.text(c) == "=");
                let default = if has_default {
                    view.parts(child).last()
                } else {
                    None
                };
                found.push((name, default, positional, rest));
            }
            _ => positional &= view.text(child) != "*",
        }
    }
    if has_receiver && !found.is_empty() {
        found.remove(0);
    }
    found
}

/// The target of a function's parameters, if it only forwards them.
fn wrapped(view: &View<'_>, function: u32, has_receiver: bool) -> Option<Forward> {
    let parameters = parameters_of(view, function, has_receiver);
    let taken: Vec<Taken<'_>> = parameters
        .iter()
        .map(|&(name, default, _, is_rest)| Taken {
            name: view.text(name),
            has_default: default.is_some(),
            is_rest,
        })
        .collect();
    forward::forwarded(view, function, &own_statements(view, function), &taken)
}

/// Whether arguments are the parameters, all of them, in order, unchanged.
pub(super) fn passes_all(view: &View<'_>, function: u32, arguments: u32) -> bool {
    let is_method = view.k(view.scope(function)) == Construct::Class;
    let has_receiver = is_method && !decorators(view, function).contains(&"staticmethod");
    let parameters = parameters_of(view, function, has_receiver);
    if view.k(arguments) != Construct::Arguments || parameters.iter().any(|p| p.1.is_some()) {
        return false;
    }
    // The remaining arguments passed as one value, or a value that is unpacked, are not passed
    // unchanged.
    let wanted = parameters.iter().map(|p| {
        let star = if p.3 { "*" } else { "" };
        (star, view.text(p.0))
    });
    let given = view
        .parts(arguments)
        .map(|argument| match view.k(argument) {
            Construct::Identifier => ("", view.text(argument)),
            Construct::Splat => ("*", view.only(argument).map_or("", |name| view.text(name))),
            Construct::KeywordArg => {
                let mut parts = view.parts(argument).map(|part| view.text(part));
                match (parts.next(), parts.next()) {
                    (Some(name), Some(value)) if name == value => ("", value),
                    _ => ("", ""),
                }
            }
            _ => ("", ""),
        });
    wanted.eq(given)
}

/// Collects calls of possibly private functions: names with a leading underscore, and nested
/// functions.
pub(super) fn calls(gatherer: &mut Gatherer<'_>, facts: &mut FileSignals) {
    let Gatherer { view, names, .. } = gatherer;
    for &node in view.of_kind(Construct::Call) {
        let name = view.last_part(node + 1);
        if !name.starts_with('_') || name.starts_with("__") && name.ends_with("__") {
            continue;
        }
        let first = u32::try_from(facts.arguments.len()).unwrap_or(u32::MAX);
        let mut spread = false;
        match view.child(node, Construct::Arguments) {
            None => spread = true,
            Some(list) => {
                for argument in view.parts(list) {
                    spread |= view.k(argument) == Construct::Splat;
                    let (keyword, value) = if view.k(argument) == Construct::KeywordArg {
                        let keyword = argument + 1;
                        let value = view.parts(argument).last().unwrap_or(argument);
                        (names.names.number(view.text(keyword)), value)
                    } else {
                        (NO_NAME, argument)
                    };
                    let constant = if view.is_constant(value) {
                        names.names.number(view.text(value))
                    } else {
                        NO_NAME
                    };
                    facts.arguments.push(Argument { keyword, constant });
                }
            }
        }
        let count = u32::try_from(facts.arguments.len()).unwrap_or(u32::MAX) - first;
        facts.calls.push(Call {
            name: names.names.number(name),
            spread,
            first,
            count,
        });
    }
}
