//! Files of tests that stop running, or that test something else, although no test function in them changes.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use slope_change::Impact;
use slope_change::ledger::UnitAt;
use slope_measure::{FileStep, FileView};
use slope_model::grade::Flag;
use slope_model::measurement::Part;
use slope_syntax::conventions;
use slope_syntax::paths::is_test;

use super::flag::flag;
use crate::edit::{Edit, Text};
use crate::lines::{Rows, added};

const CHANGED: &str = "test-changed";
const SKIPS: &str = "skips-tests";
const PATCHES: &str = "patches-tests";

/// Lines that keep a whole file of tests from running, or replace what it tests.
static SWITCHES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^//\s*(go:build|\+build)\b|^\s*#\s*if\s+(0|false)\b|\bsys\.modules\[[^\]]*\]\s*=[^=]|^=begin\b|^pytestmark\s*=|^\s*#\[cfg\(all\([^)]*\btest\b|\b(ctx|context)\.skip\(",
    )
    .ok()
});

/// A class that is there only for others to extend.
static ABSTRACT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\babstract\s+(\w+\s+)*class\b|\bclass\b.*\(\s*(abc\.)?ABC\s*\)|\bclass\b.*\bmetaclass\s*=",
    )
    .ok()
});

/// A module that a test replaces.
static MOCKED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\b(?:vi|jest)\.(?:do)?[mM]ock\(\s*['"]([^'"]+)['"]"#).ok());

/// A value of another module that Python code replaces for all tests.
static REPLACES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(\w+)(?:\.\w+)+\s*=[^=]|^setattr\(\s*(\w+)|^\S.*\bsetattr\(\s*(\w+)\.").ok()
});

/// A definition of a hook of pytest, which only plug-ins have.
static HOOK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(async\s+)?def\s+pytest_\w+\s*\(").ok());

/// Texts and numbers.
static VALUE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d[\w.]*\b"#).ok());

/// Modules of settings that tests may change.
const SETTINGS: &[&str] = &["sys", "os", "logging", "warnings", "numpy", "matplotlib"];

/// Beginnings of lines that import names.
const IMPORTS: &[&str] = &[
    "import", "from ", "use ", "using ", "#include", "package", "mod ",
];

/// Ends of names by which Go builds a file for one system only.
const SYSTEMS: &[&str] = &[
    "windows", "darwin", "linux", "js", "wasm", "plan9", "freebsd", "android", "ios", "wasip1",
    "arm", "arm64", "386",
];

/// All flags about files of tests.
pub(super) fn find(edit: &Edit, impact: &Impact) -> Vec<Flag> {
    let mut found = Vec::new();
    for (path, (before, after)) in edit.files.iter().filter(|(path, _)| is_test(path)) {
        found.extend(switched_off(path, before, after));
        found.extend(replaced(path, before, after));
        found.extend(taken_from_new_files(edit, path, before, after));
        found.extend(renamed(edit, path, before, after));
    }
    found.extend(
        edit.files
            .iter()
            .filter_map(|(path, (before, after))| narrowed(path, before, after)),
    );
    for step in &impact.step.files {
        found.extend(lost_values(edit, step));
        found.extend(defined_again(step));
    }
    found.extend(changed_data(edit, impact));
    found
}

/// A file that stops running by a condition, an abstract class, or a replacement of what it tests.
fn switched_off(path: &str, before: &Text, after: &Text) -> Option<Flag> {
    before.as_ref()?;
    let (switches, is_abstract) = (SWITCHES.as_ref()?, ABSTRACT.as_ref()?);
    let mocked = MOCKED.as_ref()?;
    let lines = added(before, after);
    let replaces = |line: &str| {
        let mut modules = mocked.captures_iter(line);
        modules.any(|module| module[1].starts_with('.') && stem(&module[1]) == stem(path))
    };
    let (number, _) = lines.iter().find(|(_, line)| {
        switches.is_match(line) || is_abstract.is_match(line) || replaces(line)
    })?;
    let message = "A line keeps existing tests from running, or replaces what they test.";
    Some(flag(SKIPS, true, (path, *number), message))
}

/// Tests of Rust inside of code that get another condition than that they are tests.
fn narrowed(path: &str, before: &Text, after: &Text) -> Option<Flag> {
    let (only, all) = ("#[cfg(test)]", "#[cfg(all(");
    let gone = added(after, before);
    let lost = path.ends_with(".rs") && gone.iter().any(|(_, line)| line.trim() == only);
    let lines = added(before, after);
    let mut lines = lines.iter().filter(|_| lost);
    let (number, _) = lines.find(|(_, line)| line.contains(all) && line.contains("test"))?;
    let message = "Existing tests get a further condition.";
    Some(flag(SKIPS, true, (path, *number), message))
}

/// The name of a file without its suffixes.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// A line outside of functions by which a test of Python changes another module for all tests.
fn replaced(path: &str, before: &Text, after: &Text) -> Option<Flag> {
    let (replaces, hook) = (REPLACES.as_ref()?, HOOK.as_ref()?);
    let text = String::from_utf8_lossy(after.as_deref().filter(|_| path.ends_with(".py"))?);
    let is_imported = |name: &str| {
        let rows = text.lines();
        let mut rows = rows.filter(|row| row.starts_with("import ") || row.starts_with("from "));
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let has = |row: &str| row.split(|c| !is_name(c)).any(|word| word == name);
        !SETTINGS.contains(&name) && rows.any(has)
    };
    let lines = added(before, after);
    let (number, _) = lines.iter().find(|(_, line)| {
        let changes = replaces.captures(line).is_some_and(|found| {
            let mut names = (1..=3).filter_map(|at| found.get(at));
            names.any(|name| is_imported(name.as_str()))
        });
        changes || hook.is_match(line) && !path.ends_with("conftest.py")
    })?;
    let message = "A line of the tests changes other code, or the runner, for all tests.";
    Some(flag(PATCHES, true, (path, *number), message))
}

fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    IMPORTS.iter().any(|begin| line.starts_with(begin))
        || line.contains("require(")
        || line.contains(" from ")
}

/// An import of an existing test that now takes the same names from a new file.
fn taken_from_new_files(edit: &Edit, path: &str, before: &Text, after: &Text) -> Option<Flag> {
    before.as_ref()?;
    let gone = added(after, before);
    let gone: Vec<&str> = gone
        .iter()
        .map(|(_, line)| line.trim())
        .filter(|line| is_import(line))
        .collect();
    let new = edit
        .files
        .iter()
        .filter(|(_, (before, _))| before.is_none());
    let new: Vec<&str> = new
        .map(|(path, _)| path.rsplit('/').next().unwrap_or(path))
        .collect();
    let lines = added(before, after);
    let (number, _) = lines.iter().find(|(_, line)| {
        let takes = |file: &&str| {
            let module = file.rsplit_once('.').map_or(*file, |(module, _)| module);
            line.contains(module) && !gone.iter().any(|gone| gone.contains(module))
        };
        let is_same = |gone: &&str| names(gone) == names(line);
        is_import(line) && gone.iter().any(is_same) && new.iter().any(takes)
    })?;
    let message = "An existing test takes its names from a new file.";
    Some(flag(CHANGED, true, (path, *number), message))
}

/// The part of an import that has its names.
fn names(line: &str) -> &str {
    let line = line.trim();
    match line
        .split_once(" import ")
        .filter(|_| line.starts_with("from "))
    {
        Some((_, names)) => names,
        None => line.split(['\'', '"']).next().unwrap_or(line),
    }
}

/// A file of tests that gets a name by which it runs on one system only.
fn renamed(edit: &Edit, path: &str, before: &Text, after: &Text) -> Option<Flag> {
    let own = after.as_deref().filter(|_| before.is_none())?;
    let system = path.strip_suffix("_test.go")?.rsplit('_').next()?;
    let gone = edit.files.iter().filter(|(_, (_, after))| after.is_none());
    let mut gone = gone.filter_map(|(other, (before, _))| Some((other, before.as_deref()?)));
    let is_moved = gone.any(|(other, before)| is_test(other) && before == own);
    (is_moved && SYSTEMS.contains(&system)).then(|| {
        let message = "The new name keeps existing tests from running.";
        flag(SKIPS, true, (path, 0), message)
    })
}

/// Values outside of test functions that the tests had and that are gone: constants and fields. Imports may go.
fn lost_values(edit: &Edit, step: &FileStep) -> Option<Flag> {
    let (before, after) = (step.before.as_ref()?, step.after.as_ref()?);
    if after.part() != Part::Tests || before.is_same_content(after) {
        return None;
    }
    let (old, new) = edit.files.get(after.path())?;
    let rest = UnitAt {
        file: 0,
        callable: None,
    };
    let (old, new) = (Rows::of(before, old), Rows::of(after, new));
    let (old, new) = (old.code_lines(rest), new.code_lines(rest));
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for (line, count) in new {
        for value in values(line) {
            *left.entry(value).or_default() += count;
        }
    }
    for (line, count) in old {
        for value in values(line) {
            let known = left.entry(value).or_default();
            if *known < count {
                let message = format!("The tests no longer have `{line}`.");
                return Some(flag(CHANGED, true, (after.path(), 0), &message));
            }
            *known -= count;
        }
    }
    None
}

/// Texts and numbers of a line that gives names values. The head of a suite has none.
fn values(line: &str) -> Vec<String> {
    if is_import(line) || !line.contains(['=', ':']) {
        return Vec::new();
    }
    let found = VALUE.iter().flat_map(|pattern| pattern.find_iter(line));
    found
        .map(|found| found.as_str().replace('"', "'"))
        .collect()
}

/// A test that a later function of the same name replaces.
fn defined_again(step: &FileStep) -> Option<Flag> {
    let (before, after) = (step.before.as_ref()?, step.after.as_ref()?);
    let naming = &conventions::of_id(after.language().id()).naming;
    if after.part() != Part::Tests || !naming.later_replaces {
        return None;
    }
    let count = |view: &FileView, name: &str| {
        let callables = view.callables().iter();
        callables.filter(|one| one.name == name).count()
    };
    let again = after.callables().iter().find(|one| {
        let had = count(before, &one.name);
        had > 0 && count(after, &one.name) > had
    })?;
    let message = format!(
        "`{}` is defined again, and replaces an existing test.",
        again.name
    );
    let place = (after.path(), again.span.start_line);
    Some(flag(CHANGED, true, place, &message))
}

/// Files that tests read and that change: recorded results, settings, pages.
fn changed_data(edit: &Edit, impact: &Impact) -> Vec<Flag> {
    let is_code = |path: &str| {
        let views = impact
            .step
            .files
            .iter()
            .filter_map(|file| file.before.as_ref());
        views.into_iter().any(|view| view.path() == path)
    };
    let changed = edit.files.iter().filter(|(path, (before, _))| {
        let is_text = path.ends_with(".md") || path.ends_with(".rst");
        before.is_some() && is_test(path) && !is_text && !is_code(path)
    });
    let message = "A file that tests read is changed.";
    changed
        .map(|(path, _)| flag(CHANGED, true, (path, 0), message))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{ABSTRACT, HOOK, MOCKED, REPLACES, SWITCHES, VALUE};

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&ABSTRACT, &HOOK, &MOCKED, &REPLACES, &SWITCHES, &VALUE] {
            assert!(pattern.is_some());
        }
    }
}
