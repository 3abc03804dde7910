//! The steps of the GitHub Action, run as a runner runs them, with a stand-in for the client that writes comments.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::common::{self, stderr, stdout};
use crate::serve::Serving;
use slope_testkit::HELPER;
use slope_testkit::git::{commit, git, repository};

#[test]
fn action_annotates_and_keeps_one_comment() {
    let dir = repository(&[("a.py", HELPER)]);
    let at = dir.path();
    let before = git(at, &["rev-parse", "HEAD"]);
    commit(at, &[("b.py", &HELPER.replace("normalise", "tidy"))]);
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci");
    let temp = tempfile::tempdir().unwrap();
    let (comment, outputs) = (temp.path().join("c.md"), temp.path().join("out"));
    let output = Command::new("bash")
        .arg(scripts.join("github-check.sh"))
        .current_dir(at)
        .env("SLOPE", env!("CARGO_BIN_EXE_slope"))
        .env("SLOPE_CACHE_DIR", common::cache_dir())
        .env("PULL_BASE", before)
        .env("SLOPE_SARIF", temp.path().join("s.sarif"))
        .env("COMMENT", &comment)
        .env("GITHUB_OUTPUT", &outputs)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("::error file=b.py"),
        "{}",
        stdout(&output)
    );
    assert_eq!(std::fs::read_to_string(&outputs).unwrap(), "passes=false\n");
    assert!(temp.path().join("s.sarif").is_file());
    keeps_one_comment(temp.path(), &comment);
}

/// What the Action does after a push that had this commit before it.
fn after_push(at: &Path, before: &str) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/github-check.sh");
    let output = Command::new("bash")
        .arg(&script)
        .current_dir(at)
        .env("SLOPE", env!("CARGO_BIN_EXE_slope"))
        .env("SLOPE_CACHE_DIR", common::cache_dir())
        .env("PUSH_BASE", before)
        .env("DEFAULT_BRANCH", "main")
        .output()
        .unwrap();
    (output.status.code(), stdout(&output) + &stderr(&output))
}

/// A forced push names a commit before it that no clone has.
#[test]
fn lost_commits_compare_with_default_branch() {
    let dir = repository(&[("a.py", HELPER)]);
    let at = dir.path();
    git(at, &["checkout", "-q", "-b", "work"]);
    commit(at, &[("b.py", &HELPER.replace("normalise", "tidy"))]);
    let here = git(at, &["rev-parse", "HEAD"]);
    let gone = "de2a".repeat(10);
    for (before, code, notice) in [(&here, 0, false), (&gone, 1, true)] {
        let (ended, said) = after_push(at, before);
        assert_eq!(ended, Some(code), "{said}");
        let told = said.contains("compared with the default branch");
        assert_eq!(told, notice, "{said}");
    }
}

/// Against itself the default branch would pass whatever it holds.
#[test]
fn forced_push_compares_with_an_older_commit() {
    let origin = repository(&[("a.py", HELPER)]);
    commit(origin.path(), &[("b.py", "x = 1\n")]);
    let replaced = git(origin.path(), &["rev-parse", "HEAD"]);
    git(origin.path(), &["reset", "-q", "--hard", "HEAD^"]);
    let copy = HELPER.replace("normalise", "tidy");
    commit(origin.path(), &[("c.py", &copy)]);
    let place = tempfile::tempdir().unwrap();
    let from = format!("file://{}", origin.path().display());
    git(place.path(), &["clone", "-q", &from, "clone"]);
    let at = place.path().join("clone");
    let (ended, said) = after_push(&at, &"de2a".repeat(10));
    assert_eq!(ended, Some(1), "{said}");
    assert!(said.contains("only its last commit is judged"), "{said}");
    // Who still has the commit that was replaced is asked for it.
    let allow = ["config", "uploadpack.allowAnySHA1InWant", "true"];
    git(origin.path(), &allow);
    let (ended, said) = after_push(&at, &replaced);
    assert_eq!(
        (ended, said.contains("::notice::")),
        (Some(1), false),
        "{said}"
    );
}

/// The first push of a branch has no commit before it, and is judged by the rules of the default branch.
#[test]
fn first_pushes_cannot_relax_the_gate() {
    let origin = repository(&[("a.py", HELPER)]);
    let place = tempfile::tempdir().unwrap();
    let from = format!("file://{}", origin.path().display());
    git(place.path(), &["clone", "-q", &from, "clone"]);
    let at = place.path().join("clone");
    git(&at, &["checkout", "-q", "-b", "work"]);
    let copy = HELPER.replace("normalise", "tidy");
    let off = "[check]\nnew-clone = \"off\"\nreimplementation = \"off\"\n";
    commit(&at, &[("b.py", copy.as_str()), ("slope.toml", off)]);
    for before in ["0".repeat(40), "de2a".repeat(10)] {
        let (ended, said) = after_push(&at, &before);
        assert_eq!(ended, Some(1), "{said}");
    }
}

