//! Facts about the language for signals, besides its syntax.

use super::locals::LOCALS;
use crate::conventions::{Comments, Conventions, Flow, Naming, PLAIN};
use crate::languages::java::prose::PROSE;

pub(super) static CONVENTIONS: Conventions = Conventions {
    naming: Naming {
        declarators_nest: true,
        ..Naming::PLAIN
    },
    locals: Some(&LOCALS),
    comments: Comments {
        prose: Some(&PROSE),
        head_blocks: true,
        ..Comments::PLAIN
    },
    flow: Flow {
        // The preprocessor takes some out, or makes names of them.
        hides_statements: true,
        ..Flow::PLAIN
    },
    ..PLAIN
};
