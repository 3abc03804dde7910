//! JSON with the rows of its texts, which serde_json does not give. It decodes the texts themselves.

/// A place in JSON that is known to be valid.
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Row of the last text that was read, and its first byte.
    row: u32,
    counted: usize,
}

/// A text and the row that it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) row: u32,
    pub(super) value: String,
}

impl<'t> Reader<'t> {
    /// Reads a document from its beginning.
    ///
    /// # Errors
    /// If it is not JSON: the reason.
    pub(super) fn new(text: &'t str) -> Result<Self, String> {
        let checked = serde_json::from_str::<serde::de::IgnoredAny>(text);
        checked.map_err(|error| error.to_string())?;
        Ok(Self {
            text,
            at: 0,
            row: 0,
            counted: 0,
        })
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return byte;
            }
            self.at += 1;
        }
        0
    }

    /// Goes past a byte if it is the next one.
    fn passes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    /// Hands each member of an object to `each`, which reads or skips its value. Skips a value of another type.
    pub(super) fn members(&mut self, mut each: impl FnMut(&mut Self, &str)) {
        if self.peek() != b'{' {
            return self.skip();
        }
        self.at += 1;
        while self.peek() == b'"' {
            let key = self.raw_text();
            self.passes(b':');
            each(self, key);
            self.passes(b',');
        }
        self.passes(b'}');
    }

    /// Hands each item of a list to `each`, which reads or skips it. Skips a value of another type.
    pub(super) fn items(&mut self, mut each: impl FnMut(&mut Self)) {
        if self.peek() != b'[' {
            return self.skip();
        }
        self.at += 1;
        while !matches!(self.peek(), b']' | 0) {
            each(self);
            self.passes(b',');
        }
        self.passes(b']');
    }

    /// Reads a text. Skips a value of another type.
    pub(super) fn text(&mut self) -> Option<Text> {
        if self.peek() != b'"' {
            self.skip();
            return None;
        }
        let before = &self.text.as_bytes()[self.counted..self.at];
        let rows = memchr::memchr_iter(b'\n', before).count();
        self.row += u32::try_from(rows).unwrap_or(u32::MAX);
        self.counted = self.at;
        let raw = self.raw_text();
        // Halves of surrogate pairs are valid in JSON and not in a text: such a text stays escaped.
        let value = serde_json::from_str(&format!("\"{raw}\"")).unwrap_or_else(|_| raw.to_owned());
        Some(Text {
            row: self.row,
            value,
        })
    }

    /// Reads a text, or all texts of a list of them.
    pub(super) fn texts(&mut self) -> Vec<Text> {
        let mut found = Vec::new();
        if self.peek() == b'[' {
            self.items(|reader| found.extend(reader.text()));
        } else {
            found.extend(self.text());
        }
        found
    }

    /// Goes past a value.
    pub(super) fn skip(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.peek() {
                b'"' => {
                    self.raw_text();
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                0 => return,
                _ => self.skip_word(),
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Goes past a number, `true`, `false` or `null`.
    fn skip_word(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:]}".contains(byte);
        self.at += rest.iter().position(is_end).unwrap_or(rest.len());
    }

    /// A string as written, without its quotes.
    fn raw_text(&mut self) -> &'t str {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(end..).unwrap_or_default()) {
            end += found;
            if bytes[end] == b'"' {
                break;
            }
            end += 2;
        }
        self.at = end + 1;
        self.text.get(start..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_rows_and_no_escapes() {
        let json = "{\n \"a\": [\"x\\n\",\n \"\\u00e9\\ud83d\\ude00\\\"\\\\\"],\n\"b\": {\"c\": [1, {}]}, \"d\": \"\\ud83d!\"}";
        let mut found = Vec::new();
        Reader::new(json).unwrap().members(|reader, key| {
            found.push((key.to_owned(), reader.texts()));
        });
        let text = |row, value: &str| Text {
            row,
            value: value.to_owned(),
        };
        assert_eq!(found[0].1, [text(1, "x\n"), text(2, "é😀\"\\")]);
        assert_eq!(found[1].1, []);
        assert_eq!(found[2].1, [text(3, "\\ud83d!")]);
    }

    #[test]
    fn invalid_json_is_refused() {
        for json in ["", "{", "[1 2]", "<<<<<<< HEAD\n{}", "{\"a\": \"\u{0}\"}"] {
            assert!(Reader::new(json).is_err(), "{json}");
        }
    }

    #[test]
    fn deep_nesting_is_skipped() {
        let deep = format!(
            "{{\"a\": {}1{}, \"b\": \"c\"}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        );
        let mut keys = Vec::new();
        let mut reader = Reader::new(&deep).unwrap();
        reader.members(|reader, key| {
            keys.push(key.to_owned());
            reader.skip();
        });
        assert_eq!(keys, ["a", "b"]);
    }
}
