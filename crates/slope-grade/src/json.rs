//! JSON as programs write it.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// Reads JSON. A half of a character that is written as an escape, such as `\ud83d`, becomes U+FFFD: models write
/// them, and Python passes them on.
///
/// # Errors
/// If it is not valid JSON, or not of the type.
pub fn read_json<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(json).or_else(|error| match whole(json) {
        Cow::Borrowed(_) => Err(error),
        Cow::Owned(whole) => serde_json::from_slice(&whole),
    })
}

/// The text with `\ufffd` in place of escapes of half characters. Its length stays the same.
fn whole(json: &[u8]) -> Cow<'_, [u8]> {
    let mut whole = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', json.get(at..).unwrap_or_default()) {
        at += found;
        match (unit(json, at), unit(json, at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => at += 12,
            (Some(0xd800..0xe000), _) => {
                whole.to_mut()[at + 2..at + 6].copy_from_slice(b"fffd");
                at += 6;
            }
            _ => at += 2,
        }
    }
    whole
}

/// The number of an escape `\uXXXX` at an offset.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::read_json;

    #[test]
    fn half_characters_are_replaced() {
        for (json, text) in [
            (r#""a\ud83db""#, "a\u{fffd}b"),
            (r#""\udc00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ude00\ude00""#, "\u{1f600}\u{fffd}"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\\ud83d\ud83d""#, "\\ud83d\u{fffd}"),
            (r#""\ud83d\n""#, "\u{fffd}\n"),
        ] {
            assert_eq!(read_json::<String>(json.as_bytes()).unwrap(), text);
        }
    }

    #[test]
    fn other_faults_stay_errors() {
        for json in [r#""\ud83"#, r#""\uzzzz""#, "{", r#""\ud83d"#, "\"\\"] {
            assert!(read_json::<String>(json.as_bytes()).is_err(), "{json}");
        }
    }
}
