//! Runs in containers of a real engine.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic and says when it is skipped"
)]

mod attacks;
mod common;
#[path = "../../slope-runtime-docker/tests/engine/mod.rs"]
mod engine;

use std::path::{Path, PathBuf};

use common::{run, run_json, runs, script, slope, stderr, stdout, text};
use engine::TestEngine;
use serde_json::Value;

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
fn runs_in_containers() {
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
    a_real_agent_completes_two_checkpoints(dir.path(), &file);
    let chosen = ["--environment", text(&file)];
    attacks::an_agent_sees_neither_the_problem_nor_the_host(&chosen);
    attacks::the_gateway_is_the_only_network_and_wants_its_token(&chosen);
    attacks::daemons_forks_floods_and_full_disks_end_with_a_state(&chosen);
    attacks::a_workspace_with_links_and_strange_files_is_carried_as_it_is(&chosen);
    what_cannot_work_is_told_before_anything_runs(dir.path(), &engine);
    garbage_is_told_and_removed(&engine);
}

/// Runs two checkpoints under the scripted model; both must pass. Gives the run's directory.
fn completes_two_checkpoints(dir: &Path, agent: &str, environment: &Path) -> PathBuf {
    let problem = common::builtin(&dir.join(agent));
    let out = dir.join(format!("run-{agent}"));
    let envelope = run_json(&[
        "run",
        text(&problem),
        "--agent",
        agent,
        "--model",
        "scripted-tidy",
        "--script",
        text(&script(&problem, "tidy")),
        "--checkpoints",
        "2",
        "--timeout",
        "300",
        "--environment",
        text(environment),
        "--out",
        text(&out),
        "--format",
        "json",
        "--quiet",
    ]);
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
    let out = completes_two_checkpoints(dir, "slope", &environment(dir, engine, limits));
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

/// A real agent, whose installation is a layer of an image. One, because each costs an image of hundreds of
/// megabytes; the others differ in nothing that the runtime sees.
fn a_real_agent_completes_two_checkpoints(dir: &Path, environment: &Path) {
    let npm = std::process::Command::new("npm").arg("--version").output();
    if npm.is_err() {
        println!("\nskipped: npm is missing, so no agent can be installed");
        return;
    }
    completes_two_checkpoints(dir, "claude-code", environment);
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
