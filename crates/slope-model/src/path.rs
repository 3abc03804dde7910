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

/// The same of a name as git has it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn names_that_are_no_text_stay_apart() {
        use std::os::unix::ffi::OsStrExt;

        let of = |bytes: &'static [u8]| shown(OsStr::from_bytes(bytes));
        assert_eq!(of(b"a\xff.py"), "a\\xff.py");
        assert_ne!(of(b"\xff"), of(b"\xfe"));
        assert_eq!(shown(OsStr::new("größe.py")), "größe.py");
        assert_eq!(shown_bytes(b"d\xff/a.py"), "d\\xff/a.py");
        let path = Path::new(OsStr::from_bytes(b"d\xff/a.py"));
        assert_eq!(slashed(path), shown_bytes(b"d\xff/a.py"));
    }
}
