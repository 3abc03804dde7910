//! `slope judge calibrate`: models that know everything, nothing, and chance.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{slope, stderr, text};
use crate::judge::{judged, message};
use crate::model_server::{Said, Server};

/// The files of a request, without the numbers of their lines.
fn files(request: &str) -> Vec<String> {
    let body: Value = serde_json::from_str(request).unwrap();
    let content = body["messages"][0]["content"].as_str().unwrap();
    let mut files: Vec<String> = Vec::new();
    let code = content.split(" begins\n").nth(1).unwrap();
    for line in code.lines() {
        let number = line.get(..6).filter(|it| it.ends_with('|'));
        match (number, files.last_mut()) {
            (Some(_), Some(file)) => {
                file.push_str(line.get(7..).unwrap_or_default());
                file.push('\n');
            }
            _ if line.starts_with('F') => files.push(String::new()),
            _ => {}
        }
    }
    files
}

/// The answer about files, each with its score, and the lines of its issue.
fn answer(files: &[(f64, Option<(u64, u64)>)]) -> Said {
    let mut scores = Vec::new();
    let mut issues = Vec::new();
    for (number, (score, lines)) in (1..).zip(files) {
        let file = format!("F{number}");
        scores.push(json!({"file": file, "scores": {"verbosity": score, "erosion": score, "extensibility": score}}));
        if let Some((first, last)) = lines {
            issues.push(json!({"criterion": "noise", "file": file, "start_line": first, "end_line": last, "message": "bad"}));
        }
    }
    Said::Whole(
        200,
        message(&json!({"files": scores, "issues": issues}).to_string()),
    )
}

fn calibrate(cache: &Path, server: &Server, more: &[&str]) -> Output {
    let common = [
        "judge",
        "calibrate",
        "--model",
        "m",
        "--upstream",
        &server.address,
    ];
    slope()
        .args([&common[..], more].concat())
        .env("SLOPE_CACHE_DIR", cache)
        .current_dir(cache)
        .output()
        .unwrap()
}

