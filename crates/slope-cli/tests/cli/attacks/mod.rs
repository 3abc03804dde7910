//! What an agent tries from inside, whatever the runtime: `more` are the options that choose it.

use std::path::Path;

use serde_json::Value;

use crate::common::{self, run_json, text};

/// One of every `share` attacks, drawn by the process's number so that all have their turn; what is drawn is printed.
pub(crate) fn drawn<'a>(ids: &[&'a str], share: usize) -> Vec<&'a str> {
    let first = std::process::id() as usize % share;
    let drawn: Vec<&str> = ids.iter().skip(first).step_by(share).copied().collect();
    println!("attacks: {}", drawn.join(" "));
    drawn
}

/// The options that choose attacks.
pub(crate) fn only(ids: &[&str]) -> Vec<String> {
    let options = ids.iter().flat_map(|id| ["--only", id]);
    options.map(str::to_owned).collect()
}

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
pub(crate) fn as_agent(dir: &Path, shell: &str, more: &[&str]) -> (Value, String) {
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

pub(crate) fn checkpoint(envelope: &Value) -> &Value {
    &common::runs(envelope)[0]["trials"][0]["checkpoints"][0]
}

/// Runs the catalogue; `more` are the options that choose the runtime. Nothing may get through.
pub(crate) fn no_attack_gets_through(more: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let kept = dir.path().join("SECRET-MARK-kept");
    let mut command = common::slope();
    // A key of the host that no attack may find.
    command.env("SLOPE_TEST_API_KEY", "SECRET-MARK-environment");
    let base = [
        "research",
        "cheats",
        "--format",
        "json",
        "--quiet",
        "--keep",
        text(&kept),
    ];
    let output = command.args(base).args(more).output().unwrap();
    let said = common::stdout(&output);
    let result: Value = serde_json::from_str(&said)
        .unwrap_or_else(|_| panic!("no result: {}", common::stderr(&output)));
    let through: Vec<&Value> = result["attacks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["held"] != true)
        .collect();
    assert!(through.is_empty(), "got through: {through:#?}");
    assert_eq!(result["held"], true);
    assert_eq!(output.status.code(), Some(0), "{}", common::stderr(&output));
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

/// An agent reaches what its environment lists, by the proxy alone, and the report says so. `environment`
/// is the rest of the environment file.
pub(crate) fn only_what_is_listed_is_reached(environment: &str) {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let answering = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        std::io::Write::write_all(&mut stream, b"HELLO FROM OUTSIDE\n").unwrap();
    });
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("network.toml");
    let table = format!("[network]\nallow = [\"pypi.org\"]\nprivate = [\"127.0.0.1:{port}\"]\n");
    std::fs::write(&file, format!("{environment}\n{table}")).unwrap();
    let shell = format!(
        "python3 - <<'E'\nimport os, socket\nfrom urllib.parse import urlsplit\n\
         proxy = urlsplit(os.environ['HTTPS_PROXY'])\n\
         def ask(target):\n    with socket.create_connection((proxy.hostname, proxy.port), 20) as s:\n        \
         s.sendall(f'CONNECT {{target}} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'.encode())\n        \
         s.shutdown(socket.SHUT_WR)\n        \
         print(target, b''.join(iter(lambda: s.recv(99), b'')).decode().split('\\r\\n\\r\\n'))\n\
         ask('127.0.0.1:{port}')\nask('127.0.0.1:1')\nask('169.254.169.254:80')\nask('example.com:443')\n\
         try:\n    socket.create_connection(('127.0.0.1', {port}), 2)\n    print('DIRECT reached')\n\
         except OSError:\n    print('DIRECT refused')\nE"
    );
    let (envelope, said) = as_agent(dir.path(), &shell, &["--environment", text(&file)]);
    assert!(said.contains("200 Connection established"), "{said}");
    assert!(
        said.contains("HELLO FROM OUTSIDE") && said.contains("DIRECT refused"),
        "{said}"
    );
    assert_eq!(said.matches("403 refused").count(), 3, "{said}");
    answering.join().unwrap();
    let seen = checkpoint(&envelope)["integrity"].as_array().unwrap();
    let weights: Vec<_> = seen.iter().map(|s| (&s["kind"], &s["weight"])).collect();
    let kind = Value::from("refused-connection");
    let (noted, violation) = (Value::from("noted"), Value::from("violation"));
    assert_eq!(weights, [(&kind, &noted), (&kind, &violation)], "{seen:?}");
    let out = dir.path().join("run-outside");
    let log = std::fs::read_to_string(walk(&out.join("trials"), "egress.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 4, "{log}");
    let told = common::stdout(&common::run(&["report", text(&out)]));
    assert!(
        told.contains("pypi.org") && told.contains("1 violation"),
        "{told}"
    );
    let page = common::stdout(&common::run(&["report", text(&out), "--evidence"]));
    assert!(page.contains("169.254.169.254:80"), "{page}");
}
