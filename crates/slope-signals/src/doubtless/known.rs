//! Redundant conditions: a length below 0, a check of a new value, and a question that another
//! condition has answered.

use super::changes::Change;
use super::comparisons::{compared_with_zero, conditions, sides};
use super::nodes::bare;
use super::number_types::NumberTypes;
use super::questions::{Question, Topic, asked, is_name, junction};
use super::results::Results;
use super::{guards, loops, ranges, values};
use crate::catalogue::Signal;
use crate::occurrences::Occurrences;
use slope_syntax::Construct;
use slope_syntax::conventions::Shape;
use slope_syntax::view::View;

/// A node with a known answer, and the message.
type Found = (u32, String);

/// The conditions of a file with a known answer: signal, node and message.
pub(super) fn find(view: &View<'_>, names: &Occurrences<'_>) -> Vec<(Signal, u32, String)> {
    let comparisons = [Construct::Compare, Construct::BinaryOp].map(|kind| view.of_kind(kind));
    let comparisons = || comparisons.into_iter().flatten().copied();
    let lengths = comparisons().filter(|&node| is_of_length(view, node));
    let mut found: Vec<Found> = lengths
        .map(|node| (node, "A length is never below 0.".to_owned()))
        .collect();
    if view.conventions.values.is_some() {
        let types = NumberTypes::of(view, names);
        let unsigned = comparisons().filter(|&node| types.is_compared(view, node));
        let message = || "An unsigned number is never below 0.".to_owned();
        found.extend(unsigned.map(|node| (node, message())));
        let beyond = comparisons().filter(|&node| is_beyond_limits(view, node));
        let message = || "No number of this type is beyond its limit.".to_owned();
        found.extend(beyond.map(|node| (node, message())));
        let constants = conditions(view)
            .into_iter()
            .filter_map(|condition| constant(view, condition));
        found.extend(constants);
        found.extend(ranges::find(view, names, &types));
        found.extend(questions(view, names));
        found.extend(defaults(view, names));
        found.extend(arms(view, names));
    }
    found
        .into_iter()
        .map(|(node, message)| (Signal::ImpossibleCheck, node, message))
        .collect()
}

/// Redundant questions in conditions, and on the left of `and` and `or` elsewhere.
fn questions(view: &View<'_>, names: &Occurrences<'_>) -> Vec<Found> {
    let mut parts: Vec<u32> = Vec::new();
    for condition in conditions(view) {
        parts.extend(asked(view, condition));
    }
    for kind in [Construct::BoolOp, Construct::BinaryOp] {
        let junctions = view.of_kind(kind).iter();
        let left = junctions.filter_map(|&node| junction(view, node).map(|(_, left, _)| left));
        for left in left {
            parts.extend(asked(view, left));
        }
    }
    parts.sort_unstable();
    parts.dedup();
    let results = Results::of(view);
    let found = parts.into_iter().filter_map(|part| {
        let (question, change) = Question::of(view, part)?;
        known(view, names, (&question, change), part).or_else(|| {
            results.answers(view, names, &question, part)?;
            Some((part, known_message(&question)))
        })
    });
    found.collect()
}

