//! Changes of a condition's subject between two places of a function.

use std::ops::Range;

use super::values::behind_loops;
use slope_syntax::Construct;

use crate::locals::filled::ADDING;
use crate::occurrences::{Occurrences, Use};
use slope_syntax::view::View;

/// Kinds of changes that can alter the answer to a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Another value for one of its names, for example for `a == null`.
    Value,
    /// A change that may remove an item from a collection.
    Removal,
    /// A change of a name's content, for example for `len(a) == 0`.
    Content,
    /// Any other code that runs, for example for `a.b`.
    Anything,
}

/// Whether a name belongs to the function at this node: it is a parameter, or assigned there.
pub(super) fn is_local(view: &View<'_>, names: &Occurrences<'_>, name: u32, scope: u32) -> bool {
    let Some(all) = names.of_name(name) else {
        return false;
    };
    let mut all = all.filter(|one| view.scope(one.node) == scope);
    let is_shared = |node: u32| view.k(view.parent(node)) == Construct::Global;
    let mut local = false;
    all.all(|one| {
        // An assignment declares a name only in Python.
        let declares = matches!(one.how, Use::Store | Use::Bind | Use::Param);
        local |= declares || is_write(view, one.node, one.how) && !is_assigned(view, one.node);
        !is_shared(one.node)
    }) && local
}

/// Whether no code between two nodes, or in another function, can change a name, except in a way
/// that makes no difference.
pub(super) fn is_kept(
    view: &View<'_>,
    names: &Occurrences<'_>,
    name: u32,
    (between, scope): (&Range<u32>, u32),
    (change, is_same): (Change, &dyn Fn(u32) -> bool),
) -> bool {
    let waits = || {
        !view
            .kind_within(Construct::Await, between.start, between.end)
            .is_empty()
    };
    let is_of_content = change != Change::Value;
    if is_of_content && (lets_others_run(view, between) || has_other_name(view, names, name, scope))
    {
        return false;
    }
    let change = match change {
        Change::Content | Change::Removal if !waits() && is_constant(view, names, name, scope) => {
            Change::Value
        }
        change => change,
    };
    let within = scope..view.end(scope);
    let Some(all) = names.of_name(name) else {
        return false;
    };
    let mut all = all.filter(|one| within.contains(&one.node));
    !all.any(|one| {
        let writes = is_write(view, one.node, one.how)
            || is_given_to_macro(view, one.node) && !is_constant(view, names, name, scope);
        let is_changed = || match change {
            Change::Value => false,
            Change::Removal => !is_only_read(view, one.node) && !is_adding(view, one.node),
            _ => !is_only_read(view, one.node),
        };
        // An inner function may run at any time, and so may code that has the address.
        if view.scope(one.node) != scope || is_aliased(view, one.node) {
            return writes || is_aliased(view, one.node) || is_changed();
        }
        between.contains(&one.node) && (writes && !is_same(one.node) || !writes && is_changed())
    })
}

/// Whether a local stays unchanged from a node to a place, also in later iterations of loops.
pub(super) fn is_unchanged(
    view: &View<'_>,
    names: &Occurrences<'_>,
    name: &str,
    (since, place): (u32, u32),
    change: Change,
) -> bool {
    let scope = view.scope(place);
    let between = since..behind_loops(view, place, since);
    names.names.known(name).is_some_and(|number| {
        is_local(view, names, number, scope)
            && is_kept(view, names, number, (&between, scope), (change, &|_| false))
    })
}

/// Whether the object of a name gets another name, through which it may change.
fn has_other_name(view: &View<'_>, names: &Occurrences<'_>, name: u32, scope: u32) -> bool {
    let within = scope..view.end(scope);
    let mut all = names.of_name(name).into_iter().flatten();
    all.any(|one| {
        let parent = view.parent(one.node);
        let is_given = matches!(view.k(parent), Construct::Assign | Construct::Declarator)
            && view.parts(parent).last() == Some(one.node)
            && view.parts(parent).count() > 1;
        within.contains(&one.node) && is_given
    })
}

