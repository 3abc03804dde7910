//! Grades: one, many, and groups.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use slope_grade::{Grader, Pack, stream};
use slope_http::Settings;

use crate::common::{engine, files, request, start};

#[tokio::test(flavor = "multi_thread")]
async fn grades_equal_those_of_the_command() {
    let server = start(Settings::default()).await;
    let line = request("r1").to_string();
    let (code, answer) = server.post("/v1/score", line.clone()).await;
    assert_eq!(code, 200, "{answer}");
    let base = engine().of_files("app", files()).unwrap();
    let mut written = Vec::new();
    stream::grade_lines(
        &mut Grader::new(base, Pack::default()),
        line.as_bytes(),
        &mut written,
    )
    .unwrap();
    assert_eq!(answer.as_bytes(), written.trim_ascii_end());
}

#[tokio::test(flavor = "multi_thread")]
async fn batches_answer_every_record_once() {
    let server = start(Settings::default()).await;
    let mut lines: Vec<String> = (0..50)
        .map(|n| request(&format!("r{n}")).to_string())
        .collect();
    lines.push(json!({"id": "bad"}).to_string());
    lines.push("not json".to_owned());
    for (query, is_ordered) in [("", false), ("?order=input", true)] {
        let path = format!("/v1/score:batch{query}");
        let (code, answer) = server.post(&path, lines.join("\n")).await;
        assert_eq!(code, 200);
        let grades: Vec<Value> = answer
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        let ids: Vec<&str> = grades
            .iter()
            .map(|grade| grade["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 52);
        assert_eq!(
            grades
                .iter()
                .filter(|grade| grade["status"] == "error")
                .count(),
            2
        );
        if is_ordered {
            assert_eq!((ids[0], ids[50], ids[51]), ("r0", "bad", ""));
        }
    }
    let array = json!([request("a"), request("b")]);
    let (code, answer) = server.post("/v1/score:batch", array.to_string()).await;
    assert_eq!((code, answer.lines().count()), (200, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn hard_groups_learn_correctness_first() {
    let server = start(Settings::default()).await;
    let worse = json!({"kind": "files", "data": {"new.py": "import os\nimport sys\n\n\ndef f():\n    return 1\n"}});
    let attempt = |id: &str, passed: u32| json!({"id": id, "change": worse, "tests": {"passed": passed, "failed": 1 - passed}});
    let hard = json!([
        attempt("a", 1),
        attempt("b", 0),
        attempt("c", 0),
        attempt("d", 0)
    ]);
    let easy = json!([attempt("a", 1), attempt("b", 1)]);
    let (_, hard) = server.post_json("/v1/group", &hard).await;
    let (_, easy) = server.post_json("/v1/group", &easy).await;
    assert_eq!(hard[0]["reward"], 1.0, "{hard}");
    assert!(easy[0]["reward"].as_f64().unwrap() < 1.0, "{easy}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_requests_name_the_field() {
    let server = start(Settings::default()).await;
    for (body, field) in [
        ("", ""),
        ("[]", ""),
        ("{\"id\": 5}", "id"),
        ("{\"id\": \"a\"}", ""),
        (
            "{\"id\": \"a\", \"change\": {\"kind\": \"files\", \"data\": 3}}",
            "change.data",
        ),
    ] {
        let (code, answer) = server.post("/v1/score", body).await;
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(code, 400, "{body}: {answer}");
        assert_eq!(answer["error"]["field"], field, "{body}: {answer}");
        assert!(!answer["error"]["help"].as_str().unwrap().is_empty());
    }
    let mut unknown = request("a");
    unknown["base"] = json!("other");
    let (code, answer) = server.post_json("/v1/score", &unknown).await;
    assert_eq!((code, &answer["error"]["field"]), (404, &json!("base")));
}

#[tokio::test(flavor = "multi_thread")]
async fn same_edit_is_graded_once() {
    let server = start(Settings::default()).await;
    let (_, first) = server.post_json("/v1/score", &request("first")).await;
    let (_, mut second) = server.post_json("/v1/score", &request("second")).await;
    assert_eq!(second["id"], "second");
    second["id"] = json!("first");
    assert_eq!(first, second);
    let (_, metrics) = server.get("/metrics").await;
    assert!(
        metrics.contains("slope_grades_repeated_total 1"),
        "{metrics}"
    );
    assert!(
        metrics.contains("slope_grades_total{status=\"ok\"} 2"),
        "{metrics}"
    );
}
