//! Tables for sheets and data frames (RFC 4180).

use csv::{Terminator, Writer, WriterBuilder};

/// A table of CSV in memory, which needs no error: its rows are as long as its head.
pub(crate) struct Table(Writer<Vec<u8>>);

impl Table {
    /// A table with its header. Line ends are those of the standard.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = &'a str>) -> Self {
        let mut table = Self::without_head();
        table.push(columns.into_iter().map(str::to_owned));
        table
    }

    /// A table without a header: rows that follow others.
    pub(crate) fn without_head() -> Self {
        let mut builder = WriterBuilder::new();
        Self(builder.terminator(Terminator::CRLF).from_writer(Vec::new()))
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = String>) {
        // Memory takes everything.
        drop(self.0.write_record(row));
    }

    /// The table as text.
    pub(crate) fn finish(self) -> String {
        let bytes = self.0.into_inner().unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

/// Whether spreadsheets take a text for a formula.
pub(crate) fn is_formula(text: &str) -> bool {
    // Some take full-width signs, and skip white space.
    let first = text.trim_start();
    text.starts_with(['\t', '\r'])
        || first.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
}

/// Text with an apostrophe in front if a spreadsheet would evaluate it.
pub(crate) fn guarded(text: String) -> String {
    if is_formula(&text) {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_needed() {
        let mut table = Table::new(["a", "b"]);
        table.push(["x,y".to_owned(), "say \"no\"".to_owned()]);
        table.push([String::new(), "two\nlines".to_owned()]);
        let text = "a,b\r\n\"x,y\",\"say \"\"no\"\"\"\r\n,\"two\nlines\"\r\n";
        assert_eq!(table.finish(), text);
    }

    #[test]
    fn formulas_get_an_apostrophe() {
        for text in ["=1", "+1", "-1", "@a", "\ta", " =1", "＝1"] {
            assert_eq!(guarded(text.to_owned()), format!("'{text}"));
        }
        assert_eq!(guarded("a=1".to_owned()), "a=1");
    }
}
