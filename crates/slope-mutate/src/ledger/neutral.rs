//! Edits that make no function better or worse.

use super::code::{Code, Function, has_word, indentation, replaced, text, words};
use super::{Edit, Files};
use crate::Pick;

type Make = fn(&Files, &Pick) -> Option<Edit>;

/// Kinds of edits by name.
pub(super) const KINDS: &[(&str, Make)] = &[
    ("shifted", shifted),
    ("file-moved", file_moved),
    ("function-renamed", function_renamed),
    ("function-moved", function_moved),
    ("file-split", file_split),
    ("arguments-reformatted", arguments_reformatted),
    ("comments-edited", comments_edited),
];

/// The edit of the first file that allows one.
fn first_of(files: &Files, pick: &Pick, edit: impl Fn(&Code) -> Option<Edit>) -> Option<Edit> {
    pick.shuffled(&files.codes).into_iter().find_map(edit)
}

/// Adds blank rows and a comment at the top, and blank rows before each definition.
fn shifted(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        let head = code.rows.iter().take(2).any(|row| row.starts_with('#'));
        if code.functions.is_empty() || head {
            return None;
        }
        let mut rows = vec!["# Kept as it was.".to_owned(), String::new(), String::new()];
        for (number, row) in code.rows.iter().enumerate() {
            if code.tops.contains(&number) && !code.inside[number] {
                rows.extend([String::new(), String::new()]);
            }
            rows.push(row.clone());
        }
        Some(vec![(code.path.clone(), Some(text(&rows)))])
    })
}

/// Moves a file to another folder.
fn file_moved(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        if code.functions.is_empty() || code.stem().starts_with("__") || code.folder().is_empty() {
            return None;
        }
        let path = format!("{}/elsewhere/{}.py", code.folder(), code.stem());
        Some(vec![(path, Some(code.text())), (code.path.clone(), None)])
    })
}

/// Renames a function in all files.
fn function_renamed(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        let function = pick.one(&code.functions)?;
        let name = &function.own;
        let special = name.starts_with("__") || name.contains("test") || name.len() < 6;
        let definitions = files.codes.iter().flat_map(|c| &c.functions);
        let alone = definitions.filter(|f| f.own == *name).count() == 1;
        let elsewhere = files.others.iter().any(|text| has_word(text, name));
        if special || !alone || elsewhere {
            return None;
        }
        let new = format!("{name}_by_another_name");
        let touched = files.codes.iter().filter(|code| code.has(name));
        let renamed = touched.map(|code| {
            let rows = code.rows.iter().map(|row| replaced(row, name, &new));
            (code.path.clone(), Some(text(&rows.collect::<Vec<_>>())))
        });
        Some(renamed.collect())
    })
}

/// Moves a function to the end of another file of its folder.
fn function_moved(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        let movable = code.functions.iter().find(|f| is_independent(code, f))?;
        let fits = |to: &&Code| {
            to.folder() == code.folder() && to.path != code.path && !to.has(&movable.own)
        };
        let to = files.codes.iter().find(fits)?;
        let mut rows = code.rows.clone();
        let moved: Vec<_> = rows.drain(movable.first..=movable.last).collect();
        let mut there = to.rows.clone();
        there.extend([String::new(), String::new()]);
        there.extend(moved);
        let path = |code: &Code| code.path.clone();
        Some(vec![
            (path(to), Some(text(&there))),
            (path(code), Some(text(&rows))),
        ])
    })
}

/// Whether a function uses no other code of its file, and no other code of the file uses it.
fn is_independent(code: &Code, function: &Function) -> bool {
    if !function.top_level || function.decorated || function.own.starts_with("test") {
        return false;
    }
    let own: Vec<&str> = code.rows[function.first..=function.last]
        .iter()
        .flat_map(|row| words(row))
        .collect();
    let mut rest = code.rows.iter().enumerate().filter(|(number, row)| {
        let at_top = row.starts_with(|c: char| c.is_alphabetic() || c == '_');
        at_top && !(function.first..=function.last).contains(number)
    });
    let apart = rest.all(|(_, row)| !words(row).any(|word| own.contains(&word) && !keyword(word)));
    let uses = code.rows.iter().filter(|row| has_word(row, &function.own));
    let imports_inside = code.imports.iter().any(|rows| rows.0 != rows.1);
    apart && uses.count() == 1 && !imports_inside
}

fn keyword(word: &str) -> bool {
    let keywords = [
        "def", "class", "if", "else", "elif", "for", "in", "try", "except", "finally", "with",
        "as", "import", "from", "return", "not", "and", "or", "is", "None", "True", "False",
        "raise", "self", "async", "await", "while", "pass", "del", "assert", "lambda", "yield",
        "global",
    ];
    keywords.contains(&word)
}

