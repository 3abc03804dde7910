//! Locals that nothing reads.

use crate::conventions::Locals;
use crate::text::has_any;

pub(super) static LOCALS: Locals = Locals {
    asks_to_leave: |text| {
        has_any(
            text,
            &[
                "\"unused\"",
                "SuppressWarnings(\"all\"",
                "UnusedLocal",
                "UnusedVariable",
            ],
        )
    },
    ..Locals::PLAIN
};
