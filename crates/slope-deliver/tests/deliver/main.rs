//! Messages arrive once, in order, also after outages.

#![allow(clippy::unwrap_used, reason = "tests")]

mod receiver;

use std::sync::{Arc, Mutex};

use receiver::{Receiver, Request};
use serde_json::{Value, json};
use slope_deliver::{Channel, Kind, Message, Outbox, deliver, probe};

const NOW: i64 = 1_800_000_000;
const HOUR: i64 = 3600;

fn message(kind: Kind, date: &str, end: &str) -> Message {
    Message {
        id: format!("main.pass-rate.2026-11-02.{end}"),
        kind,
        date: date.to_owned(),
        watch: "nightly".to_owned(),
        alarm: Some("main.pass-rate.2026-11-02".to_owned()),
        title: format!("nightly: {end} <b>"),
        lines: vec!["The pass rate fell & <script>.".to_owned()],
        details: None,
    }
}

fn story() -> Vec<Message> {
    vec![
        message(Kind::Raised, "2026-11-02", "raised"),
        message(Kind::Confirmed, "2026-11-04", "confirmed"),
        message(Kind::Recovered, "2026-11-09", "recovered"),
    ]
}

fn webhook(url: &str) -> Channel {
    Channel::Webhook {
        url: format!("{url}/hook"),
        secret: Some(b"secret".to_vec()),
    }
}

#[test]
fn messages_arrive_once_and_in_order() {
    let receiver = Receiver::new(|_| (200, String::new()));
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "hook");
    outbox.add(&story()[..1], "2026-11-02").unwrap();
    let first = deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    assert_eq!((first.sent, first.waiting), (1, 0));
    for _ in 0..2 {
        outbox.add(&story(), "2026-11-09").unwrap();
        deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    }
    let seen = receiver.seen();
    let types: Vec<Value> = seen.iter().map(|it| it.json()["type"].clone()).collect();
    let wanted = [
        "watch.alarm.raised",
        "watch.alarm.confirmed",
        "watch.alarm.recovered",
    ];
    assert_eq!(types, wanted);
    assert!(seen[0].header("webhook-signature").starts_with("v1,"));
    assert_eq!(
        seen[0].header("webhook-id"),
        "nightly.main.pass-rate.2026-11-02.raised"
    );
    assert_eq!(seen[0].header("webhook-timestamp"), NOW.to_string());
}

#[test]
fn outage_of_a_day_loses_nothing() {
    let receiver = Receiver::new(|_| (503, "down".to_owned()));
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "hook");
    outbox.add(&[], "2026-11-01").unwrap();
    outbox.add(&story(), "2026-11-09").unwrap();
    for hour in 0..24 {
        let done = deliver(&outbox, &webhook(&receiver.url), NOW + hour * HOUR).unwrap();
        assert_eq!((done.sent, done.waiting), (0, 3));
        assert_eq!(done.fault.as_deref(), Some("status 503: down"));
    }
    let tries = receiver.seen().len();
    assert!(tries < 16, "{tries} tries: the waits grow");
    receiver.now(|_| (204, String::new()));
    let done = deliver(&outbox, &webhook(&receiver.url), NOW + 48 * HOUR).unwrap();
    assert_eq!((done.sent, done.waiting), (3, 0));
    assert_eq!(receiver.seen().len(), tries + 3);
}

#[test]
fn messages_of_a_day_keep_order() {
    let receiver = Receiver::new(|_| (200, String::new()));
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "hook");
    let day = "2026-11-02";
    let both = [
        message(Kind::Confirmed, day, "confirmed"),
        message(Kind::Raised, day, "raised"),
    ];
    outbox.add(&both, day).unwrap();
    deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    let seen = receiver.seen();
    let types: Vec<Value> = seen.iter().map(|it| it.json()["type"].clone()).collect();
    assert_eq!(types, ["watch.alarm.raised", "watch.alarm.confirmed"]);
}

#[test]
fn damaged_files_are_set_aside() {
    let receiver = Receiver::new(|_| (200, String::new()));
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "hook");
    outbox.add(&story()[..1], "2026-11-02").unwrap();
    for (name, text) in [("x.json", ""), ("y.json", "{}")] {
        std::fs::write(dir.path().join("hook").join(name), text).unwrap();
    }
    let done = deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    assert_eq!((done.sent, done.damaged.len()), (1, 2));
    let again = deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    assert!(again.damaged.is_empty());
}

#[test]
fn any_answer_of_success_is_enough() {
    for body in ["x".repeat(5 << 20), "not JSON".to_owned()] {
        let receiver = Receiver::new(move |_| (200, body.clone()));
        probe(&webhook(&receiver.url), &story()[0], NOW).unwrap();
    }
}

