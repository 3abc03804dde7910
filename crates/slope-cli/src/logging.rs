//! Log lines on standard error: `--log FILTER` or `SLOPE_LOG`, off by default.

use std::io::IsTerminal;
use std::sync::OnceLock;

use anyhow::{anyhow, bail};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::Registry;

use crate::commands::output;

/// Variable with the filter. Worker processes get it from their coordinator.
const VARIABLE: &str = "SLOPE_LOG";

/// All targets of slope. Dependencies log request bodies, so their lines never appear.
const ROOT: &str = "slope";

const SYNTAX: &str = "expected LEVEL or TARGET=LEVEL, separated by commas";
const HELP: &str = "levels are off, error, warn, info, debug and trace, and targets start with \
                    `slope_`; for example: --log info,slope_gateway=debug";

/// The filter of this process, as typed.
static FILTER: OnceLock<String> = OnceLock::new();

/// Starts the log if the option or the variable is set. The option takes precedence.
///
/// # Errors
/// If the filter is invalid.
pub(crate) fn start(option: Option<&str>) -> anyhow::Result<()> {
    let (origin, filter) = match option {
        Some(filter) => ("--log", filter.to_owned()),
        None => match std::env::var_os(VARIABLE) {
            Some(filter) => (VARIABLE, filter.to_string_lossy().into_owned()),
            None => return Ok(()),
        },
    };
    let targets = targets(origin, &filter)?;
    if targets.iter().any(|(_, level)| level != LevelFilter::OFF) {
        install(targets);
    }
    FILTER.get_or_init(|| filter);
    Ok(())
}

fn install(targets: Targets) {
    let lines = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(has_color())
        .log_internal_errors(false);
    let subscriber = Registry::default().with(targets).with(lines);
    // An error means that a subscriber is already installed. It stays.
    drop(tracing::subscriber::set_global_default(subscriber));
}

/// Whether log lines are coloured: never in pipes and files.
fn has_color() -> bool {
    let stream = std::io::stderr();
    stream.is_terminal() && output::takes_color(&stream)
}

/// Whether log lines may appear, between which a progress bar would be torn.
pub(crate) fn is_on() -> bool {
    LevelFilter::current() != LevelFilter::OFF
}

/// Filter for worker processes. `None` if this process has none.
pub(crate) fn filter() -> Option<&'static str> {
    FILTER.get().map(String::as_str)
}

fn targets(origin: &str, filter: &str) -> anyhow::Result<Targets> {
    let directives = filter.split(',').map(str::trim);
    directives
        .filter(|directive| !directive.is_empty())
        .try_fold(Targets::new(), |targets, directive| {
            let (target, level) = parse(directive).map_err(|why| {
                anyhow!("invalid directive `{directive}` in {origin}: {why}\nhelp: {HELP}")
            })?;
            Ok(targets.with_target(target, level))
        })
}

/// Reads `LEVEL` or `TARGET=LEVEL`.
fn parse(directive: &str) -> anyhow::Result<(&str, LevelFilter)> {
    let (target, level) = directive.split_once('=').unwrap_or((ROOT, directive));
    let (target, level) = (target.trim(), level.trim());
    let is_ours = target == ROOT || target.starts_with("slope_");
    if !is_ours {
        bail!("`{target}` is not a target of slope");
    }
    match level.parse() {
        Ok(filter) if !level.is_empty() => Ok((target, filter)),
        _ => bail!(SYNTAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    #[test]
    fn directives_select_levels_by_target() {
        let targets = targets("--log", "warn, slope_gateway=DEBUG,slope_gate=off").unwrap();
        assert!(targets.would_enable("slope_gateway::exchange", &Level::DEBUG));
        assert!(targets.would_enable("slope_bench::execute", &Level::WARN));
        assert!(!targets.would_enable("slope_bench::execute", &Level::INFO));
        assert!(!targets.would_enable("slope_gate::judge", &Level::ERROR));
    }

    #[test]
    fn dependencies_never_log() {
        let targets = targets("--log", "trace").unwrap();
        for target in ["rmcp::service", "hyper_util::client", "reqwest"] {
            assert!(!targets.would_enable(target, &Level::ERROR), "{target}");
        }
    }

    #[test]
    fn invalid_directives_are_named() {
        for wrong in ["debgu", "slope_gate", "slope_gate=", "=debug", "rmcp=debug"] {
            let error = targets("SLOPE_LOG", &format!("info,{wrong}")).unwrap_err();
            let text = error.to_string();
            assert!(text.contains(&format!("`{wrong}` in SLOPE_LOG")), "{text}");
            assert!(text.contains("for example: --log"), "{text}");
        }
    }
}
