//! Functions that are private, and those that are unused inside.

use crate::catalogue::Signal;
use crate::facts::Mention;
use crate::gather::Gatherer;
use slope_syntax::Construct;

use crate::reasons;
use crate::words::Map;
use slope_syntax::view::View;

/// Whether other files may use a private function, so that they must be checked: Go's packages and
/// Rust's modules have several files, and TypeScript's `private` applies to types only.
pub(crate) fn of(view: &View<'_>, function: u32, name: u32) -> bool {
    let rules = view.conventions;
    (rules.is_private)(view, function, name) && !view.is_exempt()
}

/// Whether a function has an invisible use: a framework calls it by its name, or the comment above
/// it mentions one.
pub(crate) fn is_spared(view: &View<'_>, function: u32, name: &str) -> bool {
    view.conventions.calls_unseen(view, name)
        || reasons::given_above(view, function)
        || is_of_macro(view, function)
}

/// Whether a function is in a Rust macro, which may turn it into a test or a handler. `cfg_if!`
/// only selects.
fn is_of_macro(view: &View<'_>, function: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node)).filter(|&node| node != 0);
    let mut around = std::iter::successors(outer(&function), outer);
    around.any(|node| {
        let name = || view.text(node).split('!').next().unwrap_or_default();
        view.tree.kind_name(node) == "macro_invocation" && !name().ends_with("cfg_if")
    })
}

/// Lookups of members of `this` by computed names, as in `this["on" + name]`, in order.
pub(crate) fn lookups(view: &View<'_>) -> Vec<u32> {
    let lookups = view.of_kind(Construct::Subscript).iter().copied();
    let of_this = lookups.filter(|&lookup| {
        let object = view.text(lookup).trim_start_matches(['(', '<', ' ']);
        let rest = object.strip_prefix("this");
        rest.is_some_and(|rest| !rest.starts_with('.') && !rest.starts_with("?."))
    });
    let is_made = |&lookup: &u32| {
        let index = view.parts(lookup).last();
        index.is_some_and(|index| match view.k(index) {
            Construct::String => view.has_below(index, Construct::Interpolation),
            Construct::Number => false,
            _ => true,
        })
    };
    of_this.filter(is_made).collect()
}

/// Whether one of the [`lookups`] is in a class.
pub(crate) fn is_class_searched(view: &View<'_>, lookups: &[u32], class: u32) -> bool {
    let first = lookups.partition_point(|&lookup| lookup < class);
    lookups
        .get(first)
        .is_some_and(|&lookup| lookup < view.end(class))
}

/// Reports functions that only their file can use, but does not.
pub(crate) fn unused(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    if !(view.conventions.has_whole_types)(view) {
        return;
    }
    let definitions = view.definitions();
    // A use of one namesake may refer to the other.
    let mut namesakes: Map<&str, u32> = Map::default();
    for &(_, name) in &definitions {
        *namesakes.entry(view.text(name)).or_default() += 1;
    }
    let mut found = Vec::new();
    for (function, name) in definitions {
        let only_here = (view.conventions.is_of_file)(view, function, name);
        let is_alone = namesakes.get(view.text(name)) == Some(&1);
        let is_method = view.k(view.scope(function)) == Construct::Class;
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

/// Whether a file mentions a function, or a method, only in its definition.
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
