//! A server of a small code base.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};
use slope_grade::{Engine, Pack, TestService};
use slope_http::{App, Server, Settings};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) const APP: &str = "\
def scale(values, factor):
    result = []
    for value in values:
        if value is None:
            continue
        result.append(value * factor)
    return result


def total(values):
    return sum(scale(values, 1))
";

pub(crate) const DIFF: &str = "\
--- a/app.py
+++ b/app.py
@@ -9,3 +9,3 @@

 def total(values):
-    return sum(scale(values, 1))
+    return sum(scale(values, 2))
";

/// A server that runs until it is dropped or stopped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) client: reqwest::Client,
    pub(crate) app: Arc<App>,
    end: Option<oneshot::Sender<()>>,
    serving: JoinHandle<()>,
}

pub(crate) fn engine() -> Engine {
    Engine::new(2).unwrap()
}

pub(crate) fn files() -> BTreeMap<String, Vec<u8>> {
    BTreeMap::from([("app.py".to_owned(), APP.as_bytes().to_vec())])
}

/// A server with one base, `app`.
pub(crate) async fn start(settings: Settings) -> Running {
    start_with(settings, None).await
}

/// A server with one base, `app`, and what runs tests.
pub(crate) async fn start_with(settings: Settings, tests: Option<TestService>) -> Running {
    // The client wants one even without TLS. Only the first call of the process counts.
    drop(rustls::crypto::ring::default_provider().install_default());
    let app = App::new(settings, engine(), Pack::default(), tests.map(Arc::new));
    let base = app.bases().engine().of_files("app", files()).unwrap();
    app.bases().add("app", base).unwrap();
    app.set_ready();
    let server =
        Server::bind(app.router(), app.patience(), "127.0.0.1:0".parse().unwrap()).unwrap();
    let address = server.address().unwrap();
    let (end, ended) = oneshot::channel();
    let serving = tokio::spawn(server.run(async { drop(ended.await) }));
    Running {
        address,
        client: reqwest::Client::builder().no_proxy().build().unwrap(),
        app,
        end: Some(end),
        serving,
    }
}

impl Running {
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Code and body of the answer to a POST.
    pub(crate) async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> (u16, String) {
        let answer = self.client.post(self.url(path)).body(body).send();
        let answer = answer.await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// Code and JSON of the answer to a POST of JSON.
    pub(crate) async fn post_json(&self, path: &str, body: &Value) -> (u16, Value) {
        let answer = self.client.post(self.url(path)).json(body).send();
        let answer = answer.await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    pub(crate) async fn get_json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).await.1).unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        let answer = self.client.get(self.url(path)).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }

    /// Asks it to end; the returned task ends with it.
    pub(crate) fn stop(mut self) -> JoinHandle<()> {
        drop(self.end.take());
        self.serving
    }
}

/// A request with the diff and tests that pass.
pub(crate) fn request(id: &str) -> Value {
    json!({
        "id": id,
        "change": {"kind": "diff", "data": DIFF},
        "tests": {"passed": 3, "failed": 0},
    })
}
