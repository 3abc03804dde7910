//! Words and operators that the grammar lacks. A comment names the version of the language.

use crate::repair::Replacement;

pub(super) const REPLACEMENTS: &[Replacement] = &[
    // Java 25: module imports. They bind no name that could be unused.
    (r"(?m)^\s*(import\s+module\s+[\w.]+\s*;)", ""),
    // Java 25: statements before the call of another constructor.
    (r"[;}]\s*(super)\s*\(", "suber"),
    (r"[;}]\s*(this)\s*\(", "thiz"),
    // Java 23: patterns of primitive types.
    (
        r"\b(?:case|instanceof)\s+(byte|short|char|int|long|float|double|boolean)\s+\w+\s*(?:->|:|\)|&&|when\b)",
        "P",
    ),
    // Java 21: patterns of records in other types.
    (r"\b(?:case|instanceof)\s+((?:\w+\.)+)[A-Z]\w*\s*\(", ""),
];
