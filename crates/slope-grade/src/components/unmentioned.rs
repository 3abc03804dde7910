//! New functions and files whose names appear nowhere else: neither in the base nor in the edit. They may be for users
//! of a library, so each counts little, but many of them count much.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use slope_model::grade::Evidence;
use slope_model::measurement::{Callable, CallableKind};
use slope_syntax::{Language, conventions};

use super::judged::{Judged, place};
use super::units::{last_part, names};

/// Kind of the evidence.
pub(super) const KIND: &str = "unmentioned-function";

static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[A-Za-z_$][\w$]*").unwrap_or_else(|error| panic!("{error}")));

/// Names that something outside of the code calls.
const CALLED: &[&str] = &[
    "main",
    "init",
    "setup",
    "teardown",
    "default",
    "constructor",
];

/// Most lines that attributes and decorators above a function have.
const MAX_ABOVE: usize = 3;

/// The functions, each of which counts this many lines.
pub(super) fn functions(judged: &Judged<'_>, signal: &str, lines: f64) -> Vec<Evidence> {
    let had = names(judged.product_files().map(|(before, _)| before));
    let mut new: Vec<(&str, &Callable)> = Vec::new();
    for view in judged.product_files().filter_map(|(_, after)| after) {
        // Without a declaration, an interface elsewhere may ask for a method.
        let naming = &conventions::of_id(view.language().id()).naming;
        let is_declared = naming.methods_are_declared;
        let callables = view.callables().iter().filter(|one| {
            let is_kind = match one.kind {
                CallableKind::Function => true,
                CallableKind::Method => is_declared && !one.name.contains(['~', ' ']),
                CallableKind::Lambda => false,
            };
            is_kind && !had.contains(one.name.as_str())
        });
        new.extend(callables.map(|one| (view.path(), one)));
    }
    if new.is_empty() {
        return Vec::new();
    }
    let wanted: BTreeSet<&str> = new.iter().map(|(_, one)| own(one)).collect();
    let mentions = mentions(judged, &wanted);
    let vocabulary = judged.base.code.vocabulary();
    let is_unmentioned = |(path, one): &&(&str, &Callable)| {
        let name = own(one);
        mentions.get(name).is_some_and(|count| *count == 1)
            && vocabulary.dependents(name) == 0
            && !CALLED.contains(&name)
            && !name.starts_with("__")
            && !is_marked(judged, path, one)
    };
    let found = new.iter().filter(is_unmentioned);
    found
        .map(|(path, one)| Evidence {
            signal: signal.to_owned(),
            kind: KIND.to_owned(),
            at: place(path, one.span.start_line, one.span.end_line),
            of: None,
            message: format!("`{}` is new, and nothing mentions it.", one.name),
            amount: lines,
        })
        .collect()
}

/// New files of code whose names nothing mentions, where other files have to: modules of Rust, and classes of Java.
pub(super) fn files(judged: &Judged<'_>, signal: &str, module: f64, class: f64) -> Vec<Evidence> {
    let new = judged.product_files().filter_map(|files| match files {
        (None, Some(after)) => Some(after.path()),
        _ => None,
    });
    let found = new.filter_map(|path| {
        let (folder, file) = path.rsplit_once('/')?;
        let (stem, _) = file.split_once('.')?;
        let is_program = ["bin", "examples", "benches", "tests"];
        let is_program = folder.split('/').any(|part| is_program.contains(&part));
        let is_found = matches!(stem, "mod" | "lib" | "main" | "build" | "package-info");
        let language = Language::of_path(Path::new(path))?;
        let naming = &conventions::of_id(language.id()).naming;
        let amount = match (naming.files_are_modules, naming.files_are_classes) {
            (true, _) => module,
            (_, true) => class,
            _ => return None,
        };
        let mut others = judged.edit.files.iter().filter(|(other, _)| *other != path);
        let is_mentioned = others.any(|(_, (_, after))| {
            let text = String::from_utf8_lossy(after.as_deref().unwrap_or_default());
            WORD.find_iter(&text).any(|word| word.as_str() == stem)
        });
        (!is_program && !is_found && !is_mentioned).then(|| Evidence {
            signal: signal.to_owned(),
            kind: "unmentioned-file".to_owned(),
            at: place(path, 1, 1),
            of: None,
            message: format!("Nothing mentions the new file `{file}`."),
            amount,
        })
    });
    found.collect()
}

/// The last part of a dotted name.
fn own(callable: &Callable) -> &str {
    let name = last_part(&callable.name);
    name.rsplit("::").next().unwrap_or(name)
}

/// How often all files of the edit have some names after it.
fn mentions<'n>(judged: &Judged<'_>, wanted: &BTreeSet<&'n str>) -> BTreeMap<&'n str, usize> {
    let mut counts = BTreeMap::new();
    for (_, after) in judged.edit.files.values() {
        let text = String::from_utf8_lossy(after.as_deref().unwrap_or_default());
        for word in WORD.find_iter(&text) {
            if let Some(name) = wanted.get(word.as_str()) {
                *counts.entry(*name).or_default() += 1;
            }
        }
    }
    counts
}

/// Whether a decorator, an attribute or a word such as `export default` is at a function: something else may find it.
fn is_marked(judged: &Judged<'_>, path: &str, callable: &Callable) -> bool {
    let Some((_, Some(after))) = judged.edit.files.get(path) else {
        return true;
    };
    let text = String::from_utf8_lossy(after);
    let first = callable.span.start_line.saturating_sub(1) as usize;
    let from = first.saturating_sub(MAX_ABOVE);
    let rows: Vec<&str> = text.lines().skip(from).take(first - from + 1).collect();
    let is_mark = |row: &str| {
        let row = row.trim_start();
        row.starts_with(['@', '[']) || row.starts_with("#[") || row.starts_with("#pragma")
    };
    let mut above = rows
        .iter()
        .rev()
        .skip(1)
        .take_while(|row| !row.trim().is_empty());
    let own = rows.last().copied().unwrap_or_default();
    above.any(|row| is_mark(row)) || is_mark(own) || own.contains("export default")
}
