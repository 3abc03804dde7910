//! Arguments of the commands that control runs.

use std::path::PathBuf;

use clap::Args;

use super::{PushArgs, Workers};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope status slope-runs/20261121-230500-codex
  slope status slope-runs/20261121-230500-codex --format json
  slope pause slope-runs/20261121-230500-codex     let current attempts finish
  slope cancel slope-runs/20261121-230500-codex    stop current attempts

A run stays paused or cancelled until you run `slope resume`. `pause` and `cancel` exit with code 2
if no process is working on the run.")]
pub(crate) struct OfRun {
    /// Directory of the run.
    #[arg(value_name = "RUN_DIR")]
    pub(crate) run: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope resume slope-runs/20261121-230500-codex
  slope resume slope-runs/20261121-230500-codex --workers 4
  slope resume slope-runs/20261121-230500-codex moved/problem

If a process is working on the run, this command ends its pause. Otherwise this process continues
the run: it keeps finished attempts and repeats interrupted ones. All settings except --workers come
from the directory of the run. The exit codes are those of `slope run`.")]
pub(crate) struct Resume {
    /// Directory of the run.
    #[arg(value_name = "RUN_DIR")]
    pub(crate) run: PathBuf,
    /// New folders of problems that have moved.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    /// Keep a paused run paused, and refuse a cancelled run. For scripts that restart runs.
    #[arg(long)]
    pub(crate) keep_paused: bool,
    /// Maximum concurrent trials. `auto` depends on memory and processors (docs/scheduling.md).
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = workers)]
    pub(crate) workers: Workers,
    #[command(flatten)]
    pub(crate) push: PushArgs,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Specification of the trial.
    pub(crate) spec: PathBuf,
}

/// Reads a number of trials, or `auto`.
pub(super) fn workers(text: &str) -> Result<Workers, String> {
    if text == "auto" {
        return Ok(None);
    }
    let number = text.parse::<u32>().ok().filter(|number| *number > 0);
    number
        .map(Some)
        .ok_or_else(|| "expected a number above zero, or auto".to_owned())
}
