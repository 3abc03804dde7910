//! Machine resources of commands: sandbox, interpreter, caches, gateway, agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail};
use slope_agent::{Agent, AgentOptions, InstallContext, Installed};
use slope_bench::event::Progress;
use slope_bench::machine::{Machine, security_measurer, snapshot_measurer};
use slope_bench::plan::{RunOptions, StabilityPlan, Surroundings, UpstreamPlan};
use slope_bench::runtimes;
use slope_gateway::{
    Dialect, Gateway, GatewayConfig, HttpUpstream, KeyHeader, KeySource, LoadedScript, PriceTable,
    Recordings, Upstream,
};
use slope_model::run::Start;
use slope_sandbox::{Builtin, Capabilities, Feature, OpenError, Runtime, State};
use slope_suite::track::{Interpreter, Track};
use slope_suite::{GradeOptions, Stability};

use crate::display::Display;
use crate::exit::HarnessFailed;
use crate::folders;

/// The value of an environment variable; `None` if it is not set, or empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Functions of this binary that sandboxes may run.
pub(crate) fn builtins() -> Vec<(&'static str, Builtin)> {
    [slope_agent::BUILTINS, slope_suite::BUILTINS].concat()
}

/// Command that resumes the current work of this process.
static RESUME: Mutex<Option<String>> = Mutex::new(None);

/// Sets the command that is shown for resuming if this process is interrupted.
pub(crate) fn resumable_with(command: String) {
    *RESUME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(command);
}

/// The message of a command that finishes its work after the first Ctrl-C. The second Ctrl-C ends the process.
static GENTLE: OnceLock<&str> = OnceLock::new();
/// Set by the first Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C or SIGTERM print a message and set the returned flag instead of ending the process.
pub(crate) fn stop_gently(message: &'static str) -> &'static AtomicBool {
    GENTLE.get_or_init(|| message);
    &STOP
}

/// How often a server looks whether it should end.
const STOP_INTERVAL: Duration = Duration::from_millis(250);

/// Waits until the first Ctrl-C or SIGTERM, and prints a message then.
pub(crate) async fn stopped_gently(message: &'static str) {
    let stop = stop_gently(message);
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(STOP_INTERVAL).await;
    }
}

/// Ends the process on Ctrl-C and SIGTERM. The run directory is always consistent and the sandboxes
/// end with this process, so only unfinished temporary files are removed.
pub(crate) fn stop_on_signals() {
    // Without a handler the default action applies, which ends the process as well.
    drop(ctrlc::set_handler(|| {
        if let Some(message) = GENTLE.get()
            && !STOP.swap(true, Ordering::Relaxed)
        {
            anstream::eprintln!("\n{message}");
            return;
        }
        let resume = RESUME
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match resume.as_deref() {
            Some(command) => anstream::eprintln!("\ninterrupted; continue with: {command}"),
            None => anstream::eprintln!("\ninterrupted"),
        }
        slope_store::atomic::abandon_pending();
        std::process::exit(130);
    }));
}

/// Folder shared by all runs of this user.
pub(crate) fn cache_dir() -> anyhow::Result<PathBuf> {
    folders::cache().context("no folder for the cache\nhelp: set SLOPE_CACHE_DIR or HOME")
}

/// The error of a runtime that cannot be opened.
pub(crate) fn open_error(error: OpenError) -> anyhow::Error {
    match error {
        OpenError::Settings(error) => anyhow::Error::from_boxed(error),
        OpenError::Machine(error) => HarnessFailed(anyhow::Error::from_boxed(error)).into(),
    }
}

/// Machine for the run in the directory `run` with `options`.
pub(crate) fn machine(options: &RunOptions, run: &Path) -> anyhow::Result<Machine> {
    if options.unconfined {
        let yellow = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
        anstream::eprintln!(
            "{yellow}warning{yellow:#}: running without isolation; agents and their programs act with your rights"
        );
    }
    let runtime = runtimes::open(options, run, true).map_err(open_error)?;
    let machine = machine_with(options, runtime)?;
    if options.environment.runtime.has_own_system() {
        machine.interpreter.check_inside(machine.runtime.as_ref())?;
    }
    Ok(machine)
}

/// As [`machine`] for a worker, whose coordinator has made the checks already.
pub(crate) fn worker_machine(options: &RunOptions, run: &Path) -> anyhow::Result<Machine> {
    let runtime = runtimes::open(options, run, false).map_err(open_error)?;
    machine_with(options, runtime)
}

fn machine_with(options: &RunOptions, runtime: Box<dyn Runtime>) -> anyhow::Result<Machine> {
    let cache_dir = cache_dir()?;
    let interpreter = Interpreter::discover(options.python.as_deref())?;
    let mut grade = GradeOptions::new(cache_dir.clone());
    grade.offline = options.offline;
    grade.disk = options.disk;
    grade.wheel_dir.clone_from(&options.wheels);
    grade.python.clone_from(&options.python);
    grade.track = options.track;
    let is_control = ["nop", "oracle"].contains(&options.agent.as_str());
    grade.compare_reference = options.start == Start::Reference && !is_control;
    grade.suite_limit = options.suite_timeout_s.map(Duration::from_secs);
    grade.stability = match options.stability {
        StabilityPlan::Off => Stability::Off,
        StabilityPlan::Failing => Stability::Failing,
        StabilityPlan::All => Stability::All,
    };
    Ok(Machine {
        track: Track::ready(options.track, &interpreter)?,
        program: std::env::current_exe().context("cannot find the program of slope")?,
        runtime,
        interpreter,
        cache_dir,
        grade,
        measurer: snapshot_measurer()?,
        security: security_measurer()?,
    })
}

