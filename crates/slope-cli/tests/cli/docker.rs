//! Runs in containers of a real engine.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::agents::{self, Real};
use crate::attacks;
use crate::common::{self, run, run_json, runs, slope, stderr, stdout, text};
use crate::engine::{self, TestEngine};
use crate::grade_tests;
use serde_json::Value;

/// One attack of each kind: each change has time for half of them; `.ci/nightly` makes all that there are.
const SAMPLE: [&str; 12] = [
    "agent/read_everything",
    "agent/become_root",
    "agent/memory_of_others",
    "agent/daemons",
    "agent/network_host",
    "agent/gateway",
    "agent/disk",
    "program/read_tests",
    "program/root_conftest",
    "program/kill_runner",
    "program/network",
    "program/fork_bomb",
];

/// An environment file for the engine.
fn environment(dir: &Path, engine: &TestEngine, more: &str) -> PathBuf {
    let path = dir.join("docker.toml");
    let (image, host) = (engine::IMAGE, engine.address());
    let text =
        format!("runtime = \"docker\"\n[docker]\nimage = \"{image}\"\nhost = \"{host}\"\n{more}");
    std::fs::write(&path, text).unwrap();
    path
}

// One test, because one engine serves all of it.
#[test]
fn docker_runs_behave_as_configured() {
    let engine = match TestEngine::start() {
        Ok(engine) => engine,
        Err(why) => {
            println!("\nskipped: runs in containers: {why}");
            return;
        }
    };
    let dir = tempfile::tempdir().unwrap();
    what_was_asked_for_is_recorded(dir.path(), &engine);
    let file = environment(dir.path(), &engine, "");
    grade_tests::tests_of_edits_run_in_containers(&file);
    every_agent_completes_two_checkpoints(dir.path(), &file);
    let chosen = ["--environment", text(&file)];
    attacks::only_what_is_listed_is_reached(&std::fs::read_to_string(&file).unwrap());
    // Containers take their time to start, during which the processor has time for others.
    let mut attack = [&chosen[..], &["--workers", "4"]].concat();
    let mut only = Vec::new();
    if !common::whole() {
        only = attacks::only(&attacks::drawn(&SAMPLE, 2));
    }
    attack.extend(only.iter().map(String::as_str));
    attacks::no_attack_gets_through(&attack);
    attacks::a_workspace_with_links_and_strange_files_is_carried_as_it_is(&chosen);
    killed_container_ends_only_its_attempt(dir.path(), &file);
    what_cannot_work_is_told_before_anything_runs(dir.path(), &engine);
    garbage_is_told_and_removed(&engine);
}

/// Runs two checkpoints under the scripted model; both must pass. Gives the run's directory.
fn completes_two_checkpoints(dir: &Path, agent: &Real, environment: &Path) -> PathBuf {
    let problem = common::builtin(&dir.join(agent.name));
    let script = agent.script(&problem, dir);
    let out = dir.join(format!("run-{}", agent.name));
    let more = ["--environment", text(environment)];
    let envelope = run_json(&agent.arguments(&problem, &script, &out, dir, &more));
    let agent = agent.name;
    let checkpoints = runs(&envelope)[0]["trials"][0]["checkpoints"]
        .as_array()
        .unwrap();
    assert_eq!(checkpoints.len(), 2);
    for checkpoint in checkpoints {
        assert_eq!(checkpoint["state"], "passed", "{agent}: {checkpoint}");
        let integrity = checkpoint["integrity"].as_array().unwrap();
        assert_eq!(integrity.len(), 0, "{agent}: {checkpoint}");
    }
    out
}

fn what_was_asked_for_is_recorded(dir: &Path, engine: &TestEngine) {
    let limits = "[limits]\nmemory = \"1 GiB\"\nmemory_request = \"256 MiB\"\ncpus = 2.0\n";
    let out = completes_two_checkpoints(dir, &agents::SLOPE, &environment(dir, engine, limits));
    let recorded = std::fs::read_to_string(out.join("run.json")).unwrap();
    let recorded: Value = serde_json::from_str(&recorded).unwrap();
    assert_eq!(recorded["isolation"], "containers");
    let limits = &recorded["options"]["environment"]["limits"];
    assert_eq!(limits["memory"], 1 << 30);
    assert_eq!(limits["memory_request"], 256 << 20);
    assert_eq!(recorded["options"]["memory"], 1 << 30);
    let engine = recorded["capabilities"]["engine"].as_str().unwrap();
    assert!(engine.contains("version"), "{engine}");
}

