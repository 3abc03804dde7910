//! Unused parameters of functions, in languages with the same structure.

use std::cell::OnceCell;

use slope_syntax::Construct;

use crate::locals::KeptRows;
use crate::occurrences::Occurrences;
use crate::texts::TextWords;
use slope_syntax::view::View;

/// Names of parameters that functions take even if they do not need them, and those that hide a
/// word of Go, so that their reads look like that word.
const ON_PURPOSE: &[&str] = &["ctx", "true", "false", "nil", "iota"];

/// A file's facts on the parameters of its functions.
pub(crate) struct ParameterUse<'a> {
    is_known: bool,
    /// The number of `arguments`, through which functions of JavaScript see all of theirs.
    arguments: Option<u32>,
    words: OnceCell<TextWords<'a>>,
    kept: KeptRows,
}

impl<'a> ParameterUse<'a> {
    pub(crate) fn of(view: &View<'a>, names: &Occurrences<'a>) -> Self {
        Self {
            is_known: view.conventions.has_known_parameters,
            arguments: names.names.known("arguments"),
            words: OnceCell::new(),
            kept: KeptRows::default(),
        }
    }

    /// Whether unused parameters are findings in the language.
    pub(crate) fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether a function never reads the parameter of this name node.
    pub(crate) fn is_unread(
        &self,
        view: &View<'a>,
        names: &Occurrences<'a>,
        function: u32,
        parameter: u32,
    ) -> bool {
        let name = view.text(parameter).trim_start_matches("r#");
        if view.k(parameter) != Construct::Identifier || ON_PURPOSE.contains(&name) {
            return false;
        }
        let end = view.end(function);
        let row = view.tree.node(parameter).start_row;
        let reads = |number| {
            let reads = names.reads(number, function, end);
            reads.iter().any(|&node| {
                // In C a pointer to it is no read.
                node != parameter
                    && !is_head_of_path(view, node)
                    && !is_passed_to_itself(view, function, node)
            })
        };
        !reads(names.name_at(parameter))
            && !self.arguments.is_some_and(reads)
            && !self.kept.has(view, row)
            && !self
                .words
                .get_or_init(|| TextWords::of(view))
                .has(name, function, end)
    }
}

/// Prefixes with which a method calls itself.
const OWN: &[&str] = &["self.", "this.", "cls.", "Self::"];

/// Whether a function passes a value on to itself, which is not a use.
pub(crate) fn is_passed_to_itself(view: &View<'_>, function: u32, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    // The value may have a keyword.
    let list = std::iter::successors(Some(view.parent(node)), outer)
        .take(2)
        .find(|&list| view.k(list) == Construct::Arguments);
    let Some((list, name)) = list.zip(view.name_of(function)) else {
        return false;
    };
    let is_value = view.parent(node) == list || view.parts(view.parent(node)).last() == Some(node);
    let call = view.parent(list);
    let callee = view.first(call).filter(|&callee| callee < list);
    let is_own = callee.is_some_and(|callee| {
        let own = view.text(callee).strip_suffix(view.text(name));
        own.is_some_and(|own| match own {
            "" => !view.is_method(function),
            _ => OWN.contains(&own),
        })
    });
    is_value && view.k(call) == Construct::Call && is_own
}

/// Whether a name begins a Rust path, such as `config::Config`, and is not a variable.
fn is_head_of_path(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    view.tree.kind_name(parent).starts_with("scoped_") && view.first(parent) == Some(node)
}

/// Beginnings of statements for missing code.
const NOTHING_YET: &[&str] = &["panic", "todo!", "unimplemented!", "unreachable!"];

/// Whether a function has no statement, or only one that returns a constant or raises an error.
pub(crate) fn is_placeholder(view: &View<'_>, function: u32) -> bool {
    let Some(block) = view.last_child(function, Construct::Block) else {
        return view.k(function) != Construct::Lambda;
    };
    let mut parts = view.parts(block);
    let (first, second) = (parts.next(), parts.next());
    let Some(only) = first.filter(|_| second.is_none()) else {
        return first.is_none();
    };
    let text = view.text(only);
    view.k(only) == Construct::Raise
        || NOTHING_YET.iter().any(|start| text.starts_with(start))
        || view.k(only) != Construct::Identifier
            && !view.has_below(only, Construct::Identifier)
            && !view.has_below(only, Construct::Member)
}
