//! Classification of files by path: tests or production code.

use std::path::Path;

use crate::files::{Specs, TestFiles};
use crate::language::Language;

/// Names of folders with tests in any language, in lower case.
const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "__mocks__",
    "testdata",
    "test_data",
    "fixtures",
    "e2e",
    "cypress",
    "unit_tests",
    "integration_tests",
];

/// Suffixes of unsupported programming languages, in lower case.
const OTHER_LANGUAGES: &[&str] = &[
    "abap",
    "adb",
    "ads",
    "agda",
    "ahk",
    "applescript",
    "ascx",
    "asm",
    "aspx",
    "au3",
    "awk",
    "bas",
    "bat",
    "bicep",
    "cairo",
    "cbl",
    "cl",
    "clj",
    "cljc",
    "cljs",
    "cmd",
    "cob",
    "coffee",
    "cr",
    "csh",
    "cshtml",
    "cu",
    "cuh",
    "d",
    "dart",
    "dfy",
    "dpr",
    "ejs",
    "el",
    "elm",
    "erb",
    "erl",
    "ex",
    "exs",
    "f",
    "f03",
    "f08",
    "f90",
    "f95",
    "fish",
    "fnl",
    "fs",
    "fsi",
    "fsx",
    "gd",
    "gleam",
    "glsl",
    "gradle",
    "groovy",
    "hack",
    "haml",
    "hbs",
    "hcl",
    "hlsl",
    "hrl",
    "hx",
    "hy",
    "idr",
    "inl",
    "ino",
    "j2",
    "jinja",
    "jl",
    "jsonnet",
    "jsp",
    "ksh",
    "lean",
    "lex",
    "lisp",
    "luau",
    "m",
    "metal",
    "ml",
    "mli",
    "mm",
    "mojo",
    "nim",
    "nix",
    "nu",
    "odin",
    "pas",
    "phtml",
    "pike",
    "pl",
    "pm",
    "pony",
    "pp",
    "ps1",
    "psm1",
    "pug",
    "purs",
    "pxd",
    "pxi",
    "pyx",
    "ql",
    "qml",
    "r",
    "razor",
    "rego",
    "rkt",
    "rmd",
    "robot",
    "sas",
    "scm",
    "sed",
    "slim",
    "sol",
    "sql",
    "sv",
    "tcc",
    "tcl",
    "tcsh",
    "tf",
    "tpp",
    "twig",
    "v",
    "vala",
    "vb",
    "vbhtml",
    "vbs",
    "vhd",
    "vhdl",
    "vim",
    "vy",
    "wgsl",
    "wren",
    "y",
    "ypp",
    "yy",
    "zsh",
];

/// The suffix of a file in an unsupported programming language, in lower case: `vue`, `kt`.
#[must_use]
pub fn other_language(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, suffix) = name.rsplit_once('.')?;
    let suffix = suffix.to_ascii_lowercase();
    let known = OTHER_LANGUAGES.iter().find(|other| **other == suffix);
    known.copied().filter(|_| !stem.is_empty())
}

/// The kind of a file, as its path shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// Code of tests.
    Tests,
    /// Production code.
    Product,
    /// A file with the name of a test. It is a test if it has tests inside: [`holds_tests`](crate::holds_tests).
    MaybeTests,
}

impl PathKind {
    /// Whether a file of this kind is a test. `holds_tests` decides where the path leaves doubt.
    #[must_use]
    pub fn is_test(self, holds_tests: bool) -> bool {
        match self {
            Self::Tests => true,
            Self::Product => false,
            Self::MaybeTests => holds_tests,
        }
    }
}

/// Whether a `/`-separated path is that of a test or of what only tests use, or is called like one.
///
/// A folder on the way or the conventions of the test runners of its language decide. A path does
/// not show tests within code, as in Rust.
#[must_use]
pub fn is_test(path: &str) -> bool {
    is_test_in(path, language_of(path))
}

/// As [`is_test`], for a file whose language, given by its id, is known by more than its name.
#[must_use]
pub fn is_test_in(path: &str, language: &str) -> bool {
    path_kind(path, language) != PathKind::Product
}

/// The kind of a path in the language of this id.
#[must_use]
pub fn path_kind(path: &str, language: &str) -> PathKind {
    let mut folders: Vec<&str> = path.split('/').collect();
    let file = folders.pop().unwrap_or_default();
    // Maven and Gradle ship these files, regardless of package names.
    let shipped = folders.windows(2).position(|pair| pair == ["src", "main"]);
    let above = &folders[..shipped.unwrap_or(folders.len())];
    let at_root = above.first().is_some_and(|first| *first == "testing");
    if (0..above.len()).any(|at| is_test_root(above, at, language)) {
        PathKind::Tests
    } else if shipped.is_some() {
        PathKind::Product
    } else if at_root && !test_files(language).only_named {
        PathKind::MaybeTests
    } else {
        kind_of_name(file, test_files(language))
    }
}