fn keeps_one_comment(temp: &Path, comment: &Path) {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci");
    let calls = temp.join("calls");
    let client = "#!/bin/bash\necho \"$@\" >> \"$CALLS\"\nif [ -e \"$CALLS.known\" ] && [[ $* == *--jq* ]]; then echo 42; fi\n";
    let tool = temp.join("gh");
    std::fs::write(&tool, client).unwrap();
    Command::new("chmod").arg("+x").arg(&tool).status().unwrap();
    let path = format!("{}:{}", temp.display(), std::env::var("PATH").unwrap());
    for known in [false, true] {
        if known {
            std::fs::write(temp.join("calls.known"), "").unwrap();
        }
        let done = Command::new("bash")
            .arg(scripts.join("github-comment.sh"))
            .envs([("REPOSITORY", "o/r"), ("NUMBER", "7"), ("PATH", &path)])
            .env("COMMENT", comment)
            .env("CALLS", &calls)
            .status()
            .unwrap();
        assert!(done.success());
    }
    let said = std::fs::read_to_string(&calls).unwrap();
    let sent: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("--method"))
        .collect();
    assert!(
        sent[0].contains("POST repos/o/r/issues/7/comments"),
        "{said}"
    );
    assert!(
        sent[1].contains("PATCH repos/o/r/issues/comments/42"),
        "{said}"
    );
}

/// Runs the step that sends a point.
fn track(at: &Path, server: &str, outputs: &Path, secret: &str) -> (Option<i32>, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/github-track.sh");
    let output = Command::new("bash")
        .arg(&script)
        .current_dir(at)
        .env("SLOPE", env!("CARGO_BIN_EXE_slope"))
        .env("SLOPE_CACHE_DIR", common::cache_dir())
        .env("SLOPE_ADDRESS", server)
        .env("SLOPE_PROJECT", "shop")
        .env("SLOPE_SECRET", secret)
        .env("GITHUB_OUTPUT", outputs)
        .output()
        .unwrap();
    (output.status.code(), stdout(&output) + &stderr(&output))
}

#[test]
fn action_sends_points_to_a_server() {
    let dir = repository(&[("a.py", HELPER)]);
    let data = tempfile::tempdir().unwrap();
    let outputs = data.path().join("out");
    let mut serving = Serving::start(data.path(), None, &[]);
    let added = serving.ask("POST", "/api/v1/projects", &json!({ "name": "shop" }));
    assert_eq!(added.unwrap().0, 201);
    let server = format!("http://{}", serving.address);
    // Where no token is needed, a wrong one is refused: the step says so, and the job goes on.
    let (code, said) = track(dir.path(), &server, &outputs, "slope_secret");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("::warning::") && said.contains("401"),
        "{said}"
    );
    assert!(!said.contains("slope_secret"), "{said}");
    let secret = Command::new(env!("CARGO_BIN_EXE_slope"))
        .args([
            "serve",
            "token",
            "add",
            "--project",
            "shop",
            "--scope",
            "push",
            "--data",
            "data",
            "--format",
            "json",
        ])
        .current_dir(data.path())
        .output()
        .unwrap();
    let secret: Value = serde_json::from_slice(&secret.stdout).unwrap();
    let secret = secret["secret"].as_str().unwrap();
    let (code, said) = track(dir.path(), &server, &outputs, secret);
    assert_eq!(code, Some(0), "{said}");
    let (_, series) = serving
        .ask("GET", "/api/v1/projects/shop", &Value::Null)
        .unwrap();
    assert_eq!(series["series"][0]["points"], 1, "{series}");
    serving.kill();
    commit(dir.path(), &[("b.py", "x = 1\n")]);
    let (code, said) = track(dir.path(), &server, &outputs, secret);
    assert_eq!(code, Some(0), "{said}");
    let outputs = std::fs::read_to_string(&outputs).unwrap();
    assert_eq!(outputs, "sent=false\nsent=true\nsent=false\n");
}

#[test]
fn action_sends_judgements_of_pull_requests() {
    let dir = repository(&[("a.py", HELPER)]);
    let base = git(dir.path(), &["rev-parse", "HEAD"]);
    commit(
        dir.path(),
        &[("b.py", &HELPER.replace("normalise", "tidy"))],
    );
    let data = tempfile::tempdir().unwrap();
    let mut serving = Serving::start(data.path(), None, &[]);
    let added = serving.ask("POST", "/api/v1/projects", &json!({ "name": "shop" }));
    assert_eq!(added.unwrap().0, 201);
    let server = format!("http://{}", serving.address);
    let (_, token) = serving
        .ask(
            "POST",
            "/api/v1/projects/shop/tokens",
            &json!({ "scope": "push" }),
        )
        .unwrap();
    let secret = token["secret"].as_str().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/github-check.sh");
    let check = |args: &str| {
        let output = Command::new("bash")
            .arg(&script)
            .current_dir(dir.path())
            .env("SLOPE", env!("CARGO_BIN_EXE_slope"))
            .env("SLOPE_CACHE_DIR", common::cache_dir())
            .env("PULL_BASE", &base)
            .env("SLOPE_ADDRESS", &server)
            .env("SLOPE_PROJECT", "shop")
            .env("SLOPE_SECRET", secret)
            .env("SLOPE_ARGS", args)
            .env("NUMBER", "7")
            .env("TITLE", "A \"title\" $(touch x)")
            .output()
            .unwrap();
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let (code, said) = check("");
    assert_eq!(code, Some(1), "{said}");
    let (_, change) = serving
        .ask("GET", "/api/v1/projects/shop/changes/pr-7", &Value::Null)
        .unwrap();
    assert_eq!(change["passes"], false, "{change}");
    assert_eq!(change["sent"]["title"], "A \"title\" $(touch x)");
    // Without the server, a change that fails still fails, and one that passes still passes.
    serving.kill();
    let (code, said) = check("");
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = check("--only dead-code");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("::warning::"), "{said}");
}
