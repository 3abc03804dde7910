//! `slope watch`, and runs whose checkpoints start from reference solutions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::common::{
    self, run, run_json, runs, sandbox_or_skip, scripted_agent, slope, stderr, stdout, text,
};

/// A watch of two tasks with an agent that runs `body` in a shell.
pub(crate) struct Watched {
    dir: tempfile::TempDir,
    pub(crate) folder: PathBuf,
}

impl Watched {
    pub(crate) fn new(body: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let problem = common::builtin(dir.path());
        let agent = scripted_agent(dir.path(), body);
        let folder = dir.path().join("watch");
        std::fs::create_dir(&folder).unwrap();
        let settings = format!(
            "tasks = [\"python/household-stock/checkpoint_2\", \"python/household-stock/checkpoint_3\"]\n\
             problems = [{problem:?}]\n\
             [baseline]\ndays = 2\nreplicates = 1\n\
             [arms.main]\nagent = \"command\"\nagent-config = {agent:?}\n"
        );
        std::fs::write(folder.join("watch.toml"), settings).unwrap();
        Self { dir, folder }
    }

    fn tick(&self, date: &str) -> std::process::Output {
        run(&[
            "watch",
            "tick",
            text(&self.folder),
            "--date",
            date,
            "--quiet",
        ])
    }

    fn day(&self, date: &str) -> Value {
        let file = self.folder.join("days").join(date).join("day.json");
        serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
    }

    /// The folder of the problem, which the watch uses.
    fn problem(&self) -> PathBuf {
        let problem = self.dir.path().join("problem");
        std::fs::read_dir(problem)
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path()
    }
}

fn outcomes(day: &Value, arm: &str) -> Vec<String> {
    let tasks = day["arms"][arm]["tasks"].as_array().unwrap();
    tasks
        .iter()
        .map(|run| run["outcome"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn steps_start_from_reference_solutions() {
    if !sandbox_or_skip() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    // The agent notes what it finds, and fails, so that no checkpoint carries its work on.
    let agent = scripted_agent(dir.path(), "ls > found.txt; exit 1");
    let out = dir.path().join("run");
    let report = run_json(&[
        "run",
        text(&problem),
        "--agent",
        "command",
        "--agent-config",
        text(&agent),
        "--start",
        "reference",
        "--step",
        "household-stock/checkpoint_2",
        "--step",
        "household-stock/checkpoint_4",
        "--out",
        text(&out),
        "--quiet",
        "--format",
        "json",
    ]);
    let run = &runs(&report)[0];
    assert_eq!(run["config"]["start"], "reference");
    let checkpoints = run["trials"][0]["checkpoints"].as_array().unwrap();
    let states = checkpoints
        .iter()
        .map(|one| (&one["checkpoint"], &one["state"]));
    let states = Vec::from_iter(
        states.map(|(name, state)| (name.as_str().unwrap(), state.as_str().unwrap())),
    );
    assert_eq!(
        states,
        [
            ("checkpoint_2", "agent-error"),
            ("checkpoint_4", "agent-error")
        ]
    );
    let again = slope()
        .args(["resume", text(&out), "--quiet", "--format", "json"])
        .output()
        .unwrap();
    assert!(again.status.success(), "{}", stderr(&again));
    let page = dir.path().join("report.html");
    run_json(&[
        "report",
        text(&out),
        "--html",
        text(&page),
        "--format",
        "json",
    ]);
}

#[test]
fn wrong_steps_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let problem = common::builtin(dir.path());
    let cases: [(&[&str], &str); 4] = [
        (
            &["--step", "household-stock/checkpoint_2"],
            "add --start reference",
        ),
        (
            &["--start", "reference", "--step", "household-stock/nine"],
            "no checkpoint nine",
        ),
        (
            &["--start", "reference", "--step", "other/checkpoint_2"],
            "no problem other",
        ),
        (
            &["--start", "reference", "--track", "go"],
            "solutions-go/checkpoint_1",
        ),
    ];
    for (arguments, message) in cases {
        let out = dir.path().join("run");
        let mut all = vec!["run", text(&problem), "--agent", "nop", "--out", text(&out)];
        all.extend(arguments);
        let output = run(&all);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert!(!out.join("run.json").exists());
    }
}

#[test]
fn day_has_arms_and_controls() {
    if !sandbox_or_skip() {
        return;
    }
    let watch = Watched::new("true");
    let output = watch.tick("2026-11-01");
    assert!(output.status.success(), "{}", stderr(&output));
    let day = watch.day("2026-11-01");
    assert_eq!(day["invalid"], Value::Null);
    assert_eq!(outcomes(&day, "oracle"), ["passed", "passed"]);
    assert_eq!(outcomes(&day, "empty"), ["failed", "failed"]);
    assert_eq!(outcomes(&day, "main"), ["failed", "failed"]);
    let before = std::fs::read(watch.folder.join("days/2026-11-01/day.json")).unwrap();
    let again = watch.tick("2026-11-01");
    assert!(
        stdout(&again).contains("was done before"),
        "{}",
        stdout(&again)
    );
    assert_eq!(
        before,
        std::fs::read(watch.folder.join("days/2026-11-01/day.json")).unwrap()
    );
    let past = watch.tick("2026-10-31");
    assert_eq!(past.status.code(), Some(2));
    assert!(
        stderr(&past).contains("a missed day stays missing"),
        "{}",
        stderr(&past)
    );
    let status = run_json(&["watch", "status", text(&watch.folder), "--format", "json"]);
    assert_eq!(
        (&status["state"], &status["valid_days"]),
        (&"baseline".into(), &1.into())
    );
    let page = watch.dir.path().join("page.html");
    let report = run(&[
        "watch",
        "report",
        text(&watch.folder),
        "--html",
        text(&page),
    ]);
    assert!(report.status.success(), "{}", stderr(&report));
    assert!(
        std::fs::read_to_string(page)
            .unwrap()
            .contains("1 of 2 days")
    );
}

#[test]
fn failed_control_makes_day_invalid() {
    if !sandbox_or_skip() {
        return;
    }
    let watch = Watched::new("true");
    let program = watch.problem().join("solutions/checkpoint_3");
    for file in std::fs::read_dir(&program).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|kind| kind == "py") {
            std::fs::write(file, "raise SystemExit(7)\n").unwrap();
        }
    }
    assert!(watch.tick("2026-11-01").status.success());
    let day = watch.day("2026-11-01");
    let why = day["invalid"].as_str().unwrap();
    assert!(
        why.starts_with("control: the reference solution did not pass"),
        "{why}"
    );
    let status = run_json(&["watch", "status", text(&watch.folder), "--format", "json"]);
    assert!(
        status["sentence"]
            .as_str()
            .unwrap()
            .contains("does not count"),
        "{status}"
    );
}

