//! Arguments of experiments with rewards.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope research rewards refactorings repos/click repos/ripgrep --out pairs.jsonl
  slope research rewards mutations repos/* --commits 40 --out mutations.jsonl
  slope research rewards honest repos/* --commits 40
  slope research rewards trajectories outputs/*/*
  slope grade calibrate pairs.jsonl --out my-pack.toml

`refactorings` compares commits that restructure code with the edit that takes them back; the commit
should have the higher quality. `mutations` makes known edits of commits, as `slope grade mutate` does: slop
should lower quality, and neutral edits should change nothing. `honest` counts commits whose quality is below 0.8. `trajectories` asks
whether the quality of a checkpoint goes together with passing, cost and churn of the next, beyond what
passing, lines and the problem explain. Quality is not rounded here.
Exit codes: 0 done; 2 a repository cannot be read, or invalid usage.")]
pub(crate) struct ResearchRewards {
    /// The experiment.
    #[arg(value_enum)]
    pub(crate) experiment: Experiment,
    /// Repositories with their histories, or run directories.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) repos: Vec<PathBuf>,
    /// Commits of each repository, the newest first.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) commits: usize,
    /// Reward pack [default: the one that slope comes with].
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
    /// File for the pairs or commits, as lines of JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Number of threads [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Experiment {
    /// Commits that restructure code, against their reverse.
    Refactorings,
    /// Known edits of ordinary commits: slop, improvements, hard negatives and neutral ones.
    Mutations,
    /// Quality of ordinary commits.
    Honest,
    /// Whether the quality of a checkpoint predicts the next one, in published run directories.
    Trajectories,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope research rewards refactorings repos/* --out pairs.jsonl
  slope grade calibrate pairs.jsonl --out my-pack.toml
  slope grade calibrate pairs.jsonl more.jsonl --pack my-pack.toml --format json

Each line of a file is a pair: the grades of two edits, one better than the other, with the group (mostly
the repository), the language and the kind. Weights are fitted so that the better edit has the higher
quality. They are never negative. The accuracy is that of weights that did not see the group.
Exit codes: 0 done; 2 a file cannot be read, or there are too few pairs.")]
pub(crate) struct Calibrate {
    /// Files of pairs.
    #[arg(required = true, value_name = "PAIRS")]
    pub(crate) pairs: Vec<PathBuf>,
    /// Pack whose weights are the start, and whose scales stay [default: the one that slope comes with].
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
    /// File for the pack with the fitted weights.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Name of the new pack.
    #[arg(long, value_name = "NAME", default_value = "fitted")]
    pub(crate) name: String,
}
