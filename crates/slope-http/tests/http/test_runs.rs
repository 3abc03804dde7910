//! Grades that wait for runs of tests. The runner here is a function.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use slope_grade::{Ended, Job, Ran, TestRules, TestRunner, TestService};
use slope_http::Settings;
use slope_model::grade::Fault;

use crate::common::{Running, request, start_with};

/// Takes a while, and passes unless it is broken.
#[derive(Default)]
struct Slow {
    runs: AtomicUsize,
    now: AtomicUsize,
    most: AtomicUsize,
    is_broken: AtomicBool,
}

struct Shared(Arc<Slow>);

const TIME: Duration = Duration::from_millis(300);

impl TestRunner for Shared {
    fn run(&self, _: &Job) -> Result<Ran, Fault> {
        let slow = &self.0;
        slow.runs.fetch_add(1, Ordering::SeqCst);
        let now = slow.now.fetch_add(1, Ordering::SeqCst) + 1;
        slow.most.fetch_max(now, Ordering::SeqCst);
        std::thread::sleep(TIME);
        slow.now.fetch_sub(1, Ordering::SeqCst);
        if slow.is_broken.load(Ordering::SeqCst) {
            return Err(Fault {
                field: "tests".to_owned(),
                message: "the sandbox is gone".to_owned(),
                help: String::new(),
            });
        }
        Ok(Ran {
            ended: Ended::Code(0),
            report: None,
            left_processes: 0,
            limits: Vec::new(),
            seconds: 0.3,
            output: String::new(),
        })
    }
}

async fn server() -> (Running, Arc<Slow>) {
    let slow = Arc::new(Slow::default());
    let rules = TestRules {
        from_requests: true,
        own: None,
        problems: [].into(),
        jobs: 2,
        timeout_s: 60.0,
    };
    let service = TestService::new(Box::new(Shared(slow.clone())), rules);
    (start_with(Settings::default(), Some(service)).await, slow)
}

/// A request whose tests are run, with a number that makes it differ from others.
fn to_run(id: &str, number: usize) -> Value {
    let mut request = request(id);
    request["tests"] = json!({"command": format!("test {number}")});
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_edits_share_a_run() {
    let (server, slow) = server().await;
    let lines: Vec<String> = (0..8)
        .map(|n| to_run(&format!("r{n}"), 0).to_string())
        .collect();
    let path = "/v1/score:batch?order=input";
    let (code, answer) = server.post(path, lines.join("\n")).await;
    assert_eq!(code, 200);
    for (n, line) in answer.lines().enumerate() {
        let grade: Value = serde_json::from_str(line).unwrap();
        assert_eq!(grade["id"], format!("r{n}"));
        assert_eq!(
            (&grade["reward"], &grade["tests"]["source"]),
            (&json!(1.0), &json!("run"))
        );
    }
    assert_eq!(slow.runs.load(Ordering::SeqCst), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_grades_do_not_wait_for_tests() {
    let (server, slow) = server().await;
    let lines: Vec<String> = (0..6).map(|n| to_run("slow", n).to_string()).collect();
    let (url, client) = (server.url("/v1/score:batch"), server.client.clone());
    let batch = tokio::spawn(async move {
        let answer = client.post(url).body(lines.join("\n")).send().await;
        answer.unwrap().text().await.unwrap()
    });
    while slow.now.load(Ordering::SeqCst) < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let begin = Instant::now();
    let (code, grade) = server.post_json("/v1/score", &request("quick")).await;
    assert_eq!((code, &grade["tests"]["source"]), (200, &json!("given")));
    assert!(begin.elapsed() < TIME * 2, "{:?}", begin.elapsed());
    assert_eq!(batch.await.unwrap().lines().count(), 6);
    assert_eq!(
        slow.most.load(Ordering::SeqCst),
        2,
        "as many runs as there are jobs"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn failure_of_the_sandbox_is_not_kept() {
    let (server, slow) = server().await;
    slow.is_broken.store(true, Ordering::SeqCst);
    let (code, grade) = server.post_json("/v1/score", &to_run("r", 0)).await;
    assert_eq!(
        (code, &grade["status"], &grade["reward"]),
        (200, &json!("error"), &Value::Null)
    );
    let (_, number) = server.post_json("/rm/slime", &json!({"response": request("r")["change"]["data"], "label": {"base": "app", "tests": {"command": "test 0"}}})).await;
    assert_eq!(
        number, 0.5,
        "a package that takes only numbers gets the middle"
    );
    slow.is_broken.store(false, Ordering::SeqCst);
    let (_, grade) = server.post_json("/v1/score", &to_run("r", 0)).await;
    assert_eq!(grade["reward"], 1.0);
}
