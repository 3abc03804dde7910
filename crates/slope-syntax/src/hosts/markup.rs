//! Tags and scripts of markup.

use std::ops::Range;

use memchr::memmem;

use super::scripts::Script;

/// An opening tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    name: &'t str,
    attributes: &'t str,
    /// The byte after it.
    pub(super) end: usize,
    /// Whether it has no content: `<script src="a.js" />`.
    pub(super) is_closed: bool,
}

impl<'t> Tag<'t> {
    /// Whether the element has this name, ignoring case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value of an attribute; empty if it has none. `None` if the tag lacks the attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut rest = self.attributes;
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/' || c == '=');
            if rest.is_empty() {
                return None;
            }
            let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '/'));
            let (found, behind) = rest.split_at(end.unwrap_or(rest.len()));
            let behind = behind.trim_start();
            let (value, behind) = match behind.strip_prefix('=') {
                Some(behind) => value(behind.trim_start()),
                None => ("", behind),
            };
            if found.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = behind;
        }
    }
}

/// The value at the beginning of a text, and the text behind it.
fn value(text: &str) -> (&str, &str) {
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let inner = &text[1..];
            inner.split_once(quote).unwrap_or((inner, ""))
        }
        _ => text.split_at(text.find(char::is_whitespace).unwrap_or(text.len())),
    }
}

/// A place in markup.
pub(super) struct Markup<'t> {
    text: &'t str,
    at: usize,
    /// Whether quotes and braces of tags match so far.
    is_matched: bool,
}

impl<'t> Markup<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self::from(text, 0)
    }

    /// Markup from a byte on.
    pub(super) fn from(text: &'t str, at: usize) -> Self {
        Self {
            text,
            at,
            is_matched: true,
        }
    }

    /// The next opening tag outside of comments. Goes on behind it.
    pub(super) fn next_tag(&mut self) -> Option<Tag<'t>> {
        loop {
            self.next_mark()?;
            if let Some(tag) = self.tag() {
                return Some(tag);
            }
            self.at += 1;
        }
    }

    /// Goes to the next `<` outside of comments.
    fn next_mark(&mut self) -> Option<()> {
        loop {
            let behind = self.text.get(self.at..)?;
            self.at += memchr::memchr(b'<', behind.as_bytes())?;
            let behind = &self.text[self.at..];
            if !behind.starts_with("<!--") {
                return Some(());
            }
            let end = memmem::find(&behind.as_bytes()[4..], b"-->");
            self.at = end.map_or(self.text.len(), |end| self.at + 4 + end + 3);
        }
    }

    /// The opening tag at this place, if there is one. Goes on behind it.
    fn tag(&mut self) -> Option<Tag<'t>> {
        let inner = self.text.get(self.at + 1..)?;
        if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let is_end = |c: char| c.is_whitespace() || matches!(c, '/' | '>');
        let (name, behind) = inner.split_at(inner.find(is_end).unwrap_or(inner.len()));
        let matched = self.is_matched.then(|| end_of_attributes(behind)).flatten();
        self.is_matched &= matched.is_some();
        let end = matched.or_else(|| memchr::memchr(b'>', behind.as_bytes()));
        let end = end.unwrap_or(behind.len());
        let attributes = &behind[..end];
        // A tag that is never closed reaches to the end of the text.
        let after = (end + 1).min(behind.len());
        self.at += 1 + name.len() + after;
        Some(Tag {
            name,
            is_closed: attributes.ends_with('/'),
            attributes,
            end: self.at,
        })
    }

    /// The text of an element up to its closing tag, or up to the end of the file, without parsing it.
    pub(super) fn raw_content(&mut self, tag: &Tag<'_>) -> Range<usize> {
        let mut at = tag.end;
        while let Some(found) = memmem::find(&self.text.as_bytes()[at..], b"</") {
            let name = at + found + 2;
            if self.has_name(name, tag.name) {
                self.at = name;
                return tag.end..at + found;
            }
            at = name;
        }
        self.at = self.text.len();
        tag.end..self.at
    }

    /// The content of an element in which others of its name may be. If the tags do not match, it reaches up to the last
    /// closing tag of this name.
    pub(super) fn nested_content(&mut self, tag: &Tag<'_>) -> Range<usize> {
        let mut open = 1usize;
        let mut last = None;
        self.at = tag.end;
        while self.next_mark().is_some() {
            let at = self.at;
            if self.text[at..].starts_with("</") && self.has_name(at + 2, tag.name) {
                open -= 1;
                last = Some(at);
                if open == 0 {
                    break;
                }
            } else if self.has_name(at + 1, tag.name)
                && let Some(inner) = self.tag()
            {
                open += usize::from(!inner.is_closed);
                continue;
            }
            self.at += 1;
        }
        let end = last.unwrap_or(self.text.len());
        self.at = (end + 1).min(self.text.len());
        tag.end..end
    }

    /// Whether the name of a tag is at a byte.
    fn has_name(&self, at: usize, name: &str) -> bool {
        let bytes = &self.text.as_bytes()[at..];
        let is_name = bytes
            .get(..name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()));
        is_name
            && bytes
                .get(name.len())
                .is_none_or(|&next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
    }

    /// Scripts wherever they are, outside of comments and styles.
    pub(super) fn scripts(mut self) -> Vec<Script<'t>> {
        let mut found = Vec::new();
        while self.next_mark().is_some() {
            let names = ["script", "style"];
            let is_raw = names.iter().any(|name| self.has_name(self.at + 1, name));
            // Tags in texts are values: `{@html '<script>'}`.
            let before = self.text[..self.at].trim_end();
            let is_value = before.ends_with(['"', '\'', '`', '\\']);
            let tag = if is_raw && !is_value {
                self.tag()
            } else {
                None
            };
            let Some(tag) = tag else {
                self.at += 1;
                continue;
            };
            let content = if tag.is_closed {
                tag.end..tag.end
            } else {
                self.raw_content(&tag)
            };
            if tag.is("script") {
                found.push(Script { tag, content });
            }
        }
        found
    }
}

/// End of a tag's attributes: the first `>` outside of quotes and braces. `None` if these do not match.
fn end_of_attributes(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut braces = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'{') => braces += 1,
            (None, b'}') => braces = braces.saturating_sub(1),
            (None, b'>') if braces == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