/// The real agents, whose installations are layers of images: of each kind of installation one, or all.
fn every_agent_completes_two_checkpoints(dir: &Path, environment: &Path) {
    let some = [agents::CLAUDE_CODE, agents::GEMINI];
    let chosen: &[Real] = if common::whole() { &agents::ALL } else { &some };
    for agent in chosen {
        let begun = std::time::Instant::now();
        if agent.ready() {
            completes_two_checkpoints(dir, agent, environment);
            println!("{} in {} s", agent.name, begun.elapsed().as_secs());
        }
    }
}

/// The kernel's kill for memory, made by hand: SIGKILL to the container's first process.
fn killed_container_ends_only_its_attempt(dir: &Path, environment: &Path) {
    let problem = common::builtin(&dir.join("killed"));
    let agent = common::scripted_agent(dir, "exec sleep 98765");
    let agent = text(&agent);
    let out = dir.join("run-killed");
    let child = slope()
        .args([
            "run",
            text(&problem),
            "--agent",
            "command",
            "--agent-config",
            agent,
        ])
        .args(["--environment", text(environment), "--out", text(&out)])
        .args(["--quiet", "--format", "json"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let end = Instant::now() + Duration::from_secs(120);
    let first = loop {
        if let Some(first) = first_process_above("sleep\098765\0") {
            break first;
        }
        assert!(Instant::now() < end, "the agent does not start");
        std::thread::sleep(Duration::from_millis(50));
    };
    let killed = std::process::Command::new("kill")
        .args(["-9", &first])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "the run goes on to its end");
    let envelope: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checkpoints = &runs(&envelope)[0]["trials"][0]["checkpoints"];
    assert_eq!(checkpoints[0]["state"], "agent-error", "{checkpoints}");
    let reason = checkpoints[0]["reason"].as_str().unwrap();
    assert!(reason.contains("memory limit"), "{reason}");
}

/// The id of the first process of the container that runs this command line.
fn first_process_above(command_line: &str) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let mut ids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    let line = |id: &str| std::fs::read_to_string(format!("/proc/{id}/cmdline")).ok();
    let mut id = ids.find(|id| line(id).as_deref() == Some(command_line))?;
    while !line(&id)?.contains("slope-init") {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        parent.trim().clone_into(&mut id);
    }
    Some(id)
}

fn what_cannot_work_is_told_before_anything_runs(dir: &Path, engine: &TestEngine) {
    let problem = common::builtin(&dir.join("again"));
    let attempt = |text_of_file: &str, code: i32, expected: &str| {
        let file = dir.join("bad.toml");
        std::fs::write(&file, text_of_file).unwrap();
        let out = dir.join("never");
        let output = run(&[
            "run",
            text(&problem),
            "--agent",
            "oracle",
            "--environment",
            text(&file),
            "--out",
            text(&out),
        ]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert!(!out.exists(), "nothing is left of a run that never began");
    };
    let docker = |rest: &str| {
        let host = engine.address();
        format!("runtime = \"docker\"\n[docker]\nhost = \"{host}\"\n{rest}")
    };
    attempt(&docker("image = \"no-such:1\""), 2, "docker pull no-such:1");
    let base = engine::IMAGE;
    let huge = format!("image = \"{base}\"\nfree_disk = \"100000 GiB\"");
    attempt(&docker(&huge), 3, "slope gc");
    attempt(&docker("image = \"x\"\nnetwork = \"host\""), 2, "bad.toml");
    let nowhere = "runtime = \"docker\"\n[docker]\nimage = \"x\"\nhost = \"unix:///nowhere.sock\"";
    attempt(nowhere, 3, "/nowhere.sock");
}

fn garbage_is_told_and_removed(engine: &TestEngine) {
    let gc = |more: &[&str]| {
        let output = slope()
            .env("DOCKER_HOST", engine.address())
            .args([&["gc"], more].concat())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let count = |told: &str, what: &str| -> usize {
        let told: Value = serde_json::from_str(told).unwrap();
        assert_eq!(told["schema"], "slope.gc/1");
        let items = told["items"].as_array().unwrap();
        items.iter().filter(|item| item["kind"] == what).count()
    };
    let found = gc(&["--dry-run", "--format", "json"]);
    assert_eq!(
        count(&found, "container"),
        0,
        "runs leave no container: {found}"
    );
    assert_eq!(count(&found, "volume"), 0, "runs leave no volume: {found}");
    assert_eq!(
        count(&found, "image"),
        0,
        "their leases are not over: {found}"
    );
    let images = count(&gc(&["--dry-run", "--images", "--format", "json"]), "image");
    assert!(images > 0);
    assert!(gc(&["--images", "--dry-run"]).contains("would be removed"));
    gc(&["--images"]);
    assert_eq!(
        count(&gc(&["--dry-run", "--images", "--format", "json"]), "image"),
        0
    );
}