/// Moves the second half of a file to a new file.
fn file_split(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        let middle = code.tops.len() / 2;
        let defines = |&&row: &&usize| {
            let row = &code.rows[row];
            ["def ", "class ", "@"]
                .iter()
                .any(|begin| row.starts_with(begin))
        };
        let at = *code.tops[middle..].iter().find(defines)?;
        let (head, tail) = split(code, at)?;
        let path = path_of_rest(&code.path)?;
        Some(vec![
            (path, Some(text(&tail))),
            (code.path.clone(), Some(text(&head))),
        ])
    })
}

/// A path in the same folder that is a test if the given one is.
fn path_of_rest(path: &str) -> Option<String> {
    let is_test = |path: &str| slope_syntax::paths::is_test_in(path, super::LANGUAGE);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let end = if folder.is_empty() { "" } else { "/" };
    let names = [
        format!("{}_rest.py", path.strip_suffix(".py")?),
        format!("{folder}{end}rest_{file}"),
    ];
    let mut names = names.into_iter();
    names.find(|name| is_test(name) == is_test(path))
}

/// The rows of both parts, each with the imports that it uses.
fn split(code: &Code, at: usize) -> Option<(Vec<String>, Vec<String>)> {
    let simple = |&(first, last): &(usize, usize)| {
        let row = &code.rows[first];
        first == last && last < at && !row.contains(['*', '(', ';', '\\', ',', '#'])
    };
    if !code.imports.iter().all(simple) || code.has("__all__") {
        return None;
    }
    let is_import = |number: usize| code.imports.iter().any(|rows| rows.0 == number);
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    let rest = || {
        code.rows
            .iter()
            .enumerate()
            .filter(|(number, _)| !is_import(*number))
    };
    let uses = |word: &str, in_tail: bool| {
        rest().any(|(number, row)| (number >= at) == in_tail && has_word(row, word))
    };
    for (number, row) in code.rows.iter().enumerate().take(at) {
        if !is_import(number) {
            head.push(row.clone());
            continue;
        }
        let bound = words(row).last()?;
        let bound = if row.starts_with("import ") && !row.contains(" as ") {
            words(row).nth(1)?
        } else {
            bound
        };
        let (above, below) = (uses(bound, false), uses(bound, true));
        if below || row.contains("__future__") {
            tail.push(row.clone());
        }
        if above || !below || row.contains("__future__") {
            head.push(row.clone());
        }
    }
    let defined = |in_tail: bool| {
        let rows = rest().filter(move |(number, row)| {
            (*number >= at) == in_tail && row.starts_with(|c: char| c.is_alphabetic() || c == '_')
        });
        rows.flat_map(|(_, row)| words(row))
            .filter(|word| !keyword(word))
    };
    // Neither part may need the other, because it would have to import it.
    if defined(true).any(|word| uses(word, false)) || defined(false).any(|word| uses(word, true)) {
        return None;
    }
    tail.extend([String::new(), String::new()]);
    tail.extend_from_slice(&code.rows[at..]);
    Some((head, tail))
}

/// Puts the arguments of some calls on separate rows.
fn arguments_reformatted(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        if code.functions.is_empty() || code.arguments.len() < 3 {
            return None;
        }
        let mut rows = code.rows.clone();
        let mut broken = Vec::new();
        for &(row, column) in code.arguments.iter().rev() {
            if broken.contains(&row) || code.inside[row] {
                continue;
            }
            broken.push(row);
            let rest = rows[row].split_off(column);
            let indentation = " ".repeat(indentation(&rows[row]).len() + 8);
            rows.insert(row + 1, format!("{indentation}{rest}"));
        }
        Some(vec![(code.path.clone(), Some(text(&rows)))])
    })
}

/// Adds comments before the statements of one function, and removes those of another.
fn comments_edited(files: &Files, pick: &Pick) -> Option<Edit> {
    first_of(files, pick, |code| {
        let function = pick.one(&code.functions)?;
        let at: Vec<usize> = function.body.iter().map(|rows| rows.0).collect();
        let means = [
            "type:", "noqa", "pragma", "slope", "nosec", "pylint", "coding",
        ];
        let gone = |number: usize| {
            let row = &code.rows[number];
            number > 1 && code.comments.contains(&number) && !means.iter().any(|m| row.contains(m))
        };
        let mut rows = Vec::new();
        for (number, row) in code.rows.iter().enumerate() {
            if at.contains(&number) && !code.inside[number] {
                rows.push(format!(
                    "{}# What comes next is as before.",
                    indentation(row)
                ));
            }
            if !gone(number) {
                rows.push(row.clone());
            }
        }
        Some(vec![(code.path.clone(), Some(text(&rows)))])
    })
}
