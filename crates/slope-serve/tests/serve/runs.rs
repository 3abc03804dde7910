//! Runs of the benchmark: what is kept, what is refused, and what the pages show.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use slope_database::{Database, Place, Scope};
use slope_model::metrics::Totals;
use slope_serve::Settings;

use crate::common::{Answer, Served, open, served};

/// A text that would run if it were not escaped.
const HOSTILE: &str = "<script>alert(1)</script>\" onload=\"x";

/// The checkpoint of a run that has details.
fn place(checkpoint: &str) -> Value {
    json!({ "problem": "shop", "trial": 1, "checkpoint": checkpoint })
}

fn checkpoint(name: &str, index: u32, state: &str, mass: f64) -> Value {
    let totals = Totals {
        mass: Some(mass),
        clone_lines: Some(u64::from(index) * 10),
        ..Totals::default()
    };
    let passed = if state == "passed" { 4 } else { 3 };
    json!({
        "checkpoint": name, "index": index, "state": state, "reason": null,
        "counts": { "core": { "passed": passed, "total": 4 } },
        "totals": totals, "usage": null, "agent_s": 60.0, "grade_s": 1.0, "snapshot": "s",
    })
}

/// A run with one trial of two checkpoints.
pub(crate) fn sent(model: &str, phase: &str, second: &str) -> Value {
    json!({
        "schema": "slope.sent-run/1", "phase": phase, "started": "2026-11-30T08:00:00Z",
        "report": {
            "schema": "slope.run-report/1", "run": "dir",
            "config": {
                "schema": "slope.run/1", "slope_version": "0.1.0", "label": format!("run of {model}"),
                "agent": "codex", "agent_version": "1", "model": model, "prompt": "just-solve",
                "prompt_hash": "h",
                "problems": { "shop": { "path": "shop", "hash": "h", "checkpoint_names": ["checkpoint_1", "checkpoint_2"] } },
                "trials": 1, "isolation": "local",
            },
            "definitions": [],
            "trials": [{
                "problem": "shop", "trial": 1,
                "checkpoints": [
                    checkpoint("checkpoint_1", 1, "passed", 100.0),
                    checkpoint("checkpoint_2", 2, second, 250.0),
                ],
            }],
        },
    })
}

fn step(actor: &str, message: &str, took_s: f64) -> Value {
    let calls = match actor {
        "agent" => json!([{ "tool": "bash", "arguments": { "text": HOSTILE, "left_out": 0 } }]),
        _ => json!([]),
    };
    json!({
        "actor": actor, "message": { "text": message, "left_out": 0 }, "calls": calls,
        "results": [], "took_s": took_s,
    })
}

fn details(steps: u32) -> Value {
    json!({
        "place": place("checkpoint_2"), "digest": "d1", "steps": steps,
        "details": {
            "spec": { "Ok": { "text": format!("Add a cart. {HOSTILE}"), "left_out": 0 } },
            "changes": { "Ok": { "files": [{
                "path": HOSTILE, "kind": "changed", "added": 1, "removed": 1,
                "hunks": [{ "old": 3, "new": 3, "lines": [" keep", "-old", "+new"] }], "left_out": 0,
            }], "added": 1, "removed": 1 } },
            "tests": { "Ok": { "items": [
                { "id": format!("checkpoint_2::{HOSTILE}"), "group": "core", "outcome": "failed", "message": HOSTILE },
            ], "left_out": 0 } },
            "findings": { "Ok": { "items": [
                { "rule": "long-function", "path": HOSTILE, "line": 4, "message": HOSTILE },
            ], "left_out": 0 } },
            "steps": { "Ok": { "items": [], "left_out": steps } },
        },
    })
}

impl Served {
    pub(crate) async fn put(&self, path: &str, body: &Value) -> Answer {
        let request = Request::put(path)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        self.ask(request).await
    }
}

