//! `slope history`, `slope diff` and `slope research ledger` on repositories made by git.

use crate::common::{run, run_json, stderr, stdout, text};
use slope_testkit::git::{commit_as, git_as};
use tempfile::TempDir;

const SCAN: &str = "def scan(rows, limit):\n    total = 0\n    for row in rows:\n        if row.size > limit:\n            \
                    total += row.size * 2\n        elif row.name == 'x':\n            total -= limit\n    return total\n";

/// A function, a copy of it by an agent, a rename and a page without code.
fn repository() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    git_as(at, "Ann", &["init", "-q"]);
    commit_as(at, "Ann", &[("a.py", SCAN)], "Scan rows");
    let copy = SCAN.replace("scan", "scan_again");
    let signed = "Scan again\n\nCo-Authored-By: Claude <noreply@anthropic.com>";
    commit_as(at, "Ann", &[("b.py", &copy)], signed);
    git_as(at, "Bob", &["mv", "b.py", "c.py"]);
    git_as(at, "Bob", &["commit", "-q", "-m", "Rename"]);
    commit_as(at, "Bob", &[("README.md", "Text.\n")], "Write a page");
    dir
}

#[test]
fn history_reports_points_trends_and_authors() {
    let dir = repository();
    let repo = text(dir.path());
    let told = run_json(&["history", repo, "--all", "--ledger", "--format", "json"]);
    assert_eq!(
        (told["commits"].as_u64(), told["touching"].as_u64()),
        (Some(4), Some(3))
    );
    assert_eq!(told["revision"], "main");
    let points = told["points"].as_array().unwrap();
    let clones: Vec<_> = points
        .iter()
        .map(|p| p["totals"]["clone_lines"].as_u64())
        .collect();
    assert_eq!(clones, [Some(0), Some(16), Some(16)]);
    let ledger = &told["ledger"];
    assert_eq!(ledger["commits"].as_array().unwrap().len(), 2);
    assert_eq!(ledger["agents"][0]["name"], "claude");
    assert_eq!(ledger["agents"][1]["name"], "none");
    assert_eq!(ledger["agents"][0]["change"]["clone_lines"], 16);
    let functions = ledger["functions"].as_array().unwrap();
    let names: Vec<_> = functions.iter().map(|f| f["name"].as_str()).collect();
    assert_eq!(names, [Some("a.py: scan"), Some("c.py: scan_again")]);
    let human = stdout(&run(&["history", repo, "--sample", "2", "--ledger"]));
    for part in [
        "2 snapshots of 4 commits",
        "complexity mass",
        "By agent",
        "claude",
    ] {
        assert!(human.contains(part), "{human}");
    }
    let csv = stdout(&run(&["history", repo, "--format", "csv"]));
    assert!(
        csv.starts_with("position,commit,time") && csv.lines().count() == 10,
        "{csv}"
    );
    let markdown = stdout(&run(&["history", repo, "--format", "markdown"]));
    assert!(markdown.contains("| verbosity |"), "{markdown}");
}

