//! Arguments of `slope report`.

use std::path::PathBuf;

use clap::Args;

use super::Phases;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope report slope-runs/a slope-runs/b
  slope report slope-runs --phases dashboard                     all runs in a folder
  slope report slope-runs/a --html a.html                        a page with plots and every trial
  slope report slope-runs/a --evidence                           the evidence behind the integrity column
  slope report slope-runs/a --format markdown
  slope report slope-runs --format latex > tables.tex            tables for a paper
  slope report slope-runs --format parquet --out rows            all rows, one file per kind
  slope report slope-runs --panel flask.json --panel click.json  compare with histories of repositories
  slope report slope-runs --panel repositories.csv               compare with code bases by stars
  slope report outputs                                           runs of the published harness")]
pub(crate) struct Report {
    /// Run directories, or folders that contain run directories.
    #[arg(required = true, value_name = "RUN_DIR")]
    pub(crate) runs: Vec<PathBuf>,
    /// How to group checkpoints into progress phases.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Phases::Paper)]
    pub(crate) phases: Phases,
    /// Number of bootstrap resamples for intervals. Each resamples problems.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) resamples: u32,
    /// Reference to compare with (repeatable): output of `slope history --format json`, or a CSV
    /// table of code bases with erosion, verbosity, and stars or tier.
    #[arg(long, value_name = "FILE")]
    pub(crate) panel: Vec<PathBuf>,
    /// Folder for the files of --format csv and --format parquet, one per kind of row.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// File for the HTML report.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Show only integrity notes, with their evidence.
    #[arg(long, conflicts_with_all = ["html"])]
    pub(crate) evidence: bool,
}
