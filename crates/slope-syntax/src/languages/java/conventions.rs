//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use super::privacy::is_private_method;
use super::prose::PROSE;
use crate::construct::Construct;
use crate::conventions::{Comments, Comparison, Conventions, Imports, Naming, PLAIN, Wrappers};
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
    is_of_file: is_private_method,
    naming: Naming {
        methods_can_hide: true,
        files_are_classes: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        ..Comments::PLAIN
    },
    wrappers: Wrappers {
        are_known: true,
        call_own: true,
        comparison: Comparison::ByCalls,
        return_by_keyword: true,
        ..Wrappers::PLAIN
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
