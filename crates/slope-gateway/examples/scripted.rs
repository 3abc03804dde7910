//! Serves a script on a port of the loopback address until interrupted, then prints the usage.
//!
//! ```text
//! cargo run -p slope-gateway --example scripted -- SCRIPT [--port N] [--token TOKEN]
//!     [--checkpoint N] [--log FILE] [--forward URL --dialect NAME --key-env NAME]
//! ```
//!
//! With `--forward` the requests go to a server instead of the script (`SCRIPT` is then `-`).
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

use std::error::Error;
use std::net::TcpListener;
use std::path::PathBuf;

use slope_gateway::{
    AttemptAuth, Caps, Gateway, GatewayConfig, HttpUpstream, KeyHeader, KeySource, LoadedScript,
    Upstream, random_token,
};

fn option(arguments: &[String], name: &str) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).cloned()
}

fn upstream(arguments: &[String]) -> Result<Upstream, Box<dyn Error>> {
    let get = |name| option(arguments, name);
    if let Some(base_url) = get("--forward") {
        let dialect = get("--dialect").ok_or("--forward needs --dialect")?;
        return Ok(Upstream::Http(HttpUpstream {
            base_url,
            dialect: serde_json::from_value(dialect.into())?,
            key: get("--key-env").map_or(KeySource::None, KeySource::Env),
            key_header: KeyHeader::Dialect,
            model: get("--model"),
        }));
    }
    let script = arguments.first().ok_or("give a script file")?;
    Ok(Upstream::Scripted(
        LoadedScript::load(script.as_ref())?.into(),
    ))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let get = |name| option(&arguments, name);
    let gateway = Gateway::new(GatewayConfig::new(upstream(&arguments)?))?;
    let port: u16 = get("--port").map_or(Ok(0), |port| port.parse())?;
    let token = get("--token").map_or_else(random_token, Ok)?;
    let serving = gateway.serve(
        TcpListener::bind(("127.0.0.1", port))?,
        AttemptAuth {
            token: token.clone(),
            trial: "by hand".into(),
            checkpoint_index: get("--checkpoint").map_or(Ok(1), |index| index.parse())?,
            log_path: PathBuf::from(get("--log").unwrap_or_else(|| "requests.jsonl".into())),
            caps: Caps::default(),
            prices: None,
        },
    )?;
    println!(
        "serving {} with token {token}; Ctrl-C ends it",
        serving.base_url()
    );
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(async {
            let mut term =
                tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
            tokio::select! {
                result = tokio::signal::ctrl_c() => result,
                _ = term.recv() => Ok(()),
            }
        })?;
    let record = serving.finish();
    println!("{}", serde_json::to_string_pretty(&record.usage)?);
    println!("tools: {}", record.tools.join(", "));
    println!("stripped: {}", record.stripped.join(", "));
    for error in &record.errors {
        println!("error: {error}");
    }
    Ok(())
}
