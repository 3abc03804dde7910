//! A table before it is rendered.

use crate::format;

/// Meaning of a cell, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
    Warn,
    Faint,
}

impl Tone {
    /// Class name in HTML.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Tone::Plain => "plain",
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Warn => "warn",
            Tone::Faint => "faint",
        }
    }
}

/// Part of a table to which a column belongs; a narrow terminal prints the parts one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Block {
    Key,
    Tests,
    Quality,
    Effort,
}

#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) title: String,
    pub(crate) unit: String,
    pub(crate) block: Block,
    /// Text is left, numbers right.
    pub(crate) is_text: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) tone: Tone,
    /// Number of the footnote, from 1.
    pub(crate) note: Option<usize>,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self {
            text: text.into(),
            tone,
            note: None,
        }
    }

    /// The text with its footnote's number.
    pub(crate) fn marked(&self) -> String {
        self.note.map_or_else(
            || self.text.clone(),
            |n| format!("{}{}", self.text, format::raised(n)),
        )
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    /// Whether it sums up the rows above.
    pub(crate) is_foot: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Grid {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// Footnotes, numbered from 1.
    pub(crate) notes: Vec<String>,
}

impl Grid {
    pub(crate) fn column(
        &mut self,
        title: impl Into<String>,
        unit: &str,
        block: Block,
        is_text: bool,
    ) {
        let title = title.into();
        self.columns.push(Column {
            title,
            unit: unit.to_owned(),
            block,
            is_text,
        });
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row {
            cells,
            is_foot: false,
        });
    }

    /// The number of the footnote with this text; equal texts share one.
    pub(crate) fn note(&mut self, text: &str) -> usize {
        let text = format::shorten(&format::clean(text), 400);
        match self.notes.iter().position(|n| *n == text) {
            Some(at) => at + 1,
            None => {
                self.notes.push(text);
                self.notes.len()
            }
        }
    }

    /// The columns of `blocks` only, as a grid without footnotes; a foot without a sum in them is
    /// left out.
    pub(crate) fn part(&self, blocks: &[Block]) -> Grid {
        let columns = self
            .columns
            .iter()
            .filter(|c| blocks.contains(&c.block))
            .cloned()
            .collect();
        let mut part = Grid {
            columns,
            ..Grid::default()
        };
        for row in &self.rows {
            let pairs = row.cells.iter().zip(&self.columns);
            let kept = pairs.filter(|(_, column)| blocks.contains(&column.block));
            let is_key = |c: &Column| c.block == Block::Key;
            if !row.is_foot
                || kept
                    .clone()
                    .any(|(cell, c)| !is_key(c) && !cell.text.is_empty())
            {
                let cells = kept.map(|(cell, _)| cell.clone()).collect();
                part.rows.push(Row {
                    cells,
                    is_foot: row.is_foot,
                });
            }
        }
        part
    }
}