/// Sends the run `r` with its steps and details.
pub(crate) async fn with_run(served: &Served, phase: &str) {
    let kept = served
        .put("/api/v1/projects/p/runs/r", &sent("m", phase, "failed"))
        .await;
    assert_eq!(kept.status, 200, "{}", kept.text);
    let steps = json!({
        "place": place("checkpoint_2"), "first": 0,
        "steps": [step("user", "build it", 0.5), step("agent", "first words", 40.0), step("agent", "last words", 1.0)],
    });
    let kept = served.put("/api/v1/projects/p/runs/r/steps", &steps).await;
    assert_eq!(kept.status, 204, "{}", kept.text);
    let kept = served
        .put("/api/v1/projects/p/runs/r/details", &details(3))
        .await;
    assert_eq!(kept.status, 204, "{}", kept.text);
}

#[tokio::test]
async fn reports_replace_earlier_ones() {
    let served = open().await;
    let first = served
        .put("/api/v1/projects/p/runs/r", &sent("m", "running", "failed"))
        .await;
    assert_eq!(first.json()["is_new"], true);
    let again = served
        .put("/api/v1/projects/p/runs/r", &sent("m", "running", "failed"))
        .await;
    assert_eq!(again.json()["is_new"], false);
    let done = served
        .put(
            "/api/v1/projects/p/runs/r",
            &sent("m", "finished", "passed"),
        )
        .await;
    assert_eq!(done.json()["is_new"], true);
    let all = served.get("/api/v1/projects/p/runs").await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert_eq!(all["items"][0]["phase"], "finished");
    let shown = served.get("/api/v1/projects/p/runs/r").await.json();
    assert_eq!(
        shown["sent"]["report"]["trials"][0]["checkpoints"][1]["state"],
        "passed"
    );
}

#[tokio::test]
async fn details_are_known_once_whole() {
    let served = open().await;
    with_run(&served, "running").await;
    let report = sent("m", "running", "passed");
    let kept = served
        .put("/api/v1/projects/p/runs/r", &report)
        .await
        .json();
    assert_eq!(
        kept["checkpoints"],
        json!([{ "place": place("checkpoint_2"), "digest": "d1" }])
    );
    // Steps that are sent again make the details unknown until these follow.
    let steps =
        json!({ "place": place("checkpoint_2"), "first": 0, "steps": [step("user", "x", 0.0)] });
    served.put("/api/v1/projects/p/runs/r/steps", &steps).await;
    let kept = served
        .put("/api/v1/projects/p/runs/r", &report)
        .await
        .json();
    assert_eq!(kept["checkpoints"], json!([]));
    let short = served
        .put("/api/v1/projects/p/runs/r/details", &details(3))
        .await;
    assert_eq!(short.status, 422, "{}", short.text);
    assert!(short.text.contains("steps: 1 were sent"), "{}", short.text);
}

#[tokio::test]
async fn faulty_runs_are_refused() {
    let served = open().await;
    let mut newer = sent("m", "running", "failed");
    newer["schema"] = "slope.sent-run/9".into();
    let mut endless = sent("m", "running", "failed");
    endless["report"]["trials"][0]["problem"] = "x".repeat(300).into();
    let mut null = sent("m", "running", "failed");
    null["report"]["config"]["label"] = "a\0b".into();
    for (body, field) in [(newer, "schema"), (endless, "problem"), (null, "label")] {
        let refused = served.put("/api/v1/projects/p/runs/r", &body).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.text);
        assert!(refused.text.contains(field), "{field}: {}", refused.text);
    }
    let name = served
        .put(
            "/api/v1/projects/p/runs/a%20b",
            &sent("m", "running", "failed"),
        )
        .await;
    assert_eq!(name.status, 400, "{}", name.text);
    let nowhere = served
        .put(
            "/api/v1/projects/none/runs/r",
            &sent("m", "running", "failed"),
        )
        .await;
    assert_eq!(nowhere.status, 404);
    served
        .put("/api/v1/projects/p/runs/r", &sent("m", "running", "failed"))
        .await;
    let steps = json!({ "place": place("checkpoint_9"), "first": 0, "steps": [] });
    let unknown = served.put("/api/v1/projects/p/runs/r/steps", &steps).await;
    assert_eq!(unknown.status, 422, "{}", unknown.text);
}

