//! Differences between prose and code.

use crate::conventions::Prose;

pub(super) static PROSE: Prose = Prose {
    comment: Some(b'#'),
    names_settings: true,
    ..Prose::new(2, KEYWORDS, b"\"'\\`")
};

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "exec", "finally", "for", "from", "global",
    "if", "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "print",
    "raise", "return", "try", "type", "while", "with", "yield", "_",
];
