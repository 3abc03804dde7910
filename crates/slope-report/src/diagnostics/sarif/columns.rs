//! Converts columns in bytes to UTF-16 code units, in which SARIF counts.

use slope_model::finding::Span;

use super::types::Region;
use crate::diagnostics::Sources;

/// Converts columns, and caches the text of the last file: places are ordered by path.
pub(super) struct Columns<'a> {
    sources: Option<Sources<'a>>,
    file: Option<(String, Option<Text>)>,
}

struct Text {
    text: String,
    /// Offset of each line's first byte.
    starts: Vec<usize>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(sources: Option<Sources<'a>>) -> Self {
        Self {
            sources,
            file: None,
        }
    }

    /// The region of a span; of whole lines if the text is unavailable or lacks these columns.
    pub(super) fn region(&mut self, path: &str, span: Span) -> Region {
        let ends = self.text(path).and_then(|text| {
            let start = text.column(span.start_line, span.start_column)?;
            Some((start, text.column(span.end_line, span.end_column)?))
        });
        Region {
            start_line: span.start_line.max(1),
            start_column: ends.map(|e| e.0),
            end_line: span.end_line.max(span.start_line).max(1),
            end_column: ends.map(|e| e.1),
        }
    }

    fn text(&mut self, path: &str) -> Option<&Text> {
        let sources = self.sources?;
        if self.file.as_ref().is_none_or(|(known, _)| known != path) {
            let text = sources(path).map(Text::new);
            self.file = Some((path.to_owned(), text));
        }
        self.file.as_ref().and_then(|(_, text)| text.as_ref())
    }
}

impl Text {
    fn new(text: String) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Self { text, starts }
    }

    /// The column in UTF-16 code units of a column in bytes; both from 1.
    fn column(&self, line: u32, column: u32) -> Option<u32> {
        let start = *self
            .starts
            .get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        let bytes = usize::try_from(column).ok()?.checked_sub(1)?;
        let before = self.text.get(start..start.checked_add(bytes)?)?;
        if before.contains('\n') {
            return None;
        }
        u32::try_from(before.encode_utf16().count() + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(text: &str, span: (u32, u32, u32, u32)) -> Region {
        let text = text.to_owned();
        let sources = |_: &str| Some(text.clone());
        Columns::new(Some(&sources)).region(
            "a.py",
            Span {
                start_line: span.0,
                start_column: span.1,
                end_line: span.2,
                end_column: span.3,
            },
        )
    }

    #[test]
    fn bytes_become_code_units() {
        // Two bytes and one unit; four bytes and two units.
        let found = region("ä𝄞x\ny\n", (1, 7, 2, 2));
        assert_eq!((found.start_column, found.end_column), (Some(4), Some(2)));
    }

    #[test]
    fn columns_outside_the_text_are_omitted() {
        for span in [(1, 9, 1, 10), (7, 1, 7, 2), (1, 2, 1, 3), (1, 0, 1, 1)] {
            let found = region("ä\nbcdefghijk\n", span);
            assert_eq!(found.start_column, None, "{span:?}");
        }
        let none = Columns::new(None).region("a.py", Span::default());
        assert_eq!((none.start_line, none.end_line), (1, 1));
    }
}
