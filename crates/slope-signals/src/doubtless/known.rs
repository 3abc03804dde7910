//! Conditions whose answer the code around them gives: a length below 0, and a condition that has left
//! the function already.

use super::{bare, statement_of, statements_above, wrapped};
use crate::catalogue::Signal;
use crate::kind::K;
use crate::occurrences::Occurrences;
use crate::view::View;

/// The conditions of a file with a known answer: what is wrong, where, and the message.
pub(super) fn find(view: &View<'_>, names: &Occurrences<'_>) -> Vec<(Signal, u32, String)> {
    let comparisons = [K::Compare, K::BinaryOp].map(|kind| view.of_kind(kind));
    let comparisons = comparisons.into_iter().flatten().copied();
    let lengths = comparisons.filter(|&node| is_of_length(view, node));
    let lengths = lengths.map(|node| (node, "A length is never below 0.".to_owned()));
    let branches = view.of_kind(K::If).iter().copied();
    let repeated = branches.filter_map(|branch| {
        let condition = repeated(view, names, branch)?;
        let text = view.text(condition);
        let message = format!("If `{text}` holds, the code above has left already.");
        Some((condition, message))
    });
    let all = lengths.chain(repeated);
    all.map(|(node, message)| (Signal::ImpossibleCheck, node, message))
        .collect()
}

/// Whether a comparison asks if a length is below 0, or if it is not.
fn is_of_length(view: &View<'_>, node: u32) -> bool {
    let mut parts = view.parts(node);
    let (Some(left), Some(right), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let sign = view.tree.previous_sibling(right);
    let is_below = sign.is_some_and(|sign| matches!(view.text(sign), ">=" | "<"));
    let text = view.text(left);
    let is_length = match view.tree.language().id() {
        "python" | "go" => text.starts_with("len(") && view.k(left) == K::Call,
        "rust" => text.ends_with(".len()"),
        "javascript" | "typescript" | "tsx" => text.ends_with(".length"),
        _ => false,
    };
    is_below && is_length && view.text(right) == "0"
}

/// What reads or changes more than the names in a condition.
const OPAQUE: &[K] = &[
    K::Call,
    K::New,
    K::Await,
    K::Attribute,
    K::Subscript,
    K::Member,
    K::Macro,
    K::Propagate,
    K::Walrus,
    K::Assign,
    K::AugAssign,
    K::Lambda,
    K::Declarator,
];

/// The condition of a branch that is that of a guard above it, after which nothing has changed.
fn repeated(view: &View<'_>, names: &Occurrences<'_>, branch: u32) -> Option<u32> {
    // In C and C++ any call may change a variable that it is given.
    if matches!(view.tree.language().id(), "c" | "cpp") {
        return None;
    }
    let condition = condition(view, branch)?;
    let identifiers = || view.kind_within(K::Identifier, condition, view.end(condition));
    let is_plain = !OPAQUE
        .iter()
        .any(|&kind| view.k(condition) == kind || view.has_below(condition, kind));
    if !is_plain || identifiers().is_empty() {
        return None;
    }
    let text = view.text(condition);
    let above = statements_above(view, branch);
    let guard = above.into_iter().find(|&node| {
        let above = if_of(view, node).and_then(|above| self::condition(view, above));
        above.is_some_and(|above| view.text(above) == text)
    })?;
    let guard = if_of(view, guard)?;
    let (first, end) = (view.end(guard), statement_of(view, branch));
    let is_kept = |&name: &u32| !is_named(view, names, name, (first, end), branch);
    (leaves(view, guard) && identifiers().iter().all(is_kept)).then_some(condition)
}

/// Whether a name occurs between two nodes, or in a function within the one around a branch: it may
/// be given another value there.
fn is_named(
    view: &View<'_>,
    names: &Occurrences<'_>,
    name: u32,
    (first, end): (u32, u32),
    branch: u32,
) -> bool {
    let number = names.name_at(name);
    let scope = view.scope(branch);
    let others = names.list.iter().filter(|one| one.name == number);
    let mut others = others.map(|one| one.node);
    others.any(|node| {
        let is_between = first <= node && node < end;
        let is_within = scope <= node && node < view.end(scope);
        is_between || is_within && view.scope(node) != scope
    })
}

/// The condition of a branch that declares nothing first.
fn condition(view: &View<'_>, branch: u32) -> Option<u32> {
    let block = view.child(branch, K::Block)?;
    let mut before = view.parts(branch).take_while(|&part| part < block);
    let condition = before.next().filter(|_| before.next().is_none())?;
    bare(view, condition)
}

/// The branch that a statement is.
fn if_of(view: &View<'_>, statement: u32) -> Option<u32> {
    wrapped(view, statement, (K::ExprStmt, K::If))
}

/// Whether a branch without an `else` leaves its block at its end.
fn leaves(view: &View<'_>, branch: u32) -> bool {
    let block = view.child(branch, K::Block);
    let last = block.and_then(|block| view.parts(block).last());
    let last = last.map(|last| match view.k(last) {
        K::ExprStmt => view.only(last).unwrap_or(last),
        _ => last,
    });
    let is_exit = last
        .is_some_and(|last| matches!(view.k(last), K::Return | K::Raise | K::Break | K::Continue));
    let has_else = [K::Else, K::Elif]
        .into_iter()
        .any(|kind| view.child(branch, kind).is_some());
    let mut blocks = view
        .children(branch)
        .filter(|&part| view.k(part) == K::Block);
    is_exit && !has_else && blocks.nth(1).is_none()
}
