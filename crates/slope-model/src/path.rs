//! Paths as outputs name them: text with `/` between the parts, on every system.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

/// A name or path as text. Bytes that are no UTF-8 are spelled out (`\xff`), so that names that
/// differ are shown differently.
#[must_use]
pub fn shown(name: &OsStr) -> Cow<'_, str> {
    match name.to_str() {
        Some(text) => Cow::Borrowed(text),
        None => shown_bytes(name.as_encoded_bytes()),
    }
}

/// As [`shown`], for a name from git.
#[must_use]
pub fn shown_bytes(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(name) {
        return Cow::Borrowed(text);
    }
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string never fails.
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    Cow::Owned(text)
}

/// A path relative to somewhere, with `/` between its parts.
#[must_use]
pub fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(shown).collect();
    parts.join("/")
}

/// A name on one line that cannot control a terminal, and that differs for different names: line
/// ends, tabs and other invisible characters are escaped.
#[must_use]
pub fn spelled(name: &str) -> Cow<'_, str> {
    let plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'\\' || *byte == b' ';
    if name.as_bytes().iter().all(plain) {
        return Cow::Borrowed(name);
    }
    let mut text = String::with_capacity(name.len() + 8);
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // `\xff` is a byte that was spelled out before.
            '\\' if chars.peek() != Some(&'x') => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            c if c.is_control() || is_hidden(c) || (c.is_whitespace() && c != ' ') => {
                text.extend(c.escape_unicode());
            }
            c => text.push(c),
        }
    }
    Cow::Owned(text)
}

/// Characters without a shape of their own that change how others are shown.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn non_utf8_names_stay_distinct() {
        use std::os::unix::ffi::OsStrExt;

        let of = |bytes: &'static [u8]| shown(OsStr::from_bytes(bytes));
        assert_eq!(of(b"a\xff.py"), "a\\xff.py");
        assert_ne!(of(b"\xff"), of(b"\xfe"));
        assert_eq!(shown(OsStr::new("größe.py")), "größe.py");
        assert_eq!(shown_bytes(b"d\xff/a.py"), "d\\xff/a.py");
        let path = Path::new(OsStr::from_bytes(b"d\xff/a.py"));
        assert_eq!(slashed(path), shown_bytes(b"d\xff/a.py"));
    }

    #[test]
    fn different_names_are_shown_differently() {
        let names = [
            "a b.py",
            "a  b.py",
            "a\tb.py",
            "a\nb.py",
            "a\rb.py",
            "a\\nb.py",
            "a\u{a0}b.py",
            "a\u{202e}b.py",
            "a\u{7f}b.py",
            "größe.py",
            "\\xff",
        ];
        let shown: std::collections::BTreeSet<_> = names.iter().map(|name| spelled(name)).collect();
        assert_eq!(shown.len(), names.len(), "{shown:?}");
        assert_eq!(spelled("a\t\n\r\u{202e}\\n"), "a\\t\\n\\r\\u{202e}\\\\n");
        assert_eq!(spelled("größe \\xff.py"), "größe \\xff.py");
    }
}
