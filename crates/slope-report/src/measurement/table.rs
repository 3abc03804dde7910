//! Columns of text that fit a terminal.

use anstyle::Style;

use crate::terminal::width as columns_of;

/// The side of a cell's text in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Text with a style.
pub(crate) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self::styled(text, Style::new())
    }

    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
        }
    }
}

/// A table whose columns are as wide as their texts.
///
/// Only one column may be cut to make the rest fit; paths are never cut, because users copy them.
/// If a row still does not fit, its last cell is on its own line.
pub(crate) struct TextTable {
    head: Vec<(&'static str, Side)>,
    /// The column that may be cut, and to how many columns of the screen at least.
    flexible: Option<(usize, usize)>,
    rows: Vec<Vec<Cell>>,
}

impl TextTable {
    pub(crate) fn new(head: &[(&'static str, Side)], flexible: Option<(usize, usize)>) -> Self {
        Self {
            head: head.to_vec(),
            flexible,
            rows: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: Vec<Cell>) {
        self.rows.push(row);
    }

    /// The table as lines, indented by two, with a head if any column has a title.
    pub(crate) fn render(&self, screen: Option<usize>, color: bool) -> String {
        let mut widths = self.widths();
        let room = screen.map_or(usize::MAX, |w| w.saturating_sub(2));
        let gaps = 2 * self.head.len().saturating_sub(1);
        let needed = widths.iter().sum::<usize>() + gaps;
        if let Some((flexible, least)) = self.flexible
            && needed > room
            && let Some(width) = widths.get_mut(flexible)
        {
            let least = least.min(*width);
            *width = width.saturating_sub(needed - room).max(least);
        }
        let mut out = String::new();
        if self.head.iter().any(|(title, _)| !title.is_empty()) {
            let dim = Style::new().dimmed();
            let cells = self.head.iter().map(|(title, _)| Cell::styled(*title, dim));
            self.line(&mut out, &cells.collect::<Vec<_>>(), &widths, room, color);
        }
        for row in &self.rows {
            self.line(&mut out, row, &widths, room, color);
        }
        out
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.head.iter().map(|(t, _)| columns_of(t)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(columns_of(&cell.text));
            }
        }
        widths
    }

    fn line(&self, out: &mut String, row: &[Cell], widths: &[usize], room: usize, color: bool) {
        let mut used = 0;
        let mut pending = 0;
        out.push_str("  ");
        let last = row.len().saturating_sub(1);
        for (i, ((cell, width), (_, side))) in row.iter().zip(widths).zip(&self.head).enumerate() {
            let mut text = cut(&cell.text, *width);
            let mut own = columns_of(&text);
            let before = match side {
                Side::Right => width.saturating_sub(own),
                Side::Left => 0,
            };
            if i == last && i > 0 && used + pending + before + own > room && own > 0 {
                out.push_str("\n      ");
                pending = 0;
                if self.flexible.is_some_and(|(column, _)| column == i) {
                    text = cut(&cell.text, room.saturating_sub(4).max(*width));
                    own = columns_of(&text);
                }
            } else {
                pending += before;
            }
            if !text.is_empty() {
                out.extend(std::iter::repeat_n(' ', pending));
                used += pending + own;
                out.push_str(&paint(&text, cell.style, color));
                pending = 0;
            }
            pending += 2 + if *side == Side::Left {
                width.saturating_sub(own)
            } else {
                0
            };
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }
}

/// `text` in a style, or as it is.
pub(crate) fn paint(text: &str, style: Style, color: bool) -> String {
    if color && style != Style::new() {
        format!("{style}{text}{style:#}")
    } else {
        text.to_owned()
    }
}

/// `text` cut to `most` columns of the screen, the cut marked.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if columns_of(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += columns_of(c.encode_utf8(&mut [0; 4]));
        if used > most {
            break;
        }
        short.push(c);
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let head = [
            ("n", Side::Right),
            ("name", Side::Left),
            ("place", Side::Left),
        ];
        let mut table = TextTable::new(&head, Some((1, 6)));
        table.push(vec![
            Cell::new("1"),
            Cell::new("a_rather_long_name"),
            Cell::new("src/a.py:1"),
        ]);
        table.push(vec![
            Cell::new("200"),
            Cell::new("日本語"),
            Cell::new("src/b.py:20"),
        ]);
        table
    }

    #[test]
    fn table_columns_align() {
        assert_eq!(
            table().render(None, false),
            "    n  name                place\n\
             \x20   1  a_rather_long_name  src/a.py:1\n\
             \x20 200  日本語              src/b.py:20\n"
        );
    }

    #[test]
    fn only_the_flexible_column_is_cut() {
        assert_eq!(
            table().render(Some(28), false),
            "    n  name      place\n\
             \x20   1  a_rathe…  src/a.py:1\n\
             \x20 200  日本語    src/b.py:20\n"
        );
        let narrow = table().render(Some(20), false);
        assert!(narrow.contains("\n      src/a.py:1\n"), "{narrow}");
    }

    #[test]
    fn paint_adds_colour_only_if_enabled() {
        let red = anstyle::AnsiColor::Red.on_default();
        assert_eq!(paint("x", red, false), "x");
        assert_eq!(paint("x", red, true), "\u{1b}[31mx\u{1b}[0m");
    }
}