fn calibrated(cache: &Path, server: &Server, more: &[&str]) -> Value {
    let output = calibrate(cache, server, &[more, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The role of each text in the calibration.
fn exam(cache: &Path, server: &Server) -> BTreeMap<String, Value> {
    let output = calibrate(cache, server, &["--list"]);
    let files: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let text = |file: &Value| file["text"].as_str().unwrap().trim_end().to_owned();
    files.into_iter().map(|file| (text(&file), file)).collect()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn equal_scores_tell_nothing_apart() {
    let cache = folder();
    let server = Server::start(|_, request| answer(&vec![(5.0, None); files(request).len()]));
    let found = calibrated(cache.path(), &server, &["--repeats", "2"]);
    for (what, rate) in [
        ("pairs", 0.0),
        ("true_positives", 0.0),
        ("true_negatives", 1.0),
        ("score_falls", 0.0),
        ("equal_repeats", 1.0),
    ] {
        assert_eq!(found[what]["rate"], rate, "{what}: {found:#}");
        assert!(found[what]["count"].as_u64().unwrap() >= 9, "{what}");
    }
    assert_eq!(found["static_order"]["erosion"]["rate"], 0.0);
    assert_eq!(found["spread"]["mean"], 0.0);
    let bias = found["bias"].as_object().unwrap();
    assert_eq!(bias.len(), 8, "{bias:?}");
    assert!(bias.values().all(|it| it["mean"] == 0.0), "{bias:?}");
    // An interval stands beside each rate.
    assert!(found["pairs"]["high"].as_f64().unwrap() > 0.2);
}

#[test]
fn perfect_models_are_right_each_time() {
    let cache = folder();
    let silent = Server::start(|_, _| Said::Half);
    let known = exam(cache.path(), &silent);
    assert!(silent.requests().is_empty());
    let server = Server::start(move |_, request| {
        let judge = |text: &String| {
            let file = known.get(text.trim_end());
            let is_bad = file.is_some_and(|it| it["role"] == "planted" || it["is_good"] == false);
            let lines = file.filter(|it| it["role"] == "planted").map(|it| {
                let lines = &it["lines"][0];
                (lines[0].as_u64().unwrap(), lines[1].as_u64().unwrap())
            });
            (if is_bad { 3.0 } else { 9.0 }, lines)
        };
        answer(&files(request).iter().map(judge).collect::<Vec<_>>())
    });
    let found = calibrated(cache.path(), &server, &["--repeats", "1"]);
    for what in ["pairs", "true_positives", "true_negatives", "score_falls"] {
        assert_eq!(found[what]["rate"], 1.0, "{what}: {found:#}");
    }
    // Nothing is repeated.
    assert_eq!(found["equal_repeats"]["rate"], Value::Null);
    let order = &found["static_order"]["erosion"];
    assert!(order["rate"].as_f64().unwrap() > 0.6, "{order}");
    assert!(
        found["bias"]
            .as_object()
            .unwrap()
            .values()
            .all(|it| it["mean"] == 0.0)
    );
    // Later scores show it, and only those with the same rubric.
    std::fs::write(cache.path().join("app.py"), "x = 1\n").unwrap();
    std::fs::create_dir(cache.path().join("cache")).unwrap();
    std::fs::rename(cache.path().join("judge"), cache.path().join("cache/judge")).unwrap();
    let scored = judged(&server, cache.path(), &["--repeats", "1"]);
    let note = &scored["model"]["calibration"];
    assert_eq!(note["true_positives"], found["true_positives"], "{note:#}");
    let other = "name = \"o\"\nversion = 1\n[[criterion]]\nid = \"noise\"\nscore = \"erosion\"\ndescription = \"x\"\n";
    let file = cache.path().join("o.toml");
    std::fs::write(&file, other).unwrap();
    let scored = judged(
        &server,
        cache.path(),
        &["--repeats", "1", "--rubric", text(&file)],
    );
    assert_eq!(scored["model"]["calibration"], Value::Null);
}

#[test]
fn models_by_chance_are_seen() {
    let cache = folder();
    let server = Server::start(|number, request| {
        let judge = |text: &String| {
            let mut hasher = DefaultHasher::new();
            (number, text).hash(&mut hasher);
            let hash = hasher.finish();
            let lines = text.lines().count() as u64;
            let line = hash / 100 % lines + 1;
            (
                (hash % 11) as f64,
                (hash.is_multiple_of(2)
                    && !text
                        .lines()
                        .nth(line as usize - 1)
                        .unwrap()
                        .trim()
                        .is_empty())
                .then_some((line, line)),
            )
        };
        answer(&files(request).iter().map(judge).collect::<Vec<_>>())
    });
    let found = calibrated(cache.path(), &server, &["--repeats", "3", "--jobs", "1"]);
    let rate = |what: &str| found[what]["rate"].as_f64().unwrap();
    assert!(rate("true_positives") < 0.4, "{found:#}");
    assert!((0.2..0.8).contains(&rate("score_falls")), "{found:#}");
    assert!(rate("equal_repeats") < 0.1, "{found:#}");
    assert!(found["spread"]["mean"].as_f64().unwrap() > 2.0, "{found:#}");
    let output = calibrate(cache.path(), &server, &["--repeats", "3"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("planted bad code is reported"), "{shown}");
    assert!(shown.contains(" of "), "{shown}");
}

#[test]
fn biased_models_are_seen() {
    let cache = folder();
    let server = Server::start(|_, request| {
        let files = files(request);
        let judge = |(place, text): (usize, &String)| {
            let mut score = 5.0 - place as f64;
            for (sign, gain) in [
                ("the maintainer of", 2.0),
                ("Written by m\n", 1.5),
                ("package ", -3.0),
            ] {
                score += if text.contains(sign) { gain } else { 0.0 };
            }
            (score, None)
        };
        answer(&files.iter().enumerate().map(judge).collect::<Vec<_>>())
    });
    let found = calibrated(cache.path(), &server, &["--repeats", "1"]);
    for (what, mean) in [
        ("first in a request", 1.0),
        ("senior author in a comment", 2.0),
        ("its own name in a comment", 1.5),
        ("go instead of python", -3.0),
        ("rust instead of python", 0.0),
    ] {
        assert_eq!(found["bias"][what]["mean"], mean, "{what}: {found:#}");
        assert!(found["bias"][what]["count"].as_u64().unwrap() >= 2);
    }
}

#[test]
fn calibrations_go_on_where_they_ended() {
    let cache = folder();
    let server = Server::start(|number, request| {
        if number > 40 && number < 400 {
            return Said::Whole(400, json!({"error": {"message": "no money"}}).to_string());
        }
        answer(&vec![(5.0, None); files(request).len()])
    });
    let output = calibrate(cache.path(), &server, &["--repeats", "1", "--jobs", "1"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("not asked again"),
        "{}",
        stderr(&output)
    );
    let all = server.requests().len();
    let fine = Server::start(|_, request| answer(&vec![(5.0, None); files(request).len()]));
    // Another server's answers are others.
    let other = calibrated(cache.path(), &fine, &["--repeats", "1"]);
    assert_eq!(fine.requests().len(), all);
    assert_eq!(other["unanswered"], 0);
    let again = calibrated(cache.path(), &fine, &["--repeats", "1"]);
    assert_eq!(fine.requests().len(), all);
    assert_eq!(again["pairs"], other["pairs"]);
    let output = calibrate(cache.path(), &server, &["--repeats", "1", "--jobs", "1"]);
    assert!(
        stderr(&output).contains(&format!("{} requests", all - 40)),
        "{}",
        stderr(&output)
    );
}

#[test]
fn calibrations_are_limited_and_replayed() {
    let cache = folder();
    let server = Server::start(|_, request| answer(&vec![(5.0, None); files(request).len()]));
    let prices = cache.path().join("prices.toml");
    std::fs::write(
        &prices,
        "schema = \"slope.prices/1\"\n[[price]]\nmodels = [\"m\"]\nfrom = \"2026-01-01\"\ninput = 100.0\noutput = 500.0\n",
    )
    .unwrap();
    let output = calibrate(
        cache.path(),
        &server,
        &["--max-usd", "1", "--price-file", text(&prices)],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("above --max-usd"),
        "{}",
        stderr(&output)
    );
    assert!(server.requests().is_empty());
    let kept = cache.path().join("kept");
    let one = ["--repeats", "1", "--format", "json"];
    let recorded = calibrate(
        cache.path(),
        &server,
        &[&one[..], &["--record", text(&kept)]].concat(),
    );
    assert_eq!(recorded.status.code(), Some(0), "{}", stderr(&recorded));
    let args = [
        "judge",
        "calibrate",
        "--model",
        "m",
        "--replay",
        text(&kept),
    ];
    let replayed = slope().args([&args[..], &one].concat()).output().unwrap();
    assert_eq!(replayed.status.code(), Some(0), "{}", stderr(&replayed));
    assert!(recorded.stdout == replayed.stdout);
}
