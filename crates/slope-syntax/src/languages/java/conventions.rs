//! What slope knows of the language besides its syntax, for signals.

use crate::construct::Construct;
use crate::conventions::{Conventions, Imports, PLAIN};
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    // Serialization, JAXB, FXML, and the start of a program.
    called_unseen: &[
        "afterMarshal",
        "agentmain",
        "afterUnmarshal",
        "beforeMarshal",
        "beforeUnmarshal",
        "finalize",
        "initialize",
        "main",
        "premain",
        "readObject",
        "readObjectNoData",
        "readResolve",
        "writeObject",
        "writeReplace",
    ],
    imports: Imports {
        bound_by: Some(bound_by_path),
        ..Imports::PLAIN
    },
    ..PLAIN
};

/// The name node that an import of Java binds.
fn bound_by_path(view: &View<'_>, import: u32) -> Vec<u32> {
    let dotted = view.child(import, Construct::DottedName);
    let whole = view.child(import, Construct::Wildcard).is_none();
    let last = dotted.and_then(|d| view.last_child(d, Construct::Identifier));
    last.filter(|_| whole).into_iter().collect()
}
