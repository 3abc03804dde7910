//! The functions of `slope-embed` return what the commands print, byte for byte.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use slope_embed::{Code, Error, Settings};
use tempfile::TempDir;

use crate::common::{slope, stderr, text};
use crate::embed_project::{SLOPPY, TIDY, project, write};

/// The project before and after a change.
fn folders() -> (TempDir, PathBuf, PathBuf) {
    let top = tempfile::tempdir().unwrap();
    let (old, new) = (top.path().join("old"), top.path().join("new"));
    write(&old, &project(TIDY));
    write(&new, &project(SLOPPY));
    (top, old, new)
}

/// What a command prints on standard output as JSON.
fn printed(args: &[&str], input: &str) -> String {
    let mut child = slope()
        .args(args)
        .args(["--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn code(path: &Path) -> Code {
    Code::Path(path.to_owned())
}

#[track_caller]
fn assert_same(args: &[&str], document: Result<String, Error>) {
    let expected = printed(args, "");
    assert!(expected.len() > 100, "{expected}");
    assert_eq!(document.unwrap(), expected, "slope {}", args.join(" "));
}

#[test]
fn documents_are_those_of_commands() {
    let (_top, old, new) = folders();
    let (before, after) = (code(&old), code(&new));
    let settings = Settings::default();
    let (old, new) = (text(&old), text(&new));
    assert_same(&["measure", new], slope_embed::measure(&after, &settings));
    assert_same(
        &["diff", old, new],
        slope_embed::diff(&before, &after, &settings),
    );
    assert_same(
        &["check", old, new],
        slope_embed::check(&before, &after, &settings),
    );
    assert_same(
        &["judge", "--static", new, "--top", "3"],
        slope_embed::judge(&after, 3, &settings),
    );
    for id in ["swallowed-exception", "new-clone", "erosion"] {
        assert_same(&["explain", id], slope_embed::explain(id, None));
    }
}

#[test]
fn policies_are_configuration_files() {
    let (top, old, new) = folders();
    let policy =
        "cutoff = 2\nexclude = [\"tests/*\"]\n[check]\ncomplexity = 8\nnew-clone = \"off\"\n";
    let (before, after) = (code(&old), code(&new));
    // The place of a policy is the code, so the file is there, too.
    std::fs::write(new.join("slope.toml"), policy).unwrap();
    let file = new.join("slope.toml");
    let settings = Settings {
        policy: Some(policy.to_owned()),
    };
    let (old, new, file) = (text(&old), text(&new), text(&file));
    assert_same(
        &["measure", new, "--config", file],
        slope_embed::measure(&after, &settings),
    );
    assert_same(
        &["check", old, new, "--config", file],
        slope_embed::check(&before, &after, &settings),
    );
    drop(top);
}

#[test]
fn files_and_profiles_measure_equally() {
    let (top, _, new) = folders();
    let file = new.join("src/app.py");
    let settings = Settings::default();
    assert_same(
        &["measure", text(&file)],
        slope_embed::measure(&code(&file), &settings),
    );
    for profile in ["strict", "paper"] {
        std::fs::write(new.join("slope.toml"), format!("profile = \"{profile}\"\n")).unwrap();
        assert_same(
            &["measure", text(&new)],
            slope_embed::measure(&code(&new), &settings),
        );
    }
    drop(top);
}

#[test]
fn grades_are_those_of_the_command() {
    let (_top, old, _) = folders();
    let change = serde_json::json!({"kind": "files", "data": {"src/app.py": SLOPPY}});
    let request = |id: &str, passed: u32| {
        serde_json::json!({
            "id": id, "change": change, "task": {"group": "g"},
            "tests": {"passed": passed, "failed": 1 - passed},
        })
        .to_string()
    };
    let requests = [request("a", 1), "[]".to_owned(), request("b", 0)];
    let input = requests.join("\n") + "\n";
    for (in_groups, args) in [
        (false, vec!["grade", "--base", text(&old)]),
        (true, vec!["grade", "group", "--base", text(&old)]),
    ] {
        let grades = slope_embed::grade(&code(&old), &requests, None, in_groups).unwrap();
        // The command counts lines, the function requests.
        let printed = printed(&args, &input).replace("line 2", "request 2");
        let expected: Vec<&str> = printed.lines().collect();
        assert_eq!(grades, expected);
    }
}
