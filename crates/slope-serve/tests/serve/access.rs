//! Tokens on every route. The routes come from the description of the API, so that no new one is forgotten.

use axum::body::{Body, to_bytes};
use axum::http::Request;
use serde_json::Value;
use slope_database::Scope;
use slope_serve::Settings;

use tower::ServiceExt;

use crate::common::{Served, open, point, posted, served};

/// Routes that need no token.
const OPEN: [&str; 1] = ["/api/v1/health"];

/// A route of the description.
struct Route {
    method: String,
    path: String,
    scope: Option<Scope>,
}

impl Route {
    /// A request to it on the project `p`.
    fn request(&self, token: Option<&str>) -> Request<Body> {
        let parts = [
            ("{project}", "p"),
            ("{series}", "main"),
            ("{key}", "k"),
            ("{id}", "i"),
            ("{run}", "r"),
            ("{change}", "c"),
            ("{watch}", "w"),
            ("{date}", "2026-11-30"),
            ("{alarm}", "main.pass-rate.2026-11-30"),
        ];
        let path = parts.iter().fold(self.path.clone(), |path, (name, value)| {
            path.replace(name, value)
        });
        assert!(
            !path.contains('{'),
            "{path} has a part without a value here"
        );
        let mut request = Request::builder().method(self.method.as_str()).uri(path);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        request.body(Body::empty()).unwrap()
    }
}

async fn routes() -> Vec<Route> {
    let text = slope_serve::openapi_text().await.unwrap();
    let description: Value = serde_json::from_str(&text).unwrap();
    let mut routes = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let scope = operation.get("x-slope-scope").cloned();
            routes.push(Route {
                method: method.to_uppercase(),
                path: path.clone(),
                scope: scope.map(|scope| serde_json::from_value(scope).unwrap()),
            });
        }
    }
    assert!(routes.len() > 10);
    routes
}

async fn guarded() -> Vec<Route> {
    let all = routes().await;
    let (open, guarded): (Vec<Route>, Vec<Route>) =
        all.into_iter().partition(|route| route.scope.is_none());
    let open: Vec<&str> = open.iter().map(|route| route.path.as_str()).collect();
    assert_eq!(open, OPEN);
    guarded
}

async fn status(served: &Served, route: &Route, token: Option<&str>) -> u16 {
    served.ask(route.request(token)).await.status
}

#[tokio::test]
async fn routes_refuse_requests_without_valid_tokens() {
    let served = served(Settings::default()).await;
    let (id, revoked) = served.token(Scope::Admin, None).await;
    served.database.revoke_token(&id, None).await.unwrap();
    for route in guarded().await {
        for token in [None, Some("slope_wrong"), Some(""), Some(revoked.as_str())] {
            let status = status(&served, &route, token).await;
            assert_eq!(status, 401, "{} {} {token:?}", route.method, route.path);
        }
    }
}

#[tokio::test]
async fn routes_refuse_tokens_of_other_projects() {
    let served = served(Settings::default()).await;
    let (_, other) = served.token(Scope::Admin, Some("q")).await;
    for route in guarded()
        .await
        .iter()
        .filter(|route| route.path.contains("{project}"))
    {
        let status = status(&served, route, Some(&other)).await;
        assert_eq!(status, 403, "{} {}", route.method, route.path);
    }
    // What belongs to no project may only be read.
    for route in guarded()
        .await
        .iter()
        .filter(|route| !route.path.contains("{project}"))
    {
        let status = status(&served, route, Some(&other)).await;
        let is_refused = route.scope > Some(Scope::Read);
        assert_eq!(status == 403, is_refused, "{} {}", route.method, route.path);
    }
}