#[test]
fn faults_hide_secrets_that_receivers_repeat() {
    let receiver = Receiver::new(|request| {
        (
            401,
            format!("no {} {}", request.header("authorization"), request.path),
        )
    });
    let github = Channel::Github {
        url: receiver.url.clone(),
        token: "ghp_TOKEN".to_owned(),
    };
    let slack = Channel::Slack {
        url: format!("{}/services/T0AAAA/B0BBBB/ghp_TOKEN", receiver.url),
    };
    for channel in [github, slack] {
        let fault = probe(&channel, &story()[0], NOW).unwrap_err();
        assert!(
            fault.contains("401") && !fault.contains("ghp_TOKEN"),
            "{fault}"
        );
    }
}

#[test]
fn clock_moved_back_delays_nothing() {
    let receiver = Receiver::new(|_| (500, String::new()));
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "hook");
    outbox.add(&story()[..1], "2026-11-02").unwrap();
    deliver(&outbox, &webhook(&receiver.url), NOW + 1000 * HOUR).unwrap();
    receiver.now(|_| (200, String::new()));
    let done = deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    assert_eq!((done.sent, done.waiting), (1, 0));
}

#[test]
fn new_receivers_get_no_old_messages() {
    let receiver = Receiver::new(|_| (200, String::new()));
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "hook");
    outbox.add(&story(), "2026-11-09").unwrap();
    let done = deliver(&outbox, &webhook(&receiver.url), NOW).unwrap();
    assert_eq!((done.sent, done.waiting), (1, 0));
    assert_eq!(receiver.seen()[0].json()["data"]["date"], "2026-11-09");
}

#[test]
fn slack_texts_have_no_markup_of_names() {
    let receiver = Receiver::new(|_| (200, "ok".to_owned()));
    let channel = Channel::Slack {
        url: receiver.url.clone(),
    };
    probe(&channel, &story()[0], NOW).unwrap();
    let text = receiver.seen()[0].json()["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        text.contains("&lt;script&gt;") && !text.contains("<b>"),
        "{text}"
    );
}

#[test]
fn faults_do_not_name_secret_addresses() {
    let receiver = Receiver::new(|_| (200, String::new()));
    let secret = "T0/B0/secretpart";
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    for url in [
        format!("http://{closed}/{secret}"),
        format!("http://no.invalid/{secret}"),
    ] {
        let fault = probe(&Channel::Slack { url }, &story()[0], NOW).unwrap_err();
        assert!(!fault.contains("secretpart"), "{fault}");
    }
    drop(receiver);
}

/// Issues and comments of a repository, as far as messages need them.
#[derive(Default)]
struct Repository {
    issues: Vec<(Value, Vec<Value>)>,
    /// Requests that end without an answer to the sender, although they were done.
    lost: usize,
}

impl Repository {
    fn answer(&mut self, request: &Request) -> (u16, String) {
        assert_eq!(request.header("authorization"), "Bearer t0ken");
        let path = request.path.split('?').next().unwrap().to_owned();
        let parts: Vec<&str> = path
            .trim_start_matches("/repos/o/r/issues")
            .split('/')
            .collect();
        let number = parts.get(1).and_then(|part| part.parse::<usize>().ok());
        let done = match (request.method.as_str(), number) {
            ("GET", None) => json!(
                self.issues
                    .iter()
                    .map(|it| it.0.clone())
                    .collect::<Vec<_>>()
            ),
            ("GET", Some(number)) => json!(self.issues[number - 1].1),
            ("POST", None) => {
                let mut issue = request.json();
                issue["number"] = json!(self.issues.len() + 1);
                issue["state"] = json!("open");
                self.issues.push((issue.clone(), Vec::new()));
                issue
            }
            ("POST", Some(number)) => {
                self.issues[number - 1].1.push(request.json());
                json!({})
            }
            (_, Some(number)) => {
                self.issues[number - 1].0["state"] = request.json()["state"].clone();
                json!({})
            }
            other => panic!("{other:?}"),
        };
        if request.method == "POST" && self.lost > 0 {
            self.lost -= 1;
            return (502, "lost".to_owned());
        }
        (200, done.to_string())
    }
}

#[test]
fn alarm_has_one_issue_with_comments() {
    let repository = Arc::new(Mutex::new(Repository {
        // Each request of the first tries is done, and its answer is lost.
        lost: 2,
        ..Repository::default()
    }));
    let shared = repository.clone();
    let receiver = Receiver::new(move |request| shared.lock().unwrap().answer(request));
    let channel = Channel::Github {
        url: format!("{}/repos/o/r", receiver.url),
        token: "t0ken".to_owned(),
    };
    let dir = tempfile::tempdir().unwrap();
    let outbox = Outbox::at(dir.path(), "issues");
    outbox.add(&[], "2026-11-01").unwrap();
    outbox.add(&story(), "2026-11-09").unwrap();
    for hour in 0..4 {
        deliver(&outbox, &channel, NOW + hour * HOUR).unwrap();
    }
    let repository = repository.lock().unwrap();
    assert_eq!(repository.issues.len(), 1);
    let (issue, comments) = &repository.issues[0];
    assert_eq!(
        (comments.len(), issue["state"].as_str()),
        (2, Some("closed"))
    );
    assert!(!issue["body"].as_str().unwrap().contains("<script>"));
}
