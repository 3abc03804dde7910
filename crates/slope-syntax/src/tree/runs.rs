//! Long runs of comments in Python, which its grammar is not shown in full.
//!
//! To know where a block ends the grammar looks over all comments up to the next code, once for
//! each of them: 20,000 lines that begin with `#` took it 16 seconds. So of a long run it sees
//! the first comments only. The others carry no code, and no node tells of them.

use tree_sitter::{Point, Range};

use crate::Language;

/// Comments at the begin of a run that the grammar sees: documentation and directives are shorter.
const SEEN: usize = 128;

/// The parts of a text that the grammar is to see; nothing if that is all of it.
pub(super) fn seen(language: Language, text: &str, line_starts: &[u32]) -> Vec<Range> {
    if language.id() != "python" {
        return Vec::new();
    }
    let lines = Lines { text, line_starts };
    let mut hidden: Vec<(usize, usize)> = Vec::new();
    // A longer run has one of these lines.
    let mut row = SEEN;
    while row < line_starts.len() {
        if !lines.is_comment(row) {
            row += SEEN;
            continue;
        }
        let first = (0..row).rev().find(|&row| !lines.is_comment(row));
        let first = first.map_or(0, |row| row + 1);
        let after = (row..line_starts.len()).find(|&row| !lines.is_comment(row));
        let after = after.unwrap_or(line_starts.len());
        if after - first > 2 * SEEN {
            hidden.push((first + SEEN, after));
        }
        row = after.max(row + 1).next_multiple_of(SEEN);
    }
    lines.between(&hidden)
}

struct Lines<'a> {
    text: &'a str,
    line_starts: &'a [u32],
}

impl Lines<'_> {
    /// Whether a line is a comment and nothing else. What may end a text that stands around it is none.
    fn is_comment(&self, row: usize) -> bool {
        let start = self.line_starts[row] as usize;
        let rest = &self.text.as_bytes()[start..];
        let code = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
        if code.is_none_or(|at| rest[at] != b'#') {
            return false;
        }
        let end = self.line_starts.get(row + 1);
        let line = &self.text[start..end.map_or(self.text.len(), |&end| end as usize)];
        !line.contains("\"\"\"") && !line.contains("'''")
    }

    /// What lies before, between and after rows that are hidden.
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

    /// Text and rows of all nodes but comments.
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
    fn code_around_a_long_run_stands_where_it_stands() {
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
    fn a_text_that_looks_like_comments_is_a_text() {
        let run = "# no comment\n".repeat(5 * SEEN);
        let found = code(&format!("x = '''\n{run}# the end'''\ny = 1\n"));
        assert!(found.iter().any(|(text, ..)| text == "y"), "{found:?}");
    }

    #[test]
    fn only_long_runs_of_python_are_hidden() {
        let python = Language::by_id("python").unwrap();
        let hidden = |language, count: usize| {
            let text = format!("x = 1\n{}", "# c\n".repeat(count));
            let starts = super::super::line_starts(&text);
            !seen(language, &text, &starts).is_empty()
        };
        assert!(!hidden(python, 2 * SEEN));
        assert!(hidden(python, 2 * SEEN + 1));
        assert!(!hidden(Language::by_id("ruby").unwrap(), 5_000));
    }
}
