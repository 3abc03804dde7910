//! The pages.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use slope_database::Scope;
use slope_serve::Settings;

use crate::common::{Served, open, point, served};

/// A text that would run if it were not escaped.
const HOSTILE: &str = "<script>alert(1)</script>\" onload=\"x";

/// Two points of which the second is worse, by an agent with a hostile name.
async fn with_points(served: &Served) {
    let now = jiff::Timestamp::now().as_second();
    let points: Vec<Value> = [(1, 0), (2, 40)].into_iter().map(|(number, clones)| {
        let mut point = point(number, 100.0);
        let time = jiff::Timestamp::from_second(now - 86_400 * (3 - i64::from(number))).unwrap();
        point["time"] = time.to_string().into();
        point["totals"]["clone_lines"] = clones.into();
        point["totals"]["sloc"] = 100.into();
        point["author"] = json!({ "agent": HOSTILE });
        point["worst"] = json!([{ "path": HOSTILE, "name": HOSTILE, "line": 1, "complexity": 12, "sloc": 9, "mass": 36.0 }]);
        point["note"] = HOSTILE.into();
        point
    }).collect();
    let pushed = served
        .post("/api/v1/projects/p/points", &json!({ "points": points }))
        .await;
    assert_eq!(pushed.status, 200, "{}", pushed.text);
}

#[tokio::test]
async fn home_leads_to_the_cause() {
    let served = open().await;
    with_points(&served).await;
    let home = served.get("/").await;
    assert_eq!(home.status, 200);
    assert!(
        home.text.contains("What got worse this week"),
        "{}",
        home.text
    );
    assert!(home.text.contains("iteration 2"), "{}", home.text);
    let point = served.get("/projects/p/main/iteration-2").await;
    assert!(point.text.contains("40"), "{}", point.text);
    let project = served.get("/projects/p/main").await;
    assert!(project.text.contains("<svg"), "{}", project.text);
}

#[tokio::test]
async fn home_says_which_series_are_stale() {
    let served = open().await;
    let mut old = point(1, 1.0);
    old["time"] = "2020-01-01T00:00:00Z".into();
    served
        .post("/api/v1/projects/p/points", &json!({ "points": [old] }))
        .await;
    let home = served.get("/").await;
    assert!(
        home.text.contains("no point in this period"),
        "{}",
        home.text
    );
    assert!(home.text.contains("2020-01-01"), "{}", home.text);
    // The other project has no points at all.
    assert!(home.text.contains(">q<"), "{}", home.text);
}

#[tokio::test]
async fn foreign_text_cannot_run() {
    let served = open().await;
    with_points(&served).await;
    for path in ["/", "/projects/p/main", "/projects/p/main/iteration-2"] {
        let page = served.get(path).await;
        assert!(page.text.contains("alert(1)"), "{path} shows the name");
        assert!(
            !page.text.contains("<script>") && !page.text.contains("onload=\""),
            "{path}"
        );
        // The policy would block them.
        assert!(
            !page.text.contains(" style=") && !page.text.contains("<style"),
            "{path}"
        );
        let policy = page.header("content-security-policy");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn series_are_offered_as_data() {
    let served = open().await;
    with_points(&served).await;
    let csv = served.get("/projects/p/main.csv").await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(csv.text.lines().count(), 3);
    assert!(csv.text.starts_with("key,time,iteration"), "{}", csv.text);
    let json = served.get("/projects/p/main.json").await.json();
    assert_eq!(json[1]["values"]["clone_lines"], 40.0);
}

#[tokio::test]
async fn unknown_pages_say_what_is_missing() {
    let served = open().await;
    for path in [
        "/projects/none",
        "/projects/p/none",
        "/projects/p/main/none",
    ] {
        let page = served.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text.contains("Not Found"), "{path}");
    }
}

#[tokio::test]
async fn new_projects_say_how_to_send_points() {
    let page = open().await.get("/projects/p").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("slope track push") && page.text.contains("--project p"));
}

#[tokio::test]
async fn visitors_sign_in_with_a_token() {
    let served = served(Settings::default()).await;
    let (id, secret) = served.token(Scope::Read, Some("p")).await;
    let first = served.get("/projects/p?days=9").await;
    assert_eq!(
        first.header("location"),
        "/sign-in?next=%2Fprojects%2Fp%3Fdays%3D9"
    );
    let sign_in = |body: String| {
        let request =
            Request::post("/sign-in").header("content-type", "application/x-www-form-urlencoded");
        served.ask(request.body(Body::from(body)).unwrap())
    };
    let wrong = sign_in("token=no&next=/".to_owned()).await;
    assert_eq!((wrong.status, wrong.header("set-cookie")), (401, ""));
    let right = sign_in(format!("token={secret}&next=//evil.example")).await;
    assert_eq!((right.status, right.header("location")), (303, "/"));
    let cookie = right.header("set-cookie").to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let with_cookie = |path: &str| {
        let pair = cookie.split(';').next().unwrap();
        let request = Request::get(path).header("cookie", pair);
        served.ask(request.body(Body::empty()).unwrap())
    };
    let home = with_cookie("/").await;
    assert_eq!(home.status, 200);
    assert!(home.text.contains("Sign out"));
    assert_eq!(with_cookie("/projects/q").await.status, 403);
    served.database.revoke_token(&id, None).await.unwrap();
    assert_eq!(with_cookie("/").await.status, 303);
}

#[tokio::test]
async fn large_forms_are_refused() {
    let served = served(Settings::default()).await;
    let request =
        Request::post("/sign-in").header("content-type", "application/x-www-form-urlencoded");
    let body = format!("token={}", "x".repeat(5000));
    let answer = served.ask(request.body(Body::from(body)).unwrap()).await;
    assert_eq!(answer.status, 413);
}