#[tokio::test]
async fn impossible_numbers_are_refused() {
    let served = open().await;
    let path = "/api/v1/projects/p/runs/r";
    let mut faults: Vec<(Value, &str)> = Vec::new();
    for (place, value, words) in [
        ("/report/config/trials", json!(u32::MAX), "config.trials"),
        (
            "/report/trials/0/checkpoints/0/counts/core/total",
            json!(u32::MAX),
            "counts.core",
        ),
        (
            "/report/trials/0/checkpoints/0/counts/core/passed",
            json!(9),
            "passed and unstable",
        ),
        (
            "/report/trials/0/checkpoints/0/agent_s",
            json!(-1.0),
            "negative",
        ),
        (
            "/report/trials/0/checkpoints/0/agent_s",
            json!(1.7e308),
            "larger than",
        ),
        (
            "/report/trials/0/checkpoints/0/totals/mass",
            json!(1e300),
            "larger than",
        ),
        ("/report/trials/0/problem", json!(".."), "not a name"),
    ] {
        let mut body = sent("m", "running", "failed");
        *body.pointer_mut(place).unwrap() = value;
        faults.push((body, words));
    }
    let mut twice = sent("m", "running", "failed");
    let trial = twice["report"]["trials"][0].clone();
    let trials = twice["report"]["trials"].as_array_mut().unwrap();
    trials.push(trial);
    faults.push((twice, "twice"));
    for (body, words) in faults {
        let refused = served.put(path, &body).await;
        assert_eq!(refused.status, 422, "{words}: {}", refused.text);
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    served.put(path, &sent("m", "running", "failed")).await;
    let late = json!({ "place": place("checkpoint_2"), "first": u32::MAX, "steps": [step("user", "x", 0.0)] });
    let refused = served.put("/api/v1/projects/p/runs/r/steps", &late).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    let large = json!({ "place": place("checkpoint_2"), "first": 0, "steps": [step("user", &"<".repeat(2 << 20), 0.0)] });
    let refused = served.put("/api/v1/projects/p/runs/r/steps", &large).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    let mut far = details(0);
    *far.pointer_mut("/details/changes/Ok/files/0/hunks/0/new")
        .unwrap() = json!(u32::MAX);
    let refused = served.put("/api/v1/projects/p/runs/r/details", &far).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
}

#[tokio::test]
async fn requests_end_with_their_process() {
    let served = open().await;
    let path = "/api/v1/projects/p/runs/r";
    let mut report = sent("m", "running", "failed");
    report["executions"] = 1.into();
    served.put(path, &report).await;
    served
        .post(&format!("{path}/request"), &json!({ "request": "cancel" }))
        .await;
    report["executions"] = 2.into();
    let kept = served.put(path, &report).await;
    assert_eq!(kept.json()["request"], Value::Null);
}

#[tokio::test]
async fn requests_reach_the_next_report() {
    let served = open().await;
    let running = sent("m", "running", "failed");
    served.put("/api/v1/projects/p/runs/r", &running).await;
    let asked = served
        .post(
            "/api/v1/projects/p/runs/r/request",
            &json!({ "request": "pause" }),
        )
        .await;
    assert_eq!(asked.json()["request"], "pause");
    let kept = served.put("/api/v1/projects/p/runs/r", &running).await;
    assert_eq!(kept.json()["request"], "pause");
    // The run does it.
    let paused = served
        .put("/api/v1/projects/p/runs/r", &sent("m", "paused", "failed"))
        .await;
    assert_eq!(paused.json()["request"], Value::Null);
    served
        .put(
            "/api/v1/projects/p/runs/r",
            &sent("m", "finished", "failed"),
        )
        .await;
    let late = served
        .post(
            "/api/v1/projects/p/runs/r/request",
            &json!({ "request": "pause" }),
        )
        .await;
    assert_eq!(late.status, 422, "{}", late.text);
    assert!(late.text.contains("no process executes"), "{}", late.text);
}

#[tokio::test]
async fn pages_show_runs_without_hostile_markup() {
    let served = open().await;
    with_run(&served, "running").await;
    let runs = served.get("/runs").await.text;
    assert!(
        runs.contains("run of m") && runs.contains("Leaderboard"),
        "{runs}"
    );
    let run = served.get("/runs/p/r").await.text;
    assert!(run.contains("Pause") && run.contains("<svg"), "{run}");
    for (show, words) in [
        ("results", "long-function"),
        ("changes", "+new"),
        ("steps", "first words"),
        ("spec", "Add a cart."),
    ] {
        let page = served
            .get(&format!("/runs/p/r/shop/1?at=checkpoint_2&show={show}"))
            .await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains(words), "{show}: {}", page.text);
        assert!(
            !page.text.contains("<script>alert"),
            "{show}: {}",
            page.text
        );
        assert!(!page.text.contains("\" onload=\""), "{show}: {}", page.text);
    }
    // A finding leads to its line in the changes.
    let results = served
        .get("/runs/p/r/shop/1?at=checkpoint_2&show=results")
        .await;
    let changes = served
        .get("/runs/p/r/shop/1?at=checkpoint_2&show=changes")
        .await;
    assert!(results.text.contains("#f0-4"), "{}", results.text);
    assert!(changes.text.contains("id=\"f0-4\""), "{}", changes.text);
}

