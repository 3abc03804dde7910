//! How imports bind names, and who uses them.

use crate::construct::Construct;
use crate::text::occurrences;
use crate::view::View;

/// Facts about a language's imports.
pub struct Imports {
    /// The name nodes that an import binds; `None` if unused imports are not looked for by it.
    pub bound_by: Option<fn(&View<'_>, u32) -> Vec<u32>>,
    /// Whether a text in an attribute may name what is imported.
    pub are_named_in_texts: bool,
    /// How modules use private imports of the modules around them, where they can.
    pub handed_down: Option<HandedDown>,
    /// Whether files are there to hand on what they import, and need nothing to say so.
    pub hand_on_unmarked: bool,
    /// Whether a module is run when it is imported, which may be what it is imported for.
    pub run_modules: bool,
}

/// How modules use private imports of the modules around them.
pub struct HandedDown {
    /// Whether a file takes all that a module outside it has.
    pub takes_all: fn(&View<'_>) -> bool,
    /// The names that a file takes from modules outside it.
    pub taken: for<'a> fn(&View<'a>) -> Vec<&'a str>,
}

impl Imports {
    pub(crate) const PLAIN: Self = Self {
        bound_by: None,
        are_named_in_texts: false,
        handed_down: None,
        hand_on_unmarked: false,
        run_modules: false,
    };
}

/// Whether a file has a word in its imports only. Words of texts and comments count.
pub(crate) fn is_only_imported(view: &View<'_>, word: &str) -> bool {
    let imports = view.of_kind(Construct::Import).iter();
    let imported: usize = imports
        .map(|&import| occurrences(view.text(import), word))
        .sum();
    occurrences(view.tree.text(), word) == imported
}
