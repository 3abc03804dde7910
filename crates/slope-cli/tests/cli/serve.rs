//! `slope serve` as a process of its own: what a client sees, and what is left after it was killed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{run, slope, stderr, stdout, text, whole};

/// How often the server is killed while points arrive, on each change and in `.ci/nightly`.
const KILLS: [u32; 2] = [6, 50];

/// A server that is killed at the end.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
}

impl Serving {
    /// A server of the data in a folder, or of a database.
    pub(crate) fn start(folder: &Path, database: Option<&str>, more: &[&str]) -> Self {
        let mut command = slope();
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data", "data"])
            .args(more)
            .current_dir(folder)
            .stderr(Stdio::piped());
        if let Some(database) = database {
            command.args(["--database", database]);
        }
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("http://");
        let address = address.unwrap_or_else(|| panic!("{line}")).1.to_owned();
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        Self { child, address }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Status and body of an answer; `None` if the connection broke.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build()
            .into();
        let sent = match method {
            "GET" => agent.get(self.url(path)).call(),
            method => {
                let request = match method {
                    "PUT" => agent.put(self.url(path)),
                    _ => agent.post(self.url(path)),
                };
                request
                    .header("content-type", "application/json")
                    .send(body.to_string())
            }
        };
        let mut answer = sent.ok()?;
        let text = answer.body_mut().read_to_string().ok()?;
        let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Some((answer.status().as_u16(), value))
    }

    pub(crate) fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs the binary in a folder.
fn run_in(folder: &Path, args: &[&str]) -> Output {
    slope().args(args).current_dir(folder).output().unwrap()
}

fn point(iteration: u32) -> Value {
    let totals = slope_model::metrics::Totals::default();
    json!({
        "schema": "slope.point/1",
        "series": "main",
        "time": "2026-11-30T00:00:00Z",
        "iteration": iteration,
        "origin": "ci",
        "tree": "0",
        "engine": "slope",
        "definitions": "d",
        "totals": totals,
    })
}

/// Sends one point after the other while the server is killed and started again. Each point that was accepted is there
/// once.
fn survives_kills(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let kills = KILLS[usize::from(whole())];
    let mut accepted = Vec::new();
    let mut next = 0;
    for round in 0..kills {
        let mut serving = Serving::start(folder.path(), database, &[]);
        if round == 0 {
            let added = serving.ask("POST", "/api/v1/projects", &json!({ "name": "p" }));
            assert_eq!(added.unwrap().0, 201);
        }
        let pid = serving.child.id().to_string();
        let killer = std::thread::spawn(move || {
            sleep(Duration::from_millis(150 + u64::from(round * 37 % 200)));
            let killed = Command::new("kill").args(["-9", &pid]).status();
            assert!(killed.unwrap().success());
        });
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(10) {
            let body = json!({ "points": [point(next)] });
            let Some((status, answer)) = serving.ask("POST", "/api/v1/projects/p/points", &body)
            else {
                // It may have arrived or not, so it is sent again.
                break;
            };
            assert_eq!(status, 200, "{answer}");
            accepted.push(next);
            next += 1;
        }
        killer.join().unwrap();
        serving.kill();
    }
    let serving = Serving::start(folder.path(), database, &[]);
    let (_, kept) = serving
        .ask(
            "GET",
            "/api/v1/projects/p/series/main/summaries",
            &Value::Null,
        )
        .unwrap();
    let mut kept: Vec<u64> = kept["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["iteration"].as_u64().unwrap())
        .collect();
    // The last one may have arrived without an answer.
    kept.retain(|it| *it < u64::from(next));
    let accepted: Vec<u64> = accepted.into_iter().map(u64::from).collect();
    assert!(
        accepted.len() > kills as usize,
        "too few points to say anything: {accepted:?}"
    );
    assert_eq!(kept, accepted);
}

#[test]
fn accepted_points_survive_kills_on_sqlite() {
    survives_kills(None);
}

#[test]
fn accepted_points_survive_kills_on_postgres() {
    let Some(database) = slope_testkit::postgres::new_database() else {
        println!("skipped: PostgreSQL is not installed");
        return;
    };
    survives_kills(Some(&database));
}

#[test]
fn operators_manage_projects_and_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| run_in(folder.path(), &[&["serve"], args].concat());
    let added = run(&["project", "add", "shop", "--title", "The shop"]);
    assert!(added.status.success(), "{}", stderr(&added));
    let again = run(&["project", "add", "shop"]);
    assert_eq!(again.status.code(), Some(2), "{}", stderr(&again));
    let token = run(&[
        "token",
        "add",
        "--project",
        "shop",
        "--scope",
        "push",
        "--format",
        "json",
    ]);
    let token: Value = serde_json::from_str(&stdout(&token)).unwrap();
    let id = token["id"].as_str().unwrap();
    assert!(token["secret"].as_str().unwrap().starts_with("slope_"));
    let listed = stdout(&run(&["token", "list"]));
    assert!(
        listed.contains(id) && !listed.contains("slope_"),
        "{listed}"
    );
    assert!(run(&["token", "revoke", id]).status.success());
    let unknown = run(&["token", "revoke", "nobody"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stdout(&run(&["token", "list"])).contains("revoked"));
}

#[test]
fn tokens_are_needed_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(folder.path(), None, &["--require-token"]);
    let (status, problem) = serving
        .ask("GET", "/api/v1/projects", &Value::Null)
        .unwrap();
    assert_eq!((status, &problem["status"]), (401, &json!(401)));
    let (status, health) = serving.ask("GET", "/api/v1/health", &Value::Null).unwrap();
    assert_eq!((status, &health["status"]), (200, &json!("ok")));
}

#[test]
fn damaged_databases_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let file = folder.path().join("data/slope.db");
    std::fs::write(&file, [7; 8192]).unwrap();
    let refused = run_in(
        folder.path(),
        &["serve", "--data", "data", "--listen", "127.0.0.1:0"],
    );
    assert_eq!(refused.status.code(), Some(2));
    let said = stderr(&refused);
    assert!(
        said.contains("damaged") && said.contains("help: "),
        "{said}"
    );
    assert_eq!(std::fs::read(&file).unwrap(), [7; 8192]);
}

#[test]
fn passwords_of_addresses_are_not_repeated() {
    let dir = tempfile::tempdir().unwrap();
    for address in [
        "http://user:pw-1@host",
        "ftp://user:pw-1@host",
        "user:pw-1@host",
    ] {
        let of_postgres = address.replace("http", "postgres");
        let track = ["track", "push", text(dir.path()), "--project", "p"];
        let database = ["serve", "token", "list"];
        let all = [
            [&track[..], &["--server", address]].concat(),
            [&database[..], &["--database", address]].concat(),
            [&database[..], &["--database", &of_postgres]].concat(),
        ];
        for args in all {
            let said = stderr(&run(&args));
            assert!(
                !said.is_empty() && !said.contains("pw-1"),
                "{args:?}: {said}"
            );
        }
    }
}
