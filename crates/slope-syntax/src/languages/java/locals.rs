//! Locals that nothing reads.

use crate::conventions::Locals;

pub(super) static LOCALS: Locals = Locals {
    asks_to_leave: |text| {
        [
            "\"unused\"",
            "SuppressWarnings(\"all\"",
            "UnusedLocal",
            "UnusedVariable",
        ]
        .iter()
        .any(|word| text.contains(word))
    },
    ..Locals::PLAIN
};
