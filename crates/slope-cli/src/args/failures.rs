//! Arguments of `slope failures`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope failures slope-runs/a
  slope failures slope-runs --attempts                   each attempt that failed, with its class
  slope failures slope-runs --format json
  slope failures outputs --labels labels.jsonl           compare the classes with labels of people

Rules assign the classes: docs/failures.md. A class never changes a verdict.
Exit codes: 0 success, 2 invalid input.")]
pub(crate) struct Failures {
    /// Run directories, or folders that contain run directories.
    #[arg(required = true, value_name = "RUN_DIR")]
    pub(crate) runs: Vec<PathBuf>,
    /// Show each attempt that failed.
    #[arg(long)]
    pub(crate) attempts: bool,
    /// Labels of failed tests to compare with (JSON Lines, docs/failures.md).
    #[arg(long, value_name = "FILE", conflicts_with = "attempts")]
    pub(crate) labels: Option<PathBuf>,
}
