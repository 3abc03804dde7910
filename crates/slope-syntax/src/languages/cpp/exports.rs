//! Macros between the word that begins a type of C++ and the type's name, as in
//! `class LIBRARY_API Name {`, which the grammar takes for the name.

use std::borrow::Cow;

use memchr::memmem;

/// Words that begin types.
const TYPES: [&str; 4] = ["class", "struct", "enum", "union"];

/// Maximum bytes between such a word and the type's body or end, which keeps the search linear.
const LONGEST: usize = 512;

/// The text with spaces for such macros, so that every offset stays what it was.
pub(crate) fn blanked(text: &str) -> Cow<'_, str> {
    let mut blanks: Vec<(usize, usize)> = Vec::new();
    for word in TYPES {
        for at in memmem::find_iter(text.as_bytes(), word) {
            let end = at + word.len();
            if is_apart(text, at) {
                blanks.extend(macros(text, end, word).map(|len| (end, end + len)));
            }
        }
    }
    if blanks.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for (start, end) in blanks {
        for byte in &mut bytes[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    // Only whole tokens of ASCII were replaced, by ASCII.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

fn is_apart(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].last();
    before.is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_')
}

/// Number of bytes of macros between a word that begins a type and its name, if there are any.
fn macros(text: &str, start: usize, word: &str) -> Option<usize> {
    let mut end = text.len().min(start + LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let behind = &text[start..end];
    if word == "enum" && ["class", "struct"].contains(&name(behind.trim_start())) {
        // The rest is checked from the second word.
        return None;
    }
    let mut rest = behind;
    let mut found = None;
    loop {
        let here = spaced(rest)?;
        if !is_macro(name(here)) {
            break;
        }
        let after = without_arguments(&here[name(here).len()..])?;
        if name(spaced(after).unwrap_or_default()).is_empty() {
            break;
        }
        found = Some(behind.len() - after.len());
        rest = after;
    }
    let is_type = found.is_some() && declares(spaced(rest)?, word);
    found.filter(|_| is_type)
}

/// The text after white space; `None` without white space.
fn spaced(text: &str) -> Option<&str> {
    let behind = text.trim_start();
    (behind.len() < text.len()).then_some(behind)
}

/// The identifier that a text begins with; empty without one.
fn name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let name = &text[..end.unwrap_or(text.len())];
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit());
    if is_name { name } else { "" }
}

/// Whether a name is written as macros are: in capitals, and longer than a parameter's.
fn is_macro(name: &str) -> bool {
    let capitals = name.bytes().filter(u8::is_ascii_uppercase).count();
    capitals > 1 && !name.bytes().any(|b| b.is_ascii_lowercase())
}

/// The text behind arguments, if it begins with some; `None` if they do not end.
fn without_arguments(text: &str) -> Option<&str> {
    if !text.starts_with('(') {
        return Some(text);
    }
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(&text[at + 1..]),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a text begins with the name of a type and then its body, its bases or, for a class, its
/// end. A variable whose type is in capitals has none of these after its name.
fn declares(text: &str, word: &str) -> bool {
    let mut rest = text;
    loop {
        let part = name(rest);
        if part.is_empty() || part == "final" {
            return false;
        }
        rest = &rest[part.len()..];
        match rest.strip_prefix("::") {
            Some(inner) => rest = inner,
            None => break,
        }
    }
    let rest = rest.trim_start();
    let rest = match name(rest) {
        "final" => rest["final".len()..].trim_start(),
        _ => rest,
    };
    rest.starts_with(['{', ':']) || word == "class" && rest.starts_with([';', '<'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_before_type_names_are_blanked() {
        for (text, seen) in [
            ("class API Foo {};", "class     Foo {};"),
            (
                "struct A_API(1, (2)) Foo final : B {",
                "struct               Foo final : B {",
            ),
            ("class API\n  OLD ns::Foo;", "class    \n      ns::Foo;"),
            ("enum class API Color { A };", "enum class     Color { A };"),
            ("union API U {", "union     U {"),
            ("class API FOO {", "class     FOO {"),
        ] {
            assert_eq!(blanked(text), seen);
            assert_eq!(blanked(text).len(), text.len());
        }
        for text in [
            "class FOO {};",
            "class FOO final {};",
            "class FOO : public BAR {};",
            "struct RGB color;",
            "struct RGB f();",
            "template <class T> T f();",
            "template <class KEY, class VALUE> class Map {};",
            "my_class API Foo {}",
            "class Foo Bar {",
            "enum COLOR color;",
            "class A(",
            "struct",
        ] {
            assert_eq!(blanked(text), text);
        }
    }
}
