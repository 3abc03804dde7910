//! Functions that are private, and those that are unused inside.

use crate::catalogue::Signal;
use crate::facts::Mention;
use crate::gather::Gatherer;
use slope_syntax::Construct as K;

use crate::reasons;
use crate::words::Map;
use slope_syntax::view::View;

/// Whether other files may use a private function, so that they have to be looked at:
/// Go's packages and Rust's modules are several files, and TypeScript's `private` applies to types only.
pub(crate) fn of(view: &View<'_>, function: u32, name: u32) -> bool {
    let rules = view.conventions;
    (rules.is_private)(view, function, name) && !view.is_exempt()
}

/// Whether something that no code shows uses a function: a framework that calls it by its name, or
/// what the comment above it says.
pub(crate) fn is_spared(view: &View<'_>, function: u32, name: &str) -> bool {
    view.conventions.calls_unseen(view, name)
        || reasons::given_above(view, function)
        || is_of_macro(view, function)
}

/// Whether a function is in a macro of Rust, which may make a test or a handler of it. `cfg_if!` only selects.
fn is_of_macro(view: &View<'_>, function: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node)).filter(|&node| node != 0);
    let mut around = std::iter::successors(outer(&function), outer);
    around.any(|node| {
        let name = || view.text(node).split('!').next().unwrap_or_default();
        view.tree.kind_name(node) == "macro_invocation" && !name().ends_with("cfg_if")
    })
}

/// Where members of `this` are looked up by names that are made, as `this["on" + name]` does, in order.
pub(crate) fn lookups(view: &View<'_>) -> Vec<u32> {
    let lookups = view.of_kind(K::Subscript).iter().copied();
    let of_this = lookups.filter(|&lookup| {
        let object = view.text(lookup).trim_start_matches(['(', '<', ' ']);
        let rest = object.strip_prefix("this");
        rest.is_some_and(|rest| !rest.starts_with('.') && !rest.starts_with("?."))
    });
    let is_made = |&lookup: &u32| {
        let index = view.parts(lookup).last();
        index.is_some_and(|index| match view.k(index) {
            K::String => view.has_below(index, K::Interpolation),
            K::Number => false,
            _ => true,
        })
    };
    of_this.filter(is_made).collect()
}

/// Whether one of some [`lookups`] is in a class.
pub(crate) fn is_class_searched(view: &View<'_>, lookups: &[u32], class: u32) -> bool {
    let first = lookups.partition_point(|&lookup| lookup < class);
    lookups
        .get(first)
        .is_some_and(|&lookup| lookup < view.end(class))
}

/// Reports functions that only their file can use, and does not.
pub(crate) fn unused(gatherer: &mut Gatherer<'_>, language: &str) {
    let view = &gatherer.view;
    let is_partial = language == "csharp" && view.tree.text().contains("partial ");
    let definitions = view.definitions();
    // Of namesakes one may be used for the other.
    let mut namesakes: Map<&str, u32> = Map::default();
    for &(_, name) in &definitions {
        *namesakes.entry(view.text(name)).or_default() += 1;
    }
    let mut found = Vec::new();
    for (function, name) in definitions {
        let only_here = match language {
            "javascript" | "typescript" | "tsx" => is_of_module(view, function, name),
            "java" => is_private_method(view, function, name),
            "csharp" => is_private_method(view, function, name) && !is_partial,
            _ => false,
        };
        let is_alone = namesakes.get(view.text(name)) == Some(&1);
        let is_method = view.k(view.scope(function)) == K::Class;
        if only_here
            && is_alone
            && is_unmentioned(gatherer, name, is_method)
            && !is_spared(view, function, view.text(name))
        {
            found.push((name, is_method));
        }
    }
    for (name, is_method) in found {
        let text = gatherer.view.text(name);
        let what = if is_method { "method" } else { "function" };
        let message = format!("The private {what} `{text}` is never used.");
        gatherer.report(Signal::UnusedPrivateFunction, name, message, text);
    }
}

/// Whether a file mentions a function, or a method, nowhere but in its definition.
fn is_unmentioned(gatherer: &Gatherer<'_>, name: u32, is_method: bool) -> bool {
    let number = gatherer.names.name_at(name);
    let bits = gatherer.names.mentions.get(number as usize);
    let member = Mention::MEMBER | Mention::MEMBER_CALLED;
    let used = Mention::CALLED
        | Mention::VALUE
        | Mention::STRING
        | Mention::EXPORTED
        | if is_method { member } else { 0 };
    bits.is_some_and(|bits| bits & used == 0)
}

/// Whether a function of JavaScript is one that a module keeps to itself, or a `#private` method.
fn is_of_module(view: &View<'_>, function: u32, name: u32) -> bool {
    if view.text(name).starts_with('#') {
        return true;
    }
    let root = view.tree.nodes().len() > 1;
    let is_module = !view.of_kind(K::Import).is_empty() || !view.of_kind(K::Export).is_empty();
    // A declaration is in the program; a lambda in a declarator in a declaration.
    let statement = match view.k(function) {
        K::Lambda => view.parent(view.parent(function)),
        _ => function,
    };
    let quiet = view.text(name).starts_with('_');
    let row = view.tree.node(statement).start_row;
    let directed = |row: u32| {
        view.tree.row_text(row).contains("eslint") || view.tree.row_text(row).contains("@ts-")
    };
    root && is_module
        && view.parent(statement) == 0
        && view.tree.node(statement).parent == 0
        && statement != 0
        && !quiet
        && !directed(row)
        && !directed(row.saturating_sub(1))
}

/// Whether a method is private and has no mark that a framework looks for.
fn is_private_method(view: &View<'_>, function: u32, name: u32) -> bool {
    let words = view.children(function).take_while(|&child| child < name);
    let (mut private, mut opened) = (false, false);
    for child in words {
        match view.k(child) {
            K::Decorator => return false,
            K::Modifiers => {
                let text = view.text(child);
                if text.contains('@') {
                    return false;
                }
                private |= text.split_whitespace().any(|word| word == "private");
                // `private protected` is for derived classes, and an override for callers of its base.
                opened |= ["protected", "override"].contains(&text);
            }
            _ => {}
        }
    }
    // A private constructor keeps a class from being made.
    let class = view
        .name_of(view.scope(function))
        .map_or("", |n| view.text(n));
    private && !opened && view.text(name) != class && !is_message(view, function, view.text(name))
}

/// Methods of components that the engine Unity calls by their name, private or not, besides those
/// that begin with `On`.
const MESSAGES: &[&str] = &[
    "Awake",
    "FixedUpdate",
    "LateUpdate",
    "Reset",
    "Start",
    "Update",
];

/// Classes whose methods Unity calls by name; the classes of a project derive from these in turn.
const COMPONENTS: &[&str] = &[
    "MonoBehaviour",
    "NetworkBehaviour",
    "ScriptableObject",
    "StateMachineBehaviour",
    "Editor",
    "EditorWindow",
    "AssetPostprocessor",
];

/// Whether a method is one that Unity calls. The parents of a base may be in another file.
fn is_message(view: &View<'_>, function: u32, name: &str) -> bool {
    let Some(bases) = view.child(view.scope(function), K::Heritage) else {
        return false;
    };
    let is_component = || {
        let words = view.text(bases).split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|word| COMPONENTS.contains(&word))
    };
    MESSAGES.contains(&name) || name.starts_with("On") && is_component()
}
