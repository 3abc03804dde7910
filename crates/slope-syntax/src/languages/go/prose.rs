//! Differences between prose and code.

use crate::conventions::Prose;

pub(super) static PROSE: Prose = Prose::new(3, KEYWORDS, b"\"'\\`/");

const KEYWORDS: &[&str] = &[
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "false",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "import",
    "interface",
    "iota",
    "make",
    "map",
    "new",
    "nil",
    "package",
    "range",
    "return",
    "select",
    "struct",
    "switch",
    "true",
    "type",
    "var",
];
