//! `slope measure --base` through the binary, on real git repositories.

use std::path::Path;
use std::process::Output;

use crate::common::{self, run_json, slope, stderr, stdout, text};
use serde_json::Value;
use slope_testkit::git::{git, repository};
use slope_testkit::write;

/// Before the change: `_used` is in use, `_old` is dead already.
const BEFORE: &str = "\
def _used(a):
    return a + 1


def _old(a):
    return a + 2


def top(a):
    return _used(a)
";

/// After it: what used `_used` is gone, and `_new` came without a use.
const AFTER: &str = "\
def _used(a):
    return a + 1


def _old(a):
    return a + 2


def _new(a):
    return a + 3


def top(a):
    return a
";

/// Private functions that nothing uses are told where they are asked for.
const ENABLED: &str = "enable = [\"unused-private-function\"]\n";

/// A repository with one commit, and a change that is not committed.
fn changed() -> tempfile::TempDir {
    let dir = repository(&[
        ("slope.toml", ENABLED),
        ("src/a.py", BEFORE),
        ("b.py", "import a\n\nprint(a.top(1))\n"),
    ]);
    write(dir.path(), &[("src/a.py", AFTER)]);
    dir
}

/// Origin and message of each finding.
fn origins(measured: &Value) -> Vec<(String, String)> {
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = measured["dead_code"]["findings"].as_array().unwrap();
    let each = findings
        .iter()
        .map(|finding| (word(finding, "origin"), word(finding, "message")));
    each.collect()
}

fn expected() -> Vec<(String, String)> {
    let told = [
        ("orphaned", "_used"),
        ("inherited", "_old"),
        ("born_dead", "_new"),
    ];
    let each = told.map(|(origin, name)| {
        let message = format!("The private function `{name}` is never used.");
        (origin.to_owned(), message)
    });
    each.to_vec()
}

fn measured(path: &Path, base: &str) -> Value {
    run_json(&["measure", text(path), "--base", base, "--format", "json"])
}

fn refused(path: &Path, args: &[&str]) -> String {
    let said: Output = slope()
        .args(["measure", text(path)])
        .args(args)
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(2), "{}", stderr(&said));
    stderr(&said)
}

#[test]
fn base_revision_classifies_dead_code() {
    let dir = changed();
    let found = measured(dir.path(), "HEAD");
    assert_eq!(origins(&found), expected());
    assert_eq!(found["dead_code"]["base"], "HEAD");
    assert_eq!(found["dead_code"]["commit"].as_str().unwrap().len(), 40);
    assert_eq!(found["dead_code"]["counts"]["born_dead"], 1);
    // A folder of the repository is held against the same folder, a file against the file.
    for place in ["src", "src/a.py"] {
        let found = measured(&dir.path().join(place), "main");
        assert_eq!(origins(&found), expected(), "{place}");
    }
    // Everything else is as without a base.
    let mut without = run_json(&["measure", text(dir.path()), "--format", "json"]);
    assert_eq!(without.get("dead_code"), None);
    without["dead_code"] = found["dead_code"].clone();
    assert_eq!(without, found);
}

#[test]
fn folder_can_be_the_base() {
    let dir = changed();
    let old = tempfile::tempdir().unwrap();
    std::fs::write(old.path().join("a.py"), BEFORE).unwrap();
    let found = measured(&dir.path().join("src"), text(old.path()));
    assert_eq!(origins(&found), expected());
    assert!(found["dead_code"]["commit"].is_null());
}

#[test]
fn summary_classifies_dead_code_by_origin() {
    let dir = changed();
    let said = slope()
        .args(["measure", ".", "--base", "HEAD"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = stdout(&said);
    assert!(
        said.contains("1 born dead, 1 orphaned, 1 inherited"),
        "{said}"
    );
    assert!(said.contains("src/a.py:9: born dead: "), "{said}");
    assert!(said.contains("src/a.py:1: orphaned: "), "{said}");
}

#[test]
fn invalid_base_is_refused_with_remedy() {
    let dir = changed();
    let said = refused(dir.path(), &["--base", "nowhere"]);
    assert!(
        said.contains("nor a revision of the git repository"),
        "{said}"
    );
    let said = refused(dir.path(), &["--base", "--output=x"]);
    assert!(said.contains("--base"), "{said}");
    let said = refused(dir.path(), &["--base", "HEAD", "--profile", "paper"]);
    assert!(said.contains("profile paper"), "{said}");
    let alone = tempfile::tempdir().unwrap();
    std::fs::write(alone.path().join("a.py"), BEFORE).unwrap();
    let said = refused(alone.path(), &["--base", "HEAD"]);
    assert!(said.contains("not in a git repository"), "{said}");
}

#[test]
fn documents_show_origin_of_dead_code() {
    let dir = changed();
    let told = |form: &str| {
        let at = ["measure", text(dir.path()), "--base", "HEAD"];
        stdout(&common::run(&[&at[..], &["--format", form]].concat()))
    };
    let markdown = told("markdown");
    for part in [
        "Dead code since HEAD (",
        "): 1 born dead, 1 orphaned, 1 inherited",
        "- `src/a.py:9` born dead: The private function",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
    let html = told("html");
    for part in ["<section id=\"dead-code\">", "1 orphaned", "a.py:9</code>"] {
        assert!(html.contains(part), "{part}: {html}");
    }
}

#[test]
fn shallow_clone_error_suggests_unshallow() {
    let dir = changed();
    git(dir.path(), &["commit", "-q", "-a", "-m", "second"]);
    let clone = tempfile::tempdir().unwrap();
    let url = format!("file://{}", text(dir.path()));
    let to = text(clone.path());
    git(dir.path(), &["clone", "-q", "--depth", "1", &url, to]);
    let said = refused(clone.path(), &["--base", "HEAD~1"]);
    assert!(said.contains("git fetch --unshallow"), "{said}");
}
