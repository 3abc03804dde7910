//! `slope doctor`: capabilities of this machine.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use slope_bench::runtimes::{self, RuntimeChoice};
use slope_model::error_text::one_line;
use slope_report::Format;
use slope_sandbox::OpenError;
use slope_suite::track::{Interpreter, Track, TrackName};

use super::output;
use crate::args::Doctor;
use crate::exit::Done;
use crate::setup;

/// Capabilities of this machine.
#[derive(Debug, Serialize)]
struct Findings {
    /// Whether agents and programs can be isolated.
    sandbox: bool,
    /// Reason that sandboxes are unavailable, with a remedy.
    refusal: Option<String>,
    /// Features of the default runtime as probed.
    capabilities: BTreeMap<String, String>,
    /// Every runtime: `available`, or why not.
    runtimes: BTreeMap<&'static str, String>,
    /// Interpreter of the Python track, or why none is usable.
    python: String,
    /// Toolchain of every other track, or the reason that it is missing.
    toolchains: BTreeMap<&'static str, String>,
    /// Folder shared by all runs.
    cache: String,
    /// Other programs on PATH: name to path.
    tools: BTreeMap<String, Option<String>>,
}

pub(crate) fn run(args: &Doctor, format: Format) -> anyhow::Result<Done> {
    let capabilities = RuntimeChoice::default().probe()?;
    let refusal = capabilities
        .require()
        .err()
        .map(|refused| one_line(&refused));
    let python = Interpreter::discover(args.python.as_deref());
    let usable = refusal.is_none() && python.is_ok();
    let toolchains = python.as_ref().map(toolchains).unwrap_or_default();
    let findings = Findings {
        sandbox: refusal.is_none(),
        refusal,
        capabilities: setup::capability_map(&capabilities),
        runtimes: probe_runtimes(),
        python: python.map_or_else(
            |error| one_line(&error),
            |found| format!("{} at {}", found.version, found.executable.display()),
        ),
        toolchains,
        cache: setup::cache_dir()?.display().to_string(),
        tools: ["bash", "git", "npm", "node"]
            .map(|name| (name.to_owned(), find(name)))
            .into(),
    };
    match format {
        Format::Json => output::json(&findings)?,
        _ => output::text(&describe(&findings)?)?,
    }
    Ok(if usable { Done::Fine } else { Done::Unmet })
}

/// The toolchains of programs that are built.
fn toolchains(python: &Interpreter) -> BTreeMap<&'static str, String> {
    let built = TrackName::ALL.into_iter();
    let built = built.filter(|name| *name != TrackName::Python);
    let probed = built.map(|name| {
        let state = match Track::ready(name, python) {
            Ok(track) => track.toolchain().map_or_else(String::new, |found| {
                format!("{} at {}", found.version, found.host.display())
            }),
            Err(error) => one_line(&error),
        };
        (name.name(), state)
    });
    probed.collect()
}

fn probe_runtimes() -> BTreeMap<&'static str, String> {
    let probed = runtimes::RUNTIMES.iter().map(|kind| {
        let usable = kind.probe().and_then(|capabilities| {
            let required = capabilities.require();
            required.map_err(|refused| OpenError::Machine(refused.into()))
        });
        let state = usable.map_or_else(|error| one_line(&error), |()| "available".to_owned());
        (kind.name(), state)
    });
    probed.collect()
}

fn find(name: &str) -> Option<String> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|candidate| candidate.is_file())
        .map(|found| found.display().to_string())
}

fn describe(findings: &Findings) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let sandbox = if findings.sandbox {
        "available"
    } else {
        "refused by this kernel"
    };
    writeln!(text, "sandbox      {sandbox}")?;
    if let Some(refusal) = &findings.refusal {
        writeln!(text, "             {refusal}")?;
    }
    for (name, state) in &findings.capabilities {
        writeln!(text, "  {name:<20} {state}")?;
    }
    for (name, state) in &findings.runtimes {
        writeln!(text, "runtime      {name}: {state}")?;
    }
    writeln!(text, "python       {}", findings.python)?;
    for (name, state) in &findings.toolchains {
        writeln!(text, "{name:<12} {state}")?;
    }
    writeln!(text, "cache        {}", findings.cache)?;
    for (name, path) in &findings.tools {
        writeln!(
            text,
            "{name:<12} {}",
            path.as_deref().unwrap_or("not found")
        )?;
    }
    Ok(text)
}
