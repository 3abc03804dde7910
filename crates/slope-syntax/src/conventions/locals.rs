//! Locals that nothing reads.

use crate::construct::Construct;
use crate::view::View;

/// A name that a function stores, and the statement that does.
pub struct Stored<'a> {
    /// The name.
    pub node: u32,
    /// The statement.
    pub statement: u32,
    /// The construct around the statement.
    pub around: Construct,
    /// The text of the statement before the name.
    pub head: &'a str,
}

/// Facts about a language's locals.
pub struct Locals {
    /// Whether a stored name is a local that nothing but its reads gives a meaning.
    pub is_local: fn(&View<'_>, &Stored<'_>) -> bool,
    /// The callable that a local belongs to.
    pub owner: fn(&View<'_>, u32) -> Option<u32>,
    /// Whether a local may be without a read although only assignments mention it. Where compilers refuse that, they do
    /// not.
    pub may_be_idle: fn(&View<'_>, u32) -> bool,
    /// Whether a call in a function passes a local on without a name.
    pub is_passed_on: fn(&View<'_>, u32, u32) -> bool,
    /// Names of what sees every local of the function that it is used in.
    pub blinding: &'static [&'static str],
    /// Names of the surroundings that a local is there to hide.
    pub hiding: &'static [&'static str],
    /// Whether macros anywhere in a file may name a local, or cut a function short.
    pub has_macros: bool,
    /// Whether a declared type is a check in a test.
    pub types_check: bool,
    /// Whether a local may be there to read past something, and to say what that is.
    pub may_read_past: bool,
    /// Whether a file tells its compiler or linter to leave unused locals.
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
        is_passed_on: |_, _, _| false,
        blinding: &[],
        hiding: &[],
        has_macros: false,
        types_check: false,
        may_read_past: true,
        asks_to_leave: |text| text.contains("-Wunused"),
    };
}

/// Whether a statement declares a name, in a place where nothing else gives the name a meaning.
fn is_declared(view: &View<'_>, stored: &Stored<'_>) -> bool {
    view.k(stored.statement) == Construct::Declaration
        && !matches!(stored.around, Construct::For | Construct::Export)
        && !ends_lambda(view, stored.statement)
        // An assignment to a `ref` of C# changes what it refers to.
        && !["using", "await using", "declare", "@", "ref ", "scoped ref "]
            .iter()
            .any(|word| stored.head.starts_with(word))
}

/// Whether a declaration ends a lambda: its value is read to see what happens then
/// (`assertThrows(() -> { int n = a.size(); })`).
fn ends_lambda(view: &View<'_>, statement: u32) -> bool {
    let body = view.parent(statement);
    view.k(view.parent(body)) == Construct::Lambda && is_last(view, statement)
}

/// Whether nothing of its block is run after a statement, so that in Ruby it is the block's value.
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
    // What follows tells it at once, mostly.
    let next = |&part: &u32| view.tree.next_sibling(part);
    let mut after = std::iter::successors(view.tree.next_sibling(statement), next);
    !after.any(is_run)
}