/// Properties of this machine and its agent that are stored in a run's configuration.
pub(crate) fn surroundings(
    machine: &Machine,
    (agent, installed): (&dyn Agent, &Installed),
) -> Surroundings {
    Surroundings {
        slope_version: env!("CARGO_PKG_VERSION").to_owned(),
        agent: agent.name().to_owned(),
        agent_version: installed.version.clone(),
        capabilities: capability_map(&machine.runtime.probe()),
    }
}

/// Capabilities as a run's configuration and `slope doctor` show them: feature to state, in words.
pub(crate) fn capability_map(capabilities: &Capabilities) -> BTreeMap<String, String> {
    let features = capabilities.features.iter();
    features
        .map(|(feature, state)| {
            let said = match state {
                State::Works(None) => "works".to_owned(),
                State::Works(Some(detail)) => format!("works ({detail})"),
                State::Refused { why, .. } => format!("refused: {why}"),
                State::Untried => "not tried".to_owned(),
            };
            (feature_name(*feature), said)
        })
        .collect()
}

/// The name that a feature has in files.
fn feature_name(feature: Feature) -> String {
    let name = serde_json::to_value(feature).unwrap_or_default();
    name.as_str().unwrap_or("unknown").to_owned()
}

/// The agent that a run's options name.
pub(crate) fn named_agent(options: &RunOptions) -> anyhow::Result<Box<dyn Agent>> {
    let agent_options = AgentOptions {
        config: options.agent_config.clone(),
        max_turns: options.max_turns,
        dialect: options.dialect,
        effort: options.effort,
    };
    Ok(slope_agent::by_name(&options.agent, &agent_options)?)
}

/// Installs and returns the agent of the options.
pub(crate) fn agent(
    options: &RunOptions,
    machine: &Machine,
    display: &Display,
) -> anyhow::Result<(Box<dyn Agent>, Installed)> {
    let agent = named_agent(options)?;
    let progress = |what: &str| display.show("", &Progress::Preparing(what.to_owned()));
    let installed = agent.install(&InstallContext {
        cache_dir: &machine.cache_dir,
        offline: options.offline,
        python: &machine.interpreter.executable,
        progress: &progress,
    })?;
    Ok((agent, installed))
}

/// The gateway that `agent` needs; `None` for agents that ask no model.
pub(crate) fn gateway(
    options: &RunOptions,
    agent: &dyn Agent,
    display: &Display,
) -> anyhow::Result<Option<Gateway>> {
    let Some(dialect) = agent.dialect() else {
        if options.upstream != UpstreamPlan::None {
            bail!(
                "the agent {} does not use a model\nhelp: remove --upstream, --script and --replay",
                agent.name()
            );
        }
        return Ok(None);
    };
    let upstream = upstream(options, agent, dialect)?;
    let mut config = GatewayConfig {
        rates: options.rates,
        notify: display.notifier(),
        model: Some(options.model.clone()),
        prices: Some(price_table(options)?),
        record: options.record,
        trial_caps: options.trial_caps.caps(),
        run_caps: options.run_caps.caps(),
        ..GatewayConfig::new(upstream)
    };
    if let Some(seconds) = options.upstream_patience_s {
        config.limits.upstream_patience = Duration::from_secs(seconds);
    }
    let gateway = Gateway::new(config).context("cannot start the gateway")?;
    Ok(Some(gateway))
}

/// The server, script or recording that answers `agent`.
fn upstream(
    options: &RunOptions,
    agent: &dyn Agent,
    dialect: slope_agent::Dialect,
) -> anyhow::Result<Upstream> {
    Ok(match &options.upstream {
        UpstreamPlan::None => bail!(
            "the agent {} needs a model\nhelp: add --upstream URL, --script FILE or --replay RUN_DIR",
            agent.name()
        ),
        UpstreamPlan::Http { .. } | UpstreamPlan::Replay(_) if options.model.is_empty() => bail!(
            "the agent {} needs a model\nhelp: add --model NAME",
            agent.name()
        ),
        UpstreamPlan::Script(path) => Upstream::Scripted(LoadedScript::load(path)?.into()),
        UpstreamPlan::Replay(run) => {
            let files = slope_bench::recordings(run);
            if files.is_empty() {
                bail!(
                    "--replay {}: the run has no recordings\nhelp: record a run with --record",
                    run.display()
                );
            }
            Upstream::Replay(Recordings::load(&files)?)
        }
        UpstreamPlan::Http { base_url, key_env } => Upstream::Http(HttpUpstream {
            base_url: base_url.clone(),
            dialect: match dialect {
                slope_agent::Dialect::Chat => Dialect::ChatCompletions,
                slope_agent::Dialect::Gemini => Dialect::Gemini,
                slope_agent::Dialect::Messages => Dialect::Messages,
                slope_agent::Dialect::Responses => Dialect::Responses,
            },
            key: key_env.clone().map_or(KeySource::None, KeySource::Env),
            key_header: KeyHeader::default(),
            model: None,
        }),
    })
}

/// Prices of a run: those of its file, then the built-in ones.
pub(crate) fn price_table(options: &RunOptions) -> anyhow::Result<PriceTable> {
    let built_in = PriceTable::built_in()?;
    Ok(match &options.price_file {
        Some(file) => PriceTable::load(file)?.or(&built_in),
        None => built_in,
    })
}
