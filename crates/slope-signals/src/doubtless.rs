//! Code that guards against what cannot happen, outside of what Python's own checks find: handlers
//! around what cannot raise, and tests of a value right after it was made.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::occurrences::Occurrences;
use crate::view::View;

/// Reports handlers without a cause, and checks right after their value.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let is_script = matches!(
        view.tree.language().id(),
        "python" | "javascript" | "typescript" | "tsx"
    );
    let tries = view.of_kind(K::Try).iter().copied();
    let tries = tries.filter(|&node| is_script && cannot_raise(view, &gatherer.names, node));
    let mut found: Vec<(Signal, u32, String)> = tries
        .map(|node| {
            (
                Signal::NeedlessTry,
                node,
                "Nothing in this `try` can raise.".to_owned(),
            )
        })
        .collect();
    if view.tree.language().id() != "python" {
        let checks = view
            .of_kind(K::If)
            .iter()
            .filter_map(|&branch| checked_at_once(view, branch));
        found.extend(checks.map(|(condition, name)| {
            let message = format!("`{name}` was given a value right above, so this is known.");
            (Signal::ImpossibleCheck, condition, message)
        }));
    }
    for (signal, node, message) in found {
        let view = &gatherer.view;
        let first_line = view.text(node).lines().next().unwrap_or_default();
        gatherer.report_line(signal, node, message, first_line);
    }
}

/// What may raise, or do something that is not seen.
const RISKY: &[K] = &[
    K::Call,
    K::New,
    K::Attribute,
    K::Subscript,
    K::Await,
    K::Yield,
    K::Splat,
    K::Comprehension,
    K::Interpolation,
    K::PatternList,
    K::Tuple,
    K::Delete,
    K::Raise,
    K::Assert,
    K::AugAssign,
    K::For,
    K::While,
    K::If,
    K::With,
    K::Try,
    K::Function,
    K::Lambda,
    K::Class,
    K::Import,
    K::ImportFrom,
    K::Comment,
    K::BinaryOp,
    K::Compare,
    K::UnaryOp,
    K::BoolOp,
    K::Not,
    K::Walrus,
    K::Switch,
];

/// Whether all that a `try` does is to give locals and constants to names, or back.
fn cannot_raise(view: &View<'_>, names: &Occurrences<'_>, node: u32) -> bool {
    let Some((function, block)) = view.function(node).zip(view.child(node, K::Block)) else {
        return false;
    };
    let (first, end) = (block + 1, view.end(block));
    let within = |kind: K| !view.kind_within(kind, first, end).is_empty();
    let is_local = |&name: &u32| {
        let number = names.name_at(name);
        let is_parameter = || {
            let list = view.child(function, K::Parameters);
            list.is_some_and(|list| names.occurs_as_parameter(number, list, view.end(list)))
        };
        names.written(number, function, view.end(function)) || is_parameter()
    };
    let statements = view.parts(block).count();
    let simple = |statement: u32| {
        let kind = match view.k(statement) {
            K::ExprStmt => view.only(statement).map_or(K::Other, |only| view.k(only)),
            other => other,
        };
        matches!(kind, K::Assign | K::Declaration | K::Return | K::Pass)
    };
    statements > 0
        && view.parts(block).all(simple)
        && !RISKY.iter().any(|&kind| within(kind))
        && view
            .kind_within(K::Identifier, first, end)
            .iter()
            .all(is_local)
}

/// The condition of a branch that asks whether a value is there that the statement above has made,
/// and the value's name.
fn checked_at_once<'a>(view: &View<'a>, branch: u32) -> Option<(u32, &'a str)> {
    let mut condition = view.first(branch)?;
    while view.k(condition) == K::Paren {
        condition = view.only(condition)?;
    }
    let (asked, question) = asked_for(view, condition)?;
    let statement = match view.k(view.parent(branch)) {
        K::ExprStmt => view.parent(branch),
        _ => branch,
    };
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    let mut before = std::iter::successors(view.tree.previous_sibling(statement), previous);
    let before = before.find(|&node| view.tree.node(node).named && view.k(node) != K::Comment)?;
    let declarator = match view.k(before) {
        K::Declarator => before,
        K::Declaration => view
            .only(before)
            .filter(|&only| view.k(only) == K::Declarator)?,
        _ => return None,
    };
    let name = view
        .kind_within(K::Identifier, declarator, view.end(declarator))
        .first()?;
    let value = view.parts(declarator).last()?;
    let is_known = match question {
        Question::IsThere => is_there(view, value),
        Question::IsEmpty => EMPTY.iter().any(|empty| view.text(value).ends_with(empty)),
    };
    (view.text(*name) == asked && is_known).then_some((condition, asked))
}

/// What a condition asks of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    IsThere,
    IsEmpty,
}

/// Ends of expressions of Rust that are empty.
const EMPTY: &[&str] = &[
    "Vec::new()",
    "String::new()",
    "vec![]",
    "Map::new()",
    "Set::new()",
];

/// The name that a condition asks about, and what it asks. Of several questions all have to be the same.
fn asked_for<'a>(view: &View<'a>, condition: u32) -> Option<(&'a str, Question)> {
    let text = view.text(condition);
    match view.k(condition) {
        K::Call => {
            let there = text
                .strip_suffix(".is_none()")
                .or(text.strip_suffix(".is_some()"));
            let empty = || Some((text.strip_suffix(".is_empty()")?, Question::IsEmpty));
            return there.map(|name| (name, Question::IsThere)).or_else(empty);
        }
        K::Not | K::UnaryOp => {
            let asked = view.only(condition).filter(|&only| view.k(only) == K::Call);
            return asked.and_then(|only| asked_for(view, only));
        }
        _ => {}
    }
    let mut parts = view.parts(condition);
    let (left, right) = (parts.next()?, parts.next()?);
    let sign = view
        .tree
        .previous_sibling(right)
        .map_or("", |sign| view.text(sign));
    if sign == "||" {
        let asked = asked_for(view, left)?;
        return (asked_for(view, right) == Some(asked)).then_some(asked);
    }
    let is_nothing = view.k(right) == K::Null || view.text(right) == "undefined";
    let compares = matches!(sign, "==" | "===" | "!=" | "!==");
    (is_nothing && compares && view.k(left) == K::Identifier)
        .then(|| (view.text(left), Question::IsThere))
}

/// Whether an expression is never nothing.
fn is_there(view: &View<'_>, value: u32) -> bool {
    let text = view.text(value);
    match (view.tree.language().id(), view.k(value)) {
        ("rust", _) => view.k(value) == K::Call && text.starts_with("Some("),
        // Go puts what is declared into a list.
        ("go", K::Other) => view.only(value).is_some_and(|only| is_there(view, only)),
        ("go", K::Dict) => true,
        ("go", K::UnaryOp) => text.starts_with('&'),
        ("go", K::Call) => text.starts_with("make(") || text.starts_with("new("),
        ("javascript" | "typescript" | "tsx", kind) => matches!(
            kind,
            K::String | K::Number | K::List | K::Dict | K::New | K::Lambda | K::True | K::False
        ),
        _ => false,
    }
}
