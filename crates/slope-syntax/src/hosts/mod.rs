//! Files that contain code of a language among other text: components with scripts, and notebooks.
//!
//! The code of such a file is taken out before it is parsed, and each line of it stays on its row. The rest of the file
//! is left blank, so that rows, and columns of components, are those of the file.
//!
//! A new kind of file is a file here, which this file declares and lists in the table.

mod astro;
mod json;
mod kernels;
mod magics;
mod markup;
mod notebook;
mod scripts;
mod svelte;
mod vue;
mod words;

use std::ops::Range;

use crate::language::Language;

/// A kind of file that contains code of a language.
pub(crate) struct Host {
    /// The suffix of its files, in lower case.
    pub(crate) suffix: &'static str,
    /// Id of the language of its code, if a file names no other.
    pub(crate) language: &'static str,
    /// Maximum file size, as a multiple of the limit for code, because outputs and markup are not
    /// parsed.
    pub(crate) size_factor: usize,
    /// Whether the columns of the code are those of the file, as its lines are.
    pub(crate) keeps_columns: bool,
    /// Whether other files can import from it.
    pub(crate) is_imported: bool,
    /// Takes the code out of the text of a file. The error is the reason why the file cannot be measured.
    pub(crate) take: fn(&str) -> Result<Taken, String>,
}

/// Code that was taken out of a file.
pub(crate) struct Taken {
    pub(crate) language: Language,
    /// The code, each line on its row in the file.
    pub(crate) text: String,
    pub(crate) embedding: Embedding,
    /// Its scripts or cells in order, as bytes of the text. Each is a program of its own.
    pub(crate) parts: Vec<Range<usize>>,
    /// Text that the grammar needs before each of them.
    pub(crate) prefix: &'static str,
}

/// Data about code that was taken out of another file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Embedding {
    /// Rows of the code, including blank ones.
    pub rows: u32,
    /// Names in the code that the rest of the file mentions, ascending.
    pub mentioned: Vec<String>,
    /// The cells of a notebook in order; empty for other files.
    pub cells: Vec<Cell>,
}

/// A cell of a notebook with code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Its number among all cells, from 1.
    pub number: u32,
    /// The row of its first line, from 0.
    pub first_row: u32,
    /// The row after its last line.
    pub end_row: u32,
    /// The rows of the file that its code is on, the last included. They differ from the others if several lines of code
    /// are on one row.
    pub file_rows: (u32, u32),
}

/// Every kind of file that contains code of another language.
pub(crate) static HOSTS: &[Host] = &[vue::HOST, svelte::HOST, astro::HOST, notebook::HOST];

/// The kind of file with a suffix in lower case.
pub(crate) fn of_suffix(suffix: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.suffix == suffix)
}

/// A language of the table by an id that is surely in it.
fn known(id: &str) -> Language {
    Language::by_id(id).unwrap_or_else(|| unreachable!("the table has {id}"))
}
