//! Limits, numbers that cannot be, and answers that are no longer true.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::common::{Answer, Served, open, point, posted};

const POINTS: &str = "/api/v1/projects/p/points";
const EVENTS: &str = "/api/v1/projects/p/events";

#[tokio::test]
async fn impossible_numbers_are_named() {
    let served = open().await;
    for number in ["-1", "1.7e308", "1e400", "-1e400", "1e13"] {
        let body = json!({ "points": [point(1, 1.25)] }).to_string();
        let body = body.replace("1.25", number);
        assert!(body.contains(number));
        let request = Request::post(POINTS).header("content-type", "application/json");
        let answer = served.ask(request.body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.status, 422, "{number}: {}", answer.text);
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        let is_named = detail.starts_with("points[0].totals");
        assert!(is_named, "{number}: {detail}");
    }
}

/// Sends a request with an idempotency key.
async fn with_key(served: &Served, key: &str, mut request: Request<Body>) -> Answer {
    let headers = request.headers_mut();
    headers.insert("idempotency-key", key.parse().unwrap());
    served.ask(request).await
}

fn removal(path: &str) -> Request<Body> {
    let request = Request::builder().method(Method::DELETE).uri(path);
    request.body(Body::empty()).unwrap()
}

#[tokio::test]
async fn removed_projects_have_no_kept_answers() {
    let served = open().await;
    let body = json!({ "points": [point(1, 1.0)] });
    let push = || with_key(&served, "push", posted(POINTS, &body));
    let add = || {
        let body = json!({ "name": "new" });
        with_key(&served, "add", posted("/api/v1/projects", &body))
    };
    assert_eq!((push().await.status, add().await.status), (200, 201));
    assert_eq!((push().await.status, add().await.status), (200, 201));
    for name in ["p", "new"] {
        let path = format!("/api/v1/projects/{name}");
        for _ in 0..2 {
            let removed = with_key(&served, name, removal(&path)).await;
            assert_eq!(removed.status, 204, "{}", removed.text);
        }
    }
    assert_eq!(push().await.status, 404);
    assert_eq!(add().await.status, 201);
    let there = served.get("/api/v1/projects/new").await;
    assert_eq!(there.status, 200, "the project is not there");
}

#[tokio::test]
async fn open_streams_are_limited() {
    let served = open().await;
    let ask = || {
        let request = Request::get(EVENTS).body(Body::empty()).unwrap();
        served.router.clone().oneshot(request)
    };
    let mut streams = Vec::new();
    let refused = loop {
        let answer = ask().await.unwrap();
        match answer.status().as_u16() {
            200 => streams.push(answer),
            _ => break answer,
        }
        assert!(streams.len() < 5_000, "there is no limit");
    };
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    assert!(streams.len() > 10, "{} streams", streams.len());
    streams.pop();
    assert_eq!(ask().await.unwrap().status(), 200);
}

#[tokio::test]
async fn long_series_come_in_parts() {
    let served = open().await;
    let mut sent = 0;
    while sent < 1_200 {
        let points: Vec<Value> = (sent..sent + 400)
            .map(|iteration| {
                let mut point = point(1, f64::from(iteration));
                point["iteration"] = iteration.into();
                point
            })
            .collect();
        let answer = served.post(POINTS, &json!({ "points": points })).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        sent += 400;
    }
    let csv = served.get("/projects/p/main.csv").await.text;
    assert_eq!(csv.lines().count(), 1_201);
    let keys: Vec<String> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().to_owned())
        .collect();
    let expected: Vec<String> = (0..1_200).map(|at| format!("iteration-{at}")).collect();
    assert_eq!(keys, expected);
    let list = served.get("/projects/p/main.json").await.text;
    let all: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list, serde_json::to_string_pretty(&all).unwrap() + "\n");
    assert_eq!(all.as_array().unwrap().len(), 1_200);

    let summaries = "/api/v1/projects/p/series/main/summaries";
    assert_eq!(
        served.get(&format!("{summaries}?limit=5001")).await.status,
        400
    );
    let first = served.get(&format!("{summaries}?limit=1000")).await.json();
    let next = first["next"].as_str().unwrap();
    let rest = served
        .get(&format!("{summaries}?cursor={next}"))
        .await
        .json();
    let count = |page: &Value| page["items"].as_array().unwrap().len();
    assert_eq!((count(&first), count(&rest)), (1_000, 200));
    assert_eq!(rest["next"], Value::Null);
}
