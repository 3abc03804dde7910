//! Answers that conditions around and above a place have given.

use super::changes::{Change, is_kept, is_local, is_quiet};
use super::nodes::{bare, wrapped};
use super::questions::{Junction, Part, Question, Topic, implied, junction};
use super::values::behind_loops;
use slope_syntax::Construct;

use crate::occurrences::Occurrences;
use slope_syntax::view::View;

/// A known part of a condition, and the node from which on it is known.
#[derive(Debug, Clone, Copy)]
struct Known {
    part: Part,
    since: u32,
}

/// Maximum depth of nesting, and number of branches of a chain, that are examined.
const MAX_DEPTH: usize = 32;

/// The part of an earlier condition that answers the question at a place; `None` if there is none.
pub(super) fn answering(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (question, change): (&Question<'_>, Change),
    place: u32,
) -> Option<u32> {
    let answers = |known: &Known| {
        let asked = Question::of(view, known.part.node);
        asked.is_some_and(|(asked, _)| question.is_answered_by(view, &asked, known.part.holds))
    };
    let stays = |known: &Known| is_steady(view, names, (question, change), (known, place));
    let known = known_at(view, place);
    let found = known.into_iter().filter(answers).find(stays)?;
    Some(found.part.node)
}

/// One of several earlier conditions that together answer how many items something has, if they do.
pub(super) fn answering_length(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (question, change): (&Question<'_>, Change),
    place: u32,
) -> Option<u32> {
    if !question.is_of_length() {
        return None;
    }
    let objects_count = view
        .conventions
        .values
        .is_none_or(|values| values.objects_count);
    let stays = |known: &Known| is_steady(view, names, (question, change), (known, place));
    let known: Vec<Known> = known_at(view, place).into_iter().filter(stays).collect();
    let asked = known.iter().filter_map(|known| {
        let (asked, _) = Question::of(view, known.part.node)?;
        let says_length = asked.is_of_length() || asked.about == Topic::True && !objects_count;
        says_length.then_some((asked, known.part))
    });
    let asked: Vec<(Question<'_>, Part)> = asked
        .filter(|(asked, _)| asked.subject == question.subject)
        .collect();
    let last = asked.first().map(|(_, part)| part.node)?;
    let asked: Vec<(Question<'_>, bool)> = asked
        .into_iter()
        .map(|(asked, part)| (asked, part.holds))
        .collect();
    question.is_answered_by_all(&asked).then_some(last)
}

/// The answer of an earlier condition to the question at a place.
pub(super) fn answer(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (question, change): (&Question<'_>, Change),
    place: u32,
) -> Option<bool> {
    let stays = |known: &Known| is_steady(view, names, (question, change), (known, place));
    known_at(view, place).into_iter().find_map(|known| {
        let (asked, _) = Question::of(view, known.part.node)?;
        let is_same = question.about == asked.about
            && question.subject == asked.subject
            && question.other == asked.other;
        let holds = known.part.holds != asked.negated;
        (is_same && stays(&known)).then_some(holds != question.negated)
    })
}

/// Whether the answer to a question cannot have changed since it was known.
fn is_steady(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (question, change): (&Question<'_>, Change),
    (known, place): (&Known, u32),
) -> bool {
    let scope = view.scope(place);
    let between = known.since..behind_loops(view, place, known.since);
    let texts = [question.subject, question.other];
    let words = texts.iter().flat_map(|text| text.split('.').take(1));
    let mut words = words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let is_own = |word: &str| matches!(word, "self" | "this");
    let is_type = |word: &str| word == question.other && change == Change::Value;
    let keeps = words.all(|word| {
        let Some(number) = names.names.known(word) else {
            return is_own(word) || is_type(word);
        };
        is_own(word)
            || is_type(word)
            || is_local(view, names, number, scope)
                && is_kept(view, names, number, (&between, scope), (change, &|_| false))
    });
    keeps && (change != Change::Anything || is_quiet(view, &between))
}

/// Answers of the conditions around and above a place, the nearest first.
fn known_at(view: &View<'_>, place: u32) -> Vec<Known> {
    let scope = view.scope(place);
    let outer = |&node: &u32| Some(view.parent(node));
    let around = std::iter::successors(Some(place), outer);
    let around = around.take_while(|&node| node != scope && node != 0);
    let mut known = Vec::new();
    for node in around.take(MAX_DEPTH) {
        from_junction(view, node, &mut known);
        from_branch(view, node, &mut known);
        from_guards(view, node, &mut known);
    }
    known
}

/// Answers known at the right side of a junction.
fn from_junction(view: &View<'_>, node: u32, known: &mut Vec<Known>) {
    let Some((how, left, right)) = junction(view, view.parent(node)) else {
        return;
    };
    if right == node {
        let parts = implied(view, left, how == Junction::And);
        let since = view.end(left);
        known.extend(parts.into_iter().map(|part| Known { part, since }));
    }
}

/// Answers known in a branch.
fn from_branch(view: &View<'_>, node: u32, known: &mut Vec<Known>) {
    let branch = view.parent(node);
    if !matches!(view.k(branch), Construct::If | Construct::Elif) {
        return;
    }
    let Some(condition) = condition(view, branch).filter(|&condition| condition < node) else {
        return;
    };
    let is_then = view.tree.parts(branch).find(|&part| part > condition) == Some(node);
    let parts = implied(view, condition, is_then);
    known.extend(parts.into_iter().map(|part| Known { part, since: node }));
    // Only one branch of a chain of `elif` runs. A chain may be very long.
    let before = |&node: &u32| view.tree.previous_sibling(node);
    let siblings = std::iter::successors(before(&node), before).take(MAX_DEPTH);
    for before in siblings.filter(|&child| view.k(child) == Construct::Elif && !is_then) {
        let condition = self::condition(view, before);
        let parts = condition.map_or(Vec::new(), |condition| implied(view, condition, false));
        known.extend(parts.into_iter().map(|part| Known { part, since: node }));
    }
}

/// Answers known after guards of the same block, which would have left it otherwise.
fn from_guards(view: &View<'_>, node: u32, known: &mut Vec<Known>) {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    let above = std::iter::successors(view.tree.previous_sibling(node), previous);
    let above =
        above.filter(|&node| view.tree.node(node).named && view.k(node) != Construct::Comment);
    let guards = above
        .take(super::nodes::MAX_BETWEEN)
        .filter_map(|statement| {
            let guard = wrapped(view, statement, (Construct::ExprStmt, Construct::If))?;
            leaves(view, guard).then_some(guard)
        });
    for guard in guards {
        // A declaration in the header is not the tested value.
        let Some(condition) = condition(view, guard).filter(|_| !has_header(view, guard)) else {
            continue;
        };
        let since = view.end(guard);
        let parts = implied(view, condition, false);
        known.extend(parts.into_iter().map(|part| Known { part, since }));
    }
}

/// The condition of a branch.
pub(super) fn condition(view: &View<'_>, branch: u32) -> Option<u32> {
    let block = view.child(branch, Construct::Block);
    let before = |&part: &u32| block.is_none_or(|block| part < block);
    let condition = match block {
        Some(_) => view.parts(branch).take_while(before).last(),
        None => view.first(branch),
    };
    bare(view, condition?)
}

/// Whether a branch declares something first.
fn has_header(view: &View<'_>, branch: u32) -> bool {
    let Some(block) = view.child(branch, Construct::Block) else {
        return false;
    };
    view.parts(branch).take_while(|&part| part < block).count() > 1
}

/// Calls that never return.
const ENDS: &[&str] = &[
    "anyhow::bail!",
    "bail!",
    "log.Fatal",
    "log.Fatalf",
    "os.Exit",
    "panic",
    "panic!",
    "process.exit",
    "std::process::exit",
    "sys.exit",
    "unimplemented!",
    "unreachable!",
];

/// Whether a branch without an `else` leaves its block at its end.
fn leaves(view: &View<'_>, branch: u32) -> bool {
    let block = view.child(branch, Construct::Block);
    let last = match block {
        Some(block) => view.parts(block).last(),
        None => view.parts(branch).nth(1),
    };
    let last = last.map(|last| match view.k(last) {
        Construct::ExprStmt => view.only(last).unwrap_or(last),
        _ => last,
    });
    let is_exit = last.is_some_and(|last| match view.k(last) {
        Construct::Return | Construct::Raise | Construct::Break | Construct::Continue => true,
        Construct::Call => ENDS.contains(&view.text(last + 1)),
        Construct::Macro => ENDS.contains(&view.text(last).split('(').next().unwrap_or_default()),
        _ => false,
    });
    let has_else = [Construct::Else, Construct::Elif]
        .into_iter()
        .any(|kind| view.child(branch, kind).is_some());
    let mut blocks = view
        .children(branch)
        .filter(|&part| view.k(part) == Construct::Block || view.k(part) == Construct::If);
    is_exit && !has_else && blocks.nth(1).is_none()
}