#[tokio::test]
async fn steps_are_filtered_by_the_address() {
    let served = open().await;
    with_run(&served, "finished").await;
    let page = "/runs/p/r/shop/1?at=checkpoint_2&show=steps";
    let slow = served.get(&format!("{page}&longer=30")).await.text;
    assert!(slow.contains("first words"), "{slow}");
    assert!(
        !slow.contains("last words") && !slow.contains("build it"),
        "{slow}"
    );
    let prompts = served.get(&format!("{page}&kind=prompt")).await.text;
    assert!(
        prompts.contains("build it") && !prompts.contains("first words"),
        "{prompts}"
    );
    let rest = served.get(&format!("{page}&from=2")).await.text;
    assert!(
        rest.contains("last words") && !rest.contains("first words"),
        "{rest}"
    );
}

#[tokio::test]
async fn long_lists_of_steps_have_pages() {
    let served = open().await;
    served
        .put(
            "/api/v1/projects/p/runs/r",
            &sent("m", "finished", "failed"),
        )
        .await;
    let all: Vec<Value> = (0..100)
        .map(|at| step("user", &format!("word{at}."), 1.0))
        .collect();
    for (first, some) in [(0, &all[..60]), (60, &all[60..])] {
        let steps = json!({ "place": place("checkpoint_2"), "first": first, "steps": some });
        let kept = served.put("/api/v1/projects/p/runs/r/steps", &steps).await;
        assert_eq!(kept.status, 204, "{}", kept.text);
    }
    served
        .put("/api/v1/projects/p/runs/r/details", &details(100))
        .await;
    let page = served
        .get("/runs/p/r/shop/1?at=checkpoint_2&show=steps&from=40")
        .await
        .text;
    assert!(
        page.contains("word40.") && page.contains("word79."),
        "{page}"
    );
    assert!(
        !page.contains("word39.") && !page.contains("word80."),
        "{page}"
    );
    assert!(page.contains("from=80"), "{page}");
    let listed = served
        .get("/api/v1/projects/p/runs/r/steps?problem=shop&trial=1&checkpoint=checkpoint_2&cursor=98")
        .await
        .json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    assert_eq!(listed["next"], Value::Null);
}

#[tokio::test]
async fn leaderboards_filter_and_compare() {
    let served = open().await;
    for (run, model, second) in [("a", "good", "passed"), ("b", "bad", "failed")] {
        served
            .put(
                &format!("/api/v1/projects/p/runs/{run}"),
                &sent(model, "finished", second),
            )
            .await;
    }
    let all = served.get("/runs.json").await.json();
    let cohorts = all["cohorts"].as_array().unwrap();
    assert_eq!((cohorts.len(), &cohorts[0]["model"]), (2, &json!("good")));
    let csv = served.get("/runs.csv?model=bad").await.text;
    assert_eq!(csv.lines().count(), 2, "{csv}");
    assert!(csv.contains(",150,"), "a mass slope of 150: {csv}");
    let page = served.get("/runs?model=bad").await.text;
    assert!(!page.contains("run of good"), "{page}");
    let ids = cohorts_of(&served.get("/runs").await.text);
    let versus = served
        .get(&format!("/runs/compare?first={}&second={}", ids[0], ids[1]))
        .await;
    assert_eq!(versus.status, 200, "{}", versus.text);
    assert!(versus.text.contains("Only A, strictly"), "{}", versus.text);
    assert!(versus.text.contains("checkpoint_2"), "{}", versus.text);
    let same = served
        .get(&format!("/runs/compare?first={0}&second={0}", ids[0]))
        .await;
    assert_eq!(same.status, 400);
}

