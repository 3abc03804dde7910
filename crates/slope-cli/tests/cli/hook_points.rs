//! Points that hooks add at the end of a turn.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{stderr, stdout};
use crate::hooks::{Work, sloppy};

/// Longest wait for a process in the background, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An agent's events as it sends them: at the start of a session, and at the end of a turn.
struct Events {
    agent: &'static str,
    start: Value,
    stop: Value,
}

/// The events of all agents with hooks. Codex names its model each time, Claude Code at the start, and the plugin of
/// opencode at the end. Gemini CLI does not name it.
fn all_events(work: &Work) -> Vec<Events> {
    let cwd = work.root();
    let claude = |name: &str, more: Value| {
        let mut event = json!({ "session_id": "s-1", "transcript_path": "/t.jsonl", "cwd": cwd,
            "permission_mode": "default", "hook_event_name": name });
        for (key, value) in more.as_object().unwrap() {
            event[key] = value.clone();
        }
        event
    };
    let codex = |name: &str| {
        json!({ "session_id": "s-1", "turn_id": "t", "transcript_path": null, "cwd": cwd, "model": "model-1",
            "permission_mode": "default", "hook_event_name": name, "stop_hook_active": false })
    };
    let gemini = |name: &str| {
        json!({ "session_id": "s-1", "transcript_path": "/t.json", "cwd": cwd, "hook_event_name": name,
            "timestamp": "2026-11-30T00:00:00Z", "prompt": "p", "prompt_response": "r", "stop_hook_active": false })
    };
    let opencode =
        |name: &str| json!({ "event": name, "session": "s-1", "cwd": cwd, "active": false });
    let mut idle = opencode("stop");
    idle["model"] = "model-1".into();
    vec![
        Events {
            agent: "claude-code",
            start: claude(
                "SessionStart",
                json!({ "source": "startup", "model": "model-1" }),
            ),
            stop: claude("Stop", json!({ "stop_hook_active": false })),
        },
        Events {
            agent: "codex",
            start: codex("SessionStart"),
            stop: codex("Stop"),
        },
        Events {
            agent: "gemini",
            start: gemini("SessionStart"),
            stop: gemini("AfterAgent"),
        },
        Events {
            agent: "opencode",
            start: opencode("start"),
            stop: idle,
        },
    ]
}

impl Work {
    /// Runs a hook that adds points, which must not say anything or fail.
    #[track_caller]
    fn tracked(&self, agent: &str, event: &Value) {
        let said = self.hook(agent, &["--track"], event);
        assert!(said.status.success());
        assert_eq!(
            (stdout(&said), stderr(&said)),
            (String::new(), String::new())
        );
    }

