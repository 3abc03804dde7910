//! What commands do, on code in the request.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use slope_embed::Code;

use crate::common::open;

const TIDY: &str = "def total(values):\n    return sum(values)\n";
const SLOPPY: &str = "\
def total(values):
    result = 0
    for value in values:
        if value is not None:
            if value > 0:
                result = result + value
            else:
                result = result + value
    return result
";

async fn answer(path: &str, body: Value) -> Value {
    let answer = open().await.post(path, &body).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()
}

#[tokio::test]
async fn code_is_measured_and_judged() {
    let files = json!({ "files": { "a.py": SLOPPY } });
    let measured = answer("/api/v1/measure", files.clone()).await;
    assert_eq!(measured["schema"], "slope.measurement/1");
    assert_eq!(measured["totals"]["callables"], 1);
    let judged = answer("/api/v1/judge", files).await;
    assert!(judged["scores"]["erosion"].is_number(), "{judged}");
}

#[tokio::test]
async fn changes_are_compared_checked_and_judged() {
    let sides = json!({ "before": { "a.py": TIDY }, "after": { "a.py": SLOPPY } });
    let ledger = answer("/api/v1/diff", sides.clone()).await;
    assert!(
        ledger["entries"]
            .as_array()
            .is_some_and(|all| !all.is_empty()),
        "{ledger}"
    );
    let judged = answer("/api/v1/judge-change", sides.clone()).await;
    assert!(judged["before"].is_object(), "{judged}");
    let checked = answer("/api/v1/check", sides).await;
    assert_eq!(checked["schema"], "slope.judgement/1", "{checked}");
}

#[tokio::test]
async fn edits_are_graded() {
    let request = json!({ "id": "1", "change": { "kind": "files", "data": { "a.py": SLOPPY } } });
    let grade = answer(
        "/api/v1/grade",
        json!({ "files": { "a.py": TIDY }, "request": request }),
    )
    .await;
    assert_eq!(grade["id"], "1", "{grade}");
}

#[tokio::test]
async fn rules_and_metrics_are_explained() {
    let served = open().await;
    assert_eq!(served.get("/api/v1/explain/erosion").await.status, 200);
    assert_eq!(served.get("/api/v1/explain/nonsense").await.status, 404);
}

#[tokio::test]
async fn files_stay_inside_the_request() {
    let served = open().await;
    let deep = "a/".repeat(80) + "x.py";
    for path in [
        "../../etc/passwd",
        "/etc/passwd",
        "a\u{0}b",
        ".git/config",
        "",
        &deep,
    ] {
        let body = json!({ "files": { path: TIDY } });
        let answer = served.post("/api/v1/measure", &body).await;
        assert_eq!(answer.status, 422, "{path:?}: {}", answer.text);
    }
    let outside = "rules = [\"/etc\"]\n";
    let body = json!({ "files": { "a.py": TIDY, "slope.toml": outside } });
    let answer = served.post("/api/v1/measure", &body).await;
    assert_eq!(answer.status, 422, "{}", answer.text);
    assert!(!answer.text.contains("/tmp"), "{}", answer.text);
}

#[tokio::test]
async fn cookies_do_not_start_work() {
    let served = crate::common::served(slope_serve::Settings::default()).await;
    let (_, secret) = served.token(slope_database::Scope::Admin, None).await;
    let request = Request::post("/api/v1/measure")
        .header("cookie", format!("slope_token={secret}"))
        .header("content-type", "application/json");
    let answer = served.ask(request.body(Body::from("{}")).unwrap()).await;
    assert_eq!(answer.status, 401);
}

#[tokio::test]
async fn answers_equal_those_of_commands() {
    let code = |text: &str| {
        let text = ("a.py".to_owned(), text.as_bytes().to_vec());
        Code::Files([text].into())
    };
    let settings = slope_embed::Settings::default();
    let (tidy, sloppy) = (code(TIDY), code(SLOPPY));
    let one = json!({ "files": { "a.py": SLOPPY } });
    let two = json!({ "before": { "a.py": TIDY }, "after": { "a.py": SLOPPY } });
    let expected = [
        ("measure", &one, slope_embed::measure(&sloppy, &settings)),
        ("judge", &one, slope_embed::judge(&sloppy, 20, &settings)),
        ("diff", &two, slope_embed::diff(&tidy, &sloppy, &settings)),
        ("check", &two, slope_embed::check(&tidy, &sloppy, &settings)),
        (
            "judge-change",
            &two,
            slope_embed::judge_change(&tidy, &sloppy, 20, &settings),
        ),
    ];
    let served = open().await;
    for (name, body, document) in expected {
        let answer = served.post(&format!("/api/v1/{name}"), body).await;
        assert_eq!(answer.text, document.unwrap(), "{name}");
    }
}
