//! Tests, and the files by which they are found and run, which an edit may not change.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use slope_change::Impact;
use slope_change::ledger::UnitAt;
use slope_model::grade::Flag;
use slope_model::measurement::{Callable, Part};
use slope_syntax::paths::is_test;

use super::flag::flag;
use super::test_files;
use crate::edit::{Edit, Text};
use crate::lines::{Line, Rows, added, same_lines};
use crate::tests::SCRIPTED;
use slope_model::grade_request::Tests;

/// Lines of a manifest by which tests are found and run.
static OF_RUNNER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\b(harness|autotests|testpaths|addopts|python_files|collect_ignore|norecursedirs)\b|\[\[test\]\]|\[tool[.:]pytest|"(test|pretest|posttest|jest|mocha|vitest|ava)"\s*:|maven\.test\.(skip|failure)|\bskipTests\b|testFailureIgnore|<(skip|exclude|include|groups|excludedGroups)>|useJUnit|ignoreFailures|filterwarnings|\btest\s*=\s*false|\b\w*TESTS?\w*\s+(OFF|FALSE)\b|^\s*replace\s.*=>|\b(add_test|enable_testing|catch_discover_tests|gtest_discover_tests)\s*\("#).ok()
});

/// What a new `conftest.py` has if it changes how tests run.
static HOOKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\bpytest_\w+\s*\(|collect_ignore|pytest_plugins|autouse\s*=\s*True|sys\.(exit|modules)",
    )
    .ok()
});

