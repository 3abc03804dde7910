//! Exported problems: the published layout gives the verdicts of the declarative cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run, run_json, sandbox_or_skip, stderr, text};
use serde_json::Value;

/// A new problem of two checkpoints in `dir`, and the same in the published layout.
fn both(dir: &Path) -> (PathBuf, PathBuf) {
    let made = run(&[
        "problem",
        "new",
        "quilt-keeper",
        "--checkpoints",
        "2",
        "--out",
        text(dir),
    ]);
    assert!(made.status.success(), "{}", stderr(&made));
    let (problem, published) = (dir.join("quilt-keeper"), dir.join("published"));
    echo(&problem);
    let written = run(&[
        "problem",
        "export",
        text(&problem),
        "--out",
        text(&published),
    ]);
    assert!(written.status.success(), "{}", stderr(&written));
    (problem, published)
}

/// Lets `step1` give back a word in quotation marks, and adds cases of what Python would read otherwise.
fn echo(problem: &Path) {
    for number in 1..=2 {
        let path = problem.join(format!("solutions/checkpoint_{number}/tool.py"));
        let program = fs::read_to_string(&path).unwrap();
        let plain = "return f\"1 {word}\"";
        assert!(program.contains(plain), "{program}");
        let echo = program.replace(plain, &format!("{plain} if word[:1] != '\"' else word"));
        fs::write(&path, echo).unwrap();
    }
    let path = problem.join("suite/checkpoint_1.yaml");
    let mut suite = fs::read_to_string(&path).unwrap();
    for (id, word, expect) in [
        (
            "line-separator",
            r#""\"a\u2028b\"""#,
            r#"json_lines: ["a\u2028b"]"#,
        ),
        ("backslash-z", r#"'"\z"'"#, r#"matches: '^"\\z"\s*\z'"#),
    ] {
        suite.push_str(&format!(
            "\n  - id: {id}\n    group: functionality\n    steps:\n      - args: [step1, {word}]\n        \
             expect: {{stdout: {{{expect}}}}}\n"
        ));
    }
    fs::write(&path, suite).unwrap();
}

/// Checkpoint, group and outcome of each case.
fn verdict(problem: &Path, solution: &Path) -> BTreeMap<String, (String, String, String)> {
    let graded = run(&[
        "eval",
        text(solution),
        "--problem",
        text(problem),
        "--checkpoint",
        "2",
        "--format",
        "json",
    ]);
    let value: Value =
        serde_json::from_slice(&graded.stdout).unwrap_or_else(|_| panic!("{}", stderr(&graded)));
    let word = |test: &Value, key: &str| test[key].as_str().unwrap().to_owned();
    let tests = value["verdict"]["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| {
            let id = word(test, "id");
            let id = id
                .trim_start_matches("test_case[")
                .trim_end_matches(']')
                .to_owned();
            (
                id,
                (
                    word(test, "checkpoint"),
                    word(test, "group"),
                    word(test, "outcome"),
                ),
            )
        });
    tests.collect()
}

#[test]
fn published_layout_gives_same_verdicts() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let (problem, published) = both(dir.path());
    let right = published.join("solutions/checkpoint_2");
    let found = verdict(&published, &right);
    assert_eq!(found, verdict(&problem, &right));
    assert!(
        found.len() > 3 && found.values().all(|(_, _, outcome)| outcome == "passed"),
        "{found:?}"
    );

    // The solution before is a wrong one here.
    let wrong = published.join("solutions/checkpoint_1");
    let found = verdict(&published, &wrong);
    assert_eq!(found, verdict(&problem, &wrong));
    let outcomes: Vec<&str> = found
        .values()
        .map(|(_, _, outcome)| outcome.as_str())
        .collect();
    assert!(
        outcomes.contains(&"passed") && outcomes.contains(&"failed"),
        "{found:?}"
    );
}

