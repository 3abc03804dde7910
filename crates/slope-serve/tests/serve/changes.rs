//! Changes as the gate judges them.

use serde_json::{Value, json};
use slope_database::{Database, Place, Scope};
use slope_serve::Settings;

use axum::body::Body;
use axum::http::Request;

use crate::common::{Served, open, served};

/// A text that would run if it were not escaped.
const HOSTILE: &str = "<script>alert(1)</script>\" onload=\"x";

/// A change that adds a clone, or that makes nothing worse.
fn sent(passes: bool) -> Value {
    let violation = json!({
        "rule": "new-clone", "level": "error", "part": "product", "path": HOSTILE, "function": HOSTILE,
        "line": 3, "end_line": 9, "before": null, "after": 9.0, "limit": 0.0, "fingerprint": "0123456789abcdef",
        "message": HOSTILE, "advice": "Call it instead.",
        "evidence": { "places": [{ "path": "src/a.py", "function": "normalise", "line": 1 }] },
    });
    let violations = if passes {
        json!([])
    } else {
        json!([violation])
    };
    json!({
        "schema": "slope.sent-change/1", "title": HOSTILE, "link": "https://git.example/pull/1",
        "author": { "agent": "codex" },
        "judgement": {
            "schema": "slope.judgement/1",
            "definitions": { "version": "1", "hash": "h", "rules": {}, "grammars": {} },
            "base": { "name": "main", "commit": null }, "head": { "name": HOSTILE, "commit": null },
            "chosen": "--base main", "files": 1, "passes": passes,
            "balance": { "change": {
                "mass": 4.5, "clone_lines": 9, "flagged_lines": 0, "verbose_lines": 9, "dead_code": 0, "sloc": 9,
            } },
            "parts": {}, "violations": violations, "waived": [], "notes": [HOSTILE], "unjudged": [],
        },
    })
}

pub(crate) async fn with_change(served: &Served, passes: bool) -> Value {
    let kept = served
        .put("/api/v1/projects/p/changes/pr-1", &sent(passes))
        .await;
    assert_eq!(kept.status, 200, "{}", kept.text);
    kept.json()
}

#[tokio::test]
async fn judgements_replace_earlier_ones() {
    let served = open().await;
    assert_eq!(with_change(&served, false).await["is_new"], true);
    assert_eq!(with_change(&served, false).await["is_new"], false);
    let all = served.get("/api/v1/projects/p/changes").await.json();
    assert_eq!(all["items"][0]["summary"]["errors"], 1, "{all}");
    assert_eq!(with_change(&served, true).await["is_new"], true);
    let all = served.get("/api/v1/projects/p/changes").await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    assert_eq!(all["items"][0]["passes"], true, "{all}");
}

#[tokio::test]
async fn pages_show_changes_without_hostile_markup() {
    let served = open().await;
    with_change(&served, false).await;
    for (path, words) in [
        ("/changes", "does not pass"),
        ("/changes?project=p", "does not pass"),
        ("/changes/p/pr-1", "a.py:1 normalise"),
    ] {
        let page = served.get(path).await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains(words), "{path}: {}", page.text);
        assert!(
            !page.text.contains("<script>alert"),
            "{path}: {}",
            page.text
        );
        assert!(!page.text.contains("\" onload=\""), "{path}: {}", page.text);
    }
    let json = served.get("/changes/p/pr-1.json").await.json();
    assert_eq!(json["judgement"]["passes"], false);
    assert_eq!(served.get("/changes/p/none").await.status, 404);
}

#[tokio::test]
async fn faulty_changes_are_refused() {
    let served = open().await;
    let mut script = sent(true);
    script["link"] = "javascript:alert(1)".into();
    let mut newer = sent(true);
    newer["judgement"]["schema"] = "slope.judgement/9".into();
    let mut huge = sent(true);
    huge["judgement"]["balance"]["change"]["mass"] = json!(1.7e308);
    for (body, field) in [
        (script, "link"),
        (newer, "judgement.schema"),
        (huge, "judgement.balance.change.mass"),
    ] {
        let refused = served.put("/api/v1/projects/p/changes/pr-1", &body).await;
        assert_eq!(refused.status, 422, "{field}: {}", refused.text);
        assert!(refused.text.contains(field), "{field}: {}", refused.text);
    }
}

#[tokio::test]
async fn tokens_see_changes_of_their_project() {
    let served = served(Settings::default()).await;
    let change = serde_json::from_value(sent(true)).unwrap();
    served
        .database
        .put_change("p", "pr-1", &change)
        .await
        .unwrap();
    let (_, other) = served.token(Scope::Read, Some("q")).await;
    let (_, own) = served.token(Scope::Read, Some("p")).await;
    for (path, token, is_there) in [
        ("/changes", &own, true),
        ("/changes", &other, false),
        ("/changes?project=p", &other, false),
    ] {
        let request = Request::get(path)
            .header("cookie", format!("slope_token={token}"))
            .body(Body::empty())
            .unwrap();
        let page = served.ask(request).await.text;
        assert_eq!(
            page.contains("/changes/p/pr-1") || page.contains("p&#x2f;pr-1"),
            is_there,
            "{path}: {page}"
        );
    }
}

#[tokio::test]
async fn backups_have_changes() {
    let served = open().await;
    with_change(&served, false).await;
    let mut backup = Vec::new();
    served.database.back_up(&mut backup).await.unwrap();
    let copy = Database::open(Place::memory()).await.unwrap();
    copy.restore(&backup[..]).await.unwrap();
    assert!(copy.change("p", "pr-1").await.is_ok());
}
