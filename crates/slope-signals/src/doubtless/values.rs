//! Answers that follow from the value of a name.

use super::changes::{Change, is_kept, is_local, is_unchanged};
use super::nodes::{bare, wrapped};
use super::questions::{Junction, Question, Topic, is_name, junction};
use super::results;
use crate::occurrences::{Occurrences, Use};
use slope_syntax::Construct;
use slope_syntax::conventions::Shape;
use slope_syntax::view::View;

/// A value assigned to a name, and the node after the assigning statement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given {
    pub(super) value: u32,
    pub(super) end: u32,
}

/// The nearest statement above a place that certainly assigns a name.
pub(super) fn given(view: &View<'_>, name: &str, place: u32) -> Option<Given> {
    let scope = view.scope(place);
    let outer = |&node: &u32| Some(view.parent(node));
    let around = std::iter::successors(Some(place), outer);
    let around = around
        .take_while(|&node| node != scope && node != 0)
        .take(32);
    for node in around {
        let previous = |&node: &u32| view.tree.previous_sibling(node);
        let above = std::iter::successors(view.tree.previous_sibling(node), previous);
        let above =
            above.filter(|&node| view.tree.node(node).named && view.k(node) != Construct::Comment);
        let found = above
            .take(super::nodes::MAX_BETWEEN)
            .find_map(|statement| value_of(view, statement, name));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The value that a statement assigns to a name, if it does nothing else.
fn value_of(view: &View<'_>, statement: u32, name: &str) -> Option<Given> {
    let end = view.end(statement);
    let assign = wrapped(view, statement, (Construct::ExprStmt, Construct::Assign));
    let declarator = wrapped(
        view,
        statement,
        (Construct::Declaration, Construct::Declarator),
    );
    if let Some(node) = assign.or(declarator) {
        let mut parts = view.parts(node).filter(|&part| view.text(part) != "mut");
        let target = parts.next()?;
        let value = parts.last()?;
        let is_plain = view
            .children(node)
            .any(|child| matches!(view.text(child), "=" | ":="));
        return (is_plain && view.text(target) == name).then_some(Given { value, end });
    }
    // `var err error` of Go.
    let only = view
        .only(statement)
        .filter(|_| view.k(statement) == Construct::Declaration)?;
    let is_named = view
        .first(only)
        .is_some_and(|first| view.text(first) == name);
    (is_named && view.k(only) == Construct::Other).then_some(Given { value: only, end })
}

/// Shape of the value of an expression.
pub(super) fn shape(view: &View<'_>, node: u32) -> Option<Shape> {
    let node = bare(view, node)?;
    let values = view.conventions.values?;
    if let Some(shape) = (values.shape)(view, node) {
        return Some(shape);
    }
    match view.k(node) {
        Construct::True => Some(Shape::Truth(true)),
        Construct::False => Some(Shape::Truth(false)),
        Construct::Number => Some(Shape::Number),
        Construct::String => Some(Shape::Text(is_filled(view, node))),
        Construct::List if view.text(node).starts_with('[') => Some(list(view, node)),
        Construct::Dict => Some(Shape::Object),
        Construct::Lambda => Some(Shape::Function),
        Construct::Null => Some(Shape::Nothing),
        Construct::Call => called(view, node, values.makers),
        Construct::BoolOp | Construct::BinaryOp => defaulted(view, node),
        Construct::Macro => results::of_format(view.text(node)),
        Construct::Attribute => {
            is_length(view.text(node), values.objects_count).then_some(Shape::Count)
        }
        // Go wraps the declared values in a list.
        Construct::Other if view.tree.kind_name(node) == "expression_list" => {
            shape(view, view.only(node)?)
        }
        _ => None,
    }
}

/// Shape of the result of a call. `a?.map(b)` may be nothing.
fn called(view: &View<'_>, call: u32, makers: &[(&str, Shape)]) -> Option<Shape> {
    let callee = view.text(call + 1);
    if callee.contains("?.") {
        return None;
    }
    let kept = || {
        // These keep the number of items.
        let keeps = KEEPING.iter().any(|method| callee.ends_with(method));
        let receiver = view.first(call + 1).filter(|_| keeps)?;
        shape(view, receiver).filter(|&shape| shape == Shape::FullList)
    };
    let known = results::of_call(view, call).or_else(kept);
    known.or_else(|| made(callee, makers))
}

/// Methods of JavaScript lists that keep the number of items.
const KEEPING: &[&str] = &[".map", ".reverse", ".sort", ".toSorted"];

/// `a
///
/// "b"`, which is truthy if its right side is.
fn defaulted(view: &View<'_>, node: u32) -> Option<Shape> {
    let (how, _, right) = junction(view, node)?;
    let values = view.conventions.values?;
    let is_there = how == Junction::Or
        && values.or_gives_sides
        && is_true(shape(view, right)?, values.objects_count)?;
    is_there.then_some(Shape::Truthy)
}

/// Whether a text is `a.length` of JavaScript.
fn is_length(text: &str, objects_count: bool) -> bool {
    objects_count && text.ends_with(".length") && !text.contains("?.")
}

/// Shape of a list in brackets.
fn list(view: &View<'_>, node: u32) -> Shape {
    if view.first(node).is_none() {
        return Shape::EmptyList;
    }
    // `[...a]` may be empty.
    let is_item = |item: u32| !matches!(view.k(item), Construct::Splat | Construct::Comment);
    if view.parts(node).any(is_item) {
        Shape::FullList
    } else {
        Shape::List
    }
}

/// Shape of the result of a call, if the function or method always returns the same.
fn made(callee: &str, makers: &[(&str, Shape)]) -> Option<Shape> {
    let method = callee.rfind('.').map_or("", |dot| &callee[dot..]);
    let mut makers = makers.iter();
    let maker = makers.find(|(name, _)| *name == callee || *name == method);
    maker.map(|&(_, shape)| shape)
}

/// Whether a text has a letter or digit outside interpolations, or any character if it has none.
fn is_filled(view: &View<'_>, text: u32) -> bool {
    let inner = view.kind_within(Construct::Interpolation, text, view.end(text));
    let quotes = ['"', '\'', '`'];
    if view.is_constant(text) && view.text(text).starts_with(quotes) {
        return !view.text(text).trim_matches(quotes).is_empty();
    }
    let node = view.tree.node(text);
    let (mut from, mut filled) = (node.start_byte, false);
    let whole = view.tree.text();
    let mut take = |from: u32, to: u32| {
        let part = whole.get(from as usize..to as usize).unwrap_or_default();
        let part = part.trim_start_matches(['f', 'b', 'r', 'F', 'B', 'R']);
        filled |= part.contains(|c: char| c.is_alphanumeric());
    };
    for &part in inner {
        let at = view.tree.node(part);
        take(from, at.start_byte);
        from = at.end_byte;
    }
    take(from, node.end_byte);
    filled
}

/// Whether a value of a shape answers a question, and how.
pub(super) fn answer(
    view: &View<'_>,
    question: &Question<'_>,
    (shape, value): (Shape, u32),
) -> Option<bool> {
    let objects_count = view
        .conventions
        .values
        .is_some_and(|values| values.objects_count);
    let is_length = view.k(value) == Construct::Attribute;
    let answer = match (question.about, shape) {
        // An object without a `length` returns `undefined`.
        (Topic::Nothing | Topic::Type, Shape::Count) if is_length => return None,
        (Topic::Nothing, Shape::Nothing) => {
            question.other.is_empty() || view.text(value) == question.other
        }
        (Topic::Nothing, _) => false,
        (Topic::True, shape) => is_true(shape, objects_count)?,
        (Topic::Empty, Shape::Text(true)) => false,
        (Topic::Empty, Shape::Truthy) if question.is_of_text => false,
        (Topic::Empty, Shape::EmptyList) => true,
        (Topic::Empty, Shape::FullList) => false,
        (Topic::Order(sign), Shape::Count) => results::of_order(sign, question.other)?,
        (Topic::Error, Shape::Ok) => false,
        (Topic::Error, Shape::Err) => true,
        (Topic::Type, Shape::Number) if is_made_by(view, value, question.other) => true,
        (Topic::Type, Shape::Instance) if is_made_by(view, value, question.other) => true,
        (Topic::Type, Shape::Object) if is_new(view, value, question.other) => true,
        (Topic::Type, _) => is_of_type(question.other, shape)?,
        _ => return None,
    };
    Some(answer != question.negated)
}

/// Whether a value of a shape is truthy; `None` if unknown.
fn is_true(shape: Shape, objects_count: bool) -> Option<bool> {
    match shape {
        Shape::Truth(truth) => Some(truth),
        Shape::Nothing => Some(false),
        Shape::Text(true) | Shape::Function | Shape::Truthy => Some(true),
        _ => (objects_count && is_object(shape)).then_some(true),
    }
}

/// Whether a value is made by `new` of a class.
fn is_new(view: &View<'_>, value: u32, class: &str) -> bool {
    let made = view.text(value).strip_prefix("new ");
    let rest = made.and_then(|made| made.trim_start().strip_prefix(class));
    view.k(value) == Construct::New && rest.is_some_and(|rest| rest.starts_with(['(', '<']))
}

/// Whether a value is made by a call of a class.
fn is_made_by(view: &View<'_>, value: u32, class: &str) -> bool {
    let rest = view.text(value).strip_prefix(class);
    rest.is_some_and(|rest| rest.starts_with('('))
}

fn is_object(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::List | Shape::EmptyList | Shape::FullList | Shape::Object
    )
}

/// Whether a value of a shape is of a type; `None` if unknown.
fn is_of_type(class: &str, shape: Shape) -> Option<bool> {
    let names: &[&str] = match shape {
        Shape::Text(_) => &["string", "str"],
        Shape::Number | Shape::Count => &["number"],
        Shape::Truth(_) | Shape::Answer => &["boolean", "bool"],
        Shape::List | Shape::EmptyList | Shape::FullList => &["object", "list", "Array"],
        Shape::Object => &["object", "dict"],
        Shape::Function => &["function"],
        _ => return None,
    };
    let is_asked = |name: &str| names.contains(&name.trim_matches([' ', '(', ')', '"', '\'']));
    if class.split(',').any(is_asked) {
        return Some(true);
    }
    // `typeof` returns one text for each value.
    class.starts_with(['"', '\'']).then_some(false)
}

/// Whether a question about a name is answered by the value that it was given: the answer.
pub(super) fn answered(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> Option<bool> {
    let subject = question.subject;
    let number = names.names.known(subject)?;
    let scope = view.scope(place);
    if !is_name(subject) || !matches!(view.k(scope), Construct::Function | Construct::Lambda) {
        return None;
    }
    if question.about == Topic::In && is_put(view, names, question, place) {
        return Some(!question.negated);
    }
    if question.about == Topic::Empty && results::is_grown(view, names, question, place) {
        return Some(question.negated);
    }
    let Some(given) = given(view, subject, place) else {
        return of_rest(view, names, question, place);
    };
    let shape = shape(view, given.value)?;
    let answer = answer(view, question, (shape, given.value))?;
    let between = given.end..behind_loops(view, place, given.end);
    let change = match shape {
        // An `Option` may be taken from, and a list filled.
        Shape::FullList | Shape::Text(_) if question.about == Topic::Empty => Change::Removal,
        Shape::EmptyList if question.about == Topic::Empty => Change::Content,
        Shape::Some | Shape::Ok | Shape::Err => Change::Content,
        _ => Change::Value,
    };
    let gives_same = |node: u32| {
        let value = given_at(view, node);
        let shape = value.and_then(|value| Some((self::shape(view, value)?, value)));
        shape.and_then(|shape| self::answer(view, question, shape)) == Some(answer)
    };
    let is_known = is_kept(
        view,
        names,
        number,
        (&between, scope),
        (change, &gives_same),
    );
    (is_known && is_local(view, names, number, scope)).then_some(answer)
}

/// Whether a statement above a place has stored the key of a question in the collection: `m[k] =
/// v`.
fn is_put(view: &View<'_>, names: &Occurrences<'_>, question: &Question<'_>, place: u32) -> bool {
    let target = format!("{}[{}]", question.other, question.subject);
    // For a list, the question is about its values.
    let made = given(view, question.other, place).map(|given| view.text(given.value));
    let makers = ["{", "dict(", "defaultdict(", "OrderedDict("];
    let is_map = made.is_some_and(|made| makers.iter().any(|maker| made.starts_with(maker)));
    is_map
        && given(view, &target, place).is_some_and(|given| {
            let stays = |name: &str, change| {
                is_name(name) && is_unchanged(view, names, name, (given.end, place), change)
            };
            stays(question.subject, Change::Value) && stays(question.other, Change::Content)
        })
}

/// The answer of a variadic parameter, such as `*args`, to a question.
fn of_rest(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> Option<bool> {
    let (scope, number) = (view.scope(place), names.names.known(question.subject)?);
    let mut all = names.of_name(number)?;
    let parameter = all.find(|one| one.how == Use::Param && view.scope(one.node) == scope)?;
    let text = view.text(view.parent(parameter.node));
    let of_rest = (view.conventions.values?.of_rest)(text)?;
    let is = match question.about {
        Topic::Nothing => false,
        Topic::Type => (question.other == of_rest).then_some(true)?,
        _ => return None,
    };
    let since = parameter.node + 1;
    let is_same = is_unchanged(view, names, question.subject, (since, place), Change::Value);
    is_same.then_some(is != question.negated)
}

/// The value assigned to the name at a node, if the assignment has no other target.
fn given_at(view: &View<'_>, node: u32) -> Option<u32> {
    let list = view.parent(node);
    let is_list = view.tree.kind_name(list) == "expression_list" && view.only(list) == Some(node);
    let assign = if is_list { view.parent(list) } else { list };
    view.parts(assign)
        .nth(1)
        .filter(|_| view.k(assign) == Construct::Assign && view.parts(assign).count() == 2)
}

/// Whether code may jump back to a label.
fn has_goto(view: &View<'_>) -> bool {
    let values = view.conventions.values;
    values.is_some_and(|values| values.has_goto) && view.has_word("goto")
}

/// The node up to which code may run before a place is reached again, from a node above it.
pub(super) fn behind_loops(view: &View<'_>, place: u32, from: u32) -> u32 {
    let outer = |&node: &u32| Some(view.parent(node));
    let around = std::iter::successors(Some(place), outer);
    let around = around.take_while(|&node| node >= from && node != 0);
    if has_goto(view) {
        return view.end(view.scope(place));
    }
    let loops = around.filter(|&node| {
        matches!(
            view.k(node),
            Construct::For
                | Construct::While
                | Construct::Loop
                | Construct::Comprehension
                | Construct::Label
        )
    });
    loops.last().map_or(place, |outermost| view.end(outermost))
}
