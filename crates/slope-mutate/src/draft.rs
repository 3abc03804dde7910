//! Edits of a text, and the check that they parse.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use slope_syntax::{Language, Limits, parse};

use crate::function::Function;
use crate::pick::Pick;
use crate::subject::Subject;
use crate::unit::{Unit, indentation};

/// A replacement of bytes.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

impl Edit {
    /// Replaces a range.
    pub(crate) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Self {
            range,
            text: text.into(),
        }
    }

    /// Inserts rows before a row.
    pub(crate) fn insert(unit: &Unit, row: usize, lines: &[String]) -> Self {
        let at = unit.start(row);
        let lacks_end = at == unit.text().len() && !unit.text().ends_with('\n') && at > 0;
        let begin = if lacks_end { "\n" } else { "" };
        Self::new(at..at, format!("{begin}{}", join(lines)))
    }

    /// Replaces rows.
    pub(crate) fn rows(unit: &Unit, rows: (usize, usize), lines: &[String]) -> Self {
        Self::new(unit.row_range(rows), join(lines))
    }
}

/// Lines with their ends.
pub(crate) fn join(lines: &[String]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect()
}

/// Lines of a template at an indentation. A template has four spaces for each level.
pub(crate) fn laid_out(unit: &Unit, template: &str, indent: &str) -> Vec<String> {
    let line = |line: &str| {
        if line.trim().is_empty() {
            return String::new();
        }
        let depth = indentation(line).chars().filter(|c| *c == ' ').count() / 4
            + indentation(line).matches('\t').count();
        format!("{indent}{}{}", unit.step.repeat(depth), line.trim_start())
    };
    template.lines().map(line).collect()
}

/// Rows of a unit with their indentation replaced. Rows inside texts stay.
pub(crate) fn moved(unit: &Unit, rows: (usize, usize), from: &str, to: &str) -> Vec<String> {
    let row = |row: usize| {
        let text = unit.row_text(row);
        match text.strip_prefix(from) {
            Some(rest) if !rest.is_empty() && !unit.inside[row] => format!("{to}{rest}"),
            _ => text.to_owned(),
        }
    };
    (rows.0..=rows.1).map(row).collect()
}

/// What a mutator made.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// New texts by path, with `\n` as line ends; `None` for removed files.
    pub(crate) files: BTreeMap<String, Option<String>>,
    /// Path of the main edit.
    pub(crate) path: String,
    /// First line of it, from 1.
    pub(crate) line: usize,
    /// What was done.
    pub(crate) message: String,
}

impl Draft {
    /// Edits of one file. `None` if two of them overlap.
    pub(crate) fn of(
        unit: &Unit,
        mut edits: Vec<Edit>,
        message: impl Into<String>,
    ) -> Option<Self> {
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let first = edits.first()?.range.start;
        let text = applied(unit.text(), &edits)?;
        let path = unit.path.clone();
        Some(Self {
            files: BTreeMap::from([(path.clone(), Some(text))]),
            path,
            line: unit.row(first) + 1,
            message: message.into(),
        })
    }

    /// A new file.
    pub(crate) fn file(path: String, text: String, message: impl Into<String>) -> Self {
        let files = BTreeMap::from([(path.clone(), Some(text))]);
        Self {
            files,
            path,
            line: 1,
            message: message.into(),
        }
    }

    /// The same with more files. The first draft stays the main one.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self
    }
}

/// A text with edits in order of position.
pub(crate) fn applied(text: &str, edits: &[Edit]) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        out.push_str(text.get(done..edit.range.start)?);
        out.push_str(&edit.text);
        done = edit.range.end;
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

/// Number of syntax errors of a text; 0 for a file that slope does not parse.
pub(crate) fn errors(path: &str, text: &str) -> u32 {
    let Some(language) = Language::of_file(Path::new(path), text.as_bytes()) else {
        return 0;
    };
    match parse(language, text.as_bytes(), &Limits::default()) {
        Ok(tree) => {
            tree.errors().map_or(0, |errors| errors.count)
                + u32::from(!tree.is_whole() && tree.errors().is_none())
        }
        Err(_) => u32::MAX,
    }
}

/// A place to mutate: a file of a change.
pub(crate) struct Site<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) unit: &'a Unit,
    pub(crate) pick: Pick,
    pub(crate) is_high: bool,
}

impl<'a> Site<'a> {
    /// The functions that the change touches, in random order.
    pub(crate) fn functions(&self) -> Vec<&'a Function> {
        let touched = self.unit.touched_functions();
        self.pick.shuffled(&touched).into_iter().copied().collect()
    }

    /// The functions of the file, touched ones first.
    pub(crate) fn all_functions(&self) -> Vec<&'a Function> {
        let touched = self.functions();
        let others = self
            .unit
            .functions
            .iter()
            .filter(|f| !touched.iter().any(|t| t.node == f.node));
        let others: Vec<&Function> = others.collect();
        let others = self.pick.shuffled(&others).into_iter().copied();
        touched.iter().copied().chain(others).collect()
    }

    /// One number or the other by severity.
    pub(crate) fn many(&self, low: usize, high: usize) -> usize {
        if self.is_high { high } else { low }
    }
}