#[tokio::test]
async fn routes_refuse_lower_scopes() {
    let served = served(Settings::default()).await;
    for scope in [Scope::Read, Scope::Push, Scope::Admin] {
        let (_, secret) = served.token(scope, Some("p")).await;
        for route in guarded()
            .await
            .iter()
            .filter(|route| route.path.contains("{project}"))
        {
            if route.path.ends_with("/events") || route.method == "DELETE" && scope == Scope::Admin
            {
                // One never ends, and the other would remove the project.
                continue;
            }
            let status = status(&served, route, Some(&secret)).await;
            let is_refused = route.scope > Some(scope);
            assert_eq!(
                status == 403,
                is_refused,
                "{scope:?} {} {}: {status}",
                route.method,
                route.path
            );
            assert_ne!(status, 401, "{} {}", route.method, route.path);
        }
    }
}

#[tokio::test]
async fn tokens_list_only_their_project() {
    let served = served(Settings::default()).await;
    let (_, own) = served.token(Scope::Read, Some("q")).await;
    let request = Request::get("/api/v1/projects").header("authorization", format!("bearer {own}"));
    let answer = served
        .ask(request.body(Body::empty()).unwrap())
        .await
        .json();
    assert_eq!(answer["items"].as_array().unwrap().len(), 1);
    assert_eq!(answer["items"][0]["name"], "q");
}

#[tokio::test]
async fn cookies_only_read() {
    let served = served(Settings::default()).await;
    let (_, admin) = served.token(Scope::Admin, None).await;
    let cookie = format!("other=1; slope_token={admin}");
    let read = Request::get("/api/v1/projects/p").header("cookie", &cookie);
    assert_eq!(
        served.ask(read.body(Body::empty()).unwrap()).await.status,
        200
    );
    let remove = Request::delete("/api/v1/projects/p").header("cookie", &cookie);
    assert_eq!(
        served.ask(remove.body(Body::empty()).unwrap()).await.status,
        401
    );
}

#[tokio::test]
async fn open_servers_answer_only_loopback_names() {
    let served = open().await;
    let with = |name, value| {
        let request = Request::get("/api/v1/projects").header(name, value);
        served.ask(request.body(Body::empty()).unwrap())
    };
    for host in ["localhost:8750", "127.0.0.1", "[::1]:8750"] {
        assert_eq!(with("host", host).await.status, 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "10.0.0.1"] {
        assert_eq!(with("host", host).await.status, 403, "{host}");
    }
    assert_eq!(with("origin", "https://evil.example").await.status, 403);
    assert_eq!(with("origin", "http://localhost:3000").await.status, 200);
}

#[tokio::test]
async fn other_sites_need_permission() {
    let settings = Settings {
        origins: vec!["https://pages.example".to_owned()],
        ..Settings::default()
    };
    let served = served(settings).await;
    for (origin, allowed) in [
        ("https://pages.example", "https://pages.example"),
        ("https://evil.example", ""),
    ] {
        let request = Request::get("/api/v1/health").header("origin", origin);
        let answer = served.ask(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.header("access-control-allow-origin"), allowed);
    }
}

#[tokio::test]
async fn revoked_tokens_end_their_streams() {
    let served = served(Settings::default()).await;
    let (id, reader) = served.token(Scope::Read, Some("p")).await;
    let (_, writer) = served.token(Scope::Push, Some("p")).await;
    let request = Request::get("/api/v1/projects/p/events")
        .header("authorization", format!("Bearer {reader}"));
    let request = request.body(Body::empty()).unwrap();
    let stream = served.router.clone().oneshot(request).await.unwrap();
    assert_eq!(stream.status(), 200);
    served.database.revoke_token(&id, None).await.unwrap();
    let mut push = posted(
        "/api/v1/projects/p/points",
        &serde_json::json!({ "points": [point(1, 1.0)] }),
    );
    let bearer = format!("Bearer {writer}").parse().unwrap();
    push.headers_mut().insert("authorization", bearer);
    assert_eq!(served.ask(push).await.status, 200);
    let sent = to_bytes(stream.into_body(), usize::MAX).await.unwrap();
    assert!(sent.is_empty(), "{sent:?}");
}
