//! Habits of JavaScript and TypeScript code.

use super::counter::{Counter, operator};
use crate::facts::Habit;
use slope_syntax::Construct;
use slope_syntax::view::View;

const TEMPLATES: &str = "are template literals";

/// Counts declarations, comparisons, texts, promises and private members.
pub(super) fn count(view: &View<'_>, counter: &mut Counter) {
    for &node in view.of_kind(Construct::Declaration) {
        count_declaration(view, node, counter);
    }
    for &node in view.of_kind(Construct::BinaryOp) {
        match operator(view, node) {
            "===" | "!==" => counter.usual(Habit::Comparisons, "use `===` or `!==`", 1),
            "==" | "!=" if !compares_with_nothing(view, node) => {
                counter.quote(view, Habit::Comparisons, "use `==` or `!=`", node);
            }
            "+" if joins_texts(view, node) => {
                counter.quote(view, Habit::Texts, "are joined with `+`", node);
            }
            _ => {}
        }
    }
    let strings = view.of_kind(Construct::String).iter();
    let templates = strings.filter(|&&string| view.has_below(string, Construct::Interpolation));
    counter.usual(Habit::Texts, TEMPLATES, templates.count());
    counter.usual(
        Habit::Promises,
        "are awaited",
        view.of_kind(Construct::Await).len(),
    );
    for &call in view.of_kind(Construct::Call) {
        count_call(view, call, counter);
    }
    super::count_quotes(view, counter);
    for &node in view.of_kind(Construct::For) {
        let head = view.text(node).lines().next().unwrap_or_default();
        let is_over_items = view.tree.kind_name(node) == "for_in_statement";
        if is_over_items && head.contains(" of ") {
            counter.quote(view, Habit::Loops, "use `for ... of`", node);
        }
    }
    for &class in view.of_kind(Construct::Class) {
        count_members(view, class, counter);
    }
}

/// Counts a loop over items, or a wait for a promise.
fn count_call(view: &View<'_>, call: u32, counter: &mut Counter) {
    if view.k(call + 1) == Construct::Attribute && view.text(call + 1).ends_with(".forEach") {
        counter.quote(view, Habit::Loops, "use `forEach`", call);
    } else if is_called_back(view, call) {
        counter.quote(view, Habit::Promises, "go to a callback", call);
    } else if is_chained(view, call) {
        counter.quote(view, Habit::Promises, "are chained with `then`", call);
    }
}

fn count_declaration(view: &View<'_>, node: u32, counter: &mut Counter) {
    let text = view.text(node);
    // An ambient declaration repeats foreign code.
    let outer = |&node: &u32| Some(view.parent(node)).filter(|&outer| outer != node);
    let mut above = std::iter::successors(Some(node), outer);
    let is_ambient = above.any(|node| view.tree.kind_name(node) == "ambient_declaration");
    if text.starts_with("var ") && !is_ambient {
        counter.quote(view, Habit::Variables, "use `var`", node);
    } else if text.starts_with("let ") || text.starts_with("const ") {
        counter.usual(Habit::Variables, "use `const` or `let`", 1);
    }
}

/// Whether a comparison is one with `null` or `undefined`, which `==` treats as equal.
fn compares_with_nothing(view: &View<'_>, node: u32) -> bool {
    view.parts(node).any(|side| view.k(side) == Construct::Null)
}

/// Whether an expression is a complete concatenation of at least two texts and a value.
fn joins_texts(view: &View<'_>, node: u32) -> bool {
    let above = view.parent(node);
    if view.k(above) == Construct::BinaryOp && operator(view, above) == "+" {
        return false;
    }
    let (mut texts, mut values) = (0, 0);
    let mut rest = vec![node];
    while let Some(next) = rest.pop() {
        match view.k(next) {
            Construct::BinaryOp if operator(view, next) == "+" => rest.extend(view.parts(next)),
            Construct::String if view.has_below(next, Construct::Interpolation) => return false,
            Construct::String => texts += 1,
            Construct::Identifier | Construct::Attribute => values += 1,
            _ => return false,
        }
    }
    texts >= 2 && values >= 1
}

/// Whether a call chains on a promise in a function that could wait for it.
fn is_chained(view: &View<'_>, call: u32) -> bool {
    let callee = call + 1;
    let is_then = view.k(callee) == Construct::Attribute && view.text(callee).ends_with(".then");
    let is_waited_for = view.k(view.parent(call)) == Construct::Await;
    is_then && !is_waited_for && view.text(view.scope(call)).starts_with("async")
}

/// Whether a call passes an error or its absence to a callback, as its first argument.
fn is_called_back(view: &View<'_>, call: u32) -> bool {
    let is_callback = matches!(view.text(call + 1), "callback" | "cb" | "done");
    let first = view
        .child(call, Construct::Arguments)
        .and_then(|list| view.first(list));
    let is_error = |first: u32| {
        view.k(first) == Construct::Null || matches!(view.text(first), "err" | "error")
    };
    is_callback && first.is_some_and(is_error)
}

fn count_members(view: &View<'_>, class: u32, counter: &mut Counter) {
    let bodies = view
        .children(class)
        .filter(|&child| view.tree.kind_name(child) == "class_body");
    for member in bodies.flat_map(|body| view.parts(body)) {
        let head = view
            .text(member)
            .split(['(', '=', ':', ';', '{'])
            .next()
            .unwrap_or_default();
        let head = head.trim();
        // TypeScript has no private constructor but by the keyword.
        if head.contains('#') {
            counter.odd(Habit::Privacy, "begin with `#`", (member, head));
        } else if head.split_whitespace().any(|word| word == "private")
            && !head.contains("constructor")
        {
            counter.odd(Habit::Privacy, "are marked `private`", (member, head));
        }
    }
}
