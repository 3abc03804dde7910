//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use crate::conventions::{Comments, Conventions, Flow, Handlers, Imports, Naming, PLAIN};
use crate::languages::c::headers::declared_by;
use crate::languages::java::prose::PROSE;

pub(super) static CONVENTIONS: Conventions = Conventions {
    imports: Imports {
        declared_by,
        ..Imports::PLAIN
    },
    naming: Naming {
        declarators_nest: true,
        macros_hold_code: true,
        methods_are_declared: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        head_blocks: true,
        ..Comments::PLAIN
    },
    handlers: Handlers {
        is_broad: |head| head.contains("...") || head.contains("std::exception"),
        ..Handlers::PLAIN
    },
    flow: Flow {
        // The preprocessor takes some out, or makes names of them.
        hides_statements: true,
        ..Flow::PLAIN
    },
    ..PLAIN
};
