//! Collections that begin empty, are filled, and are never read.

use slope_syntax::Construct;
use slope_syntax::view::View;

/// Methods that add one item.
pub(crate) const ADDING: &[&str] = &[
    "add",
    "append",
    "insert",
    "push",
    "push_back",
    "push_str",
    "unshift",
];

/// Other methods that only add items, possibly none.
const FILLING: &[&str] = &["Add", "addAll", "extend", "put", "set"];

/// Values of new collections: names of types, and literals for an empty one.
const EMPTY: &[&str] = &[
    "[]",
    "{}",
    "vec![]",
    "set()",
    "dict()",
    "list()",
    "Vec::new()",
    "String::new()",
    "HashMap::new()",
    "HashSet::new()",
    "BTreeMap::new()",
    "BTreeSet::new()",
    "VecDeque::new()",
];

/// Nodes that read a local, and nodes that write it.
pub(crate) type Uses<'a> = (&'a [u32], &'a [u32]);

/// Whether a local begins as an empty collection, and each of its uses only adds items or empties
/// it again.
pub(crate) fn is_only_filled(view: &View<'_>, local: u32, (reads, writes): Uses<'_>) -> bool {
    let holds = |begins: fn(&str) -> bool, fills: fn(&View<'_>, u32) -> bool| {
        let is_begun = |&write: &u32| value_of(view, write).is_some_and(begins);
        is_begun(&local)
            && reads.iter().all(|&read| fills(view, read))
            && writes
                .iter()
                .all(|&write| is_begun(&write) || fills(view, write))
    };
    !reads.is_empty() && (holds(is_empty, is_filling) || holds(is_count, is_counting))
}

/// Whether a value is the beginning of a count.
fn is_count(value: &str) -> bool {
    let inner = value
        .split_once('(')
        .map_or(value, |(_, inner)| inner.trim_end_matches(')'));
    matches!(inner, "0" | "1" | "0.0")
}

/// Whether a read of a number only increments it: `a += 1`, `a++`.
fn is_counting(view: &View<'_>, read: u32) -> bool {
    let mut node = read;
    for _ in 0..3 {
        let parent = view.parent(node);
        let kind = view.tree.kind_name(parent);
        let is_first = view.first(parent) == Some(node);
        let text = view.text(parent);
        let counts = ["update_expression", "inc_statement", "dec_statement"].contains(&kind)
            || ["+=", "-="].iter().any(|sign| text.contains(sign));
        let above = view.k(view.parent(parent));
        let is_statement = matches!(
            above,
            Construct::ExprStmt | Construct::Block | Construct::Statements
        ) || matches!(view.k(parent), Construct::ExprStmt);
        if is_first && counts && is_statement {
            return true;
        }
        if view.only(parent) != Some(node) {
            return false;
        }
        node = parent;
    }
    false
}

/// The value in a declaration or an assignment of a name; for Go's `var lines []string` the type.
fn value_of<'a>(view: &View<'a>, local: u32) -> Option<&'a str> {
    let outer = |&node: &u32| Some(view.parent(node));
    let above = std::iter::successors(Some(view.parent(local)), outer).take(3);
    let declares = |&node: &u32| {
        matches!(
            view.k(node),
            Construct::Declarator | Construct::Assign | Construct::Declaration
        )
    };
    let declaration = above.take_while(|&node| node != 0).find(declares)?;
    let text = view.text(declaration).trim_end_matches(';');
    let after = view.tree.node(local).end_byte - view.tree.node(declaration).start_byte;
    let rest = text.get(after as usize..).unwrap_or_default();
    let value = rest.split_once('=').map_or(rest, |(_, value)| value);
    Some(value.trim())
}

fn is_empty(value: &str) -> bool {
    let is_new = value.starts_with("new ") && value.ends_with("()");
    let is_literal_of_go =
        (value.starts_with("[]") || value.starts_with("map[")) && value.ends_with("{}");
    let is_made = value.starts_with("make(");
    // `var lines []string`
    let is_type_of_go = ["[]", "map["].iter().any(|start| {
        let rest = value.strip_prefix(start);
        rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['(', '{', ' ']))
    });
    EMPTY.contains(&value) || is_new || is_literal_of_go || is_made || is_type_of_go
}

fn fills(method: &str) -> bool {
    ADDING.contains(&method) || FILLING.contains(&method)
}

/// Whether a read of a collection only adds items: `a.push(b);`, `a = append(a, b)`, `a[b] = c`.
fn is_filling(view: &View<'_>, read: u32) -> bool {
    let parent = view.parent(read);
    let is_first = view.first(parent) == Some(read);
    match view.k(parent) {
        Construct::Attribute if is_first => {
            let call = view.parent(parent);
            let method = view.parts(parent).last();
            let fills = method.is_some_and(|method| fills(view.text(method)));
            fills && view.k(call) == Construct::Call && is_statement(view, call)
        }
        // Java has object, method and arguments in one node.
        Construct::Call if is_first => {
            let method = view.parts(parent).nth(1);
            let fills = method.is_some_and(|method| fills(view.text(method)));
            fills && is_statement(view, parent)
        }
        Construct::Subscript if is_first => {
            let assign = view.parent(parent);
            let is_target =
                view.first(assign) == Some(parent) || is_list_of_one(view, assign, parent);
            is_target && is_assigned(view, assign)
        }
        Construct::Arguments if is_first => appends_to_itself(view, parent, view.text(read)),
        _ => is_list_of_one(view, parent, read) && is_assigned_to_itself(view, parent, read),
    }
}

/// Whether a node is a list with one name as the target of a Go assignment.
fn is_list_of_one(view: &View<'_>, list: u32, only: u32) -> bool {
    view.only(list) == Some(only) && view.first(view.parent(list)) == Some(list)
}

/// `a = append(a, b)` and `a = nil`, at its first `a`.
fn is_assigned_to_itself(view: &View<'_>, target: u32, name: u32) -> bool {
    let appends = format!("append({},", view.text(name));
    let value = value_of(view, name);
    is_assigned(view, target)
        && value
            .is_some_and(|value| value == "nil" || is_empty(value) || value.starts_with(&appends))
}

fn is_assigned(view: &View<'_>, target: u32) -> bool {
    let assign = match view.k(target) {
        Construct::Assign => target,
        _ => view.parent(target),
    };
    view.k(assign) == Construct::Assign && view.children(assign).any(|sign| view.text(sign) == "=")
}

/// `a = append(a, b)`.
fn appends_to_itself(view: &View<'_>, arguments: u32, name: &str) -> bool {
    let call = view.parent(arguments);
    let outer = |&node: &u32| Some(view.parent(node));
    let mut above = std::iter::successors(Some(view.parent(call)), outer).take(2);
    let is_append = view.text(call).starts_with("append(");
    is_append
        && above.any(|node| {
            let target = view
                .text(node)
                .split_once('=')
                .map(|(target, _)| target.trim());
            view.k(node) == Construct::Assign && target == Some(name)
        })
}

fn is_statement(view: &View<'_>, call: u32) -> bool {
    view.k(view.parent(call)) == Construct::ExprStmt
}
