//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // Go 1.26: `new` of a value. Types such as `[]int` and `*T` stay.
    (r"\b(new)\([^\[*)]", "nEw"),
    (r"\b(new)\(\[[^\]\n]*\][^()\n{]*\{", "nEw"),
];
