//! What routes answer.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::common::{open, point, posted};

const POINTS: &str = "/api/v1/projects/p/points";
const LIST: &str = "/api/v1/projects/p/series/main/points";

fn outcomes(answer: &Value) -> Vec<&str> {
    let results = answer["results"].as_array().unwrap();
    results
        .iter()
        .map(|result| result["outcome"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn pushed_points_are_listed_in_pages() {
    let served = open().await;
    let points: Vec<Value> = (1..=5).map(|number| point(number, number.into())).collect();
    let pushed = served.post(POINTS, &json!({ "points": points })).await;
    assert_eq!(outcomes(&pushed.json()), ["stored"; 5]);
    let mut path = format!("{LIST}?limit=2");
    let mut seen = Vec::new();
    loop {
        let page = served.get(&path).await.json();
        let items = page["items"].as_array().unwrap().clone();
        seen.extend(items.iter().map(|item| item["iteration"].as_u64().unwrap()));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        path = format!("{LIST}?limit=2&cursor={next}");
    }
    assert_eq!(seen, [1, 2, 3, 4, 5]);
    let one = served.get(&format!("{LIST}/iteration-3")).await.json();
    assert_eq!(one, points_as_kept(&points[2]));
    let project = served.get("/api/v1/projects/p").await.json();
    assert_eq!(project["series"][0]["points"], 5);
}

/// A point as it comes back: with the fields that were left out.
fn points_as_kept(point: &Value) -> Value {
    let point: slope_model::series::Point = serde_json::from_value(point.clone()).unwrap();
    serde_json::to_value(point).unwrap()
}

#[tokio::test]
async fn other_numbers_of_a_point_conflict() {
    let served = open().await;
    for (mass, outcome) in [(1.0, "stored"), (1.0, "same"), (2.0, "conflict")] {
        let answer = served
            .post(POINTS, &json!({ "points": [point(1, mass)] }))
            .await;
        assert_eq!(outcomes(&answer.json()), [outcome]);
    }
    let kept = served.get(&format!("{LIST}/iteration-1")).await.json();
    assert_eq!(kept["totals"]["mass"], 1.0);
}

/// A GET, or a request of another method without a body.
fn bare(method: &str, path: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    request.body(Body::empty()).unwrap()
}

/// Requests with a fault, with the status of the answer and a part of its detail.
fn faulty_requests() -> Vec<(Request<Body>, u16, &'static str)> {
    let mut faulty = point(1, 1.0);
    faulty["time"] = "yesterday".into();
    let bodies = [
        (POINTS, json!({ "points": [faulty] }), 422, "points[0].time"),
        (POINTS, json!({ "points": [{}] }), 422, "points[0]"),
        (POINTS, json!({ "point": [] }), 422, "unknown field"),
        (POINTS, json!([[]]), 422, "the body"),
        (
            "/api/v1/projects/none/points",
            json!({ "points": [] }),
            404,
            "none",
        ),
        ("/api/v1/projects", json!({ "name": "p" }), 409, "already"),
        ("/api/v1/projects", json!({ "name": "a/b" }), 422, "name"),
    ];
    let mut all: Vec<_> = bodies
        .into_iter()
        .map(|(path, body, status, part)| (posted(path, &body), status, part))
        .collect();
    all.extend([
        (bare("GET", "/api/v1/projects?limit=0"), 400, "limit"),
        (bare("GET", "/api/v1/projects?cursor=%00"), 400, "null"),
        (bare("GET", &format!("{LIST}?cursor=x")), 404, "cursor"),
        (bare("POST", POINTS), 415, "not JSON"),
        (bare("GET", "/nowhere"), 404, "nothing"),
        (bare("PUT", "/api/v1/projects"), 405, "method"),
    ]);
    all
}

#[tokio::test]
async fn errors_are_problem_details() {
    let served = open().await;
    for (request, status, part) in faulty_requests() {
        let what = format!("{} {}", request.method(), request.uri());
        let answer = served.ask(request).await;
        assert_eq!(answer.status, status, "{what}: {}", answer.text);
        assert_eq!(
            answer.header("content-type"),
            "application/problem+json",
            "{what}"
        );
        let problem = answer.json();
        assert_eq!(problem["status"], status, "{what}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(part), "{what}: {problem}");
        assert!(!problem["help"].as_str().unwrap().is_empty(), "{what}");
    }
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let served = open().await;
    let body = format!("{{\"points\": [], \"x\": \"{}\"}}", "x".repeat(9 << 20));
    let request = Request::post(POINTS).header("content-type", "application/json");
    let answer = served.ask(request.body(Body::from(body)).unwrap()).await;
    assert_eq!(answer.status, 413);
}

#[tokio::test]
async fn repeated_requests_have_the_first_answer() {
    let served = open().await;
    let with_key = |name: &str| {
        let mut request = posted("/api/v1/projects", &json!({ "name": name }));
        request
            .headers_mut()
            .insert("idempotency-key", "k1".parse().unwrap());
        served.ask(request)
    };
    let first = with_key("new").await;
    assert_eq!(first.status, 201);
    let again = with_key("new").await;
    assert_eq!((again.status, again.text), (201, first.text));
    assert_eq!(with_key("other").await.status, 409);
    // Without the key, it is a new request.
    let without = served
        .post("/api/v1/projects", &json!({ "name": "new" }))
        .await;
    assert_eq!(without.status, 409);
}

#[tokio::test]
async fn known_answers_are_not_sent_again() {
    let served = open().await;
    let first = served.get("/api/v1/projects").await;
    let tag = first.header("etag").to_owned();
    let again = |tag: String| {
        let request = Request::get("/api/v1/projects").header("if-none-match", tag);
        served.ask(request.body(Body::empty()).unwrap())
    };
    let same = again(format!("\"x\", {tag}")).await;
    assert_eq!((same.status, same.text.as_str()), (304, ""));
    served
        .post("/api/v1/projects", &json!({ "name": "new" }))
        .await;
    assert_eq!(again(tag).await.status, 200);
}

#[tokio::test]
async fn too_many_points_get_a_short_answer() {
    let served = open().await;
    let points: Vec<Value> = (0..501).map(|_| point(1, 1.0)).collect();
    let answer = served.post(POINTS, &json!({ "points": points })).await;
    assert_eq!(answer.status, 422);
    assert!(
        answer.text.len() < 1000 && answer.text.contains("501"),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn addresses_that_are_no_text_are_problems() {
    let served = open().await;
    for path in ["/api/v1/explain/x%ff", "/api/v1/projects/%ff/points"] {
        let answer = served.ask(bare("POST", path)).await;
        assert!(
            answer.status == 400 || answer.status == 405,
            "{path}: {}",
            answer.text
        );
        assert_eq!(
            answer.header("content-type"),
            "application/problem+json",
            "{path}"
        );
    }
}
