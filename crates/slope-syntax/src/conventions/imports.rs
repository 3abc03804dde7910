//! Bindings and users of imports.

use crate::construct::Construct;
use crate::text::occurrences;
use crate::view::View;

/// Facts about a language's imports.
pub struct Imports {
    /// The name nodes that an import binds; `None` if the shared search for unused imports does not
    /// apply.
    pub bound_by: Option<fn(&View<'_>, u32) -> Vec<u32>>,
    /// Whether texts in attributes may name imports.
    pub are_named_in_texts: bool,
    /// Use of private imports by inner modules; `None` if the language has none.
    pub handed_down: Option<HandedDown>,
    /// Whether files may exist only to re-export their imports, without marking them.
    pub hand_on_unmarked: bool,
    /// Whether importing a module runs it, which may be the purpose of the import.
    pub run_modules: bool,
    /// Names that a header of the standard library declares, if it is known; a final `*` stands for any rest.
    pub declared_by: fn(&str) -> Option<&'static [&'static str]>,
}

/// Use of private imports by inner modules.
pub struct HandedDown {
    /// Whether a file takes all names of an outer module.
    pub takes_all: fn(&View<'_>) -> bool,
    /// The names that a file takes from outer modules.
    pub taken: for<'a> fn(&View<'a>) -> Vec<&'a str>,
}

impl Imports {
    pub(crate) const PLAIN: Self = Self {
        bound_by: None,
        are_named_in_texts: false,
        handed_down: None,
        hand_on_unmarked: false,
        run_modules: false,
        declared_by: |_| None,
    };
}

/// Whether a word occurs only in imports of a file. Words in texts and comments count as uses.
pub(crate) fn is_only_imported(view: &View<'_>, word: &str) -> bool {
    let imports = view.of_kind(Construct::Import).iter();
    let imported: usize = imports
        .map(|&import| occurrences(view.text(import), word))
        .sum();
    occurrences(view.tree.text(), word) == imported
}
