//! Names of callables.

use crate::language::Roles;
use crate::tree::SyntaxTree;

/// The name of a definition in another one: `outer.own`. Backticks around a name of several words are not part of it.
pub(crate) fn dotted(outer: &str, own: &str) -> String {
    let own = own.replace('`', "");
    if outer.is_empty() {
        own
    } else {
        format!("{outer}.{own}")
    }
}

/// A definition's name: the first identifier that is a direct child.
pub(crate) fn own_name(tree: &SyntaxTree, index: u32) -> &str {
    tree.child_with(index, Roles::IDENTIFIER)
        .map(|child| tree.node_text(child))
        .filter(|name| !name.is_empty())
        .unwrap_or("?")
}

/// The name of a lambda without one: the function that it is passed to, and its kind.
pub(crate) fn anonymous_name(tree: &SyntaxTree, index: u32) -> String {
    let kind = tree.kind_name(index);
    let mut labels = tree.language().spec().anonymous.iter();
    let label = labels
        .find(|(known, _)| *known == kind)
        .map_or("<lambda>", |(_, label)| label);
    match callee(tree, index) {
        Some(name) => format!("{name}.{label}"),
        None => label.to_owned(),
    }
}

/// The last name of the function that a lambda is passed to.
fn callee(tree: &SyntaxTree, lambda: u32) -> Option<&str> {
    let mut below = lambda;
    for _ in 0..3 {
        let here = tree.parent(below)?;
        if tree.info(here).roles.any(Roles::CALL) {
            let before = tree
                .children(here)
                .take_while(|&c| c != below && !tree.info(c).roles.any(Roles::ARGUMENTS));
            let mut last = before.filter(|&child| tree.node(child).named).last()?;
            let is_argument = tree.info(below).roles.any(Roles::ARGUMENTS);
            if !is_argument && tree.info(last).roles.any(Roles::CALL) {
                // A lambda behind the arguments: `f(x) { ... }` is a call of what `f(x)` gives.
                let parts = tree
                    .parts(last)
                    .take_while(|&part| !tree.info(part).roles.any(Roles::ARGUMENTS));
                last = parts.last()?;
            }
            // The last leaf: pre-order puts it at the end.
            last = tree.node(last).end - 1;
            let is_name = tree.info(last).roles.any(Roles::IDENTIFIER);
            return is_name.then(|| tree.node_text(last));
        }
        if tree
            .roles(here)
            .any(Roles::CALLABLE.and(Roles::LAMBDA).and(Roles::BLOCK))
        {
            return None;
        }
        below = here;
    }
    None
}
