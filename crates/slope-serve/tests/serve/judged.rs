//! The pages about judges, functions and human code, and series as Parquet.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::{Value, json};
use slope_database::Scope;
use slope_serve::Settings;
use tower::ServiceExt;

use crate::common::{Answer, Served, open, point, served};

/// A text that would run if it were not escaped.
const HOSTILE: &str = "<script>alert(1)</script>\" onload=\"x";

fn scores(value: f64) -> Value {
    json!({ "verbosity": value, "erosion": value, "extensibility": null })
}

fn issue(path: &str, message: &str, score: &str) -> Value {
    json!({
        "score": score, "id": "rule-1", "path": path, "start_line": 3, "end_line": 8, "message": message, "weight": 4.0,
    })
}

/// The entry of the static judge, with the place among human code.
fn by_measures(value: f64) -> Value {
    let language = json!({
        "languages": ["go"], "sloc": 900, "scores": scores(value), "verbosity": 0.05, "erosion": 0.2 + value / 100.0,
        "mass_per_kloc": 300.0, "change_points_per_kloc": 2.0, "panel": "human-go-2022-10",
    });
    json!({
        "judge": "static", "scores": scores(value), "missing": { "extensibility": "no decisions" },
        "details": { "issues": [issue(HOSTILE, HOSTILE, "verbosity")], "more_issues": 7, "languages": [language] },
    })
}

/// The entry of a model whose anchors have a score.
fn by_model(value: f64, anchor: f64) -> Value {
    json!({
        "judge": "model", "model": HOSTILE, "served": "judge-1", "rubric": "slope@2", "rubric_hash": "h",
        "anchors": { "tidy": scores(anchor), "sloppy": scores(2.0) }, "scores": scores(value),
        "details": {
            "issues": [issue("cart.go", "Does too much.", "erosion")], "repeats": 3,
            "ranges": { "erosion": { "low": 1.5, "high": 6.5 } },
        },
    })
}

/// Points of which the second has a changed function and the verdict of a model whose anchors moved.
async fn with_points(served: &Served) {
    let amounts = json!({
        "mass": 9.5, "clone_lines": 0, "flagged_lines": 0, "verbose_lines": 0, "dead_code": 0, "sloc": 3,
    });
    let diff = json!({ "hunks": [{ "old": 1, "new": 1, "lines": [" keep", format!("+{HOSTILE}")] }], "left_out": 4 });
    let points: Vec<Value> = (1..=3)
        .map(|number| {
            let mut point = point(number, 100.0);
            let value = f64::from(number) + 3.0;
            point["scores"] = json!([by_measures(value), by_model(value + 0.5, 9.0 - 0.6 * f64::from(number))]);
            point["worst"] = json!([{
                "path": "a b.go", "name": HOSTILE, "line": 1, "complexity": 12 + number, "sloc": 9, "mass": 36.0,
            }, { "path": "cart.go", "name": "add", "line": 3, "complexity": 2, "sloc": 5, "mass": 4.0 }]);
            point["change"] = json!({ "since": "iteration-1", "amounts": amounts, "places": [
                { "path": "a b.go", "function": HOSTILE, "line": 1, "amounts": amounts, "diff": diff },
            ] });
            point
        })
        .collect();
    let pushed = served
        .post("/api/v1/projects/p/points", &json!({ "points": points }))
        .await;
    assert_eq!(pushed.status, 200, "{}", pushed.text);
}

/// A page without anything that runs.
#[track_caller]
fn safe(page: &Answer) -> &str {
    assert_eq!(page.status, 200, "{}", page.text);
    for bad in ["<script>", "onload=\"x", " style="] {
        assert!(!page.text.contains(bad), "{bad}: {}", page.text);
    }
    &page.text
}

