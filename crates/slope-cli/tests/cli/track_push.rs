//! `slope track push` to servers that answer well, badly or not at all.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use slope_testkit::git::{commit, repository};
use tempfile::TempDir;

use crate::common::{run, slope, stderr, stdout, text};
use crate::model_server::{Said, Server};
use crate::track::{added, sloppy};

/// The points that a server has, by series and key.
type Points = Arc<Mutex<BTreeMap<String, Value>>>;

/// The answer of the push API.
fn stored(points: &Points, body: &str) -> Said {
    let sent: Value = serde_json::from_str(body).unwrap();
    let mut known = points.lock().unwrap();
    let results = sent["points"].as_array().unwrap().iter().map(|point| {
        let key = format!("iteration-{}", point["iteration"]);
        let name = format!("{}/{key}", point["series"].as_str().unwrap());
        let outcome = match known.get(&name) {
            None => "stored",
            Some(old) if old == point => "same",
            Some(_) => "conflict",
        };
        known.entry(name).or_insert_with(|| point.clone());
        json!({"series": point["series"], "key": key, "outcome": outcome})
    });
    let results: Vec<Value> = results.collect();
    Said::Whole(200, json!({ "results": results }).to_string())
}

/// A project with points of two iterations.
fn project() -> TempDir {
    let repo = repository(&[("app.py", sloppy("price"))]);
    added(repo.path(), &["--iteration", "1"]);
    commit(repo.path(), &[("cost.py", &sloppy("cost"))]);
    added(repo.path(), &["--iteration", "2"]);
    repo
}

fn push_with(at: &Path, server: &str, args: &[&str]) -> Output {
    run(&[
        &[
            "track",
            "push",
            text(at),
            "--server",
            server,
            "--project",
            "shop",
        ],
        args,
    ]
    .concat())
}

fn push(at: &Path, server: &Server) -> Output {
    push_with(at, &server.address, &[])
}

#[track_caller]
fn ended(output: &Output, code: i32, words: &str) {
    let all = format!("{}{}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{all}");
    assert!(all.contains(words), "{words}: {all}");
}

#[test]
fn points_are_sent_once() {
    let repo = project();
    let points = Points::default();
    let known = points.clone();
    let server = Server::start(move |_, body| stored(&known, body));
    ended(&push(repo.path(), &server), 0, "2 points sent");
    ended(&push(repo.path(), &server), 0, "has all points");
    assert_eq!(server.requests().len(), 1, "nothing is pending");
    assert!(server.heads()[0].starts_with("POST /api/v1/projects/shop/points HTTP/1.1"));
    assert_eq!(points.lock().unwrap().len(), 2);
    let changed = slope_testkit::git::git(repo.path(), &["status", "--porcelain"]);
    assert!(!changed.contains("pushed"), "{changed}");
}

#[test]
fn unreachable_server_keeps_points() {
    let repo = project();
    let at = repo.path();
    // Nobody listens at this port any more.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", gone.local_addr().unwrap());
    drop(gone);
    let args = [
        "--iteration",
        "3",
        "--push",
        "--server",
        &address,
        "--project",
        "shop",
    ];
    let output = run(&[&["track", "add", text(at)], &args[..]].concat());
    ended(&output, 4, "3 points kept and not sent");
    let points = Points::default();
    let known = points.clone();
    let server = Server::start(move |_, body| stored(&known, body));
    ended(&push(at, &server), 0, "3 points sent");
}

#[test]
fn failed_requests_are_tried_again() {
    for first in ["500", "half"] {
        let repo = project();
        let points = Points::default();
        let known = points.clone();
        let server = Server::start(move |number, body| match (number, first) {
            (1, "500") => Said::Whole(500, String::new()),
            // The server has the points, but its answer gets lost.
            (1, _) => {
                stored(&known, body);
                Said::Half
            }
            _ => stored(&known, body),
        });
        let words = if first == "500" {
            "2 points sent"
        } else {
            "2 already there"
        };
        ended(&push(repo.path(), &server), 0, words);
        assert_eq!(points.lock().unwrap().len(), 2);
    }
}

#[test]
fn broken_servers_leave_points_pending() {
    let fit = json!({"results": [{"series": "main", "key": "iteration-9", "outcome": "stored"}]});
    let problem = json!({"title": "Unauthorized", "detail": "the token was revoked"});
    for (status, body, words) in [
        (401, problem.to_string(), "the token was revoked"),
        (404, String::new(), "--project"),
        (500, "<html>".to_owned(), "status 500"),
        (200, "prose".to_owned(), "does not fit"),
        (200, fit.to_string(), "2 points were sent, and 1 answered"),
    ] {
        let repo = project();
        let server = Server::start(move |_, _| Said::Whole(status, body.clone()));
        let output = push(repo.path(), &server);
        ended(&output, 4, words);
        ended(&output, 4, "2 points kept and not sent");
    }
}