/// Whether the language marks mutable names, and this name of a function has no such mark.
fn is_constant(view: &View<'_>, names: &Occurrences<'_>, name: u32, scope: u32) -> bool {
    let values = view.conventions.values;
    let Some(all) = names.of_name(name) else {
        return false;
    };
    let all = all.filter(|one| view.scope(one.node) == scope);
    let mut declared = all.filter(|one| matches!(one.how, Use::Store | Use::Bind | Use::Param));
    let is_marked = |node: u32| {
        let declaration = view.parent(node);
        let head = view.text(declaration).split('=').next().unwrap_or_default();
        head.contains("mut ")
    };
    // A channel or a cell changes even if its name is not `mut`.
    let is_shared = |node: u32| {
        let declaration = view.parent(node);
        let kind = view
            .parts(declaration)
            .last()
            .map_or("", |kind| view.text(kind));
        let kind = kind.trim_start_matches(['&', ' ']);
        view.k(declaration) == Construct::Param
            && !PLAIN.iter().any(|start| kind.starts_with(start))
    };
    let is_unmarked = !declared.any(|one| is_marked(one.node) || is_shared(one.node));
    values.is_some_and(|values| values.marks_changes) && is_unmarked
}

/// Beginnings of Rust types that change only through their own name.
const PLAIN: &[&str] = &[
    "'",
    "[",
    "str",
    "String",
    "Vec<",
    "HashMap<",
    "BTreeMap<",
    "HashSet<",
    "BTreeSet<",
    "VecDeque<",
    "Option<",
    "Result<",
];

/// Whether no code between two nodes can change an object's fields.
pub(super) fn is_quiet(view: &View<'_>, between: &Range<u32>) -> bool {
    const ACTIONS: &[Construct] = &[
        Construct::Call,
        Construct::New,
        Construct::Await,
        Construct::Yield,
        Construct::With,
        Construct::Macro,
        Construct::Assign,
        Construct::AugAssign,
        Construct::Delete,
        Construct::For,
        Construct::While,
        Construct::Loop,
        Construct::Try,
    ];
    let of_kind = |&kind: &Construct| {
        !view
            .kind_within(kind, between.start, between.end)
            .is_empty()
    };
    !ACTIONS.iter().any(of_kind) && !has_steps(view, between)
}

/// Maximum number of nodes between two places that are examined.
const MAX_NODES: u32 = 2000;

/// Whether nodes increment a counter or wait for another thread. If there are too many nodes, the
/// answer is yes.
fn has_steps(view: &View<'_>, between: &Range<u32>) -> bool {
    const STEPS: &[&str] = &[
        "dec_statement",
        "inc_statement",
        "receive_statement",
        "send_statement",
        "update_expression",
    ];
    let is_step = |node: u32| {
        let is_receive = view.k(node) == Construct::UnaryOp && view.text(node).starts_with("<-");
        is_receive || STEPS.contains(&view.tree.kind_name(node))
    };
    between.end.saturating_sub(between.start) > MAX_NODES || between.clone().any(is_step)
}

/// Whether a generator yields a value, or code waits for another thread.
fn lets_others_run(view: &View<'_>, between: &Range<u32>) -> bool {
    let yields = || {
        !view
            .kind_within(Construct::Yield, between.start, between.end)
            .is_empty()
    };
    let has_threads = || {
        let values = view.conventions.values;
        values.is_some_and(|values| values.threads_change)
    };
    yields() || has_threads() && has_steps(view, between)
}

/// Whether an occurrence may assign its name.
fn is_write(view: &View<'_>, node: u32, how: Use) -> bool {
    let parent = view.parent(node);
    let is_step = || {
        let text = view.text(parent);
        ["++", "--"]
            .iter()
            .any(|sign| text.starts_with(sign) || text.ends_with(sign))
    };
    match how {
        Use::Store | Use::Bind | Use::Param | Use::Definition | Use::Import => true,
        Use::Member | Use::MemberCalled | Use::Keyword => false,
        _ => {
            is_assigned(view, node)
                || is_in_assigned_tuple(view, node)
                || matches!(view.k(parent), Construct::Catch | Construct::Delete)
                || view.k(parent) == Construct::Lambda && view.first(parent) == Some(node)
                || view.k(parent) == Construct::Other && is_step()
                || is_listed(view, parent)
                || in_pattern(view, node)
                || is_declared(view, node)
        }
    }
}