/// The cohorts of a leaderboard, in order.
fn cohorts_of(page: &str) -> Vec<String> {
    let parts = page.split("name=\"first\" value=\"").skip(1);
    parts
        .filter_map(|part| Some(part.split('"').next()?.to_owned()))
        .collect()
}

#[tokio::test]
async fn tokens_see_runs_of_their_project() {
    let served = served(Settings::default()).await;
    let (_, push) = served.token(Scope::Push, Some("p")).await;
    let (_, other) = served.token(Scope::Read, Some("q")).await;
    let (_, read) = served.token(Scope::Read, Some("p")).await;
    let put = Request::put("/api/v1/projects/p/runs/r")
        .header("content-type", "application/json")
        .header("authorization", format!("Bearer {push}"))
        .body(Body::from(sent("m", "running", "failed").to_string()))
        .unwrap();
    assert_eq!(served.ask(put).await.status, 200);
    let page = async |path: &str, token: &str| {
        let request = Request::get(path)
            .header("cookie", format!("slope_token={token}"))
            .body(Body::empty())
            .unwrap();
        served.ask(request).await
    };
    assert!(page("/runs", &read).await.text.contains("run of m"));
    assert!(!page("/runs", &other).await.text.contains("run of m"));
    assert!(
        !page("/runs?project=p", &other)
            .await
            .text
            .contains("run of m")
    );
    assert_eq!(page("/runs/p/r", &other).await.status, 403);
    // Who may only read sees no buttons, and cannot press them.
    assert!(!page("/runs/p/r", &read).await.text.contains("Pause"));
    let press = async |token: &str, origin: &str| {
        let request = Request::post("/runs/p/r/request")
            .header("cookie", format!("slope_token={token}"))
            .header("host", "slope.example")
            .header("origin", origin)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from("request=pause"))
            .unwrap();
        served.ask(request).await.status
    };
    assert_eq!(press(&read, "https://slope.example").await, 403);
    assert_eq!(press(&push, "https://evil.example").await, 403);
    assert_eq!(press(&push, "https://slope.example").await, 303);
    assert!(
        page("/runs/p/r", &push)
            .await
            .text
            .contains("pause requested")
    );
}

#[tokio::test]
async fn backups_have_runs_with_details() {
    let served = open().await;
    with_run(&served, "finished").await;
    let mut backup = Vec::new();
    served.database.back_up(&mut backup).await.unwrap();
    let copy = Database::open(Place::memory()).await.unwrap();
    copy.restore(&backup[..]).await.unwrap();
    let mut again = Vec::new();
    copy.back_up(&mut again).await.unwrap();
    assert_eq!(
        String::from_utf8(again).unwrap(),
        String::from_utf8(backup).unwrap()
    );
    assert!(copy.run("p", "r").await.is_ok());
}

#[tokio::test]
async fn removed_runs_leave_nothing() {
    let served = open().await;
    with_run(&served, "finished").await;
    let request = Request::delete("/api/v1/projects/p/runs/r")
        .body(Body::empty())
        .unwrap();
    assert_eq!(served.ask(request).await.status, 204);
    assert_eq!(served.get("/runs/p/r").await.status, 404);
    let mut backup = Vec::new();
    served.database.back_up(&mut backup).await.unwrap();
    let backup = String::from_utf8(backup).unwrap();
    assert!(
        !backup.contains("run_step") && !backup.contains("run_details"),
        "{backup}"
    );
}