    /// What became of the points of all turns so far: the lines of the log, once there are `count`.
    fn ends(&self, count: usize) -> Vec<Value> {
        let begun = Instant::now();
        let log = self.0.path().join("state/hooks/log.jsonl");
        loop {
            let text = std::fs::read_to_string(&log).unwrap_or_default();
            let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
            let points: Vec<Value> = lines
                .filter(|line: &Value| line["event"] == "point")
                .collect();
            if points.len() >= count {
                return points;
            }
            assert!(begun.elapsed() < PATIENCE, "{text}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The files of the points of the series `main`, sorted.
    fn points(&self) -> Vec<PathBuf> {
        let folder = self.root().join(".slope/track/main");
        let files = std::fs::read_dir(folder).into_iter().flatten();
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        files
    }

    fn add_code(&self, name: &str) {
        let text = format!("def {name}(x):\n    return x + {}\n", name.len());
        std::fs::write(self.root().join(format!("{name}.py")), text).unwrap();
    }
}

#[test]
fn turns_of_every_agent_add_points() {
    let agents = all_events(&Work::new()).len();
    for at in 0..agents {
        let work = Work::new();
        let Events { agent, start, stop } = all_events(&work).swap_remove(at);
        work.tracked(agent, &start);
        // A turn that only answered a question.
        work.tracked(agent, &stop);
        assert_eq!(work.ends(1)[0]["outcome"], "silent", "{agent}");
        assert_eq!(work.points(), [""; 0].map(PathBuf::from));
        work.add_code("one");
        work.tracked(agent, &stop);
        assert_eq!(
            work.ends(2)[1]["outcome"],
            "tracked",
            "{agent}: {:?}",
            work.ends(2)
        );
        let [file] = &work.points()[..] else {
            panic!("{agent}: {:?}", work.points());
        };
        let point: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let model = (agent != "gemini").then_some("model-1");
        let mut author = json!({ "agent": agent, "session": "s-1" });
        if let Some(model) = model {
            author["model"] = model.into();
        }
        assert_eq!(point["author"], author);
        assert_eq!(point["origin"], "hook");
        // Nothing measured changes by a text, or by the point itself.
        std::fs::write(work.root().join("notes.md"), "done\n").unwrap();
        work.tracked(agent, &stop);
        assert_eq!(work.ends(3)[2]["outcome"], "silent", "{agent}");
        assert_eq!(work.points().len(), 1, "{agent}");
    }
}

#[test]
fn turns_that_go_on_add_no_point() {
    let work = Work::new();
    let Events {
        agent,
        start,
        mut stop,
    } = all_events(&work).swap_remove(0);
    work.tracked(agent, &start);
    sloppy(&work);
    let said = work.hook(agent, &["--track=agents"], &stop);
    assert!(stdout(&said).contains("block"), "{}", stdout(&said));
    stop["stop_hook_active"] = true.into();
    let said = work.hook(agent, &["--track=agents"], &stop);
    assert_eq!(stdout(&said), "");
    let ends = work.ends(1);
    assert_eq!(ends.len(), 1, "{ends:?}");
    assert!(
        ends[0]["said"].as_str().unwrap().contains("series agents"),
        "{ends:?}"
    );
}

#[test]
fn hook_points_count_iterations_and_are_sent() {
    let work = Work::new();
    let added = work
        .slope(&["track", "add", "--iteration", "1"])
        .output()
        .unwrap();
    assert!(added.status.success(), "{}", stderr(&added));
    work.add_code("two");
    work.git(&["add", "."]);
    work.git(&["commit", "-q", "-m", "two"]);
    let Events { agent, stop, .. } = all_events(&work).swap_remove(1);
    work.tracked(agent, &stop);
    assert_eq!(work.ends(1)[0]["said"], "iteration-2 of series main");
    let serving = crate::run_push::served(work.0.path());
    let server = format!("http://{}", serving.address);
    let push = ["track", "push", "--server", &server, "--project", "bench"];
    let pushed = work.slope(&push).output().unwrap();
    assert!(pushed.status.success(), "{}", stderr(&pushed));
    assert!(stdout(&pushed).contains('2'), "{}", stdout(&pushed));
}

#[test]
fn agents_do_not_wait_for_points() {
    let work = Work::new();
    let Events { agent, start, stop } = all_events(&work).swap_remove(2);
    work.tracked(agent, &start);
    work.add_code("one");
    work.tracked(agent, &stop);
    work.ends(1);
    // Another process that adds points never ends.
    let folder = work.0.path().join("state/hooks/points");
    let lock = std::fs::read_dir(folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let lock = File::options().write(true).open(lock).unwrap();
    lock.lock().unwrap();
    work.add_code("three");
    work.tracked(agent, &stop);
    assert_eq!(work.ends(1).len(), 1);
    // The time is the key of a point without a commit.
    std::thread::sleep(Duration::from_secs(1));
    lock.unlock().unwrap();
    assert_eq!(work.ends(2)[1]["outcome"], "tracked");
    assert_eq!(work.points().len(), 2);
    // A faulty configuration is a line in the log, and nothing that an agent sees.
    std::fs::write(work.root().join("slope.toml"), "[track]\nno-such-key = 1\n").unwrap();
    work.tracked(agent, &stop);
    let ends = work.ends(3);
    assert_eq!(ends[2]["outcome"], "failed", "{ends:?}");
    assert!(
        ends[2]["said"].as_str().unwrap().contains("no-such-key"),
        "{ends:?}"
    );
}

#[test]
fn installed_hooks_add_points_on_request() {
    let work = Work::new();
    let run = |args: &[&str]| {
        let said = work.slope(args).output().unwrap();
        assert!(said.status.success(), "{}", stderr(&said));
        stdout(&said)
    };
    let agents = ["claude-code", "codex", "gemini", "opencode"];
    let install = |more: &[&str]| run(&[&["hook", "install"][..], &agents, more].concat());
    install(&["--track=agents"]);
    for (file, agent) in [
        (".claude/settings.json", "claude-code"),
        (".codex/hooks.json", "codex"),
        (".gemini/settings.json", "gemini"),
    ] {
        let text = std::fs::read_to_string(work.root().join(file)).unwrap();
        assert!(
            text.contains(&format!("\"slope hook {agent} --track=agents\"")),
            "{text}"
        );
    }
    let plugin = std::fs::read_to_string(work.root().join(".opencode/plugins/slope.js")).unwrap();
    assert!(plugin.contains("\"--track=agents\""), "{plugin}");
    assert!(run(&["hook", "status", "--project"]).contains("--track=agents"));
    assert!(install(&["--track=agents"]).contains("already"));
    assert!(install(&[]).contains("hooks updated"));
    assert!(!run(&["hook", "status", "--project"]).contains("--track"));
    run(&["hook", "uninstall"]);
    assert!(!work.root().join(".claude").exists());
}
