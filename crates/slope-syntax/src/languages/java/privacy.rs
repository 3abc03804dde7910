//! Functions that a file keeps to itself.

use crate::construct::Construct;
use crate::view::View;

/// Whether a method is private and has no mark that a framework looks for.
pub(in crate::languages) fn is_private_method(view: &View<'_>, function: u32, name: u32) -> bool {
    let words = view.children(function).take_while(|&child| child < name);
    let (mut private, mut opened) = (false, false);
    for child in words {
        match view.k(child) {
            Construct::Decorator => return false,
            Construct::Modifiers => {
                let text = view.text(child);
                if text.contains('@') {
                    return false;
                }
                private |= text.split_whitespace().any(|word| word == "private");
                // `private protected` is for derived classes, and an override for callers of its base.
                opened |= ["protected", "override"].contains(&text);
            }
            _ => {}
        }
    }
    // A private constructor keeps a class from being made.
    let class = view
        .name_of(view.scope(function))
        .map_or("", |n| view.text(n));
    private && !opened && view.text(name) != class && !is_message(view, function, view.text(name))
}

/// Methods of components that the engine Unity calls by their name, private or not, besides those
/// that begin with `On`.
const MESSAGES: &[&str] = &[
    "Awake",
    "FixedUpdate",
    "LateUpdate",
    "Reset",
    "Start",
    "Update",
];

/// Classes whose methods Unity calls by name. Classes of a project derive from these, directly or
/// indirectly.
const COMPONENTS: &[&str] = &[
    "MonoBehaviour",
    "NetworkBehaviour",
    "ScriptableObject",
    "StateMachineBehaviour",
    "Editor",
    "EditorWindow",
    "AssetPostprocessor",
];

/// Whether Unity calls a method by name. The parents of a base class may be in another file.
fn is_message(view: &View<'_>, function: u32, name: &str) -> bool {
    let Some(bases) = view.child(view.scope(function), Construct::Heritage) else {
        return false;
    };
    let is_component = || {
        let words = view.text(bases).split(|c: char| !c.is_alphanumeric());
        words.into_iter().any(|word| COMPONENTS.contains(&word))
    };
    MESSAGES.contains(&name) || name.starts_with("On") && is_component()
}
