//! JSON as text. Edits change only the places that they must, and leave the rest unchanged.
//!
//! Comments and trailing commas are allowed, as in some agents.

/// Place and message of invalid JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub(crate) struct Malformed {
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in bytes, from 1.
    pub(crate) column: usize,
    /// Error message.
    pub(crate) message: &'static str,
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Members: start of the key, the key, and the index of the value.
    Object(Vec<(usize, String, usize)>),
    /// Indices of the values.
    Array(Vec<usize>),
    /// Text, with escapes resolved.
    Text(String),
    /// A number, `true`, `false` or `null`.
    Other,
}

/// A text with the places of its values. The first value is the whole document.
#[derive(Debug, Clone)]
pub(crate) struct Document<'a> {
    pub(crate) text: &'a str,
    pub(crate) nodes: Vec<Node>,
}

/// An open container: its index, and the state of the parser in it.
struct Open {
    node: usize,
    /// In an object: the key whose value comes next.
    key: Option<(usize, String)>,
    /// Whether a value has just ended, so that a comma or the end must follow.
    after_value: bool,
}

impl<'a> Document<'a> {
    /// Parses a text.
    pub(crate) fn read(text: &'a str) -> Result<Self, Malformed> {
        Reader {
            text,
            at: 0,
            nodes: Vec::new(),
            open: Vec::new(),
        }
        .read()
    }

    /// Index of a member's value in an object; the last one if the key is repeated.
    pub(crate) fn member(&self, object: usize, key: &str) -> Option<usize> {
        let Kind::Object(members) = &self.nodes[object].kind else {
            return None;
        };
        let found = members.iter().rev().find(|(_, known, _)| known == key);
        found.map(|(_, _, value)| *value)
    }

