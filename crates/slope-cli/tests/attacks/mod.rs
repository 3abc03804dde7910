//! What an agent tries from inside, whatever the runtime: `more` are the options that choose it.

use std::path::Path;

use serde_json::Value;

use crate::common::{self, run_json, text};

/// A script with one conversation whose first turn runs `shell`.
fn one_command(dir: &Path, shell: &str) -> std::path::PathBuf {
    let path = dir.join("script.yaml");
    let script = serde_json::json!({
        "schema": "slope.script/1",
        "model": "m",
        "prices": {"input": 1.0, "output": 1.0},
        "conversations": [{
            "name": "any",
            "turns": [
                {"shell": shell, "usage": {"input": 10, "output": 5}},
                {"text": "done", "usage": {"input": 20, "output": 5}},
            ],
        }],
    });
    // JSON is YAML.
    std::fs::write(&path, script.to_string()).unwrap();
    path
}

/// Runs `shell` as an agent would, and gives the run's report and what the command printed.
fn as_agent(dir: &Path, shell: &str, more: &[&str]) -> (Value, String) {
    let problem = common::builtin(dir);
    let script = one_command(dir, shell);
    let out = dir.join("run-outside");
    let mut args = vec![
        "run",
        text(&problem),
        "--agent",
        "slope",
        "--model",
        "m",
        "--script",
        text(&script),
        "--out",
        text(&out),
        "--checkpoints",
        "1",
        "--format",
        "json",
        "--quiet",
    ];
    args.extend(more);
    let envelope = run_json(&args);
    let log = walk(&out.join("trials"), "stdout.log");
    (envelope, std::fs::read_to_string(log).unwrap())
}

/// The first file of that name below `dir`.
fn walk(dir: &Path, name: &str) -> std::path::PathBuf {
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.file_name().is_some_and(|n| n == name) {
                return path;
            }
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    panic!("no {name}")
}

fn checkpoint(envelope: &Value) -> &Value {
    &common::runs(envelope)[0]["trials"][0]["checkpoints"][0]
}

pub(crate) fn an_agent_sees_neither_the_problem_nor_the_host(more: &[&str]) {
    let dir = tempfile::Builder::new()
        .prefix("hostpathmark")
        .tempdir()
        .unwrap();
    let shell = "env; cat /proc/self/mountinfo /proc/mounts; cat /proc/*/cmdline /proc/*/environ /proc/*/maps \
                 2>/dev/null | tr '\\0' '\\n'; ls -la / /run /opt /tmp /home /home/user /workspace /root 2>&1; \
                 ls -la /proc/1/ /proc/1/exe /proc/1/cwd /proc/*/fd 2>&1; strings /proc/*/exe 2>/dev/null | head -c 100000; \
                 cat /proc/1/mem 2>&1 | head -c 1000; hostname; id; true";
    let (envelope, said) = as_agent(dir.path(), shell, more);
    assert_eq!(
        checkpoint(&envelope)["state"],
        "failed",
        "an empty workspace passes nothing"
    );
    assert!(said.contains("/workspace"), "the command ran: {said}");
    for secret in [
        "hostpathmark",
        slope_problem::BUILTIN,
        "suite",
        "checkpoint_",
        "SLOPE_CACHE",
    ] {
        assert!(!said.contains(secret), "{secret} can be read inside");
    }
    let hostname = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    assert!(
        !said.lines().any(|l| l.trim() == hostname.trim()),
        "the host's name can be read inside"
    );
}