#[test]
fn killed_tick_goes_on() {
    if !sandbox_or_skip() {
        return;
    }
    let watch = Watched::new("sleep 1; echo work > note.txt");
    let folder = text(&watch.folder).to_owned();
    for pause in [200, 900, 1800, 2600] {
        let mut child = slope()
            .args(["watch", "tick", &folder, "--date", "2026-11-01", "--quiet"])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = watch.tick("2026-11-01");
    assert!(output.status.success(), "{}", stderr(&output));
    let day = watch.day("2026-11-01");
    assert_eq!(day["invalid"], Value::Null, "{day}");
    for arm in ["oracle", "empty", "main"] {
        assert_eq!(
            outcomes(&day, arm).len(),
            2,
            "{arm}: nothing is lost or doubled"
        );
    }
}

#[test]
fn second_tick_is_refused_meanwhile() {
    if !sandbox_or_skip() {
        return;
    }
    let watch = Watched::new("sleep 2");
    let mut first = slope()
        .args([
            "watch",
            "tick",
            text(&watch.folder),
            "--date",
            "2026-11-01",
            "--quiet",
        ])
        .spawn()
        .unwrap();
    wait_for(&watch.folder.join("days/2026-11-01/plan.json"));
    let second = watch.tick("2026-11-01");
    assert_eq!(second.status.code(), Some(2));
    assert!(
        stderr(&second).contains("another `slope watch tick` works"),
        "{}",
        stderr(&second)
    );
    assert!(first.wait().unwrap().success());
}

fn wait_for(file: &Path) {
    for _ in 0..600 {
        if file.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{} was not written", file.display());
}

#[test]
fn unfinished_day_is_closed_later() {
    if !sandbox_or_skip() {
        return;
    }
    let watch = Watched::new("true");
    let day = watch.folder.join("days/2026-11-01");
    std::fs::create_dir_all(&day).unwrap();
    std::fs::write(
        day.join("plan.json"),
        r#"{"replicates": 1, "why": "a test"}"#,
    )
    .unwrap();
    assert!(watch.tick("2026-11-02").status.success());
    let why = watch.day("2026-11-01")["invalid"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(why.contains("did not begin"), "{why}");
    assert_eq!(watch.day("2026-11-02")["invalid"], Value::Null);
}

#[test]
fn faulty_settings_name_their_place() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        (
            "tasks = []\n[arms.main]\nagent = \"nop\"\n",
            "there are none",
        ),
        (
            "tasks = [\"household-stock\"]\n[arms.main]\nagent = \"nop\"\n",
            "TRACK/PROBLEM/CHECKPOINT",
        ),
        (
            "tasks = [\"python/a/b\", \"python/a/b\"]\n[arms.main]\nagent = \"nop\"\n",
            "is there twice",
        ),
        (
            "tasks = [\"cobol/a/b\"]\n[arms.main]\nagent = \"nop\"\n",
            "cobol",
        ),
        (
            "tasks = [\"python/a/b\"]\n[arms.x]\nrole = \"pinned\"\nagent = \"nop\"\n",
            "none has the role target",
        ),
        (
            "tasks = [\"python/a/b\"]\n[arms.oracle]\nagent = \"nop\"\n",
            "controls run every day",
        ),
        (
            "tasks = [\"python/a/b\"]\n[arms.\"../x\"]\nagent = \"nop\"\n",
            "not a name",
        ),
        (
            "tasks = [\"python/a/b\"]\n[arms.main]\nagnt = \"nop\"\n",
            "line 3",
        ),
        (
            "tasks = [\"python/a/b\"]\n[alarms]\nfalse-alarms-per-year = 7\n[arms.main]\nagent = \"nop\"\n",
            "from 0.001 to 0.5",
        ),
    ];
    for (settings, message) in cases {
        std::fs::write(dir.path().join("watch.toml"), settings).unwrap();
        let output = run(&["watch", "plan", text(dir.path())]);
        assert_eq!(output.status.code(), Some(2), "{settings}");
        let said = stderr(&output);
        assert!(
            said.contains("watch.toml") && said.contains(message),
            "{said}"
        );
    }
    let empty = dir.path().join("none");
    let output = run(&["watch", "status", text(&empty)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("slope watch init"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn unknown_tasks_begin_no_day() {
    let dir = tempfile::tempdir().unwrap();
    let tasks = [
        "python/household-stock/checkpoint_9",
        "python/household-stock/checkpoint_1",
        "rust/stage-plot/checkpoint_2",
        "python/nothing/checkpoint_2",
    ];
    for task in tasks {
        let settings = format!("tasks = [{task:?}]\n[arms.main]\nagent = \"nop\"\n");
        std::fs::write(dir.path().join("watch.toml"), settings).unwrap();
        for command in ["plan", "tick"] {
            let output = run(&["watch", command, text(dir.path())]);
            assert_eq!(output.status.code(), Some(2), "{command} {task}");
            assert!(stderr(&output).contains("help: "), "{}", stderr(&output));
        }
        assert!(!dir.path().join("days").exists(), "{task}");
    }
}

#[test]
fn new_watch_is_complete() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("w");
    let made = run(&[
        "watch",
        "init",
        text(&folder),
        "--agent",
        "codex",
        "--model",
        "M",
        "--upstream",
        "http://127.0.0.1:1",
    ]);
    assert!(made.status.success(), "{}", stderr(&made));
    let plan = run_json(&["watch", "plan", text(&folder), "--format", "json"]);
    assert_eq!(plan["arms"]["main"]["runs"], 100);
    assert_eq!(plan["arms"]["oracle"]["runs"], 50);
    assert_eq!(plan["cost_usd"], Value::Null, "an unknown cost is not zero");
    let settings = std::fs::read_to_string(folder.join("watch.toml")).unwrap();
    for language in ["python", "typescript", "rust", "go", "java", "cpp"] {
        assert!(settings.contains(&format!("\"{language}/")), "{settings}");
    }
    let again = run(&["watch", "init", text(&folder), "--agent", "codex"]);
    assert_eq!(again.status.code(), Some(2));
    let none = run(&["watch", "status", text(&folder)]);
    assert_eq!(none.status.code(), Some(5), "{}", stderr(&none));
}

#[test]
fn demo_says_what_changed() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("demo.html");
    let found = run_json(&["watch", "demo", "--html", text(&page), "--format", "json"]);
    let said = found["sentence"].as_str().unwrap();
    assert!(
        said.starts_with("The pass rate of main fell on 2026-10-1"),
        "{said}"
    );
    assert!(said.contains("Layer: harness."), "{said}");
    let html = std::fs::read_to_string(page).unwrap();
    assert!(
        html.contains("simulated results") && html.contains("the version of the agent changed")
    );
}

#[test]
fn simulation_gives_published_times() {
    // 50 tasks, 30 runs of baseline, variance 0.162: 16 days for 4 points, 5 for 8 (adaptive).
    let of = |drop: &str| {
        let args = [
            "watch", "simulate", "--drop", drop, "--paths", "600", "--format", "json",
        ];
        run_json(&args)["median_days_to_alarm"].as_f64().unwrap()
    };
    assert!((13.0..=19.0).contains(&of("4")));
    assert!((4.0..=6.0).contains(&of("8")));
}
