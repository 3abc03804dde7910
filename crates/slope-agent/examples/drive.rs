//! Runs an agent once as a plain process, without a sandbox, against a gateway that is there.
//!
//! ```text
//! cargo run -p slope-agent --example drive -- AGENT --url URL --token TOKEN --model MODEL
//!     --prompt TEXT --dir DIR [--config FILE] [--cache DIR] [--requests N] [--env KEY=VALUE]...
//! ```
//!
//! Workspace, home and streams appear below DIR. The agent acts with your rights: for trying
//! adapters by hand with a scripted model, never for a real one.
#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::error::Error;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use slope_agent::{
    AgentOptions, Evidence, InstallContext, InstalledBind, Launch, LaunchContext, Process,
    ProcessExit, Program, by_name, own,
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let get = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let need = |name: &str| get(name).ok_or(format!("{name} is missing"));
    let name = arguments.first().ok_or("name an agent")?;
    let dir = std::path::absolute(need("--dir")?)?;
    let (workspace, home) = (dir.join("workspace"), dir.join("home"));
    std::fs::create_dir_all(&workspace)?;
    std::fs::create_dir_all(&home)?;

    let options = AgentOptions {
        config: get("--config").map(PathBuf::from),
        ..AgentOptions::default()
    };
    let agent = by_name(name, &options)?;
    let cache_dir = get("--cache").map_or_else(|| dir.join("cache"), PathBuf::from);
    let installed = agent.install(&InstallContext {
        cache_dir: &cache_dir,
        offline: false,
        python: Path::new("python3"),
        progress: &|what| println!("{what}"),
    })?;
    println!("{installed:#?}");
    let launch = agent.launch(&LaunchContext {
        prompt: need("--prompt")?,
        model: need("--model")?,
        gateway_url: need("--url")?,
        token: need("--token")?,
        installed: &installed,
        workspace: &workspace,
        home: &home,
        reference_solution: None,
        hooks: None,
        continues: false,
    })?;
    let Launch::Process(process) = launch else {
        return Err("this agent runs no process".into());
    };
    let added = arguments
        .iter()
        .zip(arguments.iter().skip(1))
        .filter(|(key, _)| *key == "--env");
    let added: Vec<&str> = added.map(|(_, value)| value.as_str()).collect();
    let exit = start(&process, &dir, &added)?;
    let conclusion = agent.conclude(&Evidence {
        exit,
        stdout: &dir.join("stdout"),
        stderr: &dir.join("stderr"),
        stdout_cut: false,
        gateway_requests: get("--requests").map_or(Ok(1), str::parse)?,
    });
    println!("{conclusion:#?}");
    Ok(())
}

/// Runs the process in the workspace below `dir`, with its streams in files there.
fn start(process: &Process, dir: &Path, added: &[&str]) -> Result<ProcessExit, Box<dyn Error>> {
    for (path, bytes) in &process.home_files {
        let path = dir.join("home").join(path);
        std::fs::create_dir_all(path.parent().ok_or("a file without a folder")?)?;
        std::fs::write(path, bytes)?;
    }
    let (mut out, mut err) = (
        File::create(dir.join("stdout"))?,
        File::create(dir.join("stderr"))?,
    );
    match &process.program {
        Program::Builtin { payload, .. } => {
            Ok(ProcessExit::Code(own::run(payload, &mut out, &mut err)))
        }
        Program::Exec(argv) => {
            let (program, rest) = argv.split_first().ok_or("an empty command")?;
            let status = Command::new(on_host(Path::new(program), &process.binds))
                .args(rest)
                .env_clear()
                .envs(&process.env)
                .envs(added.iter().filter_map(|pair| pair.split_once('=')))
                .current_dir(dir.join("workspace"))
                .stdin(Stdio::null())
                .stdout(out)
                .stderr(err)
                .status()?;
            Ok(match (status.code(), status.signal()) {
                (Some(code), _) => ProcessExit::Code(code),
                (None, signal) => ProcessExit::Signal(signal.unwrap_or(0)),
            })
        }
    }
}

/// Where a path inside lies on the host.
fn on_host(path: &Path, binds: &[InstalledBind]) -> PathBuf {
    let within = |bind: &InstalledBind| {
        path.strip_prefix(&bind.target)
            .ok()
            .map(|rest| bind.source.join(rest))
    };
    binds
        .iter()
        .find_map(within)
        .unwrap_or_else(|| path.to_owned())
}
