//! A server of a new database.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request};
use serde_json::{Value, json};
use slope_database::{Database, Place, Scope};
use slope_serve::{App, Program, Settings};
use tempfile::TempDir;
use tower::ServiceExt;

/// A server, and the folder of its database.
pub(crate) struct Served {
    pub(crate) router: Router,
    pub(crate) database: Database,
    _folder: TempDir,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }
}

/// A server on a file of SQLite, with the projects `p` and `q`.
pub(crate) async fn served(settings: Settings) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("slope.db");
    let database = Database::open(Place::file(&file)).await.unwrap();
    for name in ["p", "q"] {
        database.add_project(name, "").await.unwrap();
    }
    served_on(settings, &Place::file(&file), folder).await
}

/// A server on a database, and the folder that it needs.
pub(crate) async fn served_on(settings: Settings, place: &Place, folder: TempDir) -> Served {
    let own = Database::open(place.clone()).await.unwrap();
    let app: Arc<App> = App::new(settings, own).unwrap();
    Served {
        router: app.router(),
        database: Database::open(place.clone()).await.unwrap(),
        _folder: folder,
    }
}

/// A server that needs no token.
pub(crate) async fn open() -> Served {
    served(open_settings()).await
}

/// Settings without tokens, and with workers that run a test of this binary.
pub(crate) fn open_settings() -> Settings {
    Settings {
        is_open: true,
        worker: worker("no-such-test"),
        ..Settings::default()
    }
}

/// This binary as a worker, with a mark in its arguments.
pub(crate) fn worker(mark: &str) -> Program {
    let args = [
        "worker::works_for_a_server",
        "--exact",
        "--ignored",
        "--skip",
        mark,
    ];
    Program {
        path: std::env::current_exe().unwrap(),
        args: args.map(Into::into).to_vec(),
    }
}

impl Served {
    /// The body of an answer that need not be text.
    pub(crate) async fn raw(&self, request: Request<Body>) -> Vec<u8> {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        bytes.to_vec()
    }

    pub(crate) async fn ask(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.ask(Request::get(path).body(Body::empty()).unwrap())
            .await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask(posted(path, body)).await
    }

    pub(crate) async fn token(&self, scope: Scope, project: Option<&str>) -> (String, String) {
        let (token, secret) = self.database.add_token(scope, project, "").await.unwrap();
        (token.id, secret)
    }
}

/// A POST of JSON.
pub(crate) fn posted(path: &str, body: &Value) -> Request<Body> {
    Request::post(path)
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .unwrap()
}

/// A point of the series `main`.
pub(crate) fn point(iteration: u32, mass: f64) -> Value {
    let totals = slope_model::metrics::Totals {
        mass: Some(mass),
        ..Default::default()
    };
    json!({
        "schema": "slope.point/1",
        "series": "main",
        "time": format!("2026-11-{:02}T00:00:00Z", iteration),
        "iteration": iteration,
        "origin": "folder",
        "tree": "0",
        "engine": "slope",
        "definitions": "d",
        "totals": totals,
    })
}