#[test]
fn exported_specs_reveal_no_tests() {
    let dir = tempfile::tempdir().unwrap();
    let (problem, published) = both(dir.path());
    let spec = |root: &Path| fs::read_to_string(root.join("checkpoint_1.md")).unwrap();
    assert!(spec(&problem).contains("<!--#") && !spec(&published).contains("<!--#"));
    let config = fs::read_to_string(published.join("config.yaml")).unwrap();
    assert!(
        config.starts_with("# ") && !config.contains("suite:") && config.contains("tags:"),
        "{config}"
    );
    let tests = |n: u32| {
        fs::read_to_string(published.join(format!("tests/test_checkpoint_{n}.py"))).unwrap()
    };
    let (first, second) = (tests(1), tests(2));
    assert!(second.contains("step2"), "cases of its own checkpoint");
    assert!(!first.contains("step2"), "cases of a later checkpoint");

    let again = run(&[
        "problem",
        "export",
        text(&problem),
        "--out",
        text(&published),
    ]);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        stderr(&again).contains("already exists"),
        "{}",
        stderr(&again)
    );
}

#[test]
fn json_export_omits_only_solutions() {
    let document = run_json(&["problem", "export", "household-stock", "--form", "json"]);
    assert_eq!(document["schema"], "slope.problem-export/1");
    assert_eq!(document["config"]["name"], "household-stock");
    assert_eq!(document["hash"].as_str().unwrap().len(), 64);
    let checkpoints = document["checkpoints"].as_array().unwrap();
    assert_eq!(checkpoints.len(), 4);
    for checkpoint in checkpoints {
        assert!(checkpoint["spec"].as_str().unwrap().contains("# "));
        assert!(!checkpoint["suite"]["cases"].as_array().unwrap().is_empty());
    }
}

#[test]
fn failed_export_writes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (problem, _) = both(dir.path());
    let config = problem.join("config.yaml");
    let plain = fs::read_to_string(&config).unwrap();
    let suite = problem.join("suite/checkpoint_1.yaml");
    let cases = fs::read_to_string(&suite).unwrap();
    let out = dir.path().join("out");
    let refused = |told: &str| {
        let done = run(&["problem", "export", text(&problem), "--out", text(&out)]);
        assert_eq!(done.status.code(), Some(2), "{told}");
        assert!(stderr(&done).contains(told), "{}", stderr(&done));
        assert!(out.symlink_metadata().is_err(), "{told}");
        let left = fs::read_dir(dir.path()).unwrap();
        assert_eq!(left.count(), 2, "nothing half done is left");
    };

    let asset = |path: &str| format!("{plain}static_assets:\n  one: {{path: {path}}}\n");
    fs::create_dir(problem.join("tests")).unwrap();
    fs::write(problem.join("tests/conftest.py"), "").unwrap();
    fs::write(&config, asset("tests")).unwrap();
    refused("two files would be called tests/conftest.py");
    fs::write(&config, asset("./config.yaml")).unwrap();
    refused("two files would be called config.yaml");

    fs::write(&config, &plain).unwrap();
    let foreign = cases.replace("\"^usage:\"", "'^\\p{Ll}sage:'");
    assert_ne!(foreign, cases);
    fs::write(&suite, foreign).unwrap();
    refused("case step1-without-a-word: the pattern");
    fs::write(&suite, &cases).unwrap();

    // A link that leads nowhere is something, too.
    std::os::unix::fs::symlink(dir.path().join("nowhere"), &out).unwrap();
    for form in ["json", "pytest"] {
        let args = ["problem", "export", text(&problem), "--form", form];
        let done = run(&[&args[..], &["--out", text(&out)]].concat());
        assert_eq!(done.status.code(), Some(2));
        assert!(
            stderr(&done).contains("already exists"),
            "{}",
            stderr(&done)
        );
        assert!(out.is_symlink());
    }
}

#[test]
fn exported_asset_keeps_executable_bit() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let (problem, _) = both(dir.path());
    let script = problem.join("given.sh");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let config = problem.join("config.yaml");
    let plain = fs::read_to_string(&config).unwrap();
    let with = format!("{plain}static_assets:\n  one: {{path: given.sh}}\n");
    fs::write(&config, with).unwrap();
    let out = dir.path().join("out");
    let done = run(&["problem", "export", text(&problem), "--out", text(&out)]);
    assert!(done.status.success(), "{}", stderr(&done));
    let mode = out.join("given.sh").metadata().unwrap().permissions();
    assert_eq!(mode.mode() & 0o111, 0o111);
}
