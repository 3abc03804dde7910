//! `slope grade mutate`: requests with known edits of real commits.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use slope_testkit::git::{commit, git, repository};
use tempfile::TempDir;

use crate::common::{run, run_json, stderr};

const BEFORE: &str = "def clean(rows, limit):\n    result = []\n    for row in rows:\n        if row:\n            result.append(row.strip())\n    return result\n";
const AFTER: &str = "def load(path, limit):\n    if limit is None:\n        raise ValueError(\"limit\")\n    lines = path.read_text().split()\n    rows = clean(lines, limit)\n    print(rows)\n    return rows\n";

/// A repository whose second commit adds a function, and whose third touches a document only.
fn history() -> TempDir {
    let repo = repository(&[("shop.py", BEFORE)]);
    commit(repo.path(), &[("shop.py", format!("{BEFORE}\n\n{AFTER}"))]);
    commit(repo.path(), &[("notes.md", "Notes.\n")]);
    repo
}

fn lines(output: &std::process::Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", stderr(output));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn mutate(repo: &Path, args: &[&str]) -> std::process::Output {
    let path = repo.display().to_string();
    run(&[&["grade", "mutate", "--repo", &path], args].concat())
}

#[test]
fn honest_edit_precedes_its_mutations() {
    let repo = history();
    let output = mutate(repo.path(), &[]);
    let records = lines(&output);
    assert!(
        stderr(&output).contains("mutations of 1 commits"),
        "{}",
        stderr(&output)
    );
    let short = &git(repo.path(), &["rev-parse", "HEAD~1"])[..10];
    assert_eq!(records[0]["id"], format!("{short}/honest"));
    assert_eq!(
        records[0]["base"],
        git(repo.path(), &["rev-parse", "HEAD~2"])
    );
    assert_eq!(records[0]["mutation"]["family"], "honest");
    let honest = &records[0]["change"]["data"]["shop.py"];
    assert_eq!(*honest, format!("{BEFORE}\n\n{AFTER}"));
    let mut families = BTreeSet::new();
    for record in &records[1..] {
        let mutation = &record["mutation"];
        let (kind, severity) = (&mutation["kind"], &mutation["severity"]);
        let id = format!(
            "{short}/{}/{}",
            kind.as_str().unwrap(),
            severity.as_str().unwrap()
        );
        assert_eq!(record["id"], id);
        assert_ne!(record["change"], records[0]["change"], "{id}");
        families.insert(mutation["family"].as_str().unwrap());
    }
    assert_eq!(
        families,
        BTreeSet::from(["hard-negative", "neutral", "slop"])
    );
}

#[test]
fn kind_and_severity_select_mutations() {
    let repo = history();
    let args = [
        "--commit",
        "HEAD~1",
        "--kind",
        "unused-local",
        "--severity",
        "high",
    ];
    let records = lines(&mutate(repo.path(), &args));
    let kinds: Vec<&str> = records
        .iter()
        .map(|r| r["mutation"]["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["honest", "unused-local"]);
    assert_eq!(records[1]["mutation"]["severity"], "high");
}

#[test]
fn same_seed_repeats_all_bytes() {
    let repo = history();
    let first = mutate(repo.path(), &["--seed", "4"]);
    assert_eq!(first.stdout, mutate(repo.path(), &["--seed", "4"]).stdout);
    assert_ne!(first.stdout, mutate(repo.path(), &["--seed", "5"]).stdout);
}

#[test]
fn diff_of_a_folder_is_mutated() {
    let repo = history();
    let diff = git(repo.path(), &["diff", "HEAD~2", "HEAD~1"]);
    git(repo.path(), &["checkout", "-q", "HEAD~2"]);
    let patch = repo.path().join("edit.patch");
    std::fs::write(&patch, diff + "\n").unwrap();
    let (base, patch) = (
        repo.path().display().to_string(),
        patch.display().to_string(),
    );
    let args = [
        "grade",
        "mutate",
        "--base",
        &base,
        "--diff",
        &patch,
        "--kind",
        "deep-nesting",
    ];
    let records = lines(&run(&args));
    assert_eq!(records.len(), 2);
    let text = records[1]["change"]["data"]["shop.py"].as_str().unwrap();
    assert!(text.contains("if limit is not None:"), "{text}");
}

#[test]
fn list_names_kinds_and_languages() {
    let text = String::from_utf8(run(&["grade", "mutate", "--list"]).stdout).unwrap();
    assert!(text.contains("copy-helper-exact"), "{text}");
    let all = run_json(&["grade", "mutate", "--list", "--format", "json"]);
    let all = all.as_array().unwrap();
    let import = all
        .iter()
        .find(|kind| kind["kind"] == "unused-import")
        .unwrap();
    assert_eq!(import["family"], "slop");
    let languages = import["languages"].as_array().unwrap();
    assert!(
        !languages.iter().any(|id| id == "go"),
        "Go refuses unused imports"
    );
}

#[test]
fn wrong_mutation_requests_say_what_to_do() {
    let repo = history();
    let wrong = |args: &[&str], text: &str| {
        let output = mutate(repo.path(), args);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(text), "{}", stderr(&output));
    };
    wrong(&["--kind", "slop"], "unknown kind `slop`");
    wrong(&["--kind", "slop"], "slope grade mutate --list");
    wrong(&["--commit", "HEAD"], "touches a function");
}
