//! Arguments of `slope report`.

use std::path::PathBuf;

use clap::Args;

use super::Phases;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope report slope-runs/a slope-runs/b
  slope report slope-runs --phases dashboard                     all runs below a folder
  slope report slope-runs/a --html a.html                        plots, each trial, two side by side
  slope report slope-runs/a --evidence                           what the integrity column rests on
  slope report slope-runs/a --format markdown
  slope report slope-runs --format latex > tables.tex            tables for a paper
  slope report slope-runs --format parquet --out rows            every row, a file for each kind
  slope report slope-runs --panel flask.json --panel click.json  against histories of repositories
  slope report slope-runs --panel repositories.csv               against code bases by tier of stars
  slope report outputs                                           runs of the published harness too")]
pub(crate) struct Report {
    /// Run directories, or folders with run directories somewhere below them.
    #[arg(required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// How checkpoints are put into progress phases.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Phases::Paper)]
    pub(crate) phases: Phases,
    /// Resamples of problems behind each interval by problem.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    pub(crate) resamples: u32,
    /// Output of `slope history --format json`, to hold the runs' progress against, or a table (CSV) of
    /// code bases with erosion, verbosity and stars or tier, to hold their ends against; can be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) panel: Vec<PathBuf>,
    /// Folder for the files of `--format csv` and `--format parquet`: one for each kind of row.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Write the HTML report to this file too.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Only tell what was seen that bears on the honesty of verdicts, with what shows it.
    #[arg(long, conflicts_with_all = ["html"])]
    pub(crate) evidence: bool,
}