    /// Indices of the values of an array; empty for other values.
    pub(crate) fn elements(&self, array: usize) -> &[usize] {
        match &self.nodes[array].kind {
            Kind::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a text value.
    pub(crate) fn text_of(&self, node: usize) -> Option<&str> {
        match &self.nodes[node].kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Start and end of each part of a container, with keys.
    pub(crate) fn parts(&self, container: usize) -> Vec<(usize, usize)> {
        match &self.nodes[container].kind {
            Kind::Object(members) => members
                .iter()
                .map(|(start, _, value)| (*start, self.nodes[*value].end))
                .collect(),
            Kind::Array(elements) => elements
                .iter()
                .map(|&value| (self.nodes[value].start, self.nodes[value].end))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Position of the first byte from `at` that is neither white space nor in a comment.
    pub(crate) fn next(&self, at: usize) -> usize {
        passed_over(self.text, at).unwrap_or(self.text.len())
    }
}

impl Document<'_> {
    /// Whether there is a comment next to a part of a container.
    pub(crate) fn has_comment_around(&self, container: usize, part: usize) -> bool {
        let Some(&(start, end)) = self.parts(container).get(part) else {
            return false;
        };
        let node = &self.nodes[container];
        let around = [&self.text[node.start..start], &self.text[end..node.end]];
        around.iter().any(|text| text.contains('/'))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
    open: Vec<Open>,
}

impl<'a> Reader<'a> {
    fn read(mut self) -> Result<Document<'a>, Malformed> {
        // Some editors start files with a byte order mark.
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        loop {
            self.skip()?;
            let Some(byte) = self.text.as_bytes().get(self.at).copied() else {
                return Err(self.wrong("the file ends in the middle of a value"));
            };
            match self.open.last() {
                Some(open) if open.after_value => self.between(byte)?,
                Some(open) => {
                    let wants_key =
                        open.key.is_none() && matches!(self.nodes[open.node].kind, Kind::Object(_));
                    match (byte, wants_key) {
                        (b'}', true) | (b']', false) => self.close(byte)?,
                        (b'"', true) => self.key()?,
                        (_, true) => return Err(self.wrong("a key in quotes is missing here")),
                        (_, false) => self.value(byte)?,
                    }
                }
                None => self.value(byte)?,
            }
            if self.open.is_empty() {
                break;
            }
        }
        self.skip()?;
        if self.at < self.text.len() {
            return Err(self.wrong("there is more after the end of the value"));
        }
        Ok(Document {
            text: self.text,
            nodes: self.nodes,
        })
    }

    /// Reads the byte after a value: a comma or the end of the container.
    fn between(&mut self, byte: u8) -> Result<(), Malformed> {
        if byte != b',' {
            return self.close(byte);
        }
        self.at += 1;
        if let Some(open) = self.open.last_mut() {
            open.after_value = false;
        }
        Ok(())
    }

    fn close(&mut self, byte: u8) -> Result<(), Malformed> {
        let wrong = self.wrong("a comma or the end of the list is missing here");
        let Some(open) = self.open.last() else {
            return Err(wrong);
        };
        let expected = match self.nodes[open.node].kind {
            Kind::Object(_) => b'}',
            _ => b']',
        };
        if byte != expected || open.key.is_some() {
            return Err(wrong);
        }
        let node = open.node;
        self.at += 1;
        self.nodes[node].end = self.at;
        self.open.pop();
        self.ended(node);
        Ok(())
    }

    fn key(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        let key = self.string()?;
        self.skip()?;
        if self.text.as_bytes().get(self.at) != Some(&b':') {
            return Err(self.wrong("a colon is missing here"));
        }
        self.at += 1;
        if let Some(open) = self.open.last_mut() {
            open.key = Some((start, key));
        }
        Ok(())
    }

    fn value(&mut self, byte: u8) -> Result<(), Malformed> {
        let (node, start) = (self.nodes.len(), self.at);
        let container = match byte {
            b'{' => Some(Kind::Object(Vec::new())),
            b'[' => Some(Kind::Array(Vec::new())),
            _ => None,
        };
        if let Some(kind) = container {
            self.at += 1;
            self.nodes.push(Node {
                start,
                end: start,
                kind,
            });
            self.open.push(Open {
                node,
                key: None,
                after_value: false,
            });
            return Ok(());
        }
        let kind = if byte == b'"' {
            Kind::Text(self.string()?)
        } else {
            self.plain()?;
            Kind::Other
        };
        let end = self.at;
        self.nodes.push(Node { start, end, kind });
        self.ended(node);
        Ok(())
    }

    /// Adds a complete value to its container.
    fn ended(&mut self, node: usize) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        open.after_value = true;
        let key = open.key.take();
        match (&mut self.nodes[open.node].kind, key) {
            (Kind::Object(members), Some((start, key))) => members.push((start, key, node)),
            (Kind::Array(elements), _) => elements.push(node),
            _ => {}
        }
    }

    fn string(&mut self) -> Result<String, Malformed> {
        let bytes = self.text.as_bytes();
        let mut end = self.at + 1;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'"' => break,
                b'\\' => end += 2,
                b'\n' => break,
                _ => end += 1,
            }
        }
        let read = self.text.get(self.at..=end);
        let text = read.and_then(|text| serde_json::from_str(text).ok());
        let text = text.ok_or_else(|| self.wrong("this text in quotes is malformed"))?;
        self.at = end + 1;
        Ok(text)
    }

    fn plain(&mut self) -> Result<(), Malformed> {
        let rest = &self.text[self.at..];
        let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | ':' | '/');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        if serde_json::from_str::<serde_json::Value>(word).is_err() {
            return Err(self.wrong("this is not a JSON value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn skip(&mut self) -> Result<(), Malformed> {
        match passed_over(self.text, self.at) {
            Some(at) => self.at = at,
            None => return Err(self.wrong("a comment does not end")),
        }
        Ok(())
    }

    fn wrong(&self, message: &'static str) -> Malformed {
        let (line, column) = place(self.text, self.at);
        Malformed {
            line,
            column,
            message,
        }
    }
}

/// Line and column of a byte, from 1.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let row = before.rfind('\n').map_or(0, |newline| newline + 1);
    (1 + before.matches('\n').count(), 1 + before.len() - row)
}

/// End of white space and comments from `at`; `None` if a comment has no end.
fn passed_over(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        if trimmed.starts_with("//") {
            at += trimmed.find('\n').unwrap_or(trimmed.len());
        } else if trimmed.starts_with("/*") {
            at += trimmed.find("*/")? + 2;
        } else {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_located_in_text() {
        let text = "// a\n{ \"a\": [1, \"x\\n\", {}], /* b */ \"b\": null, }\n";
        let read = Document::read(text).unwrap();
        let a = read.member(0, "a").unwrap();
        assert_eq!(
            &text[read.nodes[a].start..read.nodes[a].end],
            "[1, \"x\\n\", {}]"
        );
        assert_eq!(read.elements(a).len(), 3);
        assert_eq!(read.text_of(read.elements(a)[1]), Some("x\n"));
        assert!(read.member(0, "c").is_none());
        let ends: Vec<&str> = read.parts(0).iter().map(|&(s, e)| &text[s..e]).collect();
        assert_eq!(ends, ["\"a\": [1, \"x\\n\", {}]", "\"b\": null"]);
    }

    #[test]
    fn malformed_json_names_line_and_column() {
        for (text, line, column) in [
            ("", 1, 1),
            ("{", 1, 2),
            ("{\n  \"a\" 1\n}", 2, 7),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3),
            ("[1, 2", 1, 6),
            ("{} {}", 1, 4),
            ("{\"a\": nil}", 1, 7),
            ("/* never", 1, 1),
            ("{\"a\": \"x\n\"}", 1, 7),
            ("[1}", 1, 3),
            ("{a: 1}", 1, 2),
            ("\"é", 1, 1),
        ] {
            let wrong = Document::read(text).unwrap_err();
            assert_eq!(
                (wrong.line, wrong.column),
                (line, column),
                "{text:?}: {wrong}"
            );
        }
    }

    #[test]
    fn deep_nesting_parses() {
        let text = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(Document::read(&text).unwrap().nodes.len(), 200_000);
    }
}
