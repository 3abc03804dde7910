//! Bytes to text: size, byte-order marks, declared encodings, line ends.

use std::borrow::Cow;
use std::fmt;

use super::{Limits, ParseError};
use slope_model::plural;

/// Decoding of a file whose bytes are not plain UTF-8.
///
/// Rows and columns of the tree count in the text that came out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EncodingNote {
    /// The text was decoded from another encoding, which a byte-order mark or a
    /// declaration in the first two lines names.
    Decoded {
        /// Name of the encoding.
        encoding: &'static str,
        /// Number of places that could not be decoded and became U+FFFD.
        replaced: u32,
    },
    /// The bytes are not UTF-8 and declare no other encoding. Invalid ones became U+FFFD.
    Replaced {
        /// Number of replaced places.
        count: u32,
        /// Line of the first, from 1.
        first_line: u32,
    },
}

impl fmt::Display for EncodingNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decoded {
                encoding,
                replaced: 0,
            } => write!(f, "decoded from {encoding}"),
            Self::Decoded { encoding, replaced } => {
                write!(
                    f,
                    "decoded from {encoding}, {} replaced",
                    plural(*replaced, "place")
                )
            }
            Self::Replaced { count, first_line } => write!(
                f,
                "not UTF-8: {} replaced, the first in line {first_line}",
                plural(*count, "place")
            ),
        }
    }
}

/// The text of a file: without byte-order mark, lines ended by `\n`.
pub(super) fn decode(
    bytes: &[u8],
    limits: &Limits,
) -> Result<(String, Option<EncodingNote>), ParseError> {
    let limit = limits.max_bytes.min(u32::MAX as usize / 4);
    if bytes.len() > limit {
        return Err(ParseError::TooLarge { limit });
    }
    let (text, note) = to_utf8(bytes);
    refuse_nul(&text)?;
    Ok((unix_line_ends(text), note))
}

/// Refuses a text with a NUL byte.
pub(super) fn refuse_nul(text: &str) -> Result<(), ParseError> {
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(ParseError::NulByte {
            line: 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..offset]).count(),
        }),
        None => Ok(()),
    }
}

fn unix_line_ends(text: Cow<'_, str>) -> String {
    if text.contains('\r') {
        text.replace("\r\n", "\n").replace('\r', "\n")
    } else {
        text.into_owned()
    }
}

fn to_utf8(bytes: &[u8]) -> (Cow<'_, str>, Option<EncodingNote>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let marked = match bytes {
        [0xff, 0xfe, ..] => Some(encoding_rs::UTF_16LE),
        [0xfe, 0xff, ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    };
    if marked.is_none()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return (Cow::Borrowed(text), None);
    }
    if let Some(encoding) = marked.or_else(|| declared(bytes)) {
        let (text, _) = encoding.decode_with_bom_removal(bytes);
        let replaced = replacements(&text).0;
        let encoding = encoding.name();
        return (text, Some(EncodingNote::Decoded { encoding, replaced }));
    }
    let text = String::from_utf8_lossy(bytes);
    let (count, first_line) = replacements(&text);
    (text, Some(EncodingNote::Replaced { count, first_line }))
}

/// Number of replacement characters in a text, and the line of the first.
fn replacements(text: &str) -> (u32, u32) {
    let mut places = text.match_indices('\u{fffd}');
    let Some((first, _)) = places.next() else {
        return (0, 1);
    };
    let line = 1 + text[..first].bytes().filter(|&b| b == b'\n').count();
    (super::narrow(places.count() + 1), super::narrow(line))
}

/// The encoding that one of the first two lines declares in the way that Python
/// (PEP 263), Ruby, and editors share: `coding: name` or `coding=name` in a comment.
fn declared(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let comment = |line: &&[u8]| {
        let start = line.iter().position(|b| !b" \t\x0c".contains(b));
        start.is_some_and(|s| {
            [&b"#"[..], b"//", b"/*", b"--"]
                .iter()
                .any(|c| line[s..].starts_with(c))
        })
    };
    let mut lines = bytes.split(|&b| b == b'\n').take(2).filter(comment);
    lines.find_map(|line| {
        let at = line.windows(6).position(|word| word == b"coding")? + 6;
        let rest = line[at..]
            .strip_prefix(b":")
            .or(line[at..].strip_prefix(b"="))?;
        let name: Vec<u8> = rest
            .iter()
            .skip_while(|b| b.is_ascii_whitespace())
            .take_while(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b))
            .map(|&b| {
                if b == b'_' {
                    b'-'
                } else {
                    b.to_ascii_lowercase()
                }
            })
            .collect();
        // Not all of Python's names for the most common encoding are registered.
        let latin: [&[u8]; 3] = [b"latin-1", b"latin1", b"iso-8859-1"];
        let name = if latin.iter().any(|l| name.starts_with(l)) && name != b"iso-8859-15" {
            b"latin1"
        } else {
            &name[..]
        };
        encoding_rs::Encoding::for_label(name).filter(|e| *e != encoding_rs::UTF_8)
    })
}
