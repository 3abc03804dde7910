//! Notebooks of Jupyter.

use super::json::{Reader, Text};
use super::words::{Words, mentioned};
use super::{Cell, Embedding, Host, Taken, kernels, magics};
use crate::language::Language;

pub(super) const HOST: Host = Host {
    suffix: "ipynb",
    language: "python",
    size_factor: 32,
    keeps_columns: false,
    is_imported: false,
    take,
};

/// The parts of a notebook that matter.
#[derive(Default)]
struct Notebook {
    /// `None` if it has no list of cells.
    cells: Option<Vec<Source>>,
    /// Whether it is of format 3, in which cells are elsewhere.
    has_worksheets: bool,
    /// The language of its kernel.
    kernel: Option<String>,
    /// The language that the kernel said it has.
    info: Option<String>,
    /// The names of its kernel.
    names: Vec<String>,
}

/// A cell.
#[derive(Default)]
struct Source {
    is_code: bool,
    texts: Vec<Text>,
    /// The language that an editor has for it.
    language: Option<String>,
}

fn take(text: &str) -> Result<Taken, String> {
    let mut reader = Reader::new(text).map_err(|error| format!("not a notebook: {error}"))?;
    let mut notebook = Notebook::default();
    reader.members(|reader, key| match key {
        "cells" => notebook.cells = Some(cells(reader)),
        "worksheets" => {
            notebook.has_worksheets = true;
            reader.skip();
        }
        "metadata" => metadata(reader, &mut notebook),
        _ => reader.skip(),
    });
    let Some(cells) = notebook.cells else {
        return Err(if notebook.has_worksheets {
            "a notebook of format 3, which slope does not read (`jupyter nbconvert --to notebook --inplace` converts it)".to_owned()
        } else {
            "not a notebook: it has no list of cells".to_owned()
        });
    };
    let language = match notebook.kernel.or(notebook.info) {
        Some(name) => kernels::language(&name)?,
        None => kernels::named(&notebook.names)?.unwrap_or_else(|| super::known(HOST.language)),
    };
    Ok(joined(language, &cells))
}

fn cells(reader: &mut Reader<'_>) -> Vec<Source> {
    let mut found = Vec::new();
    reader.items(|reader| {
        let mut cell = Source::default();
        reader.members(|reader, key| match key {
            "cell_type" => {
                cell.is_code = reader.text().is_some_and(|kind| kind.value == "code");
            }
            "source" => cell.texts = reader.texts(),
            "metadata" => cell.language = language_of_cell(reader),
            _ => reader.skip(),
        });
        found.push(cell);
    });
    found
}

/// Members of a cell's metadata that hold its language, and the name under which they hold it.
const LANGUAGES_OF_CELLS: &[(&str, &str)] = &[
    ("vscode", "languageId"),
    ("dotnet_interactive", "language"),
    ("polyglot_notebook", "kernelName"),
];

/// The language that an editor has for a cell.
fn language_of_cell(reader: &mut Reader<'_>) -> Option<String> {
    let mut found = None;
    reader.members(|reader, key| {
        let of_editor = LANGUAGES_OF_CELLS.iter().find(|(editor, _)| *editor == key);
        let Some((_, wanted)) = of_editor else {
            return reader.skip();
        };
        reader.members(|reader, key| {
            if key == *wanted {
                found = reader.text().map(|text| text.value);
            } else {
                reader.skip();
            }
        });
    });
    found
}

fn metadata(reader: &mut Reader<'_>, notebook: &mut Notebook) {
    reader.members(|reader, key| {
        let (wanted, place) = match key {
            "kernelspec" => ("language", &mut notebook.kernel),
            "language_info" => ("name", &mut notebook.info),
            _ => return reader.skip(),
        };
        let is_kernel = key == "kernelspec";
        let names = &mut notebook.names;
        reader.members(|reader, key| {
            let is_name = is_kernel && matches!(key, "name" | "display_name");
            if key != wanted && !is_name {
                return reader.skip();
            }
            let text = reader.text().map(|text| text.value);
            let text = text.filter(|name| !name.trim().is_empty());
            if key == wanted {
                *place = text;
            } else {
                names.extend(text);
            }
        });
    });
}

/// Code cells in order, with each line on its row in the file. If a string has several lines, they follow on the next
/// rows, and later code moves down.
fn joined(language: Language, cells: &[Source]) -> Taken {
    let is_python = language.id() == HOST.language;
    let mut text = String::new();
    let mut commands = String::new();
    let mut embedding = Embedding::default();
    let mut parts = Vec::new();
    // The row that the text ends in, and whether something is on it.
    let (mut row, mut is_used) = (0u32, false);
    for (cell, number) in cells.iter().zip(1u32..) {
        let is_other = cell.language.as_deref().is_some_and(|name| {
            Language::by_name(name).is_none_or(|other| other.family() != language.family())
        });
        if !cell.is_code || is_other {
            continue;
        }
        let (rows, lines) = lines(&cell.texts);
        let plain = if is_python {
            magics::without_commands(&lines)
        } else {
            magics::without_first_commands(language, &lines)
        };
        commands.push_str(&plain.commands);
        let (mut first_row, mut file_rows) = (None, None);
        let mut start = text.len();
        for (wanted, line) in rows.into_iter().zip(plain.lines) {
            let next = row + u32::from(is_used);
            let at = wanted.max(next);
            text.extend(std::iter::repeat_n('\n', (at - row) as usize));
            first_row.get_or_insert_with(|| {
                start = text.len();
                at
            });
            text.push_str(&line);
            (row, is_used) = (at, true);
            embedding.rows += 1;
            file_rows = Some(file_rows.map_or((wanted, wanted), |(first, _)| (first, wanted)));
        }
        // An error at the end of a cell is in the row of its last code.
        parts.push(start..text.trim_end().len().max(start));
        embedding.cells.extend(first_row.map(|first_row| Cell {
            number,
            first_row,
            end_row: row + 1,
            file_rows: file_rows.unwrap_or((first_row, row)),
        }));
    }
    if is_used {
        text.push('\n');
    }
    let mut words = Words::default();
    words.add(&commands);
    embedding.mentioned = mentioned(&text, words);
    Taken {
        language,
        text,
        embedding,
        parts,
        prefix: if language.id() == "php" { "<?php " } else { "" },
    }
}

/// The lines of a cell, and the row of the text in which each begins.
fn lines(texts: &[Text]) -> (Vec<u32>, Vec<String>) {
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    let mut is_open = false;
    for text in texts {
        let value = text.value.replace("\r\n", "\n").replace('\r', "\n");
        for line in value.split_inclusive('\n') {
            let code = line.trim_end_matches('\n');
            if is_open && let Some(last) = lines.last_mut() {
                let last: &mut String = last;
                last.push_str(code);
            } else {
                rows.push(text.row);
                lines.push(code.to_owned());
            }
            is_open = !line.ends_with('\n');
        }
    }
    (rows, lines)
}
