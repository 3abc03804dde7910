//! Differences between prose and code.

use crate::conventions::Prose;

pub(super) static PROSE: Prose = Prose::new(3, KEYWORDS, b"\"'\\`#/%<?|");

const KEYWORDS: &[&str] = &[
    "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined", "do",
    "else", "elsif", "end", "ensure", "false", "for", "if", "in", "module", "next", "nil", "not",
    "or", "redo", "rescue", "retry", "return", "self", "super", "then", "true", "undef", "unless",
    "until", "when", "while", "yield",
];
