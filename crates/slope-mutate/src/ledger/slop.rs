//! Edits that make one function worse in a known way.

use super::code::{Code, Function, indentation, replaced, text, words};
use super::{Files, Slop};
use crate::Pick;

type Make = fn(&Files, &Pick) -> Option<Slop>;

/// Kinds of slop by name.
pub(super) const KINDS: &[(&str, Make)] = &[
    ("helper-copied", helper_copied),
    ("duplicate-inlined", duplicate_inlined),
    ("dead-branch", dead_branch),
    ("exception-swallowed", exception_swallowed),
    ("chain-grown", chain_grown),
];

/// Minimum number of rows and words of copied code. Shorter code is not a clone.
const COPIED_ROWS: usize = 9;
const COPIED_WORDS: usize = 45;

/// Functions in random order, each with its file.
fn functions<'f>(files: &'f Files, pick: &Pick) -> Vec<(&'f Code, &'f Function)> {
    let all: Vec<_> = files
        .codes
        .iter()
        .flat_map(|c| c.functions.iter().map(move |f| (c, f)))
        .collect();
    pick.shuffled(&all).into_iter().copied().collect()
}

/// Rows of code in a range, and the words in them.
fn size(code: &Code, first: usize, last: usize) -> (usize, usize) {
    let is_code = |row: &usize| {
        let text = code.rows[*row].trim_start();
        !text.is_empty() && !text.starts_with('#') && !code.inside[*row]
    };
    let rows: Vec<usize> = (first..=last).filter(is_code).collect();
    let count = rows.iter().map(|&row| words(&code.rows[row]).count()).sum();
    (rows.len(), count)
}

fn is_enough((rows, words): (usize, usize)) -> bool {
    rows >= COPIED_ROWS && words >= COPIED_WORDS
}

/// Copies a function into another file under another name.
fn helper_copied(files: &Files, pick: &Pick) -> Option<Slop> {
    let all = functions(files, pick);
    let (code, function) = all.iter().copied().find(|(code, f)| {
        let first = f.body[0].0;
        f.top_level && is_enough(size(code, first, f.last)) && !f.own.starts_with("test")
    })?;
    let to = files
        .codes
        .iter()
        .find(|to| to.folder() == code.folder() && to.path != code.path)?;
    let name = format!("{}_once_more", function.own);
    let mut rows = to.rows.clone();
    rows.extend([String::new(), String::new()]);
    let copied = &code.rows[function.first..=function.last];
    rows.extend(copied.iter().map(|row| replaced(row, &function.own, &name)));
    Some(Slop {
        edit: vec![(to.path.clone(), Some(text(&rows)))],
        path: to.path.clone(),
        function: name,
        added: |change| change.clone_lines > 0 && change.mass > 0.0,
    })
}

/// Copies statements of one function into another.
fn duplicate_inlined(files: &Files, pick: &Pick) -> Option<Slop> {
    let all = functions(files, pick);
    let copied = |(code, f): &(&Code, &Function)| {
        let (first, last) = (f.body.first()?.0, f.body.iter().rev().nth(1)?.1);
        let leaves = [
            "return", "yield", "await", "nonlocal", "global", "super", "async",
        ];
        let mut inside = code.rows[first..=last].iter().flat_map(|row| words(row));
        let fits = is_enough(size(code, first, last))
            && !code.inside[first..=last].contains(&true)
            && !inside.any(|word| leaves.contains(&word));
        fits.then(|| code.rows[first..=last].to_vec())
    };
    let (from, block) = all.iter().find_map(|pair| Some((pair.0, copied(pair)?)))?;
    let (code, function) = all
        .iter()
        .copied()
        .find(|(code, f)| code.path != from.path && f.body.len() > 2)?;
    let outer = indentation(&block[0]).len();
    let added = |indentation: &str| {
        let row = |row: &String| format!("{indentation}{}", row.get(outer..).unwrap_or_default());
        block.iter().map(row).collect()
    };
    Some(inserted(code, function, added, |change| {
        change.clone_lines > 0
    }))
}

/// Adds a statement after a function's last `return`.
fn dead_branch(files: &Files, pick: &Pick) -> Option<Slop> {
    let all = functions(files, pick);
    let ends = |(code, f): &(&Code, &Function)| {
        let last = f.body.last().map(|rows| rows.0);
        last.is_some_and(|row| code.rows[row].trim_start().starts_with("return "))
    };
    let (code, function) = all.into_iter().find(ends)?;
    let indentation = indentation(&code.rows[function.body[0].0]);
    let mut rows = code.rows.clone();
    rows.insert(function.last + 1, format!("{indentation}print(\"done\")"));
    Some(Slop {
        edit: vec![(code.path.clone(), Some(text(&rows)))],
        path: code.path.clone(),
        function: function.name.clone(),
        added: |change| change.dead_code > 0,
    })
}

/// Adds a handler that swallows an exception.
fn exception_swallowed(files: &Files, pick: &Pick) -> Option<Slop> {
    let (code, function) = functions(files, pick)
        .into_iter()
        .find(|(_, f)| f.body.len() > 1)?;
    let added = |i: &str| {
        let rows = [
            "try:",
            "    open(\"log\").close()",
            "except Exception:",
            "    pass",
        ];
        rows.iter().map(|row| format!("{i}{row}")).collect()
    };
    Some(inserted(code, function, added, |change| {
        change.flagged_lines > 0 && change.mass > 0.0
    }))
}

/// Adds a chain of conditions.
fn chain_grown(files: &Files, pick: &Pick) -> Option<Slop> {
    let (code, function) = functions(files, pick)
        .into_iter()
        .find(|(_, f)| f.body.len() > 1)?;
    let kinds = [
        "square", "circle", "line", "point", "path", "text", "image", "group",
    ];
    let added = |i: &str| {
        let arm = |(number, kind): (usize, &&str)| {
            let word = if number == 0 { "if" } else { "elif" };
            let test = format!("{i}{word} shape == \"{kind}\":");
            [test, format!("{i}    {kind}_total = add({number}, {kind})")]
        };
        kinds.iter().enumerate().flat_map(arm).collect()
    };
    Some(inserted(code, function, added, |change| change.mass > 0.0))
}

/// Rows before the first statement of a function.
fn inserted(
    code: &Code,
    function: &Function,
    added: impl Fn(&str) -> Vec<String>,
    check: fn(&slope_model::ledger::Amounts) -> bool,
) -> Slop {
    let at = function.body[0].0;
    let mut rows = code.rows.clone();
    let new = added(indentation(&code.rows[at]));
    rows.splice(at..at, new);
    Slop {
        edit: vec![(code.path.clone(), Some(text(&rows)))],
        path: code.path.clone(),
        function: function.name.clone(),
        added: check,
    }
}