/// Names of tests in the language with this id.
fn test_files(language: &str) -> &'static TestFiles {
    Language::by_id(language).map_or(&TestFiles::PLAIN, |language| &language.spec().test_files)
}

/// Whether a folder on the way to a file in this language is one of tests.
fn is_test_root(folders: &[&str], at: usize, language: &str) -> bool {
    let name = folders[at];
    let is_specs = |name: &str| matches!(name, "spec" | "specs");
    match test_files(language).specs {
        Specs::None => is_test_folder(name),
        Specs::InLowerCase => {
            let is_root = is_test_folder(name) || is_specs(name);
            is_root && !name.starts_with(char::is_uppercase)
        }
        Specs::OutsideCode => {
            let mut above = folders[..at].iter();
            let mut is_below_code =
                || above.any(|folder| matches!(*folder, "src" | "lib" | "app" | "library"));
            is_test_folder(name) || is_specs(&name.to_ascii_lowercase()) && !is_below_code()
        }
    }
}

/// Whether a folder is one of tests by its name: `tests`, `intTest`, `App.Tests`, `unit-tests`.
#[must_use]
pub fn is_test_folder(name: &str) -> bool {
    let last = name.trim_end_matches('s').strip_suffix("est");
    let is_last_word = last.is_some_and(|before| {
        let mut ends = before.chars().rev();
        match ends.next() {
            Some('T') => true,
            Some('t') => matches!(ends.next(), Some('_' | '-' | '.')),
            _ => false,
        }
    });
    is_last_word || TEST_FOLDERS.contains(&name.to_ascii_lowercase().as_str())
}

/// Whether a file is a test by its own name, or is called like one.
#[must_use]
pub fn is_test_file(file: &str) -> bool {
    kind_of_name(file, test_files(language_of(file))) != PathKind::Product
}

/// Folders of examples and documentation.
const EXAMPLES: &[&str] = &[
    "example",
    "examples",
    "docs",
    "doc",
    "docs_src",
    "samples",
    "tutorials",
    "demo",
    "demos",
];

/// Folders with measurements of the program, or, below `src`, a part of it.
const MEASUREMENTS: &[&str] = &["bench", "benches", "benchmark", "benchmarks"];

/// Whether a path is in a folder of examples that is not itself in the source code: `examples/a.py`, not `src/demo/a.py`.
#[must_use]
pub fn is_example_beside_source(path: &str) -> bool {
    let folders = path.split('/').rev().skip(1).collect::<Vec<_>>();
    let mut from_root = folders.into_iter().rev();
    let is_source = |part: &str| matches!(part, "src" | "source" | "lib" | "app");
    let first = from_root.find(|part| is_source(part) || EXAMPLES.contains(part));
    first.is_some_and(|part| !is_source(part))
}

/// Whether a path is that of an example or of documentation.
#[must_use]
pub fn is_example(path: &str) -> bool {
    let folders = || path.rsplit('/').skip(1);
    let is_source = folders().any(|part| matches!(part, "src" | "source" | "lib"));
    folders().any(|part| {
        let part = part.trim_start_matches('_');
        EXAMPLES.contains(&part) || !is_source && MEASUREMENTS.contains(&part)
    })
}

/// The id of the language that a path names; empty if it names none.
fn language_of(path: &str) -> &'static str {
    Language::of_path(Path::new(path)).map_or("", Language::id)
}

fn kind_of_name(file: &str, files: &TestFiles) -> PathKind {
    let stem = file.split('.').next().unwrap_or(file);
    let is_sure = (files.is_test)(stem);
    if files.only_named {
        return if is_sure {
            PathKind::Tests
        } else {
            PathKind::Product
        };
    }
    let mut words = file.split('.').skip(1);
    if is_sure || words.any(|word| is_test_word(word) || files.words.contains(&word)) {
        PathKind::Tests
    } else if is_called_test(stem, files) || (files.may_be_test)(stem) {
        PathKind::MaybeTests
    } else {
        PathKind::Product
    }
}

/// Names of tests in several languages.
fn is_called_test(stem: &str, files: &TestFiles) -> bool {
    let is_whole = files.may_be_whole && matches!(stem, "test" | "tests");
    let word = if files.are_numbered {
        stem.trim_end_matches(|c: char| c.is_ascii_digit())
    } else {
        stem
    };
    is_whole
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || ["Test", "Tests"].iter().any(|end| ends_word(word, end))
}

/// A word between the dots of a name that makes it a test: `a.test.cpp`, `A.Tests.cs`.
fn is_test_word(word: &str) -> bool {
    let words = ["test", "tests", "spec"];
    words.iter().any(|test| word.eq_ignore_ascii_case(test))
}

