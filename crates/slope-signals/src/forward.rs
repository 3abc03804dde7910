//! Functions that only hand their parameters on, in languages that are read alike.

use crate::kind::K;
use crate::view::View;

/// The name of the one call that is all of a function's body and gets all its
/// parameters in order, and whether it is one of the object's own methods.
pub(crate) fn wrapped(
    view: &View<'_>,
    language: &str,
    function: u32,
    parameters: &[(u32, bool)],
) -> Option<(u32, bool)> {
    let known = ["javascript", "typescript", "tsx", "java", "go", "rust"];
    if !known.contains(&language) {
        return None;
    }
    let call = only_call(view, function)?;
    let arguments = view.child(call, K::Arguments)?;
    let receives = language == "rust" && takes_itself(view, function);
    let wanted = parameters
        .iter()
        .skip(usize::from(
            receives && parameters.first().is_some_and(|p| view.text(p.0) == "self"),
        ))
        .map(|p| view.text(p.0));
    let given = view
        .parts(arguments)
        .map(|argument| match view.k(argument) {
            K::Identifier => view.text(argument),
            _ => "",
        });
    if parameters.iter().any(|p| p.1) || !wanted.eq(given) {
        return None;
    }
    // Parameters of types make one function out of many.
    let generic = view.children(function).any(|child| {
        view.tree.language().kind_name(view.tree.node(child).kind) == "type_parameters"
    });
    let (name, own) = target(view, call).filter(|_| !generic)?;
    // A method that opens to others what is marked as the object's own is its interface.
    let opens = own && view.text(name).starts_with(['_', '#']);
    (!opens).then_some((name, own))
}

/// Whether a Rust function has a receiver.
fn takes_itself(view: &View<'_>, function: u32) -> bool {
    let list = view.child(function, K::Parameters);
    let first = list.and_then(|list| view.first(list));
    first.is_some_and(|first| view.text(first).ends_with("self"))
}

/// The call that is all that a function does.
fn only_call(view: &View<'_>, function: u32) -> Option<u32> {
    let block = view.last_child(function, K::Block);
    let mut node = match block {
        Some(block) => {
            let explained = view.has_below(function, K::Comment);
            view.only(block).filter(|_| !explained)?
        }
        None if view.k(function) == K::Lambda => view.parts(function).last()?,
        None => return None,
    };
    // `return`, what makes an expression a statement, and waiting.
    for _ in 0..4 {
        match view.k(node) {
            K::Call => return Some(node),
            K::Return | K::ExprStmt | K::Await => node = view.only(node)?,
            // Go gives back a list.
            K::Other if view.k(view.parent(node)) == K::Return => node = view.only(node)?,
            _ => return None,
        }
    }
    None
}

fn target(view: &View<'_>, call: u32) -> Option<(u32, bool)> {
    let callee = call + 1;
    match view.k(callee) {
        K::Identifier => {
            // `object.method(...)` in one node, as Java has it, is of another object.
            let last = view
                .children(call)
                .take_while(|&c| view.k(c) != K::Arguments)
                .last()?;
            (last == callee).then_some((callee, view.tree.language().id() == "java"))
        }
        K::Attribute if matches!(view.text(callee + 1), "this" | "self") => {
            Some((view.parts(callee).last()?, true))
        }
        _ => {
            let this = view.text(callee) == "this";
            let name = view
                .children(call)
                .filter(|&c| view.k(c) == K::Identifier)
                .last()?;
            this.then_some((name, true))
        }
    }
}
