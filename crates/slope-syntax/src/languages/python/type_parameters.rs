//! Defaults of type parameters (Python 3.13): `class Box[T = str]:`.

use std::sync::LazyLock;

use regex::Regex;

use crate::repair::Rewriter;

/// The start of a definition with type parameters, up to and including the bracket.
const HEAD: &str = r"(?m)^[ \t]*(?:class|def|async[ \t]+def|type)[ \t]+\w+[ \t]*\[";

static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(HEAD).ok());

pub(super) fn rewrite(out: &mut Rewriter<'_>) {
    let Some(find) = FIND.as_ref() else {
        return;
    };
    let text = out.text();
    let blanks: Vec<_> = find
        .find_iter(text)
        .flat_map(|head| defaults(text, head.end()))
        .collect();
    out.blank(blanks);
}

/// Maximum bytes of a list of type parameters. Without a limit, unclosed brackets make the search quadratic.
const MAX_LIST: usize = 4096;

/// The defaults in a list of type parameters that begins at `start`, each from its `=` to the comma or bracket after it.
fn defaults(text: &str, start: usize) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let (mut depth, mut from) = (0usize, None);
    let list = text.bytes().enumerate().skip(start).take(MAX_LIST);
    for (at, byte) in list {
        match byte {
            b'[' | b'(' | b'{' => depth += 1,
            b']' if depth == 0 => {
                found.extend(from.map(|from| from..at));
                return found;
            }
            b']' | b')' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => found.extend(from.take().map(|from| from..at)),
            b'=' if depth == 0 && from.is_none() => from = Some(at),
            _ => {}
        }
    }
    Vec::new()
}
