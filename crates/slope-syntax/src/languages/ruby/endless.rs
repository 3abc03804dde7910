//! Methods of Ruby whose body is a command: `def greet(name) = puts "Hello", name`.
//!
//! The rewritten text has operators in place of the space before the arguments and of the commas between them.

use std::sync::LazyLock;

use regex::Regex;

use crate::repair::{Edit, Rewriter};

/// The head of such a method, the command, and the space before its arguments.
const HEAD: &str = r#"(?m)^[^#\n"']*\bdef[ \t]+[\w.]+[?!]?(?:\([^()\n]*\))?[ \t]*=[ \t]+([a-z_][\w.]*[?!]?)([ \t]+)(:?[\w"'@]\w*)"#;

/// Words that are no command, and words that are no argument.
const WORDS: &[&str] = &[
    "and", "begin", "case", "defined", "do", "else", "end", "for", "if", "in", "not", "or",
    "rescue", "then", "unless", "until", "when", "while", "yield",
];

static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HEAD).ok());

pub(super) fn rewrite(out: &mut Rewriter<'_>) {
    let Some(find) = FIND.as_ref() else {
        return;
    };
    let text = out.text();
    let mut edits = Vec::new();
    for groups in find.captures_iter(text) {
        let (Some(command), Some(gap), Some(first)) = (groups.get(1), groups.get(2), groups.get(3))
        else {
            continue;
        };
        if WORDS.contains(&command.as_str()) || WORDS.contains(&first.as_str()) {
            continue;
        }
        edits.push(Edit::new(gap.range(), "+"));
        edits.extend(
            joints(text, first.start())
                .into_iter()
                .map(|at| Edit::new(at..at + 1, "+")),
        );
    }
    out.replace(&edits);
}

/// The commas between the arguments that begin at a place, and the colons behind their names.
fn joints(text: &str, start: usize) -> Vec<usize> {
    let line = text[start..].split('\n').next().unwrap_or_default();
    let bytes = line.as_bytes();
    let (mut depth, mut quote) = (0_u32, None);
    let mut found = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        match (quote, byte) {
            (Some(end), _) if byte == end => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'#') => break,
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, _) if depth == 0 && joins(bytes, at) => found.push(start + at),
            _ => {}
        }
    }
    found
}

/// Whether a byte is a comma, or the colon behind a name.
fn joins(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    match bytes[at] {
        b',' => true,
        b':' => before.is_some_and(is_word) && bytes.get(at + 1) == Some(&b' '),
        _ => false,
    }
}