#[test]
fn diff_reports_changes_but_not_renames() {
    let dir = repository();
    let repo = text(dir.path());
    let copied = run_json(&["diff", "HEAD~3..HEAD~2", "--repo", repo, "--format", "json"]);
    assert_eq!(copied["entries"].as_array().unwrap().len(), 1);
    assert_eq!(copied["entries"][0]["copied"]["function"], "scan");
    assert_eq!(copied["balance"]["change"]["clone_lines"], 16);
    let renamed = run_json(&["diff", "HEAD~2", "--repo", repo, "--format", "json"]);
    assert_eq!(renamed["entries"].as_array().unwrap().len(), 0);
    let human = stdout(&run(&["diff", "main~3...main", "--repo", repo]));
    assert!(human.contains("copy of a.py:1 scan"), "{human}");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(
        other.path().join("a.py"),
        SCAN.replace("limit:", "limit and row:"),
    )
    .unwrap();
    let dirs = run_json(&["diff", repo, text(other.path()), "--format", "json"]);
    let kinds: Vec<_> = dirs["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["kind"].clone())
        .collect();
    assert_eq!(kinds, ["removed", "changed"], "{dirs:#}");
}

#[test]
fn ledger_check_covers_every_commit() {
    let dir = repository();
    let found = run_json(&["research", "ledger", text(dir.path()), "--format", "json"]);
    assert_eq!(
        (found[0]["commits"].as_u64(), found[0]["empty"].as_u64()),
        (Some(4), Some(1))
    );
    assert_eq!(found[0]["fault"], serde_json::Value::Null);
}

#[test]
fn invalid_history_requests_get_a_remedy() {
    let dir = repository();
    let repo = text(dir.path());
    let empty = tempfile::tempdir().unwrap();
    for (args, word) in [
        (vec!["history", text(empty.path())], "git init"),
        (
            vec!["history", repo, "--rev", "nowhere"],
            "git branch --all",
        ),
        (vec!["history", repo, "--since", "2999-01-01"], "--since"),
        (
            vec!["history", repo, "--paths", "nowhere"],
            "a measured file in --paths nowhere",
        ),
        (vec!["history", repo, "--agent", "x"], "NAME=PART"),
        (vec!["history", repo, "--agent", "=x"], "NAME=PART"),
        (vec!["history", repo, "--agent", "x="], "NAME=PART"),
        (
            vec![
                "diff",
                "HEAD~2",
                "--repo",
                repo,
                "--paths",
                "a.py",
                "--paths",
                "nowhere/*",
            ],
            "--paths nowhere/* matches no measured file",
        ),
        (vec!["history", repo, "--format", "sarif"], "csv"),
        (vec!["diff", "nowhere..HEAD", "--repo", repo], "nowhere"),
        (vec!["diff", "/no/such/folder", "/none"], "/no/such/folder"),
    ] {
        let output = run(&args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(word), "{args:?}: {said}");
    }
}

#[test]
fn history_page_is_complete_when_sampled() {
    let dir = repository();
    let page = dir.path().join("out").join("page.html");
    let told = run(&[
        "history",
        text(dir.path()),
        "--sample",
        "2",
        "--html",
        text(&page),
    ]);
    assert!(told.status.success(), "{}", stderr(&told));
    let html = std::fs::read_to_string(&page).unwrap();
    for part in [
        "<code>b.py:1 scan_again</code>",
        "<span class=\"badge agent\">claude</span>",
        "copy of a.py:1 scan",
        "<td class=\"s\">+</td><td><code>def scan_again(rows, limit):</code>",
        "2 snapshots of 4 commits",
    ] {
        assert!(html.contains(part), "{part}");
    }
    let to_stdout = ["--sample", "2", "--format", "html"];
    let printed = run(&[&["history", text(dir.path())], &to_stdout[..]].concat());
    assert_eq!(stdout(&printed), html);
}

#[test]
fn panel_counts_repositories_getting_worse() {
    let dir = tempfile::tempdir().unwrap();
    let twice = format!("{SCAN}\n\n{}", SCAN.replace("scan", "scan_again"));
    for (name, first, last) in [("up", SCAN, twice.as_str()), ("down", twice.as_str(), SCAN)] {
        let at = dir.path().join(name);
        std::fs::create_dir(&at).unwrap();
        git_as(&at, "Ann", &["init", "-q"]);
        commit_as(&at, "Ann", &[("a.py", first)], "Begin");
        commit_as(&at, "Ann", &[("a.py", last)], "Go on");
    }
    let list = dir.path().join("list.txt");
    std::fs::write(&list, "up\ndown main  # by name\n").unwrap();
    let told = run_json(&["research", "panel", text(&list), "--format", "json"]);
    let verbosity = &told["verbosity"]["all"];
    assert_eq!(
        (&verbosity["repositories"], &verbosity["rising"]),
        (&2.into(), &1.into())
    );
    assert_eq!(told["rows"][1]["verbosity"]["growth"], -1.0);
    std::fs::write(&list, "up\nnowhere\n").unwrap();
    let missing = run(&["research", "panel", text(&list)]);
    assert_eq!(missing.status.code(), Some(1));
    let table = stdout(&missing);
    assert!(
        table.contains("left out: nowhere") && table.contains("rises in 1 of 1"),
        "{table}"
    );
    let absent = run(&["research", "panel", text(&dir.path().join("none"))]);
    assert_eq!(absent.status.code(), Some(2));
}

#[test]
fn history_names_unmeasured_files() {
    let dir = repository();
    let pointer = format!(
        "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12345\n",
        "4d".repeat(32)
    );
    commit_as(dir.path(), "Ann", &[("big.py", &pointer)], "Add data");
    let history = run_json(&["history", text(dir.path()), "--format", "json"]);
    let notes = serde_json::to_string(&history["notes"]).unwrap();
    let expected = "not measured in the last snapshot: big.py (a Git LFS pointer";
    assert!(notes.contains(expected), "{notes}");
}
