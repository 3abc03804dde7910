//! Rows of a tree's text, and places in them.

use slope_model::finding::Span;

use super::{SyntaxTree, narrow};

impl SyntaxTree {
    /// Physical lines: line ends, and one more if text follows the last.
    #[must_use]
    pub fn physical_lines(&self) -> u32 {
        let ends = narrow(self.line_starts.len() - 1);
        let open_end = !self.text.is_empty() && !self.text.ends_with('\n');
        ends + u32::from(open_end)
    }

    /// The first byte of each row.
    #[must_use]
    #[inline]
    pub fn line_starts(&self) -> &[u32] {
        &self.line_starts
    }

    /// The text of a row without its line end.
    #[must_use]
    #[inline]
    pub fn row_text(&self, row: u32) -> &str {
        let Some(&start) = self.line_starts.get(row as usize) else {
            return "";
        };
        let end = self
            .line_starts
            .get(row as usize + 1)
            .map_or(self.text.len(), |&next| next as usize - 1);
        self.text.get(start as usize..end).unwrap_or_default()
    }

    /// The span of a range of bytes.
    #[must_use]
    pub fn span(&self, start_byte: usize, end_byte: usize) -> Span {
        let position = |offset: usize| {
            let offset = narrow(offset);
            let row = self.line_starts.partition_point(|&start| start <= offset) - 1;
            (narrow(row) + 1, offset - self.line_starts[row] + 1)
        };
        let (start_line, start_column) = position(start_byte);
        let (end_line, end_column) = position(end_byte);
        Span {
            start_line,
            start_column,
            end_line,
            end_column,
        }
    }

    /// The span of a node.
    #[must_use]
    pub fn node_span(&self, index: u32) -> Span {
        let node = self.node(index);
        self.span(node.start_byte as usize, node.end_byte as usize)
    }
}
