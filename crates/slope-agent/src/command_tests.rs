use std::path::Path;

use super::*;
use crate::ProcessExit;
use crate::testing::{conclude, launch_context};

fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("tool")).unwrap();
    let path = dir.path().join("mine.toml");
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

fn error(text: &str) -> String {
    let (dir, path) = written(text);
    let error = CommandAgent::read(&path).unwrap_err().to_string();
    error.replace(&*dir.path().to_string_lossy(), "")
}

const WHOLE: &str = r#"
version = "1.0"
dialect = "chat"
argv = ["/opt/agent/tool/run", "--model", "{model}", "--task", "{prompt}", "@{prompt_file}"]
install = "make tool"

[env]
OPENAI_BASE_URL = "{gateway_url}/v1"
OPENAI_API_KEY = "{token}"

[home_files]
".config/tool.json" = '{"key": "{token}", "models": {"a": "{model}"}}'

[[binds]]
source = "tool"
target = "/opt/agent/tool"
"#;

#[test]
fn command_file_becomes_a_launch() {
    let (dir, path) = written(WHOLE);
    let agent = CommandAgent::read(&path).unwrap();
    assert_eq!(
        (agent.name(), agent.dialect()),
        ("mine", Some(Dialect::Chat))
    );
    let installed = Installed {
        binds: Vec::new(),
        ..Installed::builtin()
    };
    let Launch::Process(mut process) = agent.launch(&launch_context(&installed)).unwrap() else {
        panic!("a process");
    };
    let files = std::mem::take(&mut process.home_files);
    let text = |(path, bytes): (PathBuf, Vec<u8>)| (path, String::from_utf8(bytes).unwrap());
    insta::assert_debug_snapshot!((process, files.into_iter().map(text).collect::<Vec<_>>()));

    let context = InstallContext {
        cache_dir: dir.path(),
        offline: true,
        python: Path::new("python3"),
        progress: &|_| {},
    };
    let missing = agent.install(&context).unwrap_err().to_string();
    assert!(
        missing.contains("no executable `/opt/agent/tool/run`"),
        "{missing}"
    );
    assert!(missing.contains("help: install it: make tool"), "{missing}");

    let tool = dir.path().join("tool/run");
    std::fs::write(&tool, "#!/bin/sh\n").unwrap();
    assert!(agent.install(&context).is_err(), "it is not executable yet");
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let installed = agent.install(&context).unwrap();
    assert_eq!(installed.version, "1.0");
    assert_eq!(installed.binds[0].target, Path::new("/opt/agent/tool"));
    assert!(installed.hashes["executable"].starts_with("blake3:"));
}

#[test]
fn prompt_file_written_only_if_used() {
    let (_dir, path) = written("dialect = \"none\"\nargv = [\"sh\", \"-c\", \"true\"]\n");
    let agent = CommandAgent::read(&path).unwrap();
    let installed = Installed::builtin();
    let Launch::Process(process) = agent.launch(&launch_context(&installed)).unwrap() else {
        panic!("a process");
    };
    assert_eq!(process.home_files, Vec::new());
}

#[test]
fn command_config_errors_name_their_line() {
    let base = "dialect = \"chat\"\nargv = [\"sh\"]\n";
    let errors = [
        "argv = [\"sh\"]\n".to_owned(),
        format!("{base}timeout = 3\n"),
        format!("{base}[env]\nA = 1\n"),
        "dialect = \"soap\"\nargv = [\"sh\"]\n".to_owned(),
        "dialect = \"chat\"\nargv = []\n".to_owned(),
        "dialect = \"chat\"\nargv = [\"bin/tool\"]\n".to_owned(),
        "dialect = \"chat\"\nargv = [\n  \"sh\",\n  \"{promt}\",\n]\n".to_owned(),
        "dialect = \"chat\"\nargv = [\"sh\", \"{token}\"]\n".to_owned(),
        format!("name = \"codex\"\n{base}"),
        format!("{base}[home_files]\n\"../x\" = \"\"\n"),
        format!("{base}[[binds]]\nsource = \"tool\"\ntarget = \"/usr/lib/x\"\n"),
        format!("{base}[[binds]]\nsource = \"absent\"\ntarget = \"/opt/x\"\n"),
        "dialect = \"chat\"\nargv = [\"sh\"\n".to_owned(),
    ];
    let errors: Vec<String> = errors.iter().map(|text| error(text)).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn exit_code_and_silence_decide_state() {
    let (_dir, path) = written("dialect = \"chat\"\nargv = [\"sh\"]\nok_exit_codes = [0, 3]\n");
    let chat = CommandAgent::read(&path).unwrap();
    let state =
        |agent: &CommandAgent, exit, requests| conclude(agent, "", "boom", exit, requests).state;
    assert_eq!(
        state(&chat, ProcessExit::Code(3), 1),
        AttemptState::Completed
    );
    assert_eq!(
        state(&chat, ProcessExit::Code(3), 0),
        AttemptState::AgentError
    );
    assert_eq!(
        state(&chat, ProcessExit::Signal(3), 1),
        AttemptState::AgentError
    );
    let (_dir, path) = written("dialect = \"none\"\nargv = [\"sh\"]\n");
    let none = CommandAgent::read(&path).unwrap();
    assert_eq!(
        state(&none, ProcessExit::Code(0), 0),
        AttemptState::Completed
    );
    let reason = conclude(&none, "", "boom", ProcessExit::Code(2), 0)
        .reason
        .unwrap();
    assert_eq!(
        reason,
        "the command failed (exit code 2); standard error: boom"
    );
}
