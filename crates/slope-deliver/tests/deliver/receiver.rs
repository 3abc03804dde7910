//! A receiver of messages that does what a test says.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use serde_json::Value;

/// A request that arrived.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}

type Answer = Box<dyn FnMut(&Request) -> (u16, String) + Send>;

/// A server on this machine.
pub(crate) struct Receiver {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Request>>>,
    answer: Arc<Mutex<Answer>>,
}

impl Receiver {
    /// A receiver that answers each request with `answer`.
    pub(crate) fn new(answer: impl FnMut(&Request) -> (u16, String) + Send + 'static) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let answer: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Box::new(answer)));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (kept, answers) = (seen.clone(), answer.clone());
        let respond = move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| async move {
            let request = Request {
                method: method.to_string(),
                path: uri.to_string(),
                headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
            };
            let (status, text) = (answers.lock().unwrap())(&request);
            kept.lock().unwrap().push(request);
            (StatusCode::from_u16(status).unwrap(), text)
        };
        std::thread::spawn(move || {
            let mut builder = tokio::runtime::Builder::new_current_thread();
            builder.enable_all().build().unwrap().block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, Router::new().fallback(respond))
                    .await
                    .unwrap();
            });
        });
        Self { url, seen, answer }
    }

    /// The requests so far.
    pub(crate) fn seen(&self) -> Vec<Request> {
        self.seen.lock().unwrap().clone()
    }

    /// Answers in another way from now on.
    pub(crate) fn now(&self, answer: impl FnMut(&Request) -> (u16, String) + Send + 'static) {
        *self.answer.lock().unwrap() = Box::new(answer);
    }
}
