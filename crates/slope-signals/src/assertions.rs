//! Assertions and conditions that are constant or compare an expression with itself.

use crate::catalogue::Signal;
use crate::gather::Gatherer;
use crate::words::words;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// Reports assertions that are always true, and conditions that compare an expression with itself.
pub(crate) fn find(gatherer: &mut Gatherer<'_>) {
    let view = &gatherer.view;
    let mut found: Vec<(Signal, u32)> = Vec::new();
    let of_kind = |kind: Construct| view.of_kind(kind).iter().copied();
    let asserts = of_kind(Construct::Assert).filter(|&node| {
        let condition = view.first(node);
        condition.is_some_and(|condition| {
            is_true(view, condition)
                || compares_itself(view, condition) && !is_about_equality(view, node)
        })
    });
    let calls = of_kind(Construct::Call).filter(|&call| is_idle_call(view, call));
    let macros = of_kind(Construct::Macro).filter(|&call| is_idle_macro(view.text(call)));
    let idle = asserts.chain(calls).chain(macros);
    found.extend(idle.map(|node| (Signal::AssertionCannotFail, node)));
    let branches = of_kind(Construct::If).chain(of_kind(Construct::Elif));
    let conditions = branches.filter_map(|branch| view.first(branch));
    let conditions = conditions.map(|condition| match view.k(condition) {
        Construct::Paren => view.only(condition).unwrap_or(condition),
        _ => condition,
    });
    let known = conditions.filter(|&condition| compares_itself(view, condition));
    found.extend(known.map(|condition| (Signal::ImpossibleCheck, condition)));
    for (signal, node) in found {
        let text = gatherer.view.text(node).lines().next().unwrap_or_default();
        let message = match signal {
            Signal::ImpossibleCheck => format!("`{text}` compares a thing with itself."),
            _ => format!("`{text}` cannot fail."),
        };
        gatherer.report(signal, node, message, text);
    }
}

/// Word beginnings in names of tests of equality with oneself.
const EQUALITY: &[&str] = &["eq", "hash", "compar", "ident", "same", "order", "reflex"];

/// Whether a test is about equality.
fn is_about_equality(view: &View<'_>, node: u32) -> bool {
    let mut name_words = words(view.callable(node));
    name_words.any(|word| EQUALITY.iter().any(|start| word.starts_with(start)))
}

/// Whether an expression is a constant that is true.
fn is_true(view: &View<'_>, node: u32) -> bool {
    match view.k(node) {
        Construct::True => view.text(node).eq_ignore_ascii_case("true"),
        Construct::Number => view.text(node) != "0",
        _ => false,
    }
}

/// Whether an expression compares a name or constant with itself. `x != x` is a test for NaN, so
/// only constants are checked there.
fn compares_itself(view: &View<'_>, node: u32) -> bool {
    if !matches!(view.k(node), Construct::Compare | Construct::BinaryOp) {
        return false;
    }
    let mut parts = view.parts(node);
    let (Some(left), Some(right), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let sign = view
        .tree
        .previous_sibling(right)
        .map_or("", |sign| view.text(sign));
    let asks_same = matches!(sign, "==" | "===" | "is");
    let asks_other = matches!(sign, "!=" | "!==")
        && (view.is_constant(left) || (view.conventions.tests.compare_at)(view, node));
    (asks_same || asks_other) && is_same(view, left, right)
}

/// Whether two expressions are the same name, path or constant.
fn is_same(view: &View<'_>, left: u32, right: u32) -> bool {
    let is_plain = match view.k(left) {
        Construct::Identifier => true,
        Construct::Attribute => {
            !view.has_below(left, Construct::Call) && !view.has_below(left, Construct::Subscript)
        }
        _ => view.is_constant(left),
    };
    is_plain && view.text(left) == view.text(right)
}

/// Names of functions that assert that a value is true, or that two are equal.
const HOLDS: &[&str] = &["assertTrue", "True", "ok", "assert"];
const EQUALS: &[&str] = &[
    "assertEqual",
    "assertEquals",
    "assertIs",
    "Equal",
    "EqualValues",
    "equal",
    "strictEqual",
    "deepEqual",
];
/// Names of checks on `expect(...)`.
const TO_EQUAL: &[&str] = &["toBe", "toEqual", "toStrictEqual"];
const TO_HOLD: &[&str] = &["toBeTruthy", "toBeDefined"];

/// Whether a call asserts something that is always true.
fn is_idle_call(view: &View<'_>, call: u32) -> bool {
    let Some(arguments) = view.child(call, Construct::Arguments) else {
        return false;
    };
    let callee = view.text(call).split('(').next().unwrap_or_default();
    let (holder, name) = callee.rsplit_once('.').unwrap_or(("", callee));
    let mut given = view.parts(arguments);
    let (first, second) = (given.next(), given.next());
    if let Some((subject, asked)) = expected(view, call) {
        return TO_HOLD.contains(&asked) && is_true(view, subject)
            || TO_EQUAL.contains(&asked)
                && first.is_some_and(|first| is_same(view, subject, first));
    }
    // Imported from the module `assert`. Other functions of that name have a result that is used.
    let is_bare = || holder.is_empty() && view.k(view.parent(call)) == Construct::ExprStmt;
    let is_assertion = matches!(holder, "self" | "assert" | "require")
        || callee == "assert"
        || EQUALS.contains(&name) && is_bare();
    // Go passes the test first.
    let is_go = matches!(holder, "assert" | "require") && name.starts_with(char::is_uppercase);
    let (first, second) = if is_go {
        (second, given.next())
    } else {
        (first, second)
    };
    let holds = || HOLDS.contains(&name) && first.is_some_and(|first| is_true(view, first));
    let equals = || {
        EQUALS.contains(&name)
            && first.zip(second).is_some_and(|(a, b)| is_same(view, a, b))
            && !is_about_equality(view, call)
    };
    is_assertion && (holds() || equals())
}

/// Subject and matcher of `expect(subject).matcher(...)`.
fn expected<'a>(view: &View<'a>, call: u32) -> Option<(u32, &'a str)> {
    let member = call + 1;
    let inner = view.first(member).filter(|&inner| {
        view.k(member) == Construct::Attribute && view.k(inner) == Construct::Call
    })?;
    if view.text(inner + 1) != "expect" {
        return None;
    }
    let subject = view.only(view.child(inner, Construct::Arguments)?)?;
    Some((
        subject,
        view.text(view.last_child(member, Construct::Member)?),
    ))
}

/// Whether a Rust macro asserts something that is always true. The syntax tree has no nodes for its
/// arguments, so their text is read.
fn is_idle_macro(text: &str) -> bool {
    let Some((name, given)) = text.split_once("!(") else {
        return false;
    };
    let is_plain = |part: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '*' | '&');
        !part.is_empty() && part.chars().all(is_part)
    };
    let given = given.trim_end_matches(')');
    let mut parts = given.split(',').map(str::trim);
    let (first, second) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    match name {
        "assert" | "debug_assert" => {
            let sides = first.split_once("==").map(|(a, b)| (a.trim(), b.trim()));
            first == "true" || sides.is_some_and(|(a, b)| is_plain(a) && a == b)
        }
        "assert_eq" | "debug_assert_eq" => is_plain(first) && first == second,
        _ => false,
    }
}
