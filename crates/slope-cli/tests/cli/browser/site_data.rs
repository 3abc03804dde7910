//! A server with something on each kind of page.

use std::path::Path;

use serde_json::{Value, json};
use slope_model::watch::WatchDay;
use slope_watch::Layer;
use slope_watch::demo::{Degradation, Demo, days};

use crate::serve::Serving;

/// All kinds of pages.
pub(super) const PAGES: [&str; 21] = [
    "/",
    "/projects/shop/main",
    "/projects/shop/main/iteration-3",
    "/projects/shop/main/function?path=shop%2Fcart.py&name=add_everything",
    "/projects/shop/main/judge",
    "/judge",
    "/sign-in",
    "/projects/new",
    "/runs",
    "/runs/shop/r1",
    "/runs/shop/r1/vault/1",
    "/runs/shop/r1/vault/1?at=checkpoint_2&show=changes",
    "/runs/shop/r1/vault/1?at=checkpoint_2&show=steps",
    "/runs/shop/r1/vault/1?at=checkpoint_2&show=spec",
    "/runs/compare?first=859402a0&second=9d1a8dc6",
    "/changes",
    "/changes/shop/pr-1",
    "/watch",
    "/projects/shop/watch/nightly",
    "/projects/shop/watch/nightly?from=2026-10-11&to=2026-10-14&arm=main",
    "/projects/shop/none",
];

/// A time so many hours ago.
fn ago(hours: i64) -> String {
    let time = jiff::Timestamp::now() - jiff::SignedDuration::from_hours(hours);
    time.round(jiff::Unit::Second).unwrap().to_string()
}

/// What two judges say.
fn judged(score: f64) -> Value {
    let scores = json!({ "verbosity": score, "erosion": score - 1.0, "extensibility": null });
    let issue = json!({
        "score": "erosion", "id": "complex-function", "path": "shop/cart.py", "start_line": 12, "end_line": 95,
        "message": "`add_everything` has complexity 31 in 80 lines.", "weight": 277.0,
    });
    let language = json!({
        "languages": ["python"], "sloc": 1000, "scores": scores, "verbosity": 0.1, "erosion": 0.5,
        "mass_per_kloc": 900.0, "change_points_per_kloc": 4.0, "panel": "human-2026-03",
    });
    let anchors = json!({ "tidy": scores, "sloppy": scores });
    json!([
        {
            "judge": "static", "scores": scores, "missing": { "extensibility": "no decisions" },
            "details": { "issues": [issue], "more_issues": 3, "languages": [language] },
        },
        {
            "judge": "model", "model": "m", "served": "judge-1", "rubric": "slope@2", "rubric_hash": "h",
            "anchors": anchors, "scores": scores,
            "details": { "issues": [issue], "repeats": 3, "ranges": { "erosion": { "low": 1.0, "high": 6.0 } } },
        },
    ])
}

fn point(iteration: u32, hours: i64, mass: f64) -> Value {
    let totals = slope_model::metrics::Totals {
        mass: Some(mass),
        high_complexity_mass: Some(mass / 2.0),
        erosion: Some(0.5),
        verbosity: Some(0.1),
        sloc: 1_000,
        ..Default::default()
    };
    json!({
        "schema": "slope.point/1",
        "series": "main",
        "time": ago(hours),
        "iteration": iteration,
        "origin": "ci",
        "tree": "0",
        "engine": "slope",
        "definitions": "d",
        "author": { "agent": "claude-code", "model": "m" },
        "totals": totals,
        "scores": judged(8.0 - f64::from(iteration)),
        "worst": [{
            "path": "shop/cart.py", "name": "add_everything", "line": 12,
            "complexity": 10 + iteration, "sloc": 80, "mass": mass / 4.0,
        }],
    })
}