/// A line that checks something in a test.
static CHECK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\bassert\w*\b|\bexpect\(|\bt\.(Error|Fatal)f?\(|\brequire\.\w+\(|\bassert\.\w+\(|\b(EXPECT|ASSERT)_\w+\(|\bverify\(|\bshould\b|\braises\(",
    )
    .ok()
});

/// Files by which tests are found and run.
const RUNNERS: &[&str] = &[
    "conftest.py",
    "pytest.ini",
    "tox.ini",
    "noxfile.py",
    "jest.config.js",
    "jest.config.ts",
    "vitest.config.ts",
    "vitest.config.js",
    ".mocharc.json",
    ".gitlab-ci.yml",
    "nextest.toml",
    "sitecustomize.py",
    "vitest.workspace.ts",
    "vitest.workspace.js",
    "junit-platform.properties",
    "usercustomize.py",
];

/// All flags about tests.
pub(super) fn find(edit: &Edit, tests: Option<&Tests>, impact: &Impact) -> Vec<Flag> {
    let files = edit.files.iter();
    let files = files.filter_map(|(path, (before, after))| protected(path, before, after, tests));
    let mut found: Vec<Flag> = files.collect();
    found.extend(changed_tests(edit, impact));
    found.extend(lost_checks(edit));
    found.extend(test_files::find(edit, impact));
    found
}

/// A file that the edit may not change.
fn protected(path: &str, before: &Text, after: &Text, tests: Option<&Tests>) -> Option<Flag> {
    let file = path.rsplit('/').next().unwrap_or(path);
    if tests.is_some_and(|tests| tests.files.iter().any(|own| names(own, path))) {
        let message = "A file of the tests is changed.";
        return Some(flag("test-changed", true, (path, 0), message));
    }
    let is_runner = match file {
        // A new file with fixtures only changes no other test.
        "conftest.py" if before.is_none() => matches(&HOOKS, &added(before, after)),
        "Cargo.toml" | "package.json" | "pyproject.toml" | "setup.cfg" | "pom.xml"
        | "build.gradle" | "build.gradle.kts" | "maven.config" | "CMakeLists.txt" | "go.mod" => {
            matches(&OF_RUNNER, &added(before, after)) || matches(&OF_RUNNER, &added(after, before))
        }
        _ => {
            RUNNERS.contains(&file)
                || before.is_none() && tests.is_some_and(|tests| is_script_of(tests, file))
                || path.starts_with(".github/workflows/")
                || path.ends_with(".pth")
                || is_task_of_tests(file, before, after)
                || path.ends_with(".cargo/config.toml")
        }
    };
    let message = "A file by which tests are found and run is changed.";
    is_runner.then(|| flag("runner-changed", true, (path, 0), message))
}

/// Whether an existing file of tasks changes a line that runs tests, or settings of a compiler that find modules.
fn is_task_of_tests(file: &str, before: &Text, after: &Text) -> bool {
    let is_compiler = file.starts_with("tsconfig") && file.ends_with(".json");
    let words: &[&str] = match file {
        "Makefile" | "justfile" | "Justfile" | "Taskfile.yml" | "Rakefile" => &["test"],
        _ if is_compiler => &["\"paths\"", "\"exclude\"", "\"include\"", "vitest", "jest"],
        _ => return false,
    };
    let has = |lines: &[Line<'_>]| {
        let mut words = words.iter();
        words.any(|word| lines.iter().any(|(_, line)| line.contains(word)))
    };
    let new = added(before, after);
    let adds_target = || new.iter().any(|(_, line)| line.starts_with("test"));
    before.is_some()
        && (has(&added(after, before))
            || !is_compiler && adds_target()
            || is_compiler && has(&added(before, after)))
}

/// Whether a file name is one that a program of the tests' command reads by itself, such as `make`.
fn is_script_of(tests: &Tests, file: &str) -> bool {
    let mut scripts = SCRIPTED.iter().filter(|(_, files)| files.contains(&file));
    scripts.any(|(program, _)| {
        tests
            .command
            .as_ref()
            .is_some_and(|command| command.names(program))
    })
}

/// The path in an entry of `tests.files`.
pub(crate) fn path_of(entry: &str) -> &str {
    entry.trim_start_matches("./").trim_matches('/')
}

/// Whether an entry of `tests.files` names a path: the file, or a folder around it.
pub(crate) fn names(entry: &str, path: &str) -> bool {
    let entry = path_of(entry);
    let rest = path.strip_prefix(entry);
    !entry.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a pattern is in one of some lines.
fn matches(pattern: &LazyLock<Option<Regex>>, lines: &[Line<'_>]) -> bool {
    let is_in = |pattern: &Regex| lines.iter().any(|(_, line)| pattern.is_match(line));
    pattern.as_ref().is_some_and(is_in)
}

/// Test functions that are changed or gone. One that only moves is neither.
fn changed_tests(edit: &Edit, impact: &Impact) -> Vec<Flag> {
    let (before, after) = (Side::of(edit, impact, true), Side::of(edit, impact, false));
    let mut found: Vec<Flag> = Vec::new();
    for followed in &impact.followed {
        let Some((path, test)) = followed.from.iter().find_map(|at| before.test(*at)) else {
            continue;
        };
        // Of one that is the same, what is written before it can be another.
        let lines = if followed.is_same {
            Rows::head_lines
        } else {
            Rows::code_lines
        };
        if before.lines(&followed.from, lines) == after.lines(&followed.to, lines) {
            continue;
        }
        let (id, what) = if followed.to.is_empty() {
            ("test-removed", "is removed")
        } else {
            ("test-changed", "is changed")
        };
        let message = format!("The test `{}` {what}.", test.name);
        found.push(flag(id, true, (path, test.span.start_line), &message));
    }
    found
}

/// The changed files on one side of an edit that have tests, in the order of the impact.
struct Side<'t>(Vec<Option<Rows<'t>>>);

/// How often each line is there.
type Lines<'t> = BTreeMap<&'t str, usize>;

impl<'t> Side<'t> {
    fn of(edit: &'t Edit, impact: &'t Impact, is_before: bool) -> Self {
        let rows = |file: &'t slope_measure::FileStep| {
            let view = if is_before {
                file.before.as_ref()?
            } else {
                file.after.as_ref()?
            };
            let may_have_tests = view.part() == Part::Tests || view.has_inline_tests();
            let (before, after) = edit.files.get(view.path()).filter(|_| may_have_tests)?;
            Some(Rows::of(view, if is_before { before } else { after }))
        };
        Self(impact.step.files.iter().map(rows).collect())
    }

    fn rows(&self, at: UnitAt) -> Option<&Rows<'t>> {
        self.0.get(at.file)?.as_ref()
    }

    /// The path and function of a unit, if it is of tests.
    fn test(&self, at: UnitAt) -> Option<(&'t str, &'t Callable)> {
        let view = self.rows(at)?.view();
        let callable = view.callables().get(at.callable?)?;
        let row = callable.span.start_line.saturating_sub(1);
        (view.part_at(row) == Part::Tests).then_some((view.path(), callable))
    }

    /// Lines of the tests among units.
    fn lines(&self, units: &[UnitAt], of: fn(&Rows<'t>, UnitAt) -> Lines<'t>) -> Lines<'t> {
        let tests = units.iter().filter(|at| self.test(**at).is_some());
        let lines = tests.filter_map(|at| Some(of(self.rows(*at)?, *at)));
        lines.fold(BTreeMap::new(), sum)
    }
}

/// Adds up how often each line is there.
fn sum<'t>(mut all: Lines<'t>, more: Lines<'t>) -> Lines<'t> {
    for (line, count) in more {
        *all.entry(line).or_default() += count;
    }
    all
}

/// Checks that tests outside of functions lose: lines that no changed test file has after the edit.
fn lost_checks(edit: &Edit) -> Option<Flag> {
    let check = CHECK.as_ref()?;
    let tests = edit.files.iter().filter(|(path, _)| is_test(path));
    let tests = tests.map(|(path, (before, after))| {
        let bytes = [before, after].map(|text| text.as_deref().unwrap_or_default());
        (path, bytes)
    });
    let mut tests: Vec<(&String, [&[u8]; 2])> = tests.collect();
    if let [(_, [before, after])] = &mut tests[..] {
        // Lines that both begin with cancel each other.
        let same = same_lines(before, after);
        (*before, *after) = (&before[same..], &after[same..]);
    }
    let checks = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text);
        let lines = text.lines().filter(|line| check.is_match(line));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for line in tests.iter().flat_map(|(_, [_, after])| checks(after)) {
        *left.entry(line).or_default() += 1;
    }
    for (path, [before, _]) in &tests {
        let lost = checks(before)
            .into_iter()
            .find(|line| match left.get_mut(line) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            });
        if let Some(line) = lost {
            let message = format!("The tests no longer check `{line}`.");
            return Some(flag("test-weakened", true, (path, 0), &message));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{CHECK, HOOKS, OF_RUNNER, names};

    #[test]
    fn every_pattern_compiles() {
        assert!(CHECK.is_some() && HOOKS.is_some() && OF_RUNNER.is_some());
    }

    #[test]
    fn folders_name_the_files_in_them() {
        for entry in ["tests", "tests/", "./tests/", "tests/a.py"] {
            assert!(names(entry, "tests/a.py"), "{entry}");
        }
        for entry in ["", "/", "test", "tests/a"] {
            assert!(!names(entry, "tests/a.py"), "{entry}");
        }
    }
}
