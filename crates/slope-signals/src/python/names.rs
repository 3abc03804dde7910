//! Roles of names in Python code.

use crate::occurrences::Use;
use slope_syntax::Construct as K;
use slope_syntax::view::View;

/// The role of a name node.
pub(crate) fn classify(view: &View<'_>, node: u32) -> Use {
    let parent = view.parent(node);
    let is_first = || view.first(parent) == Some(node);
    match view.k(parent) {
        K::Attribute => {
            if is_first() && node == parent + 1 {
                Use::Load
            } else if is_callee(view, parent) {
                Use::MemberCalled
            } else {
                Use::Member
            }
        }
        K::Call => {
            if node == parent + 1 {
                Use::Called
            } else {
                Use::Load
            }
        }
        K::KeywordArg if is_first() => Use::Keyword,
        K::Parameters => Use::Param,
        K::Param if is_first() => Use::Param,
        K::ParamSplat => splat(view, parent),
        K::Function | K::Class if view.name_of(parent) == Some(node) => Use::Definition,
        K::DottedName => dotted(view, parent, node),
        K::Alias => Use::Import,
        K::Assign if node == parent + 1 => Use::Store,
        K::PatternList | K::AsTarget => pattern(view, node),
        _ if is_bound(view, parent, node) => Use::Bind,
        _ => Use::Load,
    }
}

/// Whether a name is assigned by `:=`, by unpacking, or by a loop.
fn is_bound(view: &View<'_>, parent: u32, node: u32) -> bool {
    match view.k(parent) {
        K::Walrus => view.first(parent) == Some(node),
        K::Tuple | K::List | K::Paren => is_taken_apart(view, parent),
        K::For | K::ForIn => is_left_of_in(view, parent, node),
        _ => false,
    }
}

/// Whether a node is the callee of a call.
pub(crate) fn is_callee(view: &View<'_>, node: u32) -> bool {
    let parent = view.parent(node);
    view.k(parent) == K::Call && node == parent + 1
}

/// `*rest` is a parameter in a list of parameters, and a target elsewhere.
fn splat(view: &View<'_>, splat: u32) -> Use {
    match view.k(view.parent(splat)) {
        K::Parameters | K::Param => Use::Param,
        _ => Use::Bind,
    }
}

fn dotted(view: &View<'_>, dotted: u32, node: u32) -> Use {
    let imports = |k| matches!(k, K::Import | K::ImportFrom | K::ImportFuture | K::Alias);
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
        if view.k(list) != K::PatternList {
            break;
        }
        child = list;
        list = view.parent(list);
    }
    match view.k(list) {
        K::Assign if child == list + 1 => Use::Bind,
        K::AsTarget | K::For | K::ForIn | K::Case => Use::Bind,
        _ if view.k(view.parent(node)) == K::AsTarget => Use::Bind,
        _ => Use::Load,
    }
}

/// Whether a list is the target of `with ... as`, which the grammar parses as an expression.
fn is_taken_apart(view: &View<'_>, list: u32) -> bool {
    let mut above = list;
    // Limit on the depth of patterns.
    for _ in 0..8 {
        match view.k(above) {
            K::Tuple | K::List | K::Paren => above = view.parent(above),
            other => return other == K::AsTarget,
        }
    }
    false
}

fn is_left_of_in(view: &View<'_>, statement: u32, node: u32) -> bool {
    view.children(statement)
        .take_while(|&child| view.text(child) != "in")
        .any(|child| child == node)
}