#[track_caller]
fn has(page: &Answer, parts: &[&str]) {
    let text = safe(page).replace("&#x2f;", "/");
    for part in parts {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
}

#[tokio::test]
async fn judge_page_has_findings_and_agreement() {
    let served = open().await;
    with_points(&served).await;
    let page = served.get("/projects/p/main/judge").await;
    has(
        &page,
        &[
            "no model",
            "no decisions",
            "judge-1 (rubric slope@2)",
            "1.5 to 6.5",
            "Does too much.",
            "cart.go:3–8",
        ],
    );
    // A finding leads to the history of its function.
    has(&page, &["main/function?path=cart.go&amp;name=add\""]);
    // Seven findings were not sent, and a score that nobody gave is missing.
    has(&page, &["7 more findings", "missing", "Not calibrated"]);
    // Both moved up twice, and the model gives 0.5 more.
    has(&page, &["+0.5", "2 of 2", "+1.00"]);
    has(
        &page,
        &[
            "8.4 → 7.2",
            "moved by 1.2: another judge now",
            "id=\"chart-erosion\"",
        ],
    );
    let filtered = served.get("/projects/p/main/judge?score=verbosity").await;
    assert!(
        !safe(&filtered).contains("Does too much."),
        "only verbosity"
    );
    let project = served.get("/projects/p/main").await;
    has(&project, &["/projects/p/main/judge"]);
}

#[tokio::test]
async fn earlier_points_say_what_is_unknown() {
    let served = open().await;
    let mut old = point(1, 1.0);
    old["scores"] = json!([{ "judge": "static", "scores": scores(6.0) }]);
    served
        .post("/api/v1/projects/p/points", &json!({ "points": [old] }))
        .await;
    let page = served.get("/projects/p/main/judge").await;
    has(
        &page,
        &[
            "The findings of static are not known",
            "place among human code bases is not known",
        ],
    );
    has(&page, &["No model judged the newest point"]);
}

#[tokio::test]
async fn list_of_judges_keeps_projects_apart() {
    let all = open().await;
    with_points(&all).await;
    has(
        &all.get("/judge").await,
        &["href=\"/projects/p/main/judge\"", "6.5"],
    );
    let closed = served(Settings::default()).await;
    with_points_by(&closed).await;
    let (_, other) = closed.token(Scope::Read, Some("q")).await;
    let request = Request::get("/judge").header("cookie", format!("slope_token={other}"));
    let page = closed.ask(request.body(Body::empty()).unwrap()).await;
    assert!(!page.text.contains("/projects/p/main"), "{}", page.text);
}

/// A point of a project, sent past the API.
async fn with_points_by(served: &Served) {
    let point = serde_json::from_value(point(1, 1.0)).unwrap();
    served.database.add_points("p", &[point]).await.unwrap();
}

#[tokio::test]
async fn functions_have_history_and_diff() {
    let served = open().await;
    with_points(&served).await;
    let project = served.get("/projects/p/main").await;
    let text = project.text.replace("&#x2f;", "/");
    let link = text
        .split("href=\"")
        .find(|it| it.contains("/function?path="));
    let link = link
        .and_then(|it| it.split('"').next())
        .expect("a link")
        .replace("&amp;", "&");
    let page = served.get(&link).await;
    has(
        &page,
        &[
            "a b.go",
            "complexity <b>15</b>",
            "3 points",
            "id=\"chart-mass\"",
            "4 more lines",
        ],
    );
    has(
        &page,
        &["/projects/p/main/iteration-2#places", "class=\"add\""],
    );
    let none = served
        .get("/projects/p/main/function?path=x&name=%25")
        .await;
    has(&none, &["No point of this series names this function"]);
    assert_eq!(
        served
            .get("/projects/p/none/function?path=x&name=y")
            .await
            .status,
        404
    );
    let point = served.get("/projects/p/main/iteration-2").await;
    has(&point, &["class=\"diff\"", "/function?path="]);
}

#[tokio::test]
async fn erosion_has_the_band_of_human_code() {
    let served = open().await;
    with_points(&served).await;
    let page = served.get("/projects/p/main").await;
    has(
        &page,
        &[
            "human code bases in go",
            "var(--chart-band)",
            "eight of ten human code bases",
        ],
    );
    // Points that do not say their language have no band.
    let other = open().await;
    let points = [point(1, 1.0), point(2, 2.0)];
    other
        .post("/api/v1/projects/p/points", &json!({ "points": points }))
        .await;
    let page = other.get("/projects/p/main").await;
    assert!(!safe(&page).contains("var(--chart-band)"), "{}", page.text);
}

#[tokio::test]
async fn series_and_runs_are_offered_as_parquet() {
    let served = open().await;
    with_points(&served).await;
    for (path, columns) in [
        (
            "/projects/p/main.parquet",
            ["score_erosion", "human_go_2022_10_erosion"],
        ),
        ("/runs.parquet", ["strict_rate", "cost_usd"]),
    ] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let answer = served.router.clone().oneshot(request).await.unwrap();
        let kind = answer.headers()["content-type"].clone();
        assert_eq!(kind, "application/vnd.apache.parquet", "{path}");
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        assert!(
            bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"),
            "{path}"
        );
        let text = String::from_utf8_lossy(&bytes);
        for column in columns {
            assert!(text.contains(column), "{path}: {column}");
        }
    }
    assert_eq!(served.get("/projects/p/none.parquet").await.status, 404);
}
