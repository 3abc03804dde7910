//! Helpers of the tests.

use std::path::Path;

use crate::agent::{Agent, Conclusion, Evidence, Installed, LaunchContext, ProcessExit};

/// Events as a stream, each on a line of its own.
pub(crate) fn stream(events: &[&str]) -> String {
    events
        .iter()
        .map(|event| event.replace('\n', " ") + "\n")
        .collect()
}

/// What an agent makes of these streams.
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
    }
}
