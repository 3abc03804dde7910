//! Profile `published-runs`. The expected numbers are those of the harness itself, version 1.0,
//! with radon 6.0.1 on Python 3.12.

use serde_json::json;
use slope_compat::runs::{compare, measure};
use slope_model::measurement::Measurement;
use slope_testkit::{write, write_file};

const CODE: &str = include_str!("runs_sample.txt");

fn measured(code: &str) -> Measurement {
    let dir = tempfile::tempdir().unwrap();
    write_file(&dir.path().join("a.py"), code);
    measure(dir.path(), 1).unwrap()
}

/// Lines of the members of each class, from 1.
fn clones(measurement: &Measurement) -> Vec<Vec<(u32, u32)>> {
    let classes = measurement.clones.iter();
    classes
        .map(|class| {
            let spans = class.members.iter().map(|member| member.span);
            spans.map(|span| (span.start_line, span.end_line)).collect()
        })
        .collect()
}

#[test]
fn numbers_match_the_harness() {
    let measurement = measured(CODE);
    let file = &measurement.files[0];
    assert_eq!((file.lines, file.sloc, file.clone_lines), (73, 43, 18));
    assert_eq!(
        clones(&measurement),
        [[(15, 20), (23, 28)], [(50, 52), (55, 57)]]
    );
    assert_eq!(measurement.definitions.version, "published-runs/1");
}

#[test]
fn operators_distinguish_clones_strings_do_not() {
    let of = |second: &str| {
        let first = "def f(a):\n    a = a + 1\n    return g(a, 'x')\n";
        clones(&measured(&format!("{first}\n{second}"))).len()
    };
    assert_eq!(of("def h(b):\n    b = b + 2\n    return i(b, 'y')\n"), 1);
    assert_eq!(of("def h(b):\n    b = b - 2\n    return i(b, 'y')\n"), 0);
    assert_eq!(of("def h(b):\n    b = b + 2\n    return i(b, b'y')\n"), 0);
    assert_eq!(
        of("def h(b):\n    # why\n    b = b + 2\n    return i(b, 'y')\n"),
        1
    );
}

#[test]
fn clones_are_found_within_one_file() {
    let dir = tempfile::tempdir().unwrap();
    let code = "def f(a):\n    a = a + 1\n    return a\n";
    for name in ["a.py", "b.py", "venv/c.py", "d.pyi"] {
        write_file(&dir.path().join(name), code);
    }
    let measurement = measure(dir.path(), 1).unwrap();
    let paths: Vec<&str> = measurement.files.iter().map(|f| f.path.as_str()).collect();
    assert_eq!(paths, ["a.py", "b.py"]);
    assert_eq!(clones(&measurement), Vec::<Vec<(u32, u32)>>::new());
}

#[test]
fn unknown_metrics_are_missing_with_reason() {
    let totals = measured(CODE).totals;
    assert_eq!((totals.verbosity, totals.flagged_lines), (None, None));
    assert!(totals.missing["verbosity"].contains("scb-check"));
    assert!(totals.missing.contains_key("flagged_lines"));
}

#[test]
fn broken_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    write_file(&dir.path().join("good.py"), "x = 1\n");
    write_file(&dir.path().join("bad.py"), "def f(:\n");
    let measurement = measure(dir.path(), 1).unwrap();
    assert_eq!(measurement.totals.unmeasured_files, 1);
    assert_eq!(measurement.unmeasured[0].path, "bad.py");
    std::fs::remove_file(dir.path().join("good.py")).unwrap();
    assert!(measure(dir.path(), 1).is_err());
}

#[test]
fn files_refused_by_python_are_named() {
    let nested = |depth: usize| -> String {
        let line = |level: usize| format!("{}if a:\n", " ".repeat(level));
        (0..depth).map(line).collect::<String>() + &" ".repeat(depth) + "b\n"
    };
    for (code, why) in [
        ("# text\n  x = 1\n  y = 2\n".to_owned(), "line 2"),
        (nested(100), "line 101"),
        ("x = '\u{e9}'\n".to_owned(), ""),
        (nested(99), ""),
        (nested(99).replace(" b\n", " if a: b\n"), ""),
    ] {
        let dir = tempfile::tempdir().unwrap();
        write_file(&dir.path().join("a.py"), "x = 1\n");
        write_file(&dir.path().join("b.py"), &code);
        let unmeasured = measure(dir.path(), 1).unwrap().unmeasured;
        assert_eq!(
            unmeasured.is_empty(),
            why.is_empty(),
            "{code}: {unmeasured:?}"
        );
        assert!(
            unmeasured.iter().all(|file| file.reason.contains(why)),
            "{unmeasured:?}"
        );
    }
    let dir = tempfile::tempdir().unwrap();
    write_file(&dir.path().join("a.py"), "x = 1\n");
    std::fs::write(dir.path().join("b.py"), b"x = '\xff'\n").unwrap();
    let unmeasured = measure(dir.path(), 1).unwrap().unmeasured;
    assert_eq!(unmeasured[0].reason, "it is not UTF-8 text");
}

#[test]
fn stored_numbers_are_compared_file_by_file() {
    let dir = tempfile::tempdir().unwrap();
    let config = "agent: {type: a}\nmodel: {name: m}\nenvironment: {type: docker}\nproblems: [p]\n";
    let problem = "version: 1\ncheckpoints:\n  checkpoint_1: {order: 1}\n";
    write(
        dir.path(),
        &[("config.yaml", config), ("p/problem.yaml", problem)],
    );
    let folder = dir.path().join("p/checkpoint_1");
    write_file(&folder.join("snapshot/main.py"), "x = 1\n");
    let stored = |clone_lines: u32| {
        let file = json!({
            "file_path": "main.py", "loc": 1, "total_lines": 1, "clone_lines": clone_lines,
        });
        write_file(&folder.join("quality_analysis/symbols.jsonl"), "");
        write_file(
            &folder.join("quality_analysis/files.jsonl"),
            &file.to_string(),
        );
        let compared = compare(dir.path()).unwrap();
        assert_eq!(compared.len(), 1);
        compared[0].differences.clone()
    };
    assert_eq!(stored(0), Vec::<String>::new());
    assert_eq!(stored(2), ["main.py: clone lines: 2 stored, 0 here"]);
}
