//! Arguments of the commands about runs that are going on.

use std::path::PathBuf;

use clap::Args;

use super::Workers;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope status slope-runs/20261121-230500-codex
  slope status slope-runs/20261121-230500-codex --format json
  slope pause slope-runs/20261121-230500-codex     running attempts end, none is started
  slope cancel slope-runs/20261121-230500-codex    running attempts are ended; slope resume goes on

A pause and a cancel outlive the process that works on the run: only `slope resume` lifts them. To
pause or cancel a run that nobody works on is an error (exit code 2).")]
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

Where a process works on the run, its pause is lifted. Else this process goes on with it: what is
done stands, what was interrupted is tried again, and everything but --workers comes from the run's
directory.")]
pub(crate) struct Resume {
    /// Directory of the run.
    #[arg(value_name = "RUN_DIR")]
    pub(crate) run: PathBuf,
    /// Where problems that have moved are now.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    /// Trials at a time, at most; auto: as many as memory and processors allow.
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = workers)]
    pub(crate) workers: Workers,
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
        .ok_or_else(|| "give a number above zero, or auto".to_owned())
}