/// Whether a name ends in a word and has another before it. `IT` is a word only behind a small
/// letter or a digit: `AUDIT` has none.
pub(crate) fn ends_word(stem: &str, end: &str) -> bool {
    let before = stem.strip_suffix(end).filter(|before| !before.is_empty());
    before.is_some_and(|before| end != "IT" || !before.ends_with(char::is_uppercase))
}

/// Whether a name in camel case begins with a word and has another behind it.
pub(crate) fn begins_word(stem: &str, begin: &str) -> bool {
    let behind = stem.strip_prefix(begin);
    behind.is_some_and(|behind| behind.starts_with(char::is_uppercase))
}

/// Whether a file is a translation into a human language. All translations are alike.
#[must_use]
pub fn is_translation(path: &str) -> bool {
    let folder = |part: &str| matches!(part, "locale" | "locales" | "i18n" | "lang");
    path.split('/').any(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_language_suffixes_are_recognised() {
        for (path, suffix) in [
            ("src/App.vue", None),
            ("src/App.elm", Some("elm")),
            ("a/K.DART", Some("dart")),
            ("n.ipynb", None),
            (".sh", None),
            ("README.md", None),
            ("a.py", None),
            ("Makefile", None),
            ("data.json", None),
        ] {
            assert_eq!(other_language(path), suffix, "{path}");
        }
        for suffix in OTHER_LANGUAGES {
            let path = format!("a.{suffix}");
            assert_eq!(Language::of_path(Path::new(&path)), None, "{suffix}");
        }
    }

    #[test]
    fn test_paths_are_recognised() {
        for path in [
            "tests/a.py",
            "pkg/test_a.py",
            "conftest.py",
            "src/a.test.ts",
            "src/__tests__/a.js",
            "a_test.go",
            "src/test/java/A.java",
            "src/ATest.java",
            "spec/a_spec.rb",
            "a_spec.rb",
            "src/lib/tests.rs",
            "MyApp.Tests/Foo.cs",
            "Tests/Bar.cs",
            "UnitTests/Bar.cs",
            "src/TestFoo.java",
            "src/FooTests.cs",
            "src/FooIT.java",
            "src/HTTPTest.java",
            "src/FooTest.cpp",
            "src/foo_tests.cpp",
            "src/foo.test.cpp",
            "src/Foo.Tests.cs",
            "cypress/a.js",
            "src/a-test.js",
            "src/test_a.js",
            "src/test-a.js",
            "src/a.cy.ts",
            "src/intTest/A.java",
            "app/tests.py",
            "app/a_test.py",
            "lib/test_a.rb",
            "lib/a_test.rb",
            "src/test.js",
            "src/test_a.c",
            "tests/common/mod.rs",
        ] {
            assert!(is_test(path), "{path}");
        }
    }

    #[test]
    fn path_conventions_decide_or_stay_doubtful() {
        for (path, expected) in [
            ("src/main/java/x/TestController.java", PathKind::Product),
            ("tests/app/src/main/java/x/A.java", PathKind::Tests),
            ("src/TestFoo.java", PathKind::MaybeTests),
            ("src/SpeedTest.java", PathKind::MaybeTests),
            ("src/Test/Gen.hs", PathKind::Product),
            ("test/Gen.hs", PathKind::Tests),
            ("acme/testing/runner.py", PathKind::Product),
            ("testing/runner.py", PathKind::MaybeTests),
            ("src/test_list.ts", PathKind::MaybeTests),
            ("src/list.test.ts", PathKind::Tests),
            ("src/UnitTest1.cs", PathKind::MaybeTests),
            ("lib/spec/parser.rb", PathKind::Product),
            ("spec/support/a.rb", PathKind::Tests),
            ("acme/spec/loader.py", PathKind::Product),
            ("pkg/test_mode.py", PathKind::MaybeTests),
            ("a_test.go", PathKind::Tests),
        ] {
            assert_eq!(path_kind(path, language_of(path)), expected, "{path}");
        }
    }

    #[test]
    fn production_paths_are_not_tests() {
        for path in [
            "src/contest.py",
            "latest/a.py",
            "src/Test.java",
            "src/AUDIT.java",
            "src/Testament.java",
            "testament.go",
            "src/attest.ts",
            "src/latest.js",
            "src/bench.js",
            "src/inspect.rb",
            "src/werkzeug/test.py",
            "lib/test.rb",
            "src/list/test_list.rs",
            "src/runner/parse_test.rs",
            "src/commands/test.rs",
            "src/FooTests.rs",
            "pkg/test_mode.go",
            "pkg/tests.go",
            "pkg/test.go",
            "pkg/FooTest.go",
        ] {
            assert!(!is_test(path), "{path}");
        }
    }
}