pub(crate) fn the_gateway_is_the_only_network_and_wants_its_token(more: &[&str]) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let dir = tempfile::tempdir().unwrap();
    let shell = format!(
        "python3 - <<'E'\nimport socket, urllib.request, urllib.error\n\
         def reach(a):\n    try:\n        socket.create_connection(a, 2).close()\n        return 'open'\n    except OSError as e:\n        return 'closed'\n\
         print('HOST', reach(('127.0.0.1', {port})))\nprint('OUT', reach(('192.0.2.1', 80)))\n\
         print('GATE', reach(('127.0.0.1', 8787)))\n\
         try:\n    urllib.request.urlopen('http://127.0.0.1:8787/v1/models')\n    print('NOTOKEN served')\n\
         except urllib.error.HTTPError as e:\n    print('NOTOKEN', e.code)\nE"
    );
    let (_, said) = as_agent(dir.path(), &shell, more);
    for expected in ["HOST closed", "OUT closed", "GATE open", "NOTOKEN 401"] {
        assert!(said.contains(expected), "expected {expected} in {said}");
    }
}

/// Runs a hostile command; the attempt must end, leave no process, and be a state, not a crash.
fn survives(shell: &str, more: &[&str]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let mark = format!("mark{}", std::process::id());
    let (envelope, _) = as_agent(dir.path(), &shell.replace("MARK", &mark), more);
    assert!(!any_process_mentions(&mark), "a process survived");
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
    assert!(
        !mounts.contains(dir.path().to_str().unwrap()),
        "a mount survived"
    );
    checkpoint(&envelope).clone()
}

fn any_process_mentions(mark: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(mark))
    })
}

pub(crate) fn daemons_forks_floods_and_full_disks_end_with_a_state(more: &[&str]) {
    let daemon = survives(
        "setsid nohup sh -c 'exec -a MARK sleep 1000' >/dev/null 2>&1 & sleep 0.2",
        more,
    );
    assert_eq!(daemon["state"], "failed");
    let flood = survives("head -c 1200000000 /dev/zero | tr '\\0' x", more);
    assert_eq!(flood["state"], "failed");
    let disk = survives(
        "head -c 5000000000 /dev/zero > big; ls -l big; rm big",
        more,
    );
    assert_eq!(disk["state"], "failed");
    let forks = survives(
        "bomb() { bomb MARK | bomb MARK & }; bomb; sleep 2",
        &[more, &["--timeout", "30"]].concat(),
    );
    assert!(
        ["failed", "agent-error", "timeout"].contains(&forks["state"].as_str().unwrap()),
        "{forks}"
    );
    let stubborn = survives(
        "trap '' TERM INT HUP; exec -a MARK sleep 1000",
        &[more, &["--timeout", "4"]].concat(),
    );
    assert!(
        ["timeout", "failed"].contains(&stubborn["state"].as_str().unwrap()),
        "{stubborn}"
    );
}

pub(crate) fn a_workspace_with_links_and_strange_files_is_carried_as_it_is(more: &[&str]) {
    let shell = "ln -s /etc/passwd out; ln -s ../../.. up; mkfifo pipe; mkdir -p empty a/venv; echo x > a/venv/y; \
                 echo '#!/bin/sh' > run; chmod 755 run; echo s > secret; chmod 000 secret; ln run hard; \
                 printf x > \"$(printf 'bad\\377name')\"";
    let dir = tempfile::tempdir().unwrap();
    as_agent(dir.path(), shell, more);
    let snapshots = dir.path().join("run-outside/snapshots");
    let all: Vec<String> = std::fs::read_dir(snapshots)
        .unwrap()
        .map(|e| std::fs::read_to_string(e.unwrap().path()).unwrap())
        .collect();
    let manifest = all
        .iter()
        .find(|m| m.contains("\"run\""))
        .expect("the agent's workspace");
    for kept in [
        "/etc/passwd",
        "\"up\"",
        "\"empty\"",
        "\"secret\"",
        "\"hard\"",
        "\"executable\": true",
    ] {
        assert!(manifest.contains(kept), "{kept} is not in {manifest}");
    }
    for left_out in ["pipe", "venv", "bad"] {
        assert!(!manifest.contains(left_out), "{left_out} is in {manifest}");
    }
    let journal = std::fs::read_to_string(dir.path().join("run-outside/journal.jsonl")).unwrap();
    assert!(
        journal.contains("pipe"),
        "what was left out is named: {journal}"
    );
}
