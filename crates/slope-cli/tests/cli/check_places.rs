//! `slope check` where it runs: repositories that are not plain clones, and templates of CI.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{self, slope, stderr, stdout};
use serde_json::Value;
use slope_testkit::git::{commit, git, repository};
use slope_testkit::write;

const PLAIN: &str = "def first(rows):\n    for row in rows:\n        return row\n    return None\n";

/// A function that is over the limit of a new one.
fn tangle(name: &str) -> String {
    let branches = (0..20).map(|i| format!("    if a == {i}:\n        r += b{i}\n"));
    format!(
        "def {name}(a):\n    r = 0\n{}    return r\n",
        branches.collect::<String>()
    )
}

fn check(dir: &Path, args: &[&str]) -> Output {
    slope()
        .arg("check")
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap()
}

#[track_caller]
fn fails_with(dir: &Path, args: &[&str], code: i32, words: &str) {
    let output = check(dir, args);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
    assert!(said.contains(words), "{args:?}: {said}");
}

#[test]
fn submodule_is_judged_in_own_checkout() {
    let inner = repository(&[("lib.py", PLAIN)]);
    let outer = repository(&[("a.py", PLAIN)]);
    let at = outer.path();
    let url = inner.path().to_str().unwrap();
    git(at, &["submodule", "--quiet", "add", url, "vendored"]);
    commit::<&str, &str>(at, &[]);
    write(at, &[("vendored/lib.py", tangle("knot"))]);
    let of_the_outer = check(at, &[]);
    assert!(of_the_outer.status.success(), "{}", stdout(&of_the_outer));
    fails_with(
        &at.join("vendored"),
        &[],
        1,
        "lib.py:1: error[new-complexity]",
    );
}

#[test]
fn lfs_pointer_is_not_code() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:\
                   4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    let dir = repository(&[("a.py", PLAIN), ("big.py", pointer)]);
    assert!(check(dir.path(), &[]).status.success());
    // The content behind it is new code to us: the base has none to compare with.
    write(dir.path(), &[("big.py", tangle("knot"))]);
    fails_with(dir.path(), &[], 1, "big.py:1: error[new-complexity]");
}

#[test]
fn partial_clone_is_judged_where_possible() {
    let origin = repository(&[("a.py", PLAIN)]);
    git(origin.path(), &["config", "uploadpack.allowFilter", "true"]);
    commit(origin.path(), &[("a.py", PLAIN.replace("first", "head"))]);
    let place = tempfile::tempdir().unwrap();
    let url = format!("file://{}", origin.path().display());
    git(
        place.path(),
        &["clone", "-q", "--filter=blob:none", &url, "part"],
    );
    let part = place.path().join("part");
    write(&part, &[("b.py", tangle("knot"))]);
    fails_with(&part, &[], 1, "b.py:1: error[new-complexity]");
    fails_with(
        &part,
        &["--base", "HEAD~1"],
        2,
        "git fetch --refetch --no-filter",
    );
}

#[test]
fn judgement_sarif_follows_official_schema() {
    let dir = repository(&[("a.py", PLAIN)]);
    write(
        dir.path(),
        &[("b.py", tangle("knot")), ("c.py", tangle("knot"))],
    );
    let output = check(dir.path(), &["--format", "sarif"]);
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|r| r["ruleId"] == "new-clone"), "{log}");
    let schema = "../slope-report/tests/data/sarif-2.1.0.schema.json";
    let schema = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(schema)).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&log)
        .map(|e| format!("{}: {e}", e.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The template's script, run as a runner runs it: the lines one after another, in a shell.
#[test]
fn gitlab_template_produces_report_and_comment() {
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/gitlab.yml");
    let template: Value =
        serde_saphyr::from_str(&std::fs::read_to_string(template).unwrap()).unwrap();
    let job = &template["slope-check"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let script: Vec<String> = job["script"].as_array().unwrap().iter().map(text).collect();
    let dir = repository(&[("a.py", PLAIN)]);
    let at = dir.path();
    let base = git(at, &["rev-parse", "HEAD"]);
    commit(at, &[("b.py", tangle("knot"))]);
    let output = Command::new("bash")
        .args(["-ec", &script.join("\n")])
        .current_dir(at)
        .env("SLOPE_COMMAND", env!("CARGO_BIN_EXE_slope"))
        .env("SLOPE_CACHE_DIR", common::cache_dir())
        .env("CI_MERGE_REQUEST_DIFF_BASE_SHA", base)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let artifacts = &job["artifacts"];
    let report = at.join(text(&artifacts["reports"]["codequality"]));
    let report: Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report[0]["location"]["path"], "b.py", "{report}");
    assert_eq!(report[0]["check_name"], "slope-new-complexity", "{report}");
    let comment = std::fs::read_to_string(at.join(text(&artifacts["paths"][0]))).unwrap();
    assert!(comment.starts_with("<!-- slope-check -->\n"), "{comment}");
}

/// A repository whose `a/x.py` and `b/y.py` have something in the ratchet, which is there.
fn ratcheted() -> tempfile::TempDir {
    let dir = repository(&[("a/x.py", tangle("knot")), ("b/y.py", tangle("other"))]);
    assert!(
        check(dir.path(), &["--ratchet", "--update"])
            .status
            .success()
    );
    dir
}

#[test]
fn narrowed_check_keeps_whole_ratchet() {
    let dir = ratcheted();
    let at = dir.path();
    let ratchet = || std::fs::read_to_string(at.join("slope-ratchet.txt")).unwrap();
    let first = ratchet();
    for narrowing in [
        &["--only", "dead-code"][..],
        &["--exclude", "a/**"],
        &["--no-signals"],
        &["--no-near-miss"],
        &["--disable", "unused-import"],
        &["--tests", "exclude"],
    ] {
        let update = [&["--ratchet", "--update"], narrowing].concat();
        fails_with(at, &update, 2, narrowing[0]);
        assert_eq!(ratchet(), first, "{narrowing:?}");
        let said = stdout(&check(at, &[&["--ratchet"], narrowing].concat()));
        assert!(!said.contains("became better"), "{narrowing:?}: {said}");
    }
    let everything = ["--ratchet", "--update", "--only", "ratchet"];
    assert!(check(at, &everything).status.success());
    assert_eq!(ratchet(), first);
    fails_with(at, &["--only", "ratchet"], 2, "add --ratchet");
}

#[test]
fn folder_ratchet_leaves_others_alone() {
    let dir = ratcheted();
    let at = dir.path();
    let ratchet = || std::fs::read_to_string(at.join("slope-ratchet.txt")).unwrap();
    write(at, &[("a/x.py", PLAIN), ("b/y.py", PLAIN)]);
    // What has the form of the one that went would be that one, moved.
    let third = tangle("third").replace("r = 0\n", "r = 0\n    if not a:\n        return []\n");
    write(at, &[("b/new.py", third)]);
    assert!(check(at, &["--ratchet", "--update", "a"]).status.success());
    assert!(!ratchet().contains("a/x.py"), "{}", ratchet());
    assert!(ratchet().contains("b/y.py"), "{}", ratchet());
    fails_with(at, &["--ratchet", "b"], 1, "b/new.py:1: error[ratchet]");
}
