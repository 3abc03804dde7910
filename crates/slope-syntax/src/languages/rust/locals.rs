//! Locals that nothing reads.

use crate::construct::Construct;
use crate::conventions::Locals;

pub(super) static LOCALS: Locals = Locals {
    is_local: |view, stored| {
        view.k(stored.statement) == Construct::Declarator && stored.around == Construct::Block
    },
    asks_to_leave: |text| text.contains("allow(unused"),
    ..Locals::PLAIN
};
