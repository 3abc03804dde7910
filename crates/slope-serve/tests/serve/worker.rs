//! Workers: what code in a request can do to the server, and what a worker can reach.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use slope_serve::{Program, Settings};

use crate::common::{Served, open_settings, served, worker};

/// Makes this process a worker. The servers of the tests start it.
#[test]
#[ignore = "the worker of other tests, which is no test itself"]
fn works_for_a_server() {
    slope_serve::serve().unwrap();
}

/// Settings with one worker, whose arguments have a mark.
fn settings(mark: &str) -> Settings {
    Settings {
        workers: 1,
        worker: worker(mark),
        ..open_settings()
    }
}

/// The folders in `/proc` of the processes with this mark in their arguments.
fn with_mark(mark: &str) -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").unwrap();
    let folders = processes.filter_map(|it| Some(it.ok()?.path()));
    let has_mark = |folder: &PathBuf| {
        let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0)
            .any(|word| word == mark.as_bytes())
    };
    folders.filter(has_mark).collect()
}

/// Waits until this number of processes has the mark.
async fn wait_for(mark: &str, count: usize) {
    for _ in 0..200 {
        if with_mark(mark).len() == count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("there are {:?}, not {count}", with_mark(mark));
}

/// Python with so many parameters, whose analysis takes long.
fn heavy(count: usize) -> Value {
    let names: Vec<String> = (0..count).map(|at| format!("p{at}")).collect();
    let text = format!("def f({}):\n    return 1\n", names.join(", "));
    json!({ "files": { "a.py": text } })
}

async fn measures(served: &Served) -> bool {
    let body = json!({ "files": { "a.py": "def f(x):\n    return x\n" } });
    served.post("/api/v1/measure", &body).await.status == 200
}

#[tokio::test]
async fn late_work_ends_at_limit() {
    let served = served(Settings {
        work_limit: Duration::from_millis(300),
        ..settings("late")
    })
    .await;
    let start = Instant::now();
    let answer = served.post("/api/v1/measure", &heavy(200_000)).await;
    assert_eq!(answer.status, 422, "{}", answer.text);
    assert!(answer.text.contains("takes longer"), "{}", answer.text);
    assert!(start.elapsed() < Duration::from_secs(20));
    wait_for("late", 0).await;
}

#[tokio::test]
async fn memory_of_work_is_limited() {
    let served = served(Settings {
        worker_bytes: 300 << 20,
        ..settings("greedy")
    })
    .await;
    assert!(measures(&served).await);
    let statements = "    f(a, b)\n".repeat(300_000);
    let text = format!("def f(a, b):\n{statements}");
    let large = json!({ "files": { "a.py": text, "b.py": text } });
    let answer = served.post("/api/v1/measure", &large).await;
    assert_eq!(answer.status, 422, "{}", answer.text);
    assert!(answer.text.contains("memory"), "{}", answer.text);
    assert!(measures(&served).await, "the next request has no worker");
}

#[tokio::test]
async fn memory_of_the_server_is_not_counted() {
    let served = served(Settings {
        worker_bytes: 300 << 20,
        ..settings("little")
    })
    .await;
    // The server uses more than its workers may.
    let large = vec![1_u8; 400 << 20];
    assert!(large.iter().all(|byte| *byte == 1));
    assert!(measures(&served).await);
}

#[tokio::test]
async fn missing_workers_are_no_fault_of_requests() {
    let served = served(Settings {
        worker: Program {
            path: "/bin/false".into(),
            args: Vec::new(),
        },
        ..settings("absent")
    })
    .await;
    let answer = served.post("/api/v1/measure", &heavy(1)).await;
    assert_eq!(answer.status, 503, "{}", answer.text);
    assert_eq!(answer.header("retry-after"), "10");
}

#[tokio::test]
async fn work_ends_with_its_client() {
    let served = served(settings("alone")).await;
    let body = heavy(400_000);
    let request = served.post("/api/v1/measure", &body);
    let waited = tokio::time::timeout(Duration::from_secs(1), request).await;
    assert!(waited.is_err(), "the code was too small for this test");
    wait_for("alone", 0).await;
}

#[tokio::test]
async fn workers_have_nothing_of_the_server() {
    let served = served(settings("bare")).await;
    assert!(measures(&served).await);
    wait_for("bare", 1).await;
    let worker = &with_mark("bare")[0];
    let environment = std::fs::read_to_string(worker.join("environ")).unwrap();
    let names = environment.split_terminator('\0');
    let names: Vec<&str> = names.filter_map(|it| Some(it.split_once('=')?.0)).collect();
    let known = ["TMPDIR", "SLOPE_WORKER_MEMORY", "RAYON_NUM_THREADS", "TZ"];
    assert!(names.iter().all(|name| known.contains(name)), "{names:?}");
    for file in std::fs::read_dir(worker.join("fd")).unwrap() {
        let to = std::fs::read_link(file.unwrap().path()).unwrap();
        let to = to.to_string_lossy().into_owned();
        let is_plain = to == "/dev/null" || to.starts_with("socket:");
        // Its own state, which says how much memory it uses.
        let is_state = to.starts_with("/proc/") && to.ends_with("/status");
        let is_own = is_plain || is_state || to.starts_with("anon_inode");
        assert!(is_own, "the worker has {to}");
    }
}

#[tokio::test]
async fn kept_bases_change_no_grade() {
    let grade = |id: &str, text: &str| {
        let change = json!({ "kind": "files", "data": { "a.py": text } });
        json!({
            "files": { "a.py": "def f(x):\n    return x\n" },
            "request": { "id": id, "change": change },
        })
    };
    let edits = ["def f(x):\n    return x + 1\n", "x = 1\n", "def f(:\n"];
    let long = served(settings("long")).await;
    for (at, edit) in edits.iter().enumerate() {
        let body = grade(&at.to_string(), edit);
        let kept = long.post("/api/v1/grade", &body).await;
        let new = served(settings("new")).await;
        let new = new.post("/api/v1/grade", &body).await;
        assert_eq!(kept.status, 200, "{}", kept.text);
        assert_eq!(kept.text, new.text);
    }
    wait_for("long", 1).await;
}
