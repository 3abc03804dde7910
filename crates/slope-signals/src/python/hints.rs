//! A file's hints, other than its code, about functions that seem unused.

use std::cell::OnceCell;

use super::symbols::documentation;
use slope_syntax::Construct;

use crate::reasons;
use crate::words::{Map, called_in, is_name};
use slope_syntax::view::View;

/// The file's hints, computed on first use.
#[derive(Default)]
pub(super) struct Hints<'a> {
    /// Beginnings of names that are made at run time.
    prefixes: OnceCell<Vec<&'a str>>,
    /// Names that comments write as calls.
    called: OnceCell<Map<&'a str, ()>>,
}

impl<'a> Hints<'a> {
    /// Whether a hint says that a function is used, or kept on purpose.
    pub(super) fn spare(&self, view: &View<'a>, function: u32, name: &str) -> bool {
        let prefixes = self.prefixes.get_or_init(|| prefixes(view));
        let called = self.called.get_or_init(|| called_in_comments(view));
        prefixes.iter().any(|prefix| name.starts_with(prefix))
            || called.contains_key(name)
            || view.conventions.calls_unseen(view, name)
            || reasons::are_in(documentation(view, function))
            || reasons::given_above(view, view.outer(function))
    }
}

/// Beginnings of private names that are built for `getattr`, or stored in a variable.
fn prefixes<'a>(view: &View<'a>) -> Vec<&'a str> {
    let strings = view.of_kind(Construct::String).iter();
    let mut found: Vec<&str> = strings.filter_map(|&s| prefix(view, s)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The private beginning in `f"_p{x}"`, `"_p" + x`, `"_p%s" % x` and `"_p{}".format(x)`, if the
/// result may be used for a lookup.
fn prefix<'a>(view: &View<'a>, string: u32) -> Option<&'a str> {
    let text = view.text(string);
    let quoted = text.trim_start_matches(|c: char| c.is_alphabetic());
    let inner = quoted.trim_matches(['"', '\'']);
    if !inner.starts_with('_') {
        return None;
    }
    let parent = view.parent(string);
    let operator = view.children(parent).nth(1).map_or("", |o| view.text(o));
    let is_left = view.k(parent) == Construct::BinaryOp && string == parent + 1;
    let (made, gap) = if view.has_below(string, Construct::Interpolation) {
        (string, Some('{'))
    } else if is_left && operator == "+" {
        (string, None)
    } else if is_left && operator == "%" {
        (string, Some('%'))
    } else if view.k(parent) == Construct::Attribute && view.text(parent).ends_with(".format") {
        (view.parent(parent), Some('{'))
    } else {
        return None;
    };
    let prefix = gap.map_or(Some(inner), |gap| Some(&inner[..inner.find(gap)?]))?;
    (is_name(prefix) && is_looked_up(view, made)).then_some(prefix)
}

/// Whether a text is an argument of `getattr` or `hasattr`, or given to a variable.
fn is_looked_up(view: &View<'_>, text: u32) -> bool {
    let mut node = text;
    let mut parent = view.parent(node);
    // `"_p" + a + b` is a sum in a sum.
    while matches!(view.k(parent), Construct::BinaryOp | Construct::Paren)
        && view.first(parent) == Some(node)
    {
        node = parent;
        parent = view.parent(node);
    }
    match view.k(parent) {
        Construct::Assign => node != parent + 1,
        Construct::Arguments => {
            let call = view.parent(parent);
            matches!(view.text(call + 1), "getattr" | "hasattr")
        }
        _ => false,
    }
}

/// Names before a parenthesis in comments.
fn called_in_comments<'a>(view: &View<'a>) -> Map<&'a str, ()> {
    let comments = view.of_kind(Construct::Comment).iter();
    let called = comments.flat_map(|&comment| called_in(view.text(comment)));
    called.map(|name| (name, ())).collect()
}
