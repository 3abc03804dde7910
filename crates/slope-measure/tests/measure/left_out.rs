//! Which files of a folder are measured, and the notes about others.

use std::path::Path;

use slope_measure::config::NOT_USED;
use slope_measure::{Config, Options, Tests, measure_dir};
use slope_model::measurement::{Measurement, Part};
use slope_testkit::write_file;

fn tree(files: &[&str]) -> tempfile::TempDir {
    let files: Vec<(&str, &str)> = files.iter().map(|path| (*path, "x = 1\n")).collect();
    slope_testkit::folder(&files)
}

fn write(root: &Path, path: &str, text: &str) {
    write_file(&root.join(path), text);
}

fn options() -> Options {
    Options {
        own_rules: false,
        threads: 1,
        ..Options::trusting("2026-11-22".parse().unwrap())
    }
}

fn paths(measured: &Measurement) -> Vec<&str> {
    measured.files.iter().map(|f| f.path.as_str()).collect()
}

fn skipped(measured: &Measurement) -> Vec<&str> {
    measured.skipped.iter().map(|s| s.path.as_str()).collect()
}

#[test]
fn other_languages_are_counted() {
    let dir = tree(&[
        "a.py",
        "App.elm",
        "b/K.dart",
        "b/L.dart",
        "n.sql",
        "README.md",
        "ignored.dart",
    ]);
    write(dir.path(), ".gitignore", "ignored.dart\n");
    let measured = measure_dir(dir.path(), &options()).unwrap();
    let counts: Vec<_> = measured.other_languages.into_iter().collect();
    let expected = [(".dart", 2), (".elm", 1), (".sql", 1)];
    assert_eq!(counts, expected.map(|(suffix, n)| (suffix.to_owned(), n)));
}

#[test]
fn scripts_without_suffix_are_recognised() {
    let dir = tree(&[]);
    write(
        dir.path(),
        "tool_uv",
        "#!/usr/bin/env -S uv run --script\nx = 1\n",
    );
    write(
        dir.path(),
        "tool_bun",
        "#!/usr/bin/env bun\nconst x: number = 1;\n",
    );
    write(
        dir.path(),
        "tool_perl",
        "#!/usr/bin/env -S uv run perl\n$x = 1;\n",
    );
    let measured = measure_dir(dir.path(), &options()).unwrap();
    let languages: Vec<_> = measured
        .files
        .iter()
        .map(|f| (f.path.as_str(), f.language.as_str()))
        .collect();
    assert_eq!(
        languages,
        [("tool_bun", "typescript"), ("tool_uv", "python")]
    );
}

#[test]
fn nested_repositories_are_skipped() {
    let inner = ["lib/a.py", "lib/deep/b.py", "lib2/c.py", "own.py"];
    let dir = tree(&inner);
    write(dir.path(), "lib/.git", "gitdir: ../.git/modules/lib\n");
    write(dir.path(), "lib2/.git/HEAD", "ref: refs/heads/main\n");
    // The folder around repositories is not a repository itself.
    let all = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(paths(&all), inner);
    write(dir.path(), ".git/HEAD", "ref: refs/heads/main\n");
    let measured = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(paths(&measured), ["own.py"]);
    assert_eq!(skipped(&measured), ["lib/", "lib2/"]);
    // As a root of its own, it is measured.
    let of_inner = measure_dir(&dir.path().join("lib"), &options()).unwrap();
    assert_eq!(paths(&of_inner), ["a.py", "deep/b.py"]);
}

#[test]
fn lfs_pointers_are_not_measured() {
    let dir = tree(&["a.py"]);
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";
    write(dir.path(), "big.py", pointer);
    let measured = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(paths(&measured), ["a.py"]);
    let unmeasured = &measured.unmeasured[0];
    assert_eq!(unmeasured.path, "big.py");
    assert!(
        unmeasured.reason.contains("Git LFS pointer"),
        "{unmeasured:?}"
    );
}

