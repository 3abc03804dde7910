//! Classes that delegate to a value: `class A(b: B) : B by b { … }`.
//!
//! The grammar parses `b { … }` as a call with a lambda, without an error, and the class has no body. The rewritten text
//! lacks the delegation before the body.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

use crate::repair::{Edit, Rewriter};

/// `by`, the name or call of the value, and the brace behind it.
const DELEGATE: &str = r"\b(by\s+[\w.]+(?:\([^(){}]*\))?)\s*\{";

static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(DELEGATE).ok());

/// Maximum bytes of a class before its delegation.
const MAX_HEAD: usize = 4000;

/// The text without delegations that the grammar takes for the beginning of a call.
pub(super) fn without_delegates(text: &str) -> Cow<'_, str> {
    let mut out = Rewriter::new(text);
    let is_there = memmem::find(text.as_bytes(), b" by ").is_some();
    if let Some(find) = FIND.as_ref().filter(|_| is_there) {
        let found = find.captures_iter(text);
        let ranges = found.filter_map(|groups| Some(groups.get(1)?.range()));
        let in_class = |range: &Range<usize>| is_of_class(&text[..range.start]);
        let edits: Vec<Edit> = ranges.filter(in_class).map(Edit::blank).collect();
        out.replace(&edits);
    }
    out.finish()
}

/// Whether the declaration that a text ends in is a class or object, and not a property.
fn is_of_class(before: &str) -> bool {
    let mut depth = 0u32;
    let mut end = before.len();
    let bytes = before.as_bytes();
    let first = end.saturating_sub(MAX_HEAD);
    for at in (first..before.len()).rev() {
        let byte = bytes[at];
        if byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii() {
            continue;
        }
        let word = &bytes[at + 1..end];
        if depth == 0 && is_head(word).is_some() {
            return is_head(word) == Some(true);
        }
        end = at;
        match byte {
            b')' => depth += 1,
            b'(' if depth == 0 => return false,
            b'(' => depth -= 1,
            b'{' | b'}' | b';' | b'=' if depth == 0 => return false,
            _ => {}
        }
    }
    first == 0 && is_head(&bytes[..end]) == Some(true)
}

/// Whether a word begins a class; `None` if it begins no declaration.
fn is_head(word: &[u8]) -> Option<bool> {
    match word {
        b"class" | b"object" => Some(true),
        b"val" | b"var" | b"fun" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delegates_of_classes_are_removed() {
        for (text, seen) in [
            (
                "class A(val b: B) : B by b { }",
                "class A(val b: B) : B      { }",
            ),
            ("object A : B by c.d(1) {", "object A : B           {"),
            ("x = object : B by c\n{", "x = object : B     \n{"),
            ("class A : B by b, C by c {", "class A : B by b, C      {"),
        ] {
            assert_eq!(without_delegates(text), seen);
        }
    }

    #[test]
    fn delegates_of_properties_stay() {
        for text in [
            "class A { val x by lazy { 1 } }",
            "class A(val x: B) {\n val x: C by lazy { 1 }\n}",
            "class A : B by b",
            "val x by lazy { 1 }",
        ] {
            assert_eq!(without_delegates(text), text);
        }
    }
}
