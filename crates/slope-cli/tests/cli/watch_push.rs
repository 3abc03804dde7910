//! `slope watch push` and `slope watch acknowledge`: days and notes reach a real server, each once.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use serde_json::{Value, json};
use slope_watch::demo::{Degradation, Demo, days};
use slope_watch::{Layer, WatchFolder};
use tempfile::TempDir;

use crate::common::{run, run_json, sandbox_or_skip, slope, stderr, stdout, text};
use crate::serve::Serving;
use crate::watch::Watched;

/// Days of a simulated watch.
const DAYS: usize = 45;

/// A watch with simulated days, and a server with the project `shop`.
struct Pushed {
    dir: TempDir,
    folder: PathBuf,
    serving: Serving,
}

impl Pushed {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("nightly");
        with_days(&folder, DAYS);
        let serving = Serving::start(dir.path(), None, &[]);
        let added = serving.ask("POST", "/api/v1/projects", &json!({ "name": "shop" }));
        assert_eq!(added.unwrap().0, 201);
        Self {
            dir,
            folder,
            serving,
        }
    }

    fn args(&self) -> Vec<String> {
        let args = ["watch", "push", text(&self.folder), "--project", "shop"];
        let mut args = Vec::from(args.map(str::to_owned));
        args.extend(["--server".to_owned(), self.serving.url("")]);
        args
    }

    fn push(&self) -> Output {
        slope().args(self.args()).output().unwrap()
    }

    #[track_caller]
    fn get(&self, path: &str) -> Value {
        let (status, answer) = self.serving.ask("GET", path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    fn known_days(&self) -> u64 {
        let watches = self.get("/api/v1/projects/shop/watches");
        watches["items"][0]["days"].as_u64().unwrap_or(0)
    }

    /// The open alarm of the pass rate on the server.
    fn alarm(&self) -> Value {
        let alarms = self.get("/api/v1/projects/shop/alarms");
        let all = alarms["items"].as_array().unwrap();
        let is_rate = |one: &&Value| one["alarm"]["measure"] == "pass-rate";
        all.iter().find(is_rate).unwrap().clone()
    }

    fn status(&self) -> Output {
        run(&["watch", "status", text(&self.folder)])
    }
}

/// A watch whose assistant gets worse after two thirds of the days.
fn with_days(folder: &Path, count: usize) {
    std::fs::create_dir_all(folder).unwrap();
    let settings = "tasks = [\"python/a/b\"]\n[baseline]\ndays = 10\n\
        [arms.main]\nagent = \"simulated\"\nmodel = \"m\"\nupstream = \"https://secret.example\"\n\
        key-env = \"SECRET_KEY\"\nprompt = \"secret-prompt\"\n";
    std::fs::write(folder.join("watch.toml"), settings).unwrap();
    let simulated = days(&Demo {
        first: jiff::civil::date(2026, 9, 1),
        days: count,
        tasks: (0..24)
            .map(|at| format!("python/p{}/step_{at}", at % 4))
            .collect(),
        baseline_days: 10,
        degradation: Some(Degradation {
            day: 28,
            until: None,
            drop: 0.4,
            tokens: 0.5,
            layer: Layer::Model,
        }),
        invalid: vec![12],
        missed: Vec::new(),
        seed: 1,
    });
    let kept = WatchFolder::at(folder);
    for day in simulated {
        kept.keep(day.date.parse().unwrap(), &day).unwrap();
    }
}

#[track_caller]
fn ended(output: &Output, code: i32, words: &str) {
    let all = format!("{}{}", stdout(output), stderr(output));
    assert_eq!(output.status.code(), Some(code), "{all}");
    assert!(all.contains(words), "{words}: {all}");
}

#[test]
fn days_reach_the_server_once() {
    let watch = Pushed::new();
    ended(&watch.push(), 0, "45 days sent");
    ended(&watch.push(), 0, "0 days sent");
    assert_eq!(watch.known_days(), DAYS as u64);
    let status = watch.get("/api/v1/projects/shop/watches/nightly/status");
    let own = run(&["watch", "status", text(&watch.folder), "--format", "json"]);
    let own: Value = serde_json::from_slice(&own.stdout).unwrap();
    assert_eq!(status, own, "both say the same");
    assert_eq!(watch.alarm()["attribution"]["layer"], "model");
    let page = watch.get("/projects/shop/watch/nightly");
    let page = page.as_str().unwrap();
    assert!(page.contains("Layer: model or service"), "{page}");
    let home = watch.get("/");
    assert!(
        home.as_str()
            .unwrap()
            .contains("The pass rate of main fell")
    );
    // Nothing secret leaves the folder.
    let kept = watch
        .get("/api/v1/projects/shop/watches/nightly")
        .to_string();
    assert!(!kept.to_lowercase().contains("secret"), "{kept}");
    // Of a watch that was removed there, all days are sent again.
    let removed = ureq::delete(watch.serving.url("/api/v1/projects/shop/watches/nightly")).call();
    assert_eq!(removed.unwrap().status(), 204);
    ended(&watch.push(), 0, "45 days sent");
}

#[test]
fn other_results_of_a_day_conflict() {
    let watch = Pushed::new();
    ended(&watch.push(), 0, "45 days sent");
    let file = watch.folder.join("days/2026-09-05/day.json");
    let changed = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, changed.replace("2.0.9", "9.9.9")).unwrap();
    for _ in 0..2 {
        ended(&watch.push(), 1, "other results of 2026-09-05");
    }
    let day = watch.get("/api/v1/projects/shop/watches/nightly/days/2026-09-05");
    assert_eq!(day["arms"]["main"]["agent_version"], "2.0.9");
}

