//! What functions always give back, and checks of their results in other files.

use super::bare;
use super::changes::{Change, is_unchanged};
use super::known::asked_parts;
use super::questions::{Question, Topic};
use super::results::{answer, of_type, result};
use super::values::{given, shape};
use crate::facts::{NO_NAME, ResultOf, Returned};
use crate::kind::K;
use crate::languages::Shape;
use crate::occurrences::Occurrences;
use crate::view::View;

/// Most `return`s of a function that are read.
const MAX_RETURNS: usize = 16;

/// What a function always gives back, by its type, or by each of its `return`s.
pub(crate) fn of(view: &View<'_>, names: &Occurrences<'_>, function: u32) -> Option<Returned> {
    let block = view.last_child(function, K::Block)?;
    let waits = [K::Yield, K::Await].map(|kind| view.kind_within(kind, block, view.end(block)));
    let head = view.text(function).split(['(', '{']).next()?;
    if waits.iter().any(|found| !found.is_empty()) || head.contains("async") || head.contains('*') {
        return None;
    }
    if let Some(kind) = result(view, function) {
        let declared = of_type(view, kind).and_then(of_shape);
        // A type of Go says nothing of `nil`.
        if declared.is_some() || view.tree.language().id() != "go" {
            return declared;
        }
    }
    of_body(view, names, (function, block))
}

fn of_body(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (function, block): (u32, u32),
) -> Option<Returned> {
    let last = view
        .parts(block)
        .filter(|&part| view.k(part) != K::Comment)
        .last()?;
    let returns = view.kind_within(K::Return, block, view.end(block));
    let own = returns
        .iter()
        .filter(|&&node| view.function(node) == Some(function));
    let own: Vec<u32> = own.copied().take(MAX_RETURNS + 1).collect();
    if view.k(last) != K::Return || own.len() > MAX_RETURNS {
        return None;
    }
    let mut all = own.into_iter().map(|node| of_return(view, names, node));
    let first = all.next()??;
    all.try_fold(first, |known, next| {
        let next = next?;
        Some(if next == known {
            known
        } else {
            Returned::Value
        })
    })
}

fn of_return(view: &View<'_>, names: &Occurrences<'_>, node: u32) -> Option<Returned> {
    let mut value = bare(view, view.only(node)?)?;
    if view.tree.kind_name(value) == "expression_list" {
        value = view.only(value)?;
    }
    if view.k(value) != K::Identifier {
        return of_shape(shape(view, value)?);
    }
    let name = view.text(value);
    let given = given(view, name, value)?;
    let found = of_shape(shape(view, given.value)?)?;
    is_unchanged(view, names, name, (given.end, value), Change::Value).then_some(found)
}

fn of_shape(shape: Shape) -> Option<Returned> {
    Some(match shape {
        Shape::Text(_) => Returned::Text,
        Shape::List | Shape::EmptyList | Shape::FullList => Returned::List,
        Shape::Object => Returned::Dictionary,
        Shape::Number => Returned::Number,
        Shape::Count => Returned::Count,
        Shape::Truth(_) | Shape::Answer => Returned::Answer,
        Shape::Instance | Shape::Function => Returned::Value,
        _ => return None,
    })
}

const fn shape_of(returned: Returned) -> Shape {
    match returned {
        Returned::Text => Shape::Text(false),
        Returned::List => Shape::List,
        Returned::Dictionary => Shape::Object,
        Returned::Number => Shape::Number,
        Returned::Count => Shape::Count,
        Returned::Answer => Shape::Answer,
        Returned::Value => Shape::Instance,
    }
}

/// The checks of a file whose answer depends on what a function gives back: where, and of which.
pub(super) fn checks(view: &View<'_>, names: &Occurrences<'_>) -> Vec<(u32, String, ResultOf)> {
    let parts = asked_parts(view).into_iter();
    let found = parts.filter_map(|part| {
        let (question, _) = Question::of(view, part)?;
        let given = given(view, question.subject, part)?;
        let callee = callee(view, given.value)?;
        let bits = Returned::ALL.into_iter().filter(|&one| {
            // What Go gives back is there only if the function makes it.
            let is_made = question.about == Topic::Nothing
                && view.tree.language().id() == "go"
                && matches!(one, Returned::List | Returned::Dictionary | Returned::Value);
            is_made || answer(view, &question, shape_of(one)).is_some()
        });
        let returned = bits.fold(0, |all, one| all | one.bit());
        let since = (given.end, part);
        let is_known =
            returned != 0 && is_unchanged(view, names, question.subject, since, Change::Value);
        let (object, name) = callee.rsplit_once('.').unwrap_or(("", callee));
        let number = |name: &str| names.names.known(name);
        let result = ResultOf {
            name: number(name)?,
            object: match object.rsplit('.').next() {
                None | Some("") => NO_NAME,
                Some(object) => number(object)?,
            },
            is_own: ["self", "this", "cls"].contains(&object) || is_receiver(view, part, object),
            is_taken: is_taken(view, name),
            returned,
        };
        let message =
            format!("`{callee}` gives back the same kind of value each time, so this is known.");
        is_known.then_some((part, message, result))
    });
    found.collect()
}

/// Whether a name is the receiver of the method of Go that a place is in: `func (name *Type) ...`.
fn is_receiver(view: &View<'_>, place: u32, name: &str) -> bool {
    let head = view
        .function(place)
        .map_or("", |function| view.text(function));
    let receiver = head
        .strip_prefix("func (")
        .and_then(|rest| rest.split(' ').next());
    receiver == Some(name) && view.tree.language().id() == "go"
}

/// Whether a file of JavaScript imports a name from a file of its project, and not from a package.
fn is_taken(view: &View<'_>, name: &str) -> bool {
    let mut imports = view.of_kind(K::Import).iter().map(|&node| view.text(node));
    imports.any(|import| {
        let source = import.rsplit_once(" from ");
        source.is_some_and(|(names, source)| {
            let mut words = names.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
            source.trim_start_matches(['"', '\'']).starts_with('.')
                && words.any(|word| word == name)
        })
    })
}

/// What a call calls, if that is names joined by dots.
fn callee<'v>(view: &View<'v>, value: u32) -> Option<&'v str> {
    let mut call = bare(view, value)?;
    if view.tree.kind_name(call) == "expression_list" {
        call = view.only(call)?;
    }
    let callee = view.text(call + 1);
    let is_path = callee
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'));
    (view.k(call) == K::Call && is_path).then_some(callee)
}
