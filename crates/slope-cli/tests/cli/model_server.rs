//! A server of a model that answers as a test says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What a server answers to a request, by its number and its text.
type Answers = dyn Fn(usize, &str) -> Said + Send + Sync;

pub(crate) enum Said {
    /// A status and a body.
    Whole(u16, String),
    /// The beginning of an answer that breaks off.
    Half,
    /// A redirect to an address.
    Elsewhere(String),
}

/// A server of a model, and the requests that it got.
pub(crate) struct Server {
    pub(crate) address: String,
    seen: Arc<Mutex<Vec<String>>>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(answers: impl Fn(usize, &str) -> Said + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::<Mutex<Vec<String>>>::default();
        let kept = seen.clone();
        let heads = Arc::<Mutex<Vec<String>>>::default();
        let kept_heads = heads.clone();
        let answers: Arc<Answers> = Arc::new(answers);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, answers) = (kept.clone(), answers.clone());
                let heads = kept_heads.clone();
                std::thread::spawn(move || answer(stream, (&kept, &heads), &*answers));
            }
        });
        Self {
            address,
            seen,
            heads,
        }
    }

    /// The first lines and headers of the requests.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

fn answer(
    stream: TcpStream,
    (seen, heads): (&Mutex<Vec<String>>, &Mutex<Vec<String>>),
    answers: &Answers,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut line, mut length, mut head) = (String::new(), 0, String::new());
    loop {
        line.clear();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if let Some(number) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = number.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let body = String::from_utf8(body).unwrap();
    heads.lock().unwrap().push(head);
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(body.clone());
        seen.len()
    };
    let mut stream = stream;
    let sent = match answers(number, &body) {
        Said::Whole(status, body) => format!(
            "HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\nretry-after: 0\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        ),
        Said::Elsewhere(address) => format!(
            "HTTP/1.1 307 Elsewhere\r\nlocation: {address}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        ),
        Said::Half => "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"cont".to_owned(),
    };
    drop(stream.write_all(sent.as_bytes()));
}
