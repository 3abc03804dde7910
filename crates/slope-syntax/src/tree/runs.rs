//! Long runs of comments in Python, which its grammar is not shown in full.
//!
//! To know where a block ends the grammar looks over all comments up to the next code, once for
//! each of them: 20,000 lines that begin with `#` took it 16 seconds. So of a long run it sees the
//! first comments only. The others have no code and no nodes.

use tree_sitter::{Point, Range};

use crate::Language;

/// Lines at the start of a run that the grammar sees: documentation and directives are shorter.
const SEEN: usize = 128;

/// Lines at its end that it sees: those about the code below.
const SEEN_LAST: usize = 8;

/// The parts of a text that the grammar is to see; nothing if that is all of it.
pub(super) fn seen(language: Language, text: &str, line_starts: &[u32]) -> Vec<Range> {
    if !language.spec().rereads_comments {
        return Vec::new();
    }
    let lines = Lines { text, line_starts };
    // A longer run contains one of these rows and as many after it. Most files have none.
    let mut some = (SEEN..line_starts.len().saturating_sub(SEEN)).step_by(SEEN);
    if !some.any(|row| (row..=row + SEEN).step_by(8).all(|row| lines.is_quiet(row))) {
        return Vec::new();
    }
    let in_text = rows_in_texts(text);
    let is_of_run = |row: &usize| lines.is_quiet(*row) && in_text.get(*row) != Some(&true);
    let mut hidden: Vec<(usize, usize)> = Vec::new();
    let mut row = 0;
    while row < line_starts.len() {
        let first = row;
        row += (row..line_starts.len()).take_while(is_of_run).count();
        let comments = (first..row).filter(|&row| lines.is_comment(row)).count();
        if comments > 2 * SEEN {
            hidden.push((first + SEEN, row - SEEN_LAST));
        }
        row += 1;
    }
    lines.between(&hidden)
}

/// For each row, whether a string of several lines continues in it.
fn rows_in_texts(text: &str) -> Vec<bool> {
    let bytes = text.as_bytes();
    let mut rows = vec![false];
    // The quote that ends the text that is open, and whether three of it do.
    let mut open: Option<(u8, bool)> = None;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let is_triple = || bytes[at..].starts_with(&[byte; 3]);
        match (open, byte) {
            (Some(_), b'\\') => {
                at += 1;
                rows.extend((bytes.get(at) == Some(&b'\n')).then_some(true));
            }
            (Some((_, false)), b'\n') => {
                open = None;
                rows.push(false);
            }
            (_, b'\n') => rows.push(open.is_some()),
            (None, b'#') => {
                let end = memchr::memchr(b'\n', &bytes[at..]);
                at += end.unwrap_or(bytes.len() - at);
                continue;
            }
            (None, b'"' | b'\'') => {
                open = Some((byte, is_triple()));
                at += if is_triple() { 2 } else { 0 };
            }
            (Some((quote, false)), _) if byte == quote => open = None,
            (Some((quote, true)), _) if byte == quote && is_triple() => {
                open = None;
                at += 2;
            }
            _ => {}
        }
        at += 1;
    }
    rows
}

struct Lines<'a> {
    text: &'a str,
    line_starts: &'a [u32],
}

