//! Components of Astro: front matter, and scripts for the browser.

use std::ops::Range;

use super::markup::Markup;
use super::scripts::Block;
use super::{Host, scripts};

/// The mark around the front matter.
const FENCE: &str = "---";

pub(super) const HOST: Host = Host {
    suffix: "astro",
    language: "typescript",
    size_factor: 1,
    keeps_columns: true,
    is_imported: true,
    take: |text| {
        let front = front_matter(text);
        let rest = front.as_ref().map_or(0, |front| front.end);
        let scripts = Markup::from(text, rest).scripts();
        let mut blocks: Vec<Block> = Vec::new();
        blocks.extend(front.map(|range| Block {
            range,
            language: "typescript",
        }));
        blocks.extend(scripts::blocks(scripts, "typescript")?);
        Ok(scripts::joined(text, &blocks))
    },
};

/// The code between the marks at the beginning of a file; up to its end if the second mark is missing. Comments may be
/// before it.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let start = first_content(text);
    if !text[start..].starts_with(FENCE) {
        return None;
    }
    let begin = start + FENCE.len();
    let end = Script::new(text, begin).fence().or_else(|| {
        // Quotes that do not match are not those of texts.
        let mut lines = text[begin..]
            .match_indices('\n')
            .map(|(at, _)| begin + at + 1);
        lines.find_map(|at| fence_of_line(text, at))
    });
    Some(begin..end.unwrap_or(text.len()))
}

/// Where the text begins that is not a comment of markup.
fn first_content(text: &str) -> usize {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let after = comment.split_once("-->").map_or("", |(_, after)| after);
        rest = after.trim_start();
    }
    text.len() - rest.len()
}

/// The mark that a line begins with.
fn fence_of_line(text: &str, line: usize) -> Option<usize> {
    let rest = &text[line..];
    let code = rest.trim_start_matches([' ', '\t']);
    let at = line + rest.len() - code.len();
    code.starts_with(FENCE).then_some(at)
}

/// Code of the front matter, of which the texts and comments are known.
struct Script<'t> {
    text: &'t str,
    at: usize,
    /// Whether the last code is an operator or an opening bracket, so that `/` begins a regular expression.
    is_operator: bool,
    /// For each template that is open, how many braces are open in the value that it shows.
    templates: Vec<usize>,
}

impl<'t> Script<'t> {
    fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            at,
            is_operator: true,
            templates: Vec::new(),
        }
    }

    /// The mark that ends the code: at the beginning of a line, or at the end of one.
    fn fence(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let rest = &self.text[self.at..];
            if self.templates.is_empty() && rest.starts_with(FENCE) && self.is_at_fence() {
                return Some(self.at);
            }
            match byte {
                b'/' if rest.starts_with("//") => self.pass(rest.find('\n')),
                b'/' if rest.starts_with("/*") => {
                    self.pass(rest[2..].find("*/").map(|end| end + 4));
                }
                b'"' | b'\'' => self.pass_text(byte),
                b'/' if self.is_operator => self.pass_text(byte),
                b'`' => {
                    self.at += 1;
                    self.pass_template();
                }
                b'{' | b'}' => self.brace(byte),
                _ => {
                    if !byte.is_ascii_whitespace() {
                        self.is_operator = b"(,=:[!&|?;+-*%<>~^".contains(&byte);
                    }
                    self.at += rest.chars().next().map_or(1, char::len_utf8);
                }
            }
        }
        None
    }

    /// Whether three hyphens are all that is before or behind them in their line.
    fn is_at_fence(&self) -> bool {
        let before = self.text[..self.at].rsplit('\n').next();
        let behind = self.text[self.at + FENCE.len()..].lines().next();
        let is_blank = |part: Option<&str>| part.is_none_or(|part| part.trim().is_empty());
        is_blank(before) || is_blank(behind)
    }

    /// Goes on by a number of bytes; to the end without one.
    fn pass(&mut self, bytes: Option<usize>) {
        self.at = bytes.map_or(self.text.len(), |bytes| self.at + bytes);
    }

    /// Goes past a text or a regular expression, which ends in its line.
    fn pass_text(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => break,
                _ if byte == quote => break,
                _ => {}
            }
            at += 1;
        }
        self.is_operator = false;
        // One that is not closed is read as a character of its own.
        let is_closed = bytes.get(at) == Some(&quote);
        self.at = if is_closed { at + 1 } else { self.at + 1 };
    }

    /// Goes past the text of a template up to its end, or up to a value in it.
    fn pass_template(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 1,
                b'`' => {
                    self.is_operator = false;
                    self.at += 1;
                    return;
                }
                b'$' if bytes.get(self.at + 1) == Some(&b'{') => {
                    self.templates.push(0);
                    self.is_operator = true;
                    self.at += 2;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn brace(&mut self, brace: u8) {
        self.at += 1;
        self.is_operator = true;
        match (self.templates.last_mut(), brace) {
            (Some(open), b'{') => *open += 1,
            (Some(0), _) => {
                self.templates.pop();
                self.pass_template();
            }
            (Some(open), _) => *open -= 1,
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_between_its_marks() {
        let of = |text: &str| front_matter(text).map(|range| text[range].to_owned());
        let is_some = |text: &str, code: &str| assert_eq!(of(text).as_deref(), Some(code));
        is_some("---\na\n---\n<p/>", "\na\n");
        is_some("\n---\na--\n  ---\n", "\na--\n  ");
        is_some("---\na\n", "\na\n");
        is_some("---\n---\n", "\n");
        is_some("--- a\nb ---\n<p/>", " a\nb ");
        assert_eq!(of("<p>---</p>"), None);
        assert_eq!(of(""), None);
    }

    #[test]
    fn fences_in_texts_are_text() {
        for code in [
            "a = `\n---\n`",
            "a = `${b`\n---\n`}\n---\n`",
            "a = `${{ b: 1 }}\n---\n`",
            "/*\n---\n*/",
            "// it's `\nb /*\n--- */",
            "a = '`' + \"`\\\"`\"\nb = `\n---\n`",
            "a = /[`'\"]/\nb = c / d / `\n---\n`",
        ] {
            let text = format!("---\n{code}\n---\n<p>it's\n---\n</p>");
            let range = front_matter(&text).unwrap();
            assert_eq!(text[range].trim(), code);
        }
    }

    #[test]
    fn unclosed_quotes_keep_the_fence() {
        for code in ["a = `", "a = 'b", "/* a", "a = /b", "a = `${"] {
            let text = format!("---\n{code}\n---\n<p/>");
            let range = front_matter(&text).unwrap();
            assert_eq!(text[range].trim(), code);
        }
    }

    #[test]
    fn comments_precede_front_matter() {
        let text = "<!-- a\n--- -->\n<!-- b -->\n---\na\n---\n<p/>";
        assert_eq!(&text[front_matter(text).unwrap()], "\na\n");
        assert_eq!(front_matter("<!-- a\n---\na\n---\n"), None);
    }
}