/// Whether a name is the target of an assignment.
fn is_assigned(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    matches!(view.k(parent), Construct::Assign | Construct::AugAssign)
        && view.first(parent) == Some(node)
}

/// Whether a name is in an assigned tuple, such as `(a, b) = (b, a)` of Rust.
fn is_in_assigned_tuple(view: &View<'_>, node: u32) -> bool {
    let mut part = node;
    // Limit on the depth of patterns.
    for _ in 0..8 {
        if !matches!(
            view.k(view.parent(part)),
            Construct::Tuple | Construct::List | Construct::Paren
        ) {
            break;
        }
        part = view.parent(part);
    }
    part != node && is_assigned(view, part)
}

/// Whether Go declares a name here with `var` or `const`.
fn is_declared(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    let kind = view.tree.kind_name(parent);
    matches!(kind, "var_spec" | "const_spec") && view.first(parent) == Some(node)
}

/// Rust macros that only read their arguments.
const READING_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "bail",
    "dbg",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "ensure",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "matches",
    "panic",
    "print",
    "println",
    "trace",
    "unreachable",
    "vec",
    "warn",
    "write",
    "writeln",
];

/// Whether a name is an argument of a Rust macro that may change it.
fn is_given_to_macro(view: &View<'_>, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node)).filter(|&node| node != 0);
    let mut around = std::iter::successors(outer(&node), outer);
    if view.k(view.parent(node)) != Construct::Tokens {
        return false;
    }
    let call = around.find(|&node| view.k(node) != Construct::Tokens);
    let name = call.map_or("", |call| {
        view.text(call).split('!').next().unwrap_or_default()
    });
    let name = name.rsplit("::").next().unwrap_or_default();
    !READING_MACROS.contains(&name)
}

/// Whether a list of names is the target of an assignment in Go.
fn is_listed(view: &View<'_>, list: u32) -> bool {
    let above = view.parent(list);
    view.tree.kind_name(list) == "expression_list"
        && view.k(above) != Construct::Return
        && view.first(above) == Some(list)
}

fn in_pattern(view: &View<'_>, node: u32) -> bool {
    let outer = |&node: &u32| Some(view.parent(node));
    let above = std::iter::successors(Some(view.parent(node)), outer);
    let mut above = above.take_while(|&node| node != 0).take(4);
    above.any(|node| view.tree.kind_name(node).ends_with("_pattern"))
}

/// Whether code elsewhere may change a variable through its address.
fn is_aliased(view: &View<'_>, node: u32) -> bool {
    let text = view.text(view.parent(node));
    let is_go = || view.k(view.parent(node)) == Construct::UnaryOp && text.starts_with('&');
    let previous = || view.tree.previous_sibling(node);
    let is_mutable = || previous().is_some_and(|before| view.text(before) == "mut");
    text.starts_with("&mut ")
        || is_go()
        || view.k(view.parent(node)) == Construct::Tokens && is_mutable()
}

/// Whether an occurrence only adds an item: `a.append(b)`.
fn is_adding(view: &View<'_>, node: u32) -> bool {
    let attribute = view.parent(node);
    let is_object =
        view.k(attribute) == Construct::Attribute && view.first(attribute) == Some(node);
    let method = view.parts(attribute).last().filter(|_| is_object);
    let call = view.parent(attribute);
    method.is_some_and(|method| ADDING.contains(&view.text(method)))
        && view.k(call) == Construct::Call
        && view.k(view.parent(call)) == Construct::ExprStmt
}

/// Whether an occurrence cannot change its name's content.
fn is_only_read(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    let is_length = || {
        let call = view.parent(parent);
        view.k(parent) == Construct::Arguments && view.text(call + 1) == "len"
    };
    let reads = [
        Construct::BinaryOp,
        Construct::BoolOp,
        Construct::Compare,
        Construct::ForIn,
        Construct::If,
        Construct::Interpolation,
        Construct::Not,
        Construct::Return,
    ];
    let is_item = || {
        let above = view.parent(parent);
        let is_changed = matches!(
            view.k(above),
            Construct::Assign | Construct::AugAssign | Construct::Delete
        ) && view.first(above) == Some(parent);
        view.k(parent) == Construct::Subscript && view.first(parent) == Some(node) && !is_changed
    };
    reads.contains(&view.k(parent)) || is_length() || is_item()
}
