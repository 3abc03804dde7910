//! Facts about the language for signals, besides its syntax.

use crate::construct::Construct;
use crate::conventions::{Conventions, FactRules, Imports, PLAIN, is_only_imported};
use crate::text::{has_any, occurrences};
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    exempting: &["UnusedAlias", "UnusedUse", "UnusedPrivate"],
    imports: Imports {
        bound_by: Some(unused),
        ..Imports::PLAIN
    },
    rules: FactRules::DeadCode,
    is_of_file,
    ..PLAIN
};

/// The names that a `use` binds, if they occur nowhere else in the file. Case does not matter for classes and
/// functions, and documentation counts as a use.
fn unused(view: &View<'_>, import: u32) -> Vec<u32> {
    let is_unused = |name: &u32| is_only_imported(view, view.text(*name));
    let clauses = view.below(import).map(|(node, _)| node);
    let clauses = clauses.filter(|&node| view.tree.kind_name(node) == "namespace_use_clause");
    let names = clauses.filter_map(|clause| {
        let dotted = view.child(clause, Construct::DottedName);
        view.last_child(clause, Construct::Identifier)
            .or_else(|| view.last_child(dotted?, Construct::Identifier))
    });
    let names = names.filter(|_| !view.is_exempt());
    names.filter(is_unused).collect()
}

/// Code that calls methods by a name that is made.
const BY_NAME: &[&str] = &[
    "->$",
    "->{",
    "::$",
    "::{",
    "call_user_func",
    "callable",
    "Closure",
    "Reflection",
    "method_exists",
    "is_callable",
    "__call",
];

/// Whether a method is private and its name is nowhere else in the file. A trait shares its methods with classes of
/// other files, and calls theirs.
fn is_of_file(view: &View<'_>, function: u32, name: u32) -> bool {
    let is_private = view
        .children(function)
        .take_while(|&child| child < name)
        .any(|child| view.text(child) == "private");
    let class = view.scope(function);
    let uses_traits = || {
        view.below(class)
            .any(|(node, _)| view.tree.kind_name(node) == "use_declaration")
    };
    let text = view.tree.text();
    is_private
        && !view.text(name).starts_with("__")
        && view.child(function, Construct::Decorator).is_none()
        && matches!(
            view.tree.kind_name(class),
            "class_declaration" | "anonymous_class" | "enum_declaration"
        )
        && !uses_traits()
        && !view.is_exempt()
        && !has_any(text, BY_NAME)
        && occurrences(text, view.text(name)) == 1
}
