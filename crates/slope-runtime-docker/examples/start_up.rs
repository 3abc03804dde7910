//! How long a sandbox takes, in the local runtime and in containers.
//!
//! `cargo run --release -p slope-runtime-docker --example start_up -- IMAGE [ROUNDS]`

#![allow(
    clippy::print_stdout,
    reason = "an example that prints what it measured"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use slope_runtime_docker::{Config, DockerRuntime, Engine};
use slope_sandbox::{Command, Limits, LocalRuntime, Network, Runtime, Spec, Volume};

fn main() -> Result<(), Box<dyn Error>> {
    if let Some(code) = slope_sandbox::dispatch(&[]) {
        std::process::exit(code);
    }
    let mut words = std::env::args().skip(1);
    let image = words.next().ok_or("which image?")?;
    let rounds: usize = words.next().map_or(Ok(20), |word| word.parse())?;
    let dir = tempfile::tempdir()?;
    let spec = spec(dir.path());
    let docker = DockerRuntime::new(
        Engine::connect(None)?,
        Config {
            image,
            run: "start-up".to_owned(),
            cpus: None,
            memory_request: None,
        },
    )?;
    for runtime in [&LocalRuntime as &dyn Runtime, &docker] {
        // The first one builds an image.
        runtime.run(&spec)?;
        let mut until_running = Vec::new();
        let mut whole = Vec::new();
        for _ in 0..rounds {
            let began = Instant::now();
            let running = runtime.start(&spec)?;
            until_running.push(began.elapsed());
            running.wait()?;
            whole.push(began.elapsed());
        }
        let name = runtime.name();
        let (start, all) = (median(until_running), median(whole));
        println!("{name}: until the command runs {start:.1} ms, until all is gone {all:.1} ms");
    }
    Ok(())
}

/// `true` with an empty workspace that is packed afterwards.
fn spec(dir: &Path) -> Spec {
    Spec {
        command: Command::Exec(vec!["true".to_owned()]),
        workdir: "/workspace".into(),
        env: BTreeMap::new(),
        volumes: vec![Volume {
            target: "/workspace".into(),
            fill: None,
            collect: Some(dir.join("workspace.tar")),
            size: 64 << 20,
            writable: true,
            shared: false,
        }],
        binds: Vec::new(),
        network: Network::Listener(8787),
        limits: Limits::default(),
        enclosure: None,
        stdout: dir.join("stdout"),
        stderr: dir.join("stderr"),
    }
}

/// Median in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