/// A point that says what changed in which function.
fn worse(iteration: u32, hours: i64, mass: f64, rise: f64) -> Value {
    let amounts = json!({
        "mass": rise, "clone_lines": 0, "flagged_lines": 0,
        "verbose_lines": 0, "dead_code": 0, "sloc": 20,
    });
    let lines = [
        " def add_everything(cart):",
        "-    return cart",
        "+    if cart:",
        "+        return cart",
    ];
    let place = json!({
        "path": "shop/cart.py", "function": "add_everything", "line": 12, "amounts": amounts,
        "diff": { "hunks": [{ "old": 12, "new": 12, "lines": lines }] },
    });
    let mut point = point(iteration, hours, mass);
    let since = format!("iteration-{}", iteration - 1);
    point["change"] = json!({ "since": since, "amounts": amounts, "places": [place] });
    point
}

fn checkpoint(index: u32, state: &str, mass: f64) -> Value {
    let totals = slope_model::metrics::Totals {
        mass: Some(mass),
        clone_lines: Some(u64::from(index) * 10),
        ..Default::default()
    };
    let passed = if state == "passed" { 4 } else { 3 };
    json!({
        "checkpoint": format!("checkpoint_{index}"), "index": index, "state": state, "reason": null,
        "counts": { "core": { "passed": passed, "total": 4 } },
        "totals": totals, "usage": null, "agent_s": 60.0, "grade_s": 1.0, "snapshot": "s",
    })
}

/// A run of two problems by a model, which solves the last checkpoint or not.
fn run(model: &str, phase: &str, last: &str) -> Value {
    let problem =
        json!({ "path": "p", "hash": "h", "checkpoint_names": ["checkpoint_1", "checkpoint_2"] });
    let trial = |problem: &str| {
        json!({
            "problem": problem, "trial": 1,
            "checkpoints": [checkpoint(1, "passed", 100.0), checkpoint(2, last, 250.0)],
        })
    };
    json!({
        "schema": "slope.sent-run/1", "phase": phase, "started": ago(5),
        "report": {
            "schema": "slope.run-report/1", "run": "dir",
            "config": {
                "schema": "slope.run/1", "slope_version": "0.1.0", "label": format!("run of {model}"),
                "agent": "codex", "agent_version": "1", "model": model, "prompt": "just-solve", "prompt_hash": "h",
                "problems": { "vault": problem, "maze": problem }, "trials": 1, "isolation": "local",
            },
            "definitions": [],
            "trials": [trial("maze"), trial("vault")],
        },
    })
}

fn step(actor: &str, message: &str, took_s: f64) -> Value {
    let calls = match actor {
        "agent" => json!([{ "tool": "bash", "arguments": { "text": "ls -la", "left_out": 0 } }]),
        _ => json!([]),
    };
    json!({
        "actor": actor, "message": { "text": message, "left_out": 0 }, "calls": calls,
        "results": [], "took_s": took_s,
    })
}

fn place() -> Value {
    json!({ "problem": "vault", "trial": 1, "checkpoint": "checkpoint_2" })
}

fn details() -> Value {
    let hunk = json!({ "old": 3, "new": 3, "lines": [" keep", "-old", "+new"] });
    json!({
        "place": place(), "digest": "d1", "steps": 3,
        "details": {
            "spec": { "Ok": { "text": "Add a cart.", "left_out": 0 } },
            "changes": { "Ok": { "files": [{
                "path": "cart.py", "kind": "changed", "added": 1, "removed": 1, "hunks": [hunk], "left_out": 0,
            }], "added": 1, "removed": 1 } },
            "tests": { "Ok": { "items": [
                { "id": "checkpoint_2::core::test_cart", "group": "core", "outcome": "failed", "message": "1 is not 2" },
            ], "left_out": 0 } },
            "findings": { "Ok": { "items": [
                { "rule": "long-function", "path": "cart.py", "line": 4, "message": "It is long." },
            ], "left_out": 0 } },
            "steps": { "Ok": { "items": [], "left_out": 3 } },
        },
    })
}

