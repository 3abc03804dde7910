//! Scores of models in series: an overlap where the model changes, and anchors that move.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use slope_testkit::folder;
use tempfile::TempDir;

use crate::common::{run, run_json, slope, stderr, text};
use crate::judge::message;
use crate::model_server::{Said, Server};

/// A model with a name that gives one score to everything.
fn model(name: &'static str, score: f64) -> Server {
    Server::start(move |_, _| {
        let scores = json!({"verbosity": score, "erosion": score, "extensibility": score});
        let answer = message(&json!({"scores": scores}).to_string());
        Said::Whole(200, answer.replace("served-1", name))
    })
}

/// The assessment of a project by a model, in a file.
fn judged(project: &Path, server: &Server, file: &str) -> String {
    let output = slope()
        .args([
            "judge",
            text(project),
            "--model",
            "m",
            "--upstream",
            &server.address,
        ])
        .args(["--repeats", "1", "--no-cache", "--format", "json"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = project.join(file);
    std::fs::write(&file, output.stdout).unwrap();
    file.to_str().unwrap().to_owned()
}

fn add(project: &Path, iteration: &str, files: &[&str]) -> Output {
    let judged = files.iter().flat_map(|file| ["--judged", file]);
    let args = ["track", "add", text(project), "--iteration", iteration];
    run(&args.into_iter().chain(judged).collect::<Vec<_>>())
}

fn status(project: &Path) -> Value {
    run_json(&["track", "status", text(project), "--format", "json"])
}

/// The value of a model's score in the last point, and its change.
fn score(status: &Value, model: &str) -> Option<(f64, Option<f64>)> {
    let name = format!("score.{model}.erosion");
    let mut values = status["values"].as_array().unwrap().iter();
    let found = values.find(|it| it["name"] == name.as_str())?;
    Some((found["value"].as_f64()?, found["change"].as_f64()))
}

fn project() -> TempDir {
    folder(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("slope.toml", ""),
        ("app.py", "def f(a):\n    return a\n"),
    ])
}

#[test]
fn other_models_need_an_overlap() {
    let project = project();
    let path = project.path();
    let old = judged(path, &model("old", 6.0), "old.json");
    let new = judged(path, &model("new", 3.0), "new.json");
    assert_eq!(add(path, "1", &[&old]).status.code(), Some(0));
    let output = add(path, "2", &[&new]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("judge this point with both"),
        "{}",
        stderr(&output)
    );
    assert_eq!(add(path, "2", &[&old, &new]).status.code(), Some(0));
    let found = status(path);
    // The new model has no earlier score, and that of the old one is not compared with it.
    assert_eq!(score(&found, "old"), Some((6.0, Some(0.0))));
    assert_eq!(score(&found, "new"), Some((3.0, None)));
    assert_eq!(add(path, "3", &[&new]).status.code(), Some(0));
    let found = status(path);
    assert_eq!(score(&found, "new"), Some((3.0, Some(0.0))));
    assert_eq!((score(&found, "old"), &found["notes"]), (None, &json!([])));
}

#[test]
fn moved_anchors_are_noted() {
    let project = project();
    let path = project.path();
    for (iteration, score) in [("1", 6.0), ("2", 4.5)] {
        let file = judged(path, &model("same", score), "scores.json");
        let output = add(path, iteration, &[&file]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let notes = status(path)["notes"].to_string();
    assert!(
        notes.contains("up to 1.5 differently") && notes.contains("same (rubric slope@2)"),
        "{notes}"
    );
}

#[test]
fn scores_of_other_code_are_refused() {
    let project = project();
    let path = project.path();
    let file = judged(path, &model("m", 6.0), "scores.json");
    let long: String = (0..40)
        .map(|n| format!("    if a == {n}:\n        return {n}\n"))
        .collect();
    std::fs::write(path.join("app.py"), format!("def f(a):\n{long}")).unwrap();
    let output = add(path, "1", &[&file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("other code"),
        "{}",
        stderr(&output)
    );
    let found = run(&["judge", "--static", text(path), "--format", "json"]);
    std::fs::write(&file, found.stdout).unwrap();
    let output = add(path, "1", &[&file]);
    assert!(
        stderr(&output).contains("no model judged"),
        "{}",
        stderr(&output)
    );
}
