//! `slope grade` from requests on standard input to grades on standard output.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::{Value, json};
use slope_testkit::git::repository as repository_of;
use tempfile::TempDir;

use crate::common::{run, run_json, slope, stderr};

const UTIL: &str = "def total(values):\n    result = 0\n    for value in values:\n        result += value\n    return result\n";
const APP: &str = "def main():\n    return 0\n";
const USED: &str = "from util import total\n\n\ndef main():\n    return total([1, 2])\n";

/// A repository with a commit of two files.
fn repository() -> TempDir {
    repository_of(&[("util.py", UTIL), ("app.py", APP)])
}

/// Grades requests of a base.
fn grade(args: &[&str], requests: &str) -> Output {
    let mut child = slope()
        .arg("grade")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(requests.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn grades(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn request(id: &str, app: &str) -> String {
    let change = json!({"kind": "files", "data": {"app.py": app}});
    json!({"id": id, "change": change, "tests": {"passed": 1}}).to_string() + "\n"
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn edits_of_a_folder_are_graded() {
    let repo = repository();
    let requests = request("used", USED) + "broken\n" + &request("same", APP);
    let output = grade(&["--base", &name(repo.path())], &requests);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let grades = grades(&output);
    let ids: Vec<&str> = grades
        .iter()
        .map(|grade| grade["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["used", "", "same"]);
    assert_eq!(grades[0]["reward"], 1.0);
    assert_eq!(grades[1]["status"], "error");
    assert_eq!(grades[2]["reward"], 0.0);
    assert!(stderr(&output).contains("1 of 3 records could not be graded"));
}

#[test]
fn revision_is_a_base() {
    let repo = repository();
    std::fs::write(repo.path().join("app.py"), "def main():\n    return 9\n").unwrap();
    let output = grade(
        &["--base", &format!("{}@HEAD", name(repo.path()))],
        &request("used", USED),
    );
    assert_eq!(grades(&output)[0]["reward"], 1.0, "{}", stderr(&output));
}

#[test]
fn grades_do_not_depend_on_threads() {
    let repo = repository();
    let base = name(repo.path());
    let requests: String = (0..40).map(|n| request(&format!("r{n}"), USED)).collect();
    let one = grade(&["--base", &base, "--threads", "1"], &requests);
    let two = grade(&["--base", &base, "--threads", "2"], &requests);
    assert!(one.status.success());
    assert_eq!(one.stdout, two.stdout);
}

#[test]
fn explanation_names_the_lines() {
    let repo = repository();
    let diff = repo.path().join("edit.patch");
    std::fs::write(
        &diff,
        "--- a/app.py\n+++ b/app.py\n@@ -1,2 +1,3 @@\n+import os\n def main():\n     return 0\n",
    )
    .unwrap();
    let base = format!("{}@HEAD", name(repo.path()));
    let output = run(&["grade", "explain", "--base", &base, "--diff", &name(&diff)]);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(
        text.contains("app.py:1 unused-import: "),
        "{text}{}",
        stderr(&output)
    );
    let grade = run_json(&[
        "grade",
        "explain",
        "--base",
        &base,
        "--diff",
        &name(&diff),
        "--format",
        "json",
    ]);
    assert_eq!(grade["evidence"][0]["at"], "app.py:1");
}

#[test]
fn grades_fit_their_schema() {
    let repo = repository();
    let output = grade(
        &["--base", &name(repo.path())],
        &(request("used", USED) + "broken\n"),
    );
    let schema = run_json(&["grade", "schema", "grade"]);
    let validator = jsonschema::validator_for(&schema).unwrap();
    for grade in grades(&output) {
        assert!(validator.is_valid(&grade), "{grade}");
    }
    let schema = run_json(&["grade", "schema", "request"]);
    let request: Value = serde_json::from_str(&request("used", USED)).unwrap();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&request)
    );
}

#[test]
fn printed_pack_can_be_used() {
    let repo = repository();
    let pack = repo.path().join("pack.toml");
    let text = String::from_utf8(run(&["grade", "pack"]).stdout).unwrap();
    std::fs::write(&pack, text.replace("\"default\"", "\"mine\"")).unwrap();
    let args = ["--base", &name(repo.path()), "--pack", &name(&pack)];
    assert_eq!(
        grades(&grade(&args, &request("used", USED)))[0]["pack"],
        "mine@1"
    );
    std::fs::write(&pack, text.replace("lambda = 0.5", "lambda = 0.9")).unwrap();
    let output = grade(&args, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("reward.lambda is 0.9"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn base_must_have_code() {
    let folder = tempfile::tempdir().unwrap();
    for (base, message) in [
        (name(folder.path()), "has no code that slope measures"),
        (name(&folder.path().join("none")), "could not read"),
    ] {
        let output = grade(&["--base", &base], "");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn index_is_a_base() {
    let repo = repository();
    let index = repo.path().join("base.index");
    let base = format!("{}@HEAD", name(repo.path()));
    let written = run(&["grade", "index", "--base", &base, "--out", &name(&index)]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    assert!(stderr(&written).contains("base.index has 2 files, blake3:"));
    let requests = request("used", USED) + &request("same", APP);
    let of = |base: &str| grade(&["--base", base], &requests).stdout;
    assert_eq!(of(&name(&index)), of(&base));
    std::fs::write(&index, "slopepk1").unwrap();
    let output = grade(&["--base", &name(&index)], &requests);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("help: write it again: slope grade index"),
        "{text}"
    );
}
