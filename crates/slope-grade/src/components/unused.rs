//! Imports that an edit adds and that nothing in the file uses, where the gate cannot be sure: headers, whose names no
//! import lists, and modules that variables hold.

use std::sync::LazyLock;

use regex::Regex;
use slope_measure::FileView;
use slope_model::grade::Evidence;
use slope_model::time_limit;
use slope_syntax::conventions;

use super::judged::{Judged, place};
use crate::regex::regex;

static INCLUDE: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*#\s*include\s*<([\w./]+)>"));
static REQUIRE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:const|let|var|local)\s+(\w+)\s*=\s*require\s*\("));
/// Texts and comments in a row.
static NO_CODE: LazyLock<Regex> =
    LazyLock::new(|| regex(r#""(?:[^"\\]|\\.)*"|//.*|/\*.*?(?:\*/|$)"#));
static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"\w+"));

/// The imports, each of which counts this many lines.
pub(super) fn imports(judged: &Judged<'_>, signal: &str, lines: f64) -> Vec<Evidence> {
    let mut found = Vec::new();
    for view in judged.product_files().filter_map(|(_, after)| after) {
        let path = view.path();
        let Some((_, after)) = judged.edit.files.get(path) else {
            continue;
        };
        // A file without functions may be there to include others.
        if view.callables().is_empty() {
            continue;
        }
        let text = String::from_utf8_lossy(after.as_deref().unwrap_or_default());
        let declared_by = conventions::of_id(view.language().id()).imports.declared_by;
        for (line, row) in judged.lines.gained(path) {
            time_limit::check();
            let is_unused = if let Some(header) = INCLUDE.captures(row) {
                declared_by(&header[1]).is_some_and(|names| !uses(view, &text, names))
            } else if let Some(name) = REQUIRE.captures(row) {
                let count = |text: &str| {
                    let words = WORD.find_iter(text);
                    words.filter(|word| word.as_str() == &name[1]).count()
                };
                count(&text) == count(row)
            } else {
                false
            };
            if is_unused {
                found.push(Evidence {
                    signal: signal.to_owned(),
                    kind: "unused-import".to_owned(),
                    at: place(path, *line, *line),
                    of: None,
                    message: format!("Nothing in the file uses `{}`.", row.trim()),
                    amount: lines,
                });
            }
        }
    }
    found
}

/// Whether the code of a file has one of the names outside of includes, comments and texts.
fn uses(view: &FileView, text: &str, names: &[&str]) -> bool {
    let rows = text
        .lines()
        .zip(0..)
        .filter(|(_, row)| view.source().contains(*row));
    let mut rows = rows
        .map(|(row, _)| row)
        .filter(|row| !INCLUDE.is_match(row));
    let is_one = |word: &str| {
        names.iter().any(|name| match name.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => word == *name,
        })
    };
    rows.any(|row| {
        let code = NO_CODE.replace_all(row, " ");
        WORD.find_iter(&code).any(|word| is_one(word.as_str()))
    })
}
