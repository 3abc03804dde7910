//! A tiny HTTP server on a thread: answers a list of requests in order and keeps them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// One answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) kind: &'static str,
    pub(crate) extra: &'static str,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(body: &Value) -> Self {
        Self {
            status: 200,
            kind: "application/json",
            extra: "",
            body: body.to_string(),
        }
    }

    pub(crate) fn events(events: &[Value]) -> Self {
        let body = events
            .iter()
            .map(|event| format!("event: x\ndata: {event}\n\n"))
            .collect();
        Self {
            status: 200,
            kind: "text/event-stream; charset=utf-8",
            extra: "",
            body,
        }
    }

    pub(crate) fn refusal(status: u16, words: &str) -> Self {
        let body = json!({"type": "error", "error": {"type": "t", "message": words}});
        Self {
            status,
            ..Self::json(&body)
        }
    }

    pub(crate) fn done(mut self) -> Self {
        self.body.push_str("data: [DONE]\n\n");
        self
    }
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: Value,
}

pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Serves these answers, then refuses with 418.
    pub(crate) fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            let mut answers = answers.into_iter();
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&mut stream);
                kept.lock().unwrap().push(request);
                let answer = answers
                    .next()
                    .unwrap_or_else(|| Answer::refusal(418, "no more"));
                let head = format!(
                    "HTTP/1.1 {} X\r\ncontent-type: {}\r\nconnection: close\r\n{}\
                     content-length: {}\r\n\r\n",
                    answer.status,
                    answer.kind,
                    answer.extra,
                    answer.body.len()
                );
                // The client may have gone.
                drop(stream.write_all(head.as_bytes()));
                drop(stream.write_all(answer.body.as_bytes()));
            }
        });
        Self { url, requests }
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn read(stream: &mut TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let path = line.split(' ').nth(1).unwrap_or("").to_owned();
    let mut headers = Vec::new();
    let mut length = 0;
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let header = line.trim().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        headers.push(header);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Request {
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap(),
    }
}
