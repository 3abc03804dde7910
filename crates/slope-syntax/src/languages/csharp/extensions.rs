//! Extension blocks (C# 14): `extension(Order order) { … }`.
//!
//! The grammar parses such a block as a constructor called `extension`, without an error. The rewritten text has a class
//! named after the receiver's type instead.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem;
use regex::{Captures, Regex};

use crate::repair::{Edit, Rewriter};

/// The keyword, type parameters, and the receiver in parentheses.
const BLOCK: &str = r"(?m)(?:^|[{};])\s*(extension)\s*(<[^(){};]*>)?\s*(\()((?:[^(){};]|\([^(){};]*\))*)(\))\s*(?:where\b[^{};]*)?\{";

/// Words of a receiver that are not the name of its type.
const MODIFIERS: &[&str] = &["ref", "in", "scoped", "readonly", "this"];

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z_]\w*").ok());
static FIND: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(BLOCK).ok());

/// The text with classes in place of extension blocks.
pub(crate) fn rewritten(text: &str) -> Cow<'_, str> {
    let mut out = Rewriter::new(text);
    let is_there = memmem::find(text.as_bytes(), b"extension").is_some();
    let mut edits = Vec::new();
    if let Some(find) = FIND.as_ref().filter(|_| is_there) {
        // Blocks may be nested, so the search continues inside the match.
        let mut start = 0;
        while let Some(groups) = find.captures_at(text, start) {
            start = groups.get(1).map_or(text.len(), |word| word.end());
            edits.extend(as_class(&groups).into_iter().flatten());
        }
    }
    out.replace(&edits);
    out.finish()
}

/// Edits that turn a block into a class. Only the keyword and the name of the receiver's type stay. A built-in type has
/// a keyword as its name, which a class cannot have. It is replaced by a name of the same length, and slope reads the
/// name from the original text.
fn as_class(groups: &Captures<'_>) -> Option<[Edit; 5]> {
    let (word, receiver, close) = (groups.get(1)?, groups.get(4)?, groups.get(5)?);
    let name = type_name(receiver.as_str())?;
    let at = receiver.start();
    let name = at + name.start..at + name.end;
    let is_keyword =
        receiver.as_str()[name.start - at..].starts_with(|c: char| c.is_ascii_lowercase());
    let shown = match is_keyword {
        true => Edit::new(name.clone(), "X".repeat(name.len())),
        false => Edit::blank(word.end()..word.end()),
    };
    Some([
        Edit::new(word.range(), "class"),
        Edit::blank(word.end()..name.start),
        shown,
        Edit::blank(name.end..close.start()),
        Edit::blank(close.range()),
    ])
}

/// Range of the type's name in a receiver, without namespaces and type arguments. A tuple has no name; there it is that
/// of the receiver.
fn type_name(receiver: &str) -> Option<std::ops::Range<usize>> {
    let words = WORD.as_ref()?.find_iter(receiver);
    let words: Vec<_> = words
        .filter(|word| !MODIFIERS.contains(&word.as_str()))
        .collect();
    let is_type = |word: &&regex::Match<'_>| {
        let is_namespace = receiver[word.end()..].trim_start().starts_with(['.', ':']);
        !is_namespace
    };
    let is_tuple = receiver.trim_start().starts_with('(');
    let found = match is_tuple {
        true => words.last(),
        false => words.iter().find(is_type),
    };
    found.map(regex::Match::range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_classes_of_their_receiver() {
        for (text, seen) in [
            (
                "{ extension(Order order) { }",
                "{ class     Order        { }",
            ),
            (
                "{ extension<T>(IEnumerable<T> s) where T : class { }",
                "{ class        IEnumerable       where T : class { }",
            ),
            (
                "{ extension(System.Text.Rune r) { }",
                "{ class                 Rune    { }",
            ),
            ("{ extension(int x) { }", "{ class     XXX    { }"),
            ("{ extension(string) { }", "{ class     XXXXXX  { }"),
            ("{ extension(int[] xs) { }", "{ class     XXX       { }"),
            (
                "{ extension((int, int) t) { }",
                "{ class                X  { }",
            ),
        ] {
            assert_eq!(rewritten(text), seen);
            assert_eq!(seen.len(), text.len());
        }
    }

    #[test]
    fn other_uses_of_extension_are_kept() {
        for text in [
            "extension(file);",
            "var extension = Path(file);",
            "if (x) extension(y);",
        ] {
            assert_eq!(rewritten(text), text);
        }
    }
}