#[test]
fn unreachable_servers_get_days_later() {
    let mut watch = Pushed::new();
    watch.serving.kill();
    ended(&watch.push(), 4, "45 days of nightly kept and not sent");
    watch.serving = Serving::start(watch.dir.path(), None, &[]);
    ended(&watch.push(), 0, "45 days sent");
}

#[test]
fn killed_pushes_lose_and_double_nothing() {
    let watch = Pushed::new();
    for pause in [5, 15, 30, 60, 90, 150, 250] {
        let mut client = slope().args(watch.args()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        client.kill().unwrap();
        client.wait().unwrap();
    }
    ended(&watch.push(), 0, "sent");
    ended(&watch.push(), 0, "0 days sent");
    assert_eq!(watch.known_days(), DAYS as u64);
}

#[test]
fn acknowledged_alarms_do_not_fail() {
    let watch = Pushed::new();
    ended(&watch.status(), 1, "confirmed: ");
    let folder = text(&watch.folder);
    let status = run(&["watch", "status", folder, "--format", "json"]);
    let status: Value = serde_json::from_slice(&status.stdout).unwrap();
    let alarms = status["alarms"].as_array().unwrap();
    let ids = alarms.iter().map(|one| one["id"].as_str().unwrap());
    let ids = Vec::from_iter(ids);
    let acknowledge = |id: &str, more: &[&str]| {
        let args = ["watch", "acknowledge", id, folder];
        run(&[&args, more].concat())
    };
    let why = ["--why", "the provider knows", "--by", "Ann"];
    let other = acknowledge("main.pass-rate.2020-01-01", &why);
    ended(&other, 2, ids[0]);
    ended(&acknowledge(ids[0], &["--by", "Ann"]), 2, "--why");
    for id in &ids {
        ended(&acknowledge(id, &why), 0, "is acknowledged");
    }
    ended(&watch.status(), 0, "Acknowledged by Ann");
    ended(&watch.push(), 0, "45 days sent");
    let id = watch.alarm()["id"].as_str().unwrap().to_owned();
    assert_eq!(watch.alarm()["acknowledged"]["why"], "the provider knows");
    let over = [&why[..], &["--until", "2026-01-01"]].concat();
    ended(&acknowledge(&id, &over), 2, "is over");
    // A day that is over by now.
    let notes = watch.folder.join("acknowledgements.json");
    let text = std::fs::read_to_string(&notes).unwrap();
    let past = text.replace("\"until\": null", "\"until\": \"2026-01-01\"");
    assert_ne!(past, text);
    std::fs::write(&notes, past).unwrap();
    ended(&watch.status(), 1, "confirmed: ");
    ended(&acknowledge(&id, &why), 0, "is acknowledged");
    ended(&acknowledge(&id, &["--take-back"]), 0, "no longer");
    ended(
        &acknowledge(&id, &["--take-back"]),
        2,
        "is not acknowledged",
    );
    ended(&watch.status(), 1, "confirmed: ");
    ended(&watch.push(), 0, "1 note");
    assert_eq!(watch.alarm()["acknowledged"], Value::Null);
    assert_eq!(watch.alarm()["alarm"]["recovered"], Value::Null);
}

#[test]
fn ticks_send_their_day() {
    if !sandbox_or_skip() {
        return;
    }
    let server = Pushed::new();
    let watch = Watched::new("true");
    let url = server.serving.url("");
    let folder = text(&watch.folder);
    let day = run_json(&[
        "watch",
        "tick",
        folder,
        "--date",
        "2026-11-01",
        "--quiet",
        "--format",
        "json",
        "--push",
        "--server",
        &url,
        "--project",
        "shop",
        "--name",
        "ticked",
    ]);
    let kept = server.get("/api/v1/projects/shop/watches/ticked/days/2026-11-01");
    assert_eq!(kept, day);
}