#[test]
fn one_refused_point_keeps_no_other_back() {
    let repo = project();
    let points = Points::default();
    let known = points.clone();
    let server = Server::start(move |_, body| match body.contains("\"iteration\":2") {
        true => Said::Whole(422, json!({"detail": "worst: too long"}).to_string()),
        false => stored(&known, body),
    });
    let output = push(repo.path(), &server);
    ended(&output, 4, "worst: too long");
    ended(&output, 4, "1 point kept and not sent");
    assert_eq!(points.lock().unwrap().len(), 1);
}

#[test]
fn conflicts_are_reported_until_they_are_resolved() {
    let repo = project();
    let points = Points::default();
    points
        .lock()
        .unwrap()
        .insert("main/iteration-1".to_owned(), json!({}));
    let known = points.clone();
    let server = Server::start(move |_, body| stored(&known, body));
    ended(
        &push(repo.path(), &server),
        1,
        "other numbers for iteration-1",
    );
    ended(
        &push(repo.path(), &server),
        1,
        "other numbers for iteration-1",
    );
    points.lock().unwrap().remove("main/iteration-1");
    ended(&push(repo.path(), &server), 0, "1 point sent");
    // A point that was replaced is another one.
    commit(repo.path(), &[("app.py", sloppy("other"))]);
    added(repo.path(), &["--iteration", "2", "--replace"]);
    ended(
        &push(repo.path(), &server),
        1,
        "other numbers for iteration-2",
    );
}

#[test]
fn killed_push_is_completed_next_time() {
    let repo = project();
    let at = repo.path();
    let points = Points::default();
    let known = points.clone();
    let server = Server::start(move |number, body| {
        let answer = stored(&known, body);
        if number == 1 {
            // The client is killed meanwhile.
            std::thread::sleep(Duration::from_secs(20));
        }
        answer
    });
    let args = [
        "track",
        "push",
        text(at),
        "--server",
        &server.address,
        "--project",
        "shop",
    ];
    let mut client = slope().args(args).spawn().unwrap();
    let start = Instant::now();
    while points.lock().unwrap().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(60), "no request");
        std::thread::sleep(Duration::from_millis(10));
    }
    client.kill().unwrap();
    client.wait().unwrap();
    ended(&push(at, &server), 0, "2 already there");
    ended(&push(at, &server), 0, "has all points");
    assert_eq!(points.lock().unwrap().len(), 2);
}

#[test]
fn tokens_go_to_the_named_server_only() {
    let repo = project();
    let at = repo.path();
    let other = Server::start(|_, _| Said::Whole(200, String::new()));
    let target = other.address.clone();
    let server = Server::start(move |_, _| Said::Elsewhere(target.clone()));
    let push = |server: &str, args: &[&str]| {
        let named = [
            "track",
            "push",
            text(at),
            "--server",
            server,
            "--project",
            "shop",
        ];
        let mut command = slope();
        command.env("SLOPE_TOKEN", "t0ken").args(named).args(args);
        command.output().unwrap()
    };
    ended(&push(&server.address, &[]), 4, "redirects to");
    assert!(
        server.heads()[0]
            .to_lowercase()
            .contains("authorization: bearer t0ken")
    );
    assert_eq!(other.heads(), Vec::<String>::new());
    ended(&push("http://slope.invalid", &[]), 2, "--insecure-http");
    ended(
        &push(&server.address, &["--token-env", "NO_SUCH_TOKEN"]),
        2,
        "NO_SUCH_TOKEN",
    );
    ended(&push("ftp://a.example", &[]), 2, "https://");
}

#[test]
fn damaged_notes_about_servers_have_a_remedy() {
    let repo = project();
    let points = Points::default();
    let known = points.clone();
    let server = Server::start(move |_, body| stored(&known, body));
    ended(&push(repo.path(), &server), 0, "2 points sent");
    let folder = repo.path().join(".git/slope/pushed");
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path());
    let file = files.filter(|it| it.extension().is_some_and(|it| it == "json"));
    let file = file.last().unwrap();
    std::fs::write(&file, "{\n").unwrap();
    ended(&push(repo.path(), &server), 2, "remove the file");
    std::fs::remove_file(&file).unwrap();
    ended(&push(repo.path(), &server), 0, "2 already there");
}