impl Lines<'_> {
    /// The first non-blank byte of a line; a line end for a blank line.
    fn first(&self, row: usize) -> u8 {
        let rest = &self.text.as_bytes()[self.line_starts[row] as usize..];
        let mut code = rest.iter().filter(|byte| !matches!(byte, b' ' | b'\t'));
        code.next().copied().unwrap_or(b'\n')
    }

    fn is_comment(&self, row: usize) -> bool {
        self.first(row) == b'#'
    }

    /// Whether a line is a comment and nothing else, or blank.
    fn is_quiet(&self, row: usize) -> bool {
        matches!(self.first(row), b'#' | b'\n')
    }

    /// The text before, between and after hidden rows.
    fn between(&self, hidden: &[(usize, usize)]) -> Vec<Range> {
        if hidden.is_empty() {
            return Vec::new();
        }
        let mut ranges = Vec::with_capacity(hidden.len() + 1);
        let mut row = 0;
        for &(first, after) in hidden {
            ranges.push(self.range(row, Some(first)));
            row = after;
        }
        if row < self.line_starts.len() {
            ranges.push(self.range(row, None));
        }
        ranges
    }

    fn range(&self, first: usize, after: Option<usize>) -> Range {
        let start_byte = self.line_starts[first] as usize;
        let last = self.line_starts.len() - 1;
        let (end_byte, end_point) = match after {
            Some(row) => (self.line_starts[row] as usize, Point::new(row, 0)),
            None => {
                let column = self.text.len() - self.line_starts[last] as usize;
                (self.text.len(), Point::new(last, column))
            }
        };
        Range {
            start_byte,
            end_byte,
            start_point: Point::new(first, 0),
            end_point,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, parse};

    fn tree(text: &str) -> crate::SyntaxTree {
        parse(
            Language::by_id("python").unwrap(),
            text.as_bytes(),
            &Limits::default(),
        )
        .unwrap()
    }

    /// Text and rows of all nodes except comments.
    fn code(text: &str) -> Vec<(String, u32, u32)> {
        let tree = tree(text);
        assert_eq!(tree.errors(), None, "{text}");
        let nodes = (0u32..).zip(tree.nodes());
        let is_code = |index: u32| !tree.info(index).roles.any(crate::Roles::COMMENT);
        nodes
            .filter(|(index, node)| is_code(*index) && node.end == index + 1)
            .map(|(index, node)| {
                (
                    tree.node_text(index).to_owned(),
                    node.start_row,
                    node.end_row,
                )
            })
            .collect()
    }

    #[test]
    fn hidden_comment_runs_keep_positions() {
        for count in [SEEN, 2 * SEEN, 2 * SEEN + 1, 5 * SEEN + 3] {
            for indent in ["", "    "] {
                let run = format!("{indent}# a comment\n").repeat(count);
                let text =
                    format!("def f(a):\n    x = a\n{run}    return x\n\n{run}\ny = f(1)\n{run}");
                let found = code(&text);
                let rows = u32::try_from(count).unwrap();
                let of = |wanted: &str| found.iter().find(|(text, ..)| text == wanted);
                assert_eq!(of("return").map(|found| found.1), Some(2 + rows));
                assert_eq!(of("y").map(|found| found.1), Some(2 + rows + 2 + rows + 1));
                let source = tree(&text).source_lines(crate::Profile::Slope);
                assert_eq!(source.count(), 4, "{count} {indent:?}");
            }
        }
    }

    #[test]
    fn comment_like_text_is_not_hidden() {
        let count = 5 * SEEN;
        let names = |text: &str| {
            let found = code(text);
            found.iter().filter(|(text, ..)| text == "seen").count()
        };
        let lines = "# {seen}\n".repeat(count);
        let text = format!("x = f'''\n{lines}# the end'''\ny = seen\n");
        assert_eq!(names(&text), count + 1);
        let lines = "# no comment \\\n".repeat(count);
        assert_eq!(names(&format!("x = 'a\\\n{lines}# end'\ny = seen\n")), 1);
        // Quotes in comments do not open a string, and an unclosed string ends with its line.
        for head in [
            "# it's\n",
            "x = 'a' # \"\"\"\n",
            "x = '''a'''\n",
            "x = \"\\\"\"\n",
        ] {
            let run = "# it's '''\n\n".repeat(count);
            let tree = tree(&format!("{head}{run}y = seen\n"));
            let nodes = 0..u32::try_from(tree.nodes().len()).unwrap();
            let comments = nodes.filter(|&node| tree.info(node).roles.any(crate::Roles::COMMENT));
            assert!(comments.count() < 2 * SEEN, "{head}");
        }
    }

    #[test]
    fn only_long_runs_of_python_are_hidden() {
        let python = Language::by_id("python").unwrap();
        let hidden = |language, count: usize| {
            let text = format!("x = 1\n{}y = 1\n", "# c\n".repeat(count));
            let starts = super::super::line_starts(&text);
            !seen(language, &text, &starts).is_empty()
        };
        assert!(!hidden(python, 2 * SEEN));
        assert!(hidden(python, 2 * SEEN + 1));
        assert!(!hidden(Language::by_id("ruby").unwrap(), 5_000));
    }
}
