//! Arguments of `judge`.

use std::path::PathBuf;

use clap::Args;

use super::{DefinitionArgs, FileArgs, ReportedArgs, RuleSource, WorkArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope judge --static src                      score a directory
  slope judge --static app.py --format json     score a file, for programs
  slope judge --static --diff main..HEAD        score a change: before and after

Each score is from 0 to 10, and 10 is best. The static judge needs no model and no network.
Exit codes: 0 judged, whatever the scores; 2 invalid input, or nothing to judge.")]
pub(crate) struct Judge {
    /// Directory or file to judge.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Judge by slope's measures, without a model.
    #[arg(long = "static")]
    pub(crate) is_static: bool,
    /// Judge a change of the repository at PATH: two commits as BASE..HEAD, or one to compare with HEAD.
    #[arg(long, value_name = "BASE..HEAD")]
    pub(crate) diff: Option<String>,
    /// Maximum number of issues, 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) definitions: DefinitionArgs,
    #[command(flatten)]
    pub(crate) rules: RuleSource,
    #[command(flatten)]
    pub(crate) reported: ReportedArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}
