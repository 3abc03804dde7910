//! Roles of names in Python code.

use crate::occurrences::Use;
use slope_syntax::Construct;
use slope_syntax::view::View;

/// The role of a name node.
pub(crate) fn classify(view: &View<'_>, node: u32) -> Use {
    let parent = view.parent(node);
    let is_first = || view.first(parent) == Some(node);
    match view.k(parent) {
        Construct::Attribute => {
            if is_first() && node == parent + 1 {
                Use::Load
            } else if is_callee(view, parent) {
                Use::MemberCalled
            } else {
                Use::Member
            }
        }
        Construct::Call => {
            if node == parent + 1 {
                Use::Called
            } else {
                Use::Load
            }
        }
        Construct::KeywordArg if is_first() => Use::Keyword,
        Construct::Parameters => Use::Param,
        Construct::Param if is_first() => Use::Param,
        Construct::ParamSplat => splat(view, parent),
        Construct::Function | Construct::Class if view.name_of(parent) == Some(node) => {
            Use::Definition
        }
        Construct::DottedName => dotted(view, parent, node),
        Construct::Alias => Use::Import,
        Construct::Assign if node == parent + 1 => Use::Store,
        Construct::PatternList | Construct::AsTarget => pattern(view, node),
        _ if is_bound(view, parent, node) => Use::Bind,
        _ => Use::Load,
    }
}

/// Whether a name is assigned by `:=`, by unpacking, or by a loop.
fn is_bound(view: &View<'_>, parent: u32, node: u32) -> bool {
    match view.k(parent) {
        Construct::Walrus => view.first(parent) == Some(node),
        Construct::Tuple | Construct::List | Construct::Paren => is_taken_apart(view, parent),
        Construct::For | Construct::ForIn => is_left_of_in(view, parent, node),
        _ => false,
    }
}

/// Whether a node is the callee of a call.
pub(crate) fn is_callee(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    view.k(parent) == Construct::Call && node == parent + 1
}

/// `*rest` is a parameter in a list of parameters, and a target elsewhere.
fn splat(view: &View<'_>, splat: u32) -> Use {
    match view.k(view.parent(splat)) {
        Construct::Parameters | Construct::Param => Use::Param,
        _ => Use::Bind,
    }
}

fn dotted(view: &View<'_>, dotted: u32, node: u32) -> Use {
    let imports = |k| {
        matches!(
            k,
            Construct::Import | Construct::ImportFrom | Construct::ImportFuture | Construct::Alias
        )
    };
    let above = view.parent(dotted);
    if imports(view.k(above)) || imports(view.k(view.parent(above))) {
        Use::Import
    } else if view.first(dotted) == Some(node) {
        Use::Load
    } else {
        Use::Member
    }
}

/// Targets of unpacking. Elsewhere such a list (for example an index of a tuple) is a read.
fn pattern(view: &View<'_>, node: u32) -> Use {
    let mut list = view.parent(node);
    let mut child = node;
    // People do not nest patterns deeper. The limit keeps hostile input cheap.
    for _ in 0..8 {
        if view.k(list) != Construct::PatternList {
            break;
        }
        child = list;
        list = view.parent(list);
    }
    match view.k(list) {
        Construct::Assign if child == list + 1 => Use::Bind,
        Construct::AsTarget | Construct::For | Construct::ForIn | Construct::Case => Use::Bind,
        _ if view.k(view.parent(node)) == Construct::AsTarget => Use::Bind,
        _ => Use::Load,
    }
}

/// Whether a list is the target of `with ... as`, which the grammar parses as an expression.
fn is_taken_apart(view: &View<'_>, list: u32) -> bool {
    let mut above = list;
    // Limit on the depth of patterns.
    for _ in 0..8 {
        match view.k(above) {
            Construct::Tuple | Construct::List | Construct::Paren => above = view.parent(above),
            other => return other == Construct::AsTarget,
        }
    }
    false
}

fn is_left_of_in(view: &View<'_>, statement: u32, node: u32) -> bool {
    view.children(statement)
        .take_while(|&child| view.text(child) != "in")
        .any(|child| child == node)
}
