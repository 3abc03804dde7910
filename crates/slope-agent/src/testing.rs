//! Helpers of the tests.

use std::path::Path;

use crate::AgentOptions;
use crate::agent::Process;
use crate::agent::{Agent, Conclusion, Evidence, Installed, Launch, LaunchContext, ProcessExit};
use crate::description::{Described, Description};

/// An agent with its defaults.
pub(crate) fn agent(description: &'static Description) -> Described {
    Described::new(description, &AgentOptions::default()).unwrap()
}

/// An agent with this settings file.
pub(crate) fn agent_with(description: &'static Description, settings: &str) -> Described {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("settings.toml");
    std::fs::write(&path, settings).unwrap();
    Described::new(description, &AgentOptions::with_config(path)).unwrap()
}

/// The process of a launch with the recognisable values, and its files as text.
pub(crate) fn launched(agent: &dyn Agent) -> (Process, Vec<(String, String)>) {
    let installed = Installed {
        program: Some("/opt/agent/program".into()),
        ..Installed::builtin()
    };
    let launch = agent.launch(&launch_context(&installed)).unwrap();
    let Launch::Process(mut process) = launch else {
        panic!("{launch:?}");
    };
    let text = |(path, bytes): (std::path::PathBuf, Vec<u8>)| {
        let path = path.to_string_lossy().into_owned();
        (path, String::from_utf8(bytes).unwrap())
    };
    let files = process.home_files.drain(..).map(text).collect();
    (process, files)
}

/// Events as a stream, each on a line of its own.
pub(crate) fn stream(events: &[&str]) -> String {
    events
        .iter()
        .map(|event| event.replace('\n', " ") + "\n")
        .collect()
}

/// An agent's result for these streams.
pub(crate) fn conclude(
    agent: &dyn Agent,
    stdout: &str,
    stderr: &str,
    exit: ProcessExit,
    gateway_requests: u64,
) -> Conclusion {
    let dir = tempfile::tempdir().unwrap();
    let (out, err) = (dir.path().join("out"), dir.path().join("err"));
    std::fs::write(&out, stdout).unwrap();
    std::fs::write(&err, stderr).unwrap();
    agent.conclude(&Evidence {
        exit,
        stdout: &out,
        stderr: &err,
        stdout_cut: false,
        gateway_requests,
    })
}

/// A context with recognisable values.
pub(crate) fn launch_context(installed: &Installed) -> LaunchContext<'_> {
    LaunchContext {
        prompt: "--build it\nwell",
        model: "vendor/model-1",
        gateway_url: "http://127.0.0.1:8080",
        token: "token-1",
        installed,
        workspace: Path::new("/workspace"),
        home: Path::new("/home/user"),
        reference_solution: None,
        hooks: None,
        continues: false,
    }
}