#[cfg(unix)]
#[test]
fn non_utf8_names_are_measured_and_distinct() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = tree(&["a.py"]);
    for name in [&b"f\xff.py"[..], b"d\xfe/a.py", b"d\xff/a.py"] {
        let path = dir.path().join(OsStr::from_bytes(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        if std::fs::write(&path, "x = 1\n").is_err() {
            return; // A file system that has names of text only.
        }
    }
    let measured = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(
        paths(&measured),
        ["a.py", "d\\xfe/a.py", "d\\xff/a.py", "f\\xff.py"]
    );
}

#[test]
fn vendored_folders_are_skipped_with_reason() {
    let dir = tree(&[
        "a.py",
        "vendors/a.py",
        "lib/site-packages/a.py",
        "venv/a.py",
        "src/__generated__/a.py",
        ".yarn/releases/a.py",
        "deps/a.py",
        "src/deps/a.py",
        "dist/a.py",
        ".git/HEAD",
    ]);
    write(dir.path(), "dist/b.js", "f();\n");
    let measured = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(paths(&measured), ["a.py", "dist/a.py", "src/deps/a.py"]);
    assert_eq!(
        skipped(&measured),
        [
            ".yarn/releases/",
            "deps/",
            "dist/b.js",
            "lib/site-packages/",
            "src/__generated__/",
            "vendors/",
            "venv/",
        ]
    );
    let all = Options {
        leave_out: false,
        ..options()
    };
    assert_eq!(measure_dir(dir.path(), &all).unwrap().files.len(), 10);
}

#[test]
fn config_excludes_apply_in_subfolders() {
    for pattern in ["src/gen/**", "./src/gen/**", "/src/gen", "src/gen/"] {
        let dir = tree(&["src/a.py", "src/gen/b.py", ".git/HEAD"]);
        let config = format!("exclude = [\"{pattern}\"]\n");
        write(dir.path(), "slope.toml", &config);
        for (root, left) in [("", "src/a.py"), ("src", "a.py")] {
            let root = dir.path().join(root);
            let mut options = options();
            let found = Config::find(&root).unwrap().unwrap();
            found.apply(&mut options);
            let measured = measure_dir(&root, &options).unwrap();
            assert_eq!(paths(&measured), [left], "{pattern} in {root:?}");
            assert_eq!(measured.skipped.len(), 1, "{pattern} in {root:?}");
        }
    }
}

#[test]
fn nested_config_excludes_apply_below_it() {
    let dir = tree(&["gen/a.py", "pkg/gen/b.py", "pkg/c.py", ".git/HEAD"]);
    write(dir.path(), "pkg/slope.toml", "exclude = [\"gen/**\"]\n");
    let mut options = options();
    let found = Config::find(&dir.path().join("pkg")).unwrap().unwrap();
    found.apply(&mut options);
    let measured = measure_dir(dir.path(), &options).unwrap();
    assert_eq!(paths(&measured), ["gen/a.py", "pkg/c.py"]);
}

#[test]
fn test_files_follow_language_conventions() {
    let dir = tree(&[
        "src/foo.test.cpp",
        "MyApp.Tests/A.cs",
        "src/TestA.java",
        "src/a.py",
    ]);
    let measured = measure_dir(dir.path(), &options()).unwrap();
    let tests = measured.files.iter().filter(|f| f.part == Part::Tests);
    let tests: Vec<_> = tests.map(|f| f.path.as_str()).collect();
    // The name of `TestA.java` leaves doubt, and there is no test in it.
    assert_eq!(tests, ["MyApp.Tests/A.cs", "src/foo.test.cpp"]);
}

const WITH_TESTS: &str = "\
use a::b;

fn f(x: u8) -> u8 {
    if x > 1 { b(2) } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_f() {
        if f(1) != 3 { panic!() }
        if f(2) != 4 { panic!() }
    }
}
";

#[test]
fn inline_tests_count_as_tests() {
    let dir = tree(&["a.py"]);
    write(dir.path(), "src/f.rs", WITH_TESTS);
    let measured = measure_dir(dir.path(), &options()).unwrap();
    let [product, tests] = [
        &measured.parts[&Part::Product],
        &measured.parts[&Part::Tests],
    ];
    assert_eq!((product.files, product.lines, product.sloc), (2, 7, 4));
    assert_eq!((tests.files, tests.lines, tests.sloc), (1, 10, 7));
    assert_eq!((product.callables, product.max_complexity), (1, Some(2)));
    assert_eq!((tests.callables, tests.max_complexity), (1, Some(3)));
    let file = &measured.files[1];
    let parts = [6, 7, 16, 17].map(|line| file.part_at(line));
    assert_eq!(
        parts,
        [Part::Product, Part::Tests, Part::Tests, Part::Product]
    );
    assert_eq!(tests.maintainability, None);
    let sum = product.mass.unwrap() + tests.mass.unwrap();
    assert!((measured.totals.mass.unwrap() - sum).abs() < 1e-9);
}

#[test]
fn inline_tests_are_excluded_on_request() {
    let dir = tree(&["tests/a.py"]);
    write(dir.path(), "src/f.rs", WITH_TESTS);
    let options = Options {
        tests: Tests::Exclude,
        ..options()
    };
    let measured = measure_dir(dir.path(), &options).unwrap();
    assert_eq!(paths(&measured), ["src/f.rs"]);
    let totals = &measured.totals;
    assert_eq!((totals.lines, totals.sloc, totals.callables), (6, 3, 1));
    assert_eq!(measured.files[0].inline_tests, None);
}

/// Production code is measured alike with tests counted or left out.
#[test]
fn inline_tests_do_not_affect_maintainability() {
    let dir = tree(&[]);
    write(dir.path(), "f.rs", WITH_TESTS);
    let apart = measure_dir(dir.path(), &options()).unwrap();
    let options = Options {
        tests: Tests::Exclude,
        ..options()
    };
    let without = measure_dir(dir.path(), &options).unwrap();
    let product = apart.parts[&Part::Product].maintainability.unwrap();
    let all = apart.totals.maintainability.unwrap();
    assert!((product - without.totals.maintainability.unwrap()).abs() < 1e-9);
    assert!(product > all + 1.0, "{product} {all}");
}

#[test]
fn test_only_file_is_not_production() {
    let dir = tree(&["a.py"]);
    write(dir.path(), "f.rs", "#![cfg(test)]\n\nfn f() {}\n");
    let measured = measure_dir(dir.path(), &options()).unwrap();
    let files = [Part::Product, Part::Tests].map(|part| measured.parts[&part].files);
    assert_eq!(files, [1, 1]);
}

#[test]
fn published_headline_omits_nesting() {
    let dir = tree(&[]);
    write(
        dir.path(),
        "a.py",
        "def f(x):\n    if x:\n        return 1\n",
    );
    let measured = measure_dir(dir.path(), &options()).unwrap();
    let published = measured.published.unwrap();
    assert_eq!(published.totals.max_nesting, None);
    assert!(published.totals.missing.contains_key("max_nesting"));
}

#[test]
fn unused_nested_settings_are_named() {
    let dir = tree(&["a/x.py", "b/x.py", "c/x.py"]);
    write(dir.path(), "slope.toml", "cutoff = 8\n");
    write(dir.path(), "a/slope.toml", "cutoff = 8\n");
    write(dir.path(), "b/pyproject.toml", "[tool.slope]\ncutoff = 9\n");
    write(dir.path(), "c/pyproject.toml", "[tool.other]\n");
    let measured = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(skipped(&measured), ["a/slope.toml", "b/pyproject.toml"]);
    assert_eq!(measured.skipped[0].reason, NOT_USED);
    let below = measure_dir(&dir.path().join("a"), &options()).unwrap();
    assert_eq!(skipped(&below), [""; 0]);
}

#[test]
fn rules_reusing_signal_ids_are_refused() {
    let dir = tree(&["a.py"]);
    for id in [
        "unused-import",
        "dead-code",
        "high-complexity",
        "syntax-error",
    ] {
        let rule = format!(
            "id: fine\nlanguage: python\nrule: {{pattern: g()}}\n---\nid: {id}\nlanguage: go\nrule: {{pattern: f()}}\n"
        );
        write(dir.path(), "rules/a.yml", &rule);
        let mut options = options();
        options.rule_paths = vec![dir.path().join("rules")];
        let error = measure_dir(dir.path(), &options).unwrap_err().to_string();
        let expected = format!("a.yml:4: the id `{id}` belongs to a rule or signal of slope\n");
        assert!(error.contains(&expected), "{error}");
    }
}

#[test]
fn generator_markers_are_recognised() {
    let dir = tree(&["a.py"]);
    let c = "int f(void) { return 1; }\n";
    let java = "class A { }\n";
    let haskell = "module A where\nf x = 1\n";
    for (path, head, code) in [
        (
            "a.java",
            "/* A.java */\n/* Generated By:JavaCC: Do not edit this line. A.java */\n",
            java,
        ),
        (
            "b.java",
            "/* Generated By:JJTree: Do not edit this line. Node.java */\n",
            java,
        ),
        ("a.c", "/* C code produced by gperf version 3.1 */\n", c),
        (
            "b.c",
            "/* ANSI-C code produced by gperf version 3.0.4 */\n",
            c,
        ),
        (
            "c.c",
            "/* Automatically @generated by tree-sitter v0.25.0 */\n",
            c,
        ),
        ("d.c", "/* Generated by wayland-scanner 1.20.0 */\n", c),
        ("e.h", "/* Generated with cbindgen:0.26.0 */\n", c),
        (
            "a.hs",
            "{-# OPTIONS_GHC -w #-}\n{-# LINE 1 \"src/Lexer.x\" #-}\n",
            haskell,
        ),
        (
            "b.hs",
            "-- GENERATED by C->Haskell Compiler, version 0.28.8\n",
            haskell,
        ),
        (
            "c.hs",
            "module B where\nimport A\n-- parser produced by Happy Version 1.20.0\n",
            "f x = 1\n",
        ),
        (
            "a.rs",
            "// auto-generated: \"lalrpop 0.20.0\"\n",
            "fn f() {}\n",
        ),
        (
            "a.js",
            "// Generated automatically by nearley, version 2.20.1\n",
            "f();\n",
        ),
    ] {
        write(dir.path(), path, &format!("{head}{code}"));
    }
    let by_hand = "/* Reads tables produced by gperf. */\n";
    write(dir.path(), "hand.c", &format!("{by_hand}{c}"));
    let measured = measure_dir(dir.path(), &options()).unwrap();
    assert_eq!(paths(&measured), ["a.py", "hand.c"]);
}
