//! Answers from loops: the collection has an item, a name is one of its keys, an item has a type.

use super::changes::{Change, is_kept, is_local, is_quiet, is_unchanged};
use super::questions::{Question, Topic, is_name};
use super::values::{answer, behind_loops};
use crate::occurrences::Occurrences;
use slope_syntax::Construct;
use slope_syntax::conventions::{LoopHead, Shape};
use slope_syntax::view::View;

/// Maximum depth of nesting that is examined.
const MAX_DEPTH: usize = 32;

/// Enclosing loop of a place over a collection, which shows that it is not empty, if that is the
/// question.
pub(super) fn answering(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> Option<u32> {
    if question.about == Topic::In {
        return loop_of_keys(view, names, question, place);
    }
    if let Some(node) = loop_of_item(view, names, question, place) {
        return Some(node);
    }
    let values = view.conventions.values?;
    let asks = match question.about {
        Topic::Empty => true,
        Topic::True => !values.objects_count,
        _ => false,
    };
    let number = names.names.known(question.subject)?;
    let scope = view.scope(place);
    if !asks || !is_name(question.subject) || !is_local(view, names, number, scope) {
        return None;
    }
    let found = loops_around(view, place)
        .into_iter()
        .find(|&(node, block)| {
            let between = block..behind_loops(view, place, node);
            goes_over(view, (node, block), question.subject)
                && !waits(view, (between.start, between.end))
                && is_kept(
                    view,
                    names,
                    number,
                    (&between, scope),
                    (Change::Content, &|_| false),
                )
        });
    found.map(|(node, _)| node)
}

/// The loop around a place that iterates over a collection's keys, if the question tests for the
/// key.
fn loop_of_keys(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> Option<u32> {
    let scope = view.scope(place);
    let is_same_key = |block: u32| {
        let since = (block, place);
        is_unchanged(view, names, question.subject, since, Change::Value)
    };
    // Any turn of the loop may change it.
    let is_same_collection = |node: u32, block: u32| {
        let between = block..view.end(node);
        if question.other.contains('.') {
            return is_quiet(view, &between);
        }
        names.names.known(question.other).is_some_and(|number| {
            is_local(view, names, number, scope)
                && is_kept(
                    view,
                    names,
                    number,
                    (&between, scope),
                    (Change::Content, &|_| false),
                )
        })
    };
    let found = loops_around(view, place)
        .into_iter()
        .find(|&(node, block)| {
            keys_of(view, (node, block), question).is_some_and(|over| {
                // A loop goes over a copy because its body changes the original.
                over == Over::Itself || is_quiet(view, &(block..place))
            }) && !waits(view, (block, view.end(node)))
                && is_same_key(block)
                && is_same_collection(node, block)
        });
    found.map(|(node, _)| node)
}

/// The collection of a loop.
#[derive(PartialEq, Eq)]
enum Over {
    Itself,
    Copy,
}

/// The head of a loop, if it goes over a collection.
fn head<'v>(view: &View<'v>, (node, block): (u32, u32)) -> Option<LoopHead<'v>> {
    let loops = &view.conventions.values?.loops;
    let (start, end) = (
        view.tree.node(node).start_byte,
        view.tree.node(block).start_byte,
    );
    let text = view.tree.text().get(start as usize..end as usize)?;
    let text = text.trim_end_matches([' ', '\n', ':', ')', '{']);
    let (word, (items, over)) = loops
        .words
        .iter()
        .find_map(|word| Some((*word, text.split_once(word)?)))?;
    let names = items.split(|c: char| !c.is_alphanumeric() && c != '_');
    let names = names.filter(|name| !name.is_empty() && !DECLARING.contains(name));
    let around = if loops.have_clause {
        view.child(node, Construct::ForIn)?
    } else {
        node
    };
    let mut values = view.parts(around).take_while(|&part| part < block);
    let value = values.by_ref().last()?;
    Some(LoopHead {
        callee: if view.k(value) == Construct::Call {
            view.text(value + 1)
        } else {
            ""
        },
        names: names.collect(),
        over: over.trim(),
        word,
    })
}

/// Shape of the loop items that a name gets, if the loop iterates over the result of a library
/// function.
fn item_of(view: &View<'_>, node_and_block: (u32, u32), name: &str) -> Option<Shape> {
    let head = head(view, node_and_block)?;
    let at = head.names.iter().position(|&one| one == name)?;
    (view.conventions.values?.loops.item)(&head, at)
}

/// Words of a header that are no names.
const DECLARING: &[&str] = &["async", "await", "const", "for", "let", "mut", "ref", "var"];

/// Whether the loop that assigns items to a name answers a question about them.
fn loop_of_item(
    view: &View<'_>,
    names: &Occurrences<'_>,
    question: &Question<'_>,
    place: u32,
) -> Option<u32> {
    loops_around(view, place)
        .into_iter()
        .find_map(|(node, block)| {
            let shape = item_of(view, (node, block), question.subject)?;
            let since = (block, place);
            answer(view, question, (shape, node))?;
            is_unchanged(view, names, question.subject, since, Change::Value).then_some(node)
        })
}

/// The loops with a place in their block, each with the block. The `else` of a Python loop runs
/// after it.
fn loops_around(view: &View<'_>, place: u32) -> Vec<(u32, u32)> {
    let scope = view.scope(place);
    let outer = |&node: &u32| Some(view.parent(node));
    let around = std::iter::successors(Some(place), outer);
    let around = around.take_while(|&node| node != scope && node != 0);
    let loops = around
        .take(MAX_DEPTH)
        .filter(|&node| view.k(node) == Construct::For);
    let blocks = loops.filter_map(|node| Some((node, view.child(node, Construct::Block)?)));
    blocks
        .filter(|&(_, block)| block < place && place < view.end(block))
        .collect()
}

/// Whether a loop assigns the keys of a collection to a name: `for k in m`, `for (const k of
/// Object.keys(m))`.
fn keys_of(view: &View<'_>, loop_and_block: (u32, u32), question: &Question<'_>) -> Option<Over> {
    let head = head(view, loop_and_block)?;
    let over = head.over;
    if head.names.first() != Some(&question.subject) {
        return None;
    }
    let (itself, copies) = (view.conventions.values?.loops.keys)(&head, question.other)?;
    let over = over.split_once(", ").map_or(over, |(over, _)| over);
    let is_one = |all: &[String]| all.iter().any(|one| one == over);
    match (is_one(&itself), is_one(&copies)) {
        (true, _) => Some(Over::Itself),
        (_, true) => Some(Over::Copy),
        _ => None,
    }
}

/// Whether other code runs between two nodes.
fn waits(view: &View<'_>, (start, end): (u32, u32)) -> bool {
    let mut kinds = [Construct::Await, Construct::Yield].into_iter();
    kinds.any(|kind| !view.kind_within(kind, start, end).is_empty())
}

/// Whether a loop iterates over the collection of this name without reassigning the name.
fn goes_over(view: &View<'_>, (node, block): (u32, u32), name: &str) -> bool {
    let (Some(values), Some(head)) = (view.conventions.values, head(view, (node, block))) else {
        return false;
    };
    !head.names.contains(&name) && (values.loops.goes_over)(&head, name)
}