/// A change that adds a clone.
fn change() -> Value {
    let amounts = json!({
        "mass": 4.5, "clone_lines": 9, "flagged_lines": 0, "verbose_lines": 9, "dead_code": 0, "sloc": 9,
    });
    let violation = json!({
        "rule": "new-clone", "level": "error", "part": "product", "path": "shop/cart.py", "function": "add",
        "line": 3, "end_line": 9, "before": null, "after": 9.0, "limit": 0.0, "fingerprint": "0123456789abcdef",
        "message": "add repeats 9 lines of normalise.", "advice": "Call it instead.",
        "evidence": { "places": [{ "path": "shop/a.py", "function": "normalise", "line": 1 }] },
    });
    json!({
        "schema": "slope.sent-change/1", "title": "Add a cart", "link": "https://git.example/pull/1",
        "author": { "agent": "codex" },
        "judgement": {
            "schema": "slope.judgement/1",
            "definitions": { "version": "1", "hash": "h", "rules": {}, "grammars": {} },
            "base": { "name": "main", "commit": null }, "head": { "name": "cart", "commit": null },
            "chosen": "--base main", "files": 1, "passes": false, "balance": { "change": amounts },
            "parts": {}, "violations": [violation], "waived": [], "notes": ["one note"], "unjudged": [],
        },
    })
}

/// Days of a watched assistant that gets worse.
fn watch_days() -> Vec<WatchDay> {
    days(&Demo {
        first: jiff::civil::date(2026, 9, 1),
        days: 45,
        tasks: (0..20)
            .map(|at| format!("typescript/herbarium-vault/checkpoint_{at}"))
            .collect(),
        baseline_days: 10,
        degradation: Some(Degradation {
            day: 28,
            until: None,
            drop: 0.4,
            tokens: 0.5,
            layer: Layer::Harness,
        }),
        invalid: vec![12],
        missed: vec![15],
        seed: 1,
    })
}

/// What a server needs of the settings of the watch.
fn watch_settings() -> Value {
    json!({
        "schema": "slope.sent-watch/1", "baseline_days": 10, "baseline_replicates": 2, "alarm_replicates": 4,
        "false_alarms_per_year": 0.1, "tasks": 20,
        "arms": { "main": { "role": "target", "agent": "codex", "model": "m", "effort": "high" } },
    })
}

/// A server with a project that got worse, runs of two models of which one goes on, a change, and a watch with an alarm.
pub(super) fn serving(folder: &Path) -> Serving {
    let serving = Serving::start(folder, None, &[]);
    let send = |method: &str, path: &str, body: &Value| {
        let (status, answer) = serving.ask(method, path, body).unwrap();
        assert!((200..300).contains(&status), "{path}: {answer}");
    };
    send(
        "POST",
        "/api/v1/projects",
        &json!({ "name": "shop", "title": "The shop" }),
    );
    send("POST", "/api/v1/projects", &json!({ "name": "new" }));
    let points = [
        point(1, 100, 1_000.0),
        point(2, 60, 1_010.0),
        worse(3, 30, 1_400.0, 390.0),
    ];
    send(
        "POST",
        "/api/v1/projects/shop/points",
        &json!({ "points": points }),
    );
    let of = "/api/v1/projects/shop";
    send(
        "PUT",
        &format!("{of}/runs/r1"),
        &run("m1", "finished", "failed"),
    );
    send(
        "PUT",
        &format!("{of}/runs/r2"),
        &run("m2", "running", "passed"),
    );
    let steps = [
        step("user", "build it", 0.5),
        step("agent", "first words", 40.0),
        step("agent", "last words", 1.0),
    ];
    let steps = json!({ "place": place(), "first": 0, "steps": steps });
    send("PUT", &format!("{of}/runs/r1/steps"), &steps);
    send("PUT", &format!("{of}/runs/r1/details"), &details());
    send("PUT", &format!("{of}/changes/pr-1"), &change());
    let watch = format!("{of}/watches/nightly");
    send("PUT", &watch, &watch_settings());
    let days = json!({ "days": watch_days() });
    send("POST", &format!("{watch}/days"), &days);
    let alarms = serving.ask("GET", &format!("{of}/alarms"), &Value::Null);
    let id = alarms.unwrap().1["items"][0]["id"].clone();
    let note = json!({ "who": "Ann", "why": "the provider knows", "until": "2199-01-01" });
    let id = id.as_str().unwrap();
    send(
        "PUT",
        &format!("{watch}/alarms/{id}/acknowledgement"),
        &note,
    );
    serving
}
