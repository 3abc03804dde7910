//! Locals that nothing reads.

use crate::conventions::Locals;
use crate::text::has_any;

pub(super) static LOCALS: Locals = OF_BOTH;

/// The same where types are written.
pub(super) static TYPED: Locals = Locals {
    types_check: true,
    ..OF_BOTH
};

const OF_BOTH: Locals = Locals {
    blinding: &["eval"],
    // `var define, module, exports;` around a bundle.
    hiding: &["define", "module", "exports", "require"],
    asks_to_leave: |text| has_any(text, &["no-unused-vars", "@ts-nocheck"]),
    ..Locals::PLAIN
};