/// The finding for a question at a node that is already answered; `None` if it is open.
fn known(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (question, change): (&Question<'_>, Change),
    node: u32,
) -> Option<Found> {
    let earlier = guards::answering(view, names, (question, change), node)
        .or_else(|| guards::answering_length(view, names, (question, change), node))
        .or_else(|| loops::answering(view, names, question, node));
    if let Some(earlier) = earlier {
        let line = view.place(earlier).span.start_line;
        let text = view.text(earlier).lines().next().unwrap_or_default();
        // A loop may be on one line.
        let text = text.split(" {").next().unwrap_or_default();
        let text = text.trim_end_matches([' ', ':', '{']);
        let message = format!("`{text}` in line {line} has answered this already.");
        return Some((node, message));
    }
    values::answered(view, names, question, node)?;
    Some((node, known_message(question)))
}

fn known_message(question: &Question<'_>) -> String {
    let name = question.subject;
    format!("The value of `{name}` is known here.")
}

/// A part of a condition that is `true` or `false` itself, and decides it.
fn constant(view: &View<'_>, condition: u32) -> Option<Found> {
    let (_, left, right) = junction(view, condition)?;
    let is_constant = |&node: &u32| {
        let node = bare(view, node).unwrap_or(node);
        matches!(view.text(node), "true" | "false" | "True" | "False")
    };
    let constant = [left, right].into_iter().find(is_constant)?;
    let message = format!(
        "`{}` decides the condition, or adds nothing.",
        view.text(constant)
    );
    Some((condition, message))
}

/// Defaults for values that exist: `a ?? b`, `a?.b`, `Some(a).unwrap_or(b)`.
fn defaults(view: &View<'_>, names: &Occurrences<'_>) -> Vec<Found> {
    let is_there = |node: u32| {
        let name = view.text(node);
        if !is_name(name) {
            let shape = values::shape(view, node);
            return shape.is_some_and(|shape| shape != Shape::Nothing);
        }
        let question = Question::new(Topic::Nothing, name, false);
        values::answered(view, names, &question, node) == Some(false)
    };
    let asks = |node: u32| {
        let left = view.first(node)?;
        let sign = view.tree.next_sibling(left);
        let is_default = sign.is_some_and(|sign| matches!(view.text(sign), "??" | "?."));
        let is_unwrapped = || {
            let callee = view.text(left);
            let held = view.first(left);
            let unwraps = ["unwrap_or", "unwrap_or_default", "unwrap_or_else"];
            let end = callee.rsplit('.').next().unwrap_or_default();
            held.filter(|_| view.k(node) == Construct::Call && unwraps.contains(&end))
        };
        let asked = if is_default {
            Some(left)
        } else {
            is_unwrapped()
        };
        asked.filter(|&asked| is_there(asked))
    };
    let kinds =
        [Construct::BinaryOp, Construct::Attribute, Construct::Call].map(|kind| view.of_kind(kind));
    let nodes = kinds.into_iter().flatten().copied();
    let found = nodes.filter_map(|node| {
        let text = view.text(asks(node)?).lines().next().unwrap_or_default();
        let message = format!("`{text}` is always there, so this changes nothing.");
        Some((node, message))
    });
    found.collect()
}

/// Unreachable arms of a Rust `match`.
fn arms(view: &View<'_>, names: &Occurrences<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for &choice in view.of_kind(Construct::Switch) {
        let Some(subject) = view.first(choice).map(|subject| view.text(subject)) else {
            continue;
        };
        let (first, end) = (choice + 1, view.end(choice));
        for &arm in view.kind_within(Construct::Case, first, end) {
            let Some((about, wanted)) = pattern(view.text(arm)) else {
                continue;
            };
            let question = Question::new(about, subject, false);
            let is_known =
                is_name(subject) && is_impossible(view, names, (&question, wanted), choice);
            if is_known {
                let message = format!("`{subject}` is known here, so that nothing gets to this.");
                found.push((arm, message));
            }
        }
    }
    found
}

/// Question of an arm's pattern about an `Option` or `Result`, and the answer that selects the arm.
fn pattern(arm: &str) -> Option<(Topic, bool)> {
    let head = arm.split([' ', '(', '\n']).next()?;
    match head {
        "None" => Some((Topic::Nothing, true)),
        "Some" => Some((Topic::Nothing, false)),
        "Ok" => Some((Topic::Error, false)),
        "Err" => Some((Topic::Error, true)),
        _ => None,
    }
}

/// Whether the known answer to a question differs from the wanted one.
fn is_impossible(
    view: &View<'_>,
    names: &Occurrences<'_>,
    (question, wanted): (&Question<'_>, bool),
    place: u32,
) -> bool {
    if let Some(answer) = values::answered(view, names, question, place) {
        return answer != wanted;
    }
    let earlier = guards::answer(view, names, (question, Change::Value), place);
    earlier.is_some_and(|answer| answer != wanted)
}

/// Whether a comparison tests if a length is below 0, or if it is not.
fn is_of_length(view: &View<'_>, node: u32) -> bool {
    let Some(left) = compared_with_zero(view, node) else {
        return false;
    };
    let values = view.conventions.values;
    values.is_some_and(|values| (values.is_length)(view, left))
}

/// Whether a comparison tests if a number is beyond the limit of its type: `a > u64::MAX`.
fn is_beyond_limits(view: &View<'_>, node: u32) -> bool {
    let Some((_, sign, right)) = sides(view, node) else {
        return false;
    };
    let is_limit = |end: &str| {
        let kind = view.text(right).strip_suffix(end);
        kind.is_some_and(|kind| kind.len() < 6 && kind.starts_with(['u', 'i']))
    };
    let values = view.conventions.values;
    values.is_some_and(|values| values.numbers.have_named_limits)
        && (sign == ">" && is_limit("::MAX") || sign == "<" && is_limit("::MIN"))
}
