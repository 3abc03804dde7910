//! Unread locals.

use std::collections::HashSet;

use crate::construct::Construct;
use crate::view::View;

/// A name that a function assigns, and the statement that assigns it.
pub struct Stored<'a> {
    /// The name.
    pub node: u32,
    /// The statement.
    pub statement: u32,
    /// The construct around the statement.
    pub around: Construct,
    /// Text of the statement before the name.
    pub head: &'a str,
}

/// Facts about a language's locals.
pub struct Locals {
    /// Whether an assigned name is a local that has no meaning except its reads.
    pub is_local: fn(&View<'_>, &Stored<'_>) -> bool,
    /// Callable of a local.
    pub owner: fn(&View<'_>, u32) -> Option<u32>,
    /// Whether a local may be unread although only assignments mention it. Some compilers refuse such locals.
    pub may_be_idle: fn(&View<'_>, u32) -> bool,
    /// The names that a callable passes on without naming them in the call.
    pub passed_on: for<'a> fn(&View<'a>, u32) -> HashSet<&'a str>,
    /// Names of functions that can see every local of their caller.
    pub blinding: &'static [&'static str],
    /// Parts of words before a name, in lower case, that give its declaration side effects.
    pub with_effects: &'static [&'static str],
    /// Names that a local may shadow on purpose.
    pub hiding: &'static [&'static str],
    /// Whether macros may name a local, or end a function early.
    pub has_macros: bool,
    /// Whether declaring a type is a check in a test.
    pub types_check: bool,
    /// Whether a local may exist only to skip input and name the skipped part.
    pub may_read_past: bool,
    /// Whether a file tells its compiler or linter to allow unused locals.
    pub asks_to_leave: fn(&str) -> bool,
}

impl Locals {
    pub(crate) const PLAIN: Self = Self {
        is_local: is_declared,
        owner: |view, node| {
            let scope = view.scope(node);
            matches!(view.k(scope), Construct::Function | Construct::Lambda).then_some(scope)
        },
        may_be_idle: |_, _| true,
        passed_on: |_, _| HashSet::new(),
        blinding: &[],
        with_effects: &[],
        hiding: &[],
        has_macros: false,
        types_check: false,
        may_read_past: true,
        asks_to_leave: |text| text.contains("-Wunused"),
    };
}

/// Whether a statement declares a name that has no other meaning.
fn is_declared(view: &View<'_>, stored: &Stored<'_>) -> bool {
    view.k(stored.statement) == Construct::Declaration
        && !matches!(stored.around, Construct::For | Construct::Export)
        && !ends_lambda(view, stored.statement)
        // An assignment to a `ref` of C# changes the referenced variable.
        && !["using", "await using", "declare", "@", "ref ", "scoped ref "]
            .iter()
            .any(|word| stored.head.starts_with(word))
}

/// Whether a declaration ends a lambda. Its value is then evaluated on purpose: `assertThrows(() ->
/// { int n = a.size(); })`.
fn ends_lambda(view: &View<'_>, statement: u32) -> bool {
    let body = view.parent(statement);
    view.k(view.parent(body)) == Construct::Lambda && is_last(view, statement)
}

/// Whether a statement is the last of its block, so that it is the block's value in Ruby.
pub(crate) fn is_last(view: &View<'_>, statement: u32) -> bool {
    let is_run = |part: u32| {
        let waits = matches!(
            view.k(part),
            Construct::Catch
                | Construct::Else
                | Construct::Finally
                | Construct::Heredoc
                | Construct::Comment
        );
        view.tree.node(part).named && !waits
    };
    // The next part answers this in most cases.
    let next = |&part: &u32| view.tree.next_sibling(part);
    let mut after = std::iter::successors(view.tree.next_sibling(statement), next);
    !after.any(is_run)
}
