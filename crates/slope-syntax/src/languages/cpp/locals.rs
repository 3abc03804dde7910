//! Locals that nothing reads.

use crate::construct::Construct;
use crate::conventions::Locals;
use crate::languages::c;
use crate::text::identifiers;
use crate::view::View;

pub(super) static LOCALS: Locals = Locals {
    is_local: |view, stored| {
        c::locals::is_local(view, stored) && is_plain(view, stored.node, stored.head)
    },
    ..c::locals::OF_C
};

/// Types without constructors and destructors.
const PLAIN_TYPES: &[&str] = &[
    "int",
    "char",
    "bool",
    "float",
    "double",
    "long",
    "short",
    "unsigned",
    "signed",
    "wchar_t",
    "size_t",
    "ssize_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
    "intptr_t",
    "uintptr_t",
];

/// Whether a name is declared as a pointer, or with a type without side effects.
fn is_plain(view: &View<'_>, node: u32, head: &str) -> bool {
    let above = view.parent(node);
    let is_pointer = view.k(above) == Construct::Pointer && view.text(above).starts_with('*');
    let mut words =
        identifiers(head).filter(|word| !matches!(*word, "const" | "constexpr" | "std"));
    is_pointer || words.next().is_some_and(|word| PLAIN_TYPES.contains(&word))
}
