//! Code that guards against what cannot happen, outside of what Python's own checks find: handlers
//! around what cannot raise, and tests of a value right after it was made.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::kind::K;
use crate::occurrences::Occurrences;
use crate::view::View;

mod known;

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
            .filter_map(|&branch| checked_at_once(view, &gatherer.names, branch));
        found.extend(checks.map(|(condition, name)| {
            let message = format!("`{name}` was given a value above, so this is known.");
            (Signal::ImpossibleCheck, condition, message)
        }));
    }
    found.extend(known::find(view, &gatherer.names));
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

/// Most statements between a value and a check of it.
const MAX_BETWEEN: usize = 12;

/// The condition of a branch that asks whether a value is there that a statement above has made, and
/// the value's name.
fn checked_at_once<'a>(
    view: &View<'a>,
    names: &Occurrences<'_>,
    branch: u32,
) -> Option<(u32, &'a str)> {
    let condition = bare(view, view.first(branch)?)?;
    let (asked, question) = asked_for(view, condition)?;
    let above = statements_above(view, branch);
    let declarator = above.iter().find_map(|&node| {
        let declarator = declarator(view, node)?;
        let name = declared(view, declarator)?;
        (view.text(name) == asked).then_some(declarator)
    })?;
    let (name, value) = (declared(view, declarator)?, view.parts(declarator).last()?);
    let is_known = match question {
        Question::IsThere => is_there(view, value),
        Question::IsEmpty => EMPTY.iter().any(|empty| view.text(value).ends_with(empty)),
        Question::IsA(class) => is_new(view, value, class),
    };
    // What is there stays there unless it is given another value; what is empty may be filled.
    let is_next = || above.first() == Some(&statement_of(view, declarator));
    let is_kept = match question {
        Question::IsEmpty => is_next(),
        _ => !is_assigned(view, names, name, (view.end(declarator), branch)),
    };
    (is_known && is_kept).then_some((condition, asked))
}

/// Whether a name may be given another value between two nodes.
fn is_assigned(
    view: &View<'_>,
    names: &Occurrences<'_>,
    name: u32,
    (first, end): (u32, u32),
) -> bool {
    let number = names.name_at(name);
    let occurrences = names.list.iter().filter(|one| one.name == number);
    let mut between = occurrences
        .map(|one| one.node)
        .filter(|&node| first <= node && node < end);
    between.any(|node| {
        let is_read = |kind: K| matches!(kind, K::Attribute | K::Arguments | K::Call);
        !is_read(view.k(view.parent(node)))
    })
}

/// An expression without brackets around it.
fn bare(view: &View<'_>, mut node: u32) -> Option<u32> {
    while view.k(node) == K::Paren {
        node = view.only(node)?;
    }
    Some(node)
}

/// The statement that a branch or declarator is.
fn statement_of(view: &View<'_>, node: u32) -> u32 {
    match view.k(view.parent(node)) {
        K::ExprStmt | K::Declaration => view.parent(node),
        _ => node,
    }
}

/// The statements above a branch in its block, the nearest first.
fn statements_above(view: &View<'_>, branch: u32) -> Vec<u32> {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    let above = view.tree.previous_sibling(statement_of(view, branch));
    std::iter::successors(above, previous)
        .filter(|&node| view.tree.node(node).named && view.k(node) != K::Comment)
        .take(MAX_BETWEEN)
        .collect()
}

/// What a statement declares, if it is one value.
fn declarator(view: &View<'_>, statement: u32) -> Option<u32> {
    wrapped(view, statement, (K::Declaration, K::Declarator))
}

/// The node of a kind that a statement is, or that a wrapper around it holds alone.
fn wrapped(view: &View<'_>, statement: u32, (wrapper, kind): (K, K)) -> Option<u32> {
    let inner = if view.k(statement) == wrapper {
        view.only(statement)
    } else {
        Some(statement)
    };
    inner.filter(|&node| view.k(node) == kind)
}

/// The name that a declarator declares.
fn declared(view: &View<'_>, declarator: u32) -> Option<u32> {
    let names = view.kind_within(K::Identifier, declarator, view.end(declarator));
    names.first().copied()
}

/// Whether a value is made by `new` of a class.
fn is_new(view: &View<'_>, value: u32, class: &str) -> bool {
    let made = view.text(value).strip_prefix("new ");
    let rest = made.and_then(|made| made.trim_start().strip_prefix(class));
    view.k(value) == K::New && rest.is_some_and(|rest| rest.starts_with(['(', '<']))
}

/// What a condition asks of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question<'a> {
    IsThere,
    IsEmpty,
    /// Whether it is of this class.
    IsA(&'a str),
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
fn asked_for<'a>(view: &View<'a>, condition: u32) -> Option<(&'a str, Question<'a>)> {
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
            let asked = view.only(condition).and_then(|only| bare(view, only));
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
    if matches!(sign, "||" | "&&") {
        let asked = asked_for(view, left)?;
        return (asked_for(view, right) == Some(asked)).then_some(asked);
    }
    if sign == "instanceof" && view.k(left) == K::Identifier {
        return Some((view.text(left), Question::IsA(view.text(right))));
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
