//! `slope grade serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::common::{slope, stderr};

/// A server that is killed at the end.
struct Serving {
    child: Child,
    address: String,
    said: BufReader<std::process::ChildStderr>,
}

impl Serving {
    fn start(folder: &std::path::Path) -> Self {
        let mut child = slope()
            .args([
                "grade",
                "serve",
                "--base",
                "app=.",
                "--listen",
                "127.0.0.1:0",
            ])
            .current_dir(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("http://").unwrap().1.to_owned();
        line.clear();
        said.read_line(&mut line).unwrap();
        assert!(
            line.starts_with("slope: base app is open: 1 file, blake3:"),
            "{line}"
        );
        Self {
            child,
            address,
            said,
        }
    }

    /// The answer to a POST, with its head.
    fn post(&self, path: &str, body: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(
            socket,
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn base() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("app.py"),
        "def f(x):\n    return x + 1\n",
    )
    .unwrap();
    folder
}

#[test]
fn server_grades_and_ends_on_sigterm() {
    let folder = base();
    let mut serving = Serving::start(folder.path());
    let request = r#"{"id":"r1","change":{"kind":"files","data":{"app.py":"def f(x):\n    return x + 2\n"}},"tests":{"passed":1}}"#;
    let answer = serving.post("/v1/score", request);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains(r#""reward":1.0"#), "{answer}");
    let pid = serving.child.id().to_string();
    assert!(Command::new("kill").arg(&pid).status().unwrap().success());
    let mut rest = String::new();
    serving.said.read_to_string(&mut rest).unwrap();
    assert!(
        rest.contains("ending after the requests in flight"),
        "{rest}"
    );
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
}

#[test]
fn unsafe_or_wrong_settings_are_refused() {
    let folder = base();
    for (args, said) in [
        (
            &["--base", ".", "--listen", "0.0.0.0:0"][..],
            "--token-file",
        ),
        (
            &["--base", "nothing", "--listen", "127.0.0.1:0"][..],
            "could not read nothing",
        ),
        (
            &[
                "--base",
                "a=.",
                "--base",
                "a=app.py",
                "--listen",
                "127.0.0.1:0",
            ][..],
            "help:",
        ),
        (
            &["--base", ".", "--token-file", "none.txt"][..],
            "could not read none.txt",
        ),
    ] {
        let mut command = slope();
        command.args(["grade", "serve"]).args(args);
        let output = command.current_dir(folder.path()).output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(said), "{args:?}: {message}");
    }
}
