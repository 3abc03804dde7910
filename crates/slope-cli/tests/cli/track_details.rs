//! What points say besides their numbers: order in one second, diffs of functions, findings of judges.

use std::path::Path;

use serde_json::{Value, json};
use slope_testkit::git::{commit, git, repository};

use crate::common::{run, run_json, stderr, text};
use crate::track::{added, sloppy};

/// Commits whose committer's clock stands still.
fn at_one_second(at: &Path, name: &str) {
    commit(at, &[(format!("{name}.py"), sloppy(name))]);
    let output = std::process::Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
        .args(["commit", "-q", "--amend", "-m", name])
        .current_dir(at)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", "2026-11-01T12:00:00Z")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn commits_of_one_second_keep_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    git(at, &["init", "-q"]);
    let names = ["one", "two", "three", "four", "five"];
    for name in names {
        at_one_second(at, name);
    }
    for back in 0..names.len() {
        let revision = format!("HEAD~{}", names.len() - 1 - back);
        let point = added(at, &["--commit", &revision]);
        assert_eq!(point["point"]["commit"]["subject"], names[back]);
        let since = &point["point"]["change"]["since"];
        let parent = (back > 0).then(|| git(at, &["rev-parse", &format!("{revision}~1")]));
        let expected = parent.map(|id| format!("commit-{id}"));
        assert_eq!(since.as_str(), expected.as_deref(), "{point:#}");
    }
    let series = run_json(&["track", "plot", text(at), "--format", "json"]);
    let points = series["points"].as_array().unwrap().iter();
    let subjects: Vec<&Value> = points.map(|it| &it["commit"]["subject"]).collect();
    assert_eq!(subjects, names);
}

/// A folder with a function, and then one that is much worse.
fn worse(config: &str) -> tempfile::TempDir {
    let short = "def cost(kind, weight):\n    return weight\n";
    let repo = repository(&[("app.py", short), ("slope.toml", config)]);
    let at = repo.path();
    added(at, &["--iteration", "1"]);
    commit(at, &[("app.py", sloppy("cost"))]);
    repo
}

#[test]
fn largest_changes_have_diffs() {
    let repo = worse("");
    let point = added(repo.path(), &["--iteration", "2"]);
    let place = &point["point"]["change"]["places"][0];
    assert_eq!(place["function"], "cost");
    let lines = place["diff"]["hunks"][0]["lines"].as_array().unwrap();
    assert!(
        lines.contains(&json!("-def cost(kind, weight):")),
        "{place:#}"
    );
    assert!(lines.contains(&json!("+    total = 0")), "{place:#}");
    // Again with files that are not committed.
    std::fs::write(
        repo.path().join("app.py"),
        "def cost(kind, weight):\n    return 7\n",
    )
    .unwrap();
    let point = added(repo.path(), &["--iteration", "3"]);
    let diff = point["point"]["change"]["places"][0]["diff"].to_string();
    assert!(diff.contains("+    return 7"), "{diff}");
}

#[test]
fn settings_switch_diffs_off() {
    let repo = worse("[track]\ndiffs = false\n");
    let point = added(repo.path(), &["--iteration", "2"]);
    let place = &point["point"]["change"]["places"][0];
    assert_eq!(
        (&place["function"], &place["diff"]),
        (&json!("cost"), &Value::Null)
    );
}

#[test]
fn points_keep_findings_with_real_lines() {
    let repo = worse("");
    let at = repo.path();
    let point = added(at, &["--iteration", "2"]);
    let details = &point["point"]["scores"][0]["details"];
    let issue = &details["issues"][0];
    assert_eq!(issue["path"], "app.py", "{details:#}");
    assert_eq!(details["languages"][0]["languages"], json!(["python"]));
    // Findings of a model may name lines that are not there.
    let judged = run(&["judge", "--static", text(at), "--format", "json"]);
    let mut judged: Value = serde_json::from_slice(&judged.stdout).unwrap();
    let scores = judged["scores"].clone();
    let none = json!({ "tidy": null, "sloppy": null });
    judged["judge"] = json!("model");
    judged["model"] = json!({
        "model": "m", "served": null, "rubric": "slope@2", "rubric_hash": "h", "calibration": null,
        "repeats": 3, "ranges": { "erosion": { "low": 1.0, "high": 2.0 } }, "as_written": scores,
        "as_renamed": scores, "static_scores": scores, "anchors": none, "requests": 1, "from_cache": 0,
        "repairs": 0, "dropped_issues": 0, "carried_issues": 0, "unjudged": [], "usage": null,
    });
    let of_model = |path: &str, last: u32| {
        json!({
            "score": "erosion", "id": "c", "path": path, "start_line": 1, "end_line": last, "message": "deep",
            "weight": null,
        })
    };
    judged["issues"] = json!([
        of_model("app.py", 5),
        of_model("app.py", 9000),
        of_model("../x", 1)
    ]);
    let file = at.join("judged.json");
    std::fs::write(&file, judged.to_string()).unwrap();
    let point = added(at, &["--iteration", "3", "--judged", text(&file)]);
    let details = &point["point"]["scores"][1]["details"];
    assert_eq!(
        details["issues"].as_array().map(Vec::len),
        Some(1),
        "{details:#}"
    );
    assert_eq!(
        (&details["dropped_issues"], &details["repeats"]),
        (&json!(2), &json!(3))
    );
}
