//! Arguments of `history`, `diff`, `research ledger` and `research panel`.

use std::path::PathBuf;

use clap::Args;

use super::measure::{DefinitionArgs, FileArgs, ReportedArgs, RuleSource, WorkArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope history                                  measure 30 commits of the default branch
  slope history ~/src/flask --all                measure every commit that changes code
  slope history . --since 2026-01-01 --ledger    attribute this year's changes
  slope history . --paths src --sample 50 --format json > out.json
  slope history . --ledger --agent 'ours=ci-bot@example.com'
  slope history . --html history.html            write a page with plots and diffs

slope does not check anything out. Bare repositories, linked worktrees and shallow clones work. It
follows the first parent of each merge. The settings and ignore files of the checkout apply to every
commit, which keeps numbers comparable.
Exit codes: 0 measured, whatever the findings; 2 invalid input, or nothing to measure.")]
pub(crate) struct History {
    /// Repository: a folder in it, or a bare repository.
    #[arg(default_value = ".", hide_default_value = true, value_name = "REPO")]
    pub(crate) repo: PathBuf,
    /// Newest commit [default: the default branch].
    #[arg(long, value_name = "REVISION")]
    pub(crate) rev: Option<String>,
    /// Number of commits to measure, evenly spaced among those that change code.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: u32,
    /// Measure every commit that changes code.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) all: bool,
    /// First day, for example 2026-06-30.
    #[arg(long, value_name = "DATE", value_parser = date)]
    pub(crate) since: Option<jiff::civil::Date>,
    /// Measure only this folder or glob (repeatable).
    #[arg(long, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Attribute the change of every commit to authors, agents, files and functions.
    #[arg(long)]
    pub(crate) ledger: bool,
    /// Recognise the agent NAME by PART of a name or address in its commits (repeatable).
    #[arg(long, value_name = "NAME=PART")]
    pub(crate) agent: Vec<String>,
    /// File for an HTML page with plots, causes and diffs. Implies --ledger.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Maximum rows of each list of the ledger, 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope diff main..HEAD                    compare main with HEAD
  slope diff main...HEAD                   compare their merge base with HEAD
  slope diff HEAD~3                        compare a commit with HEAD
  slope diff old-checkout new-checkout     compare two directories
  slope diff v1.0..v2.0 --repo ~/src/flask --format json > ledger.json

Entries sum exactly to the total change. Renames, moves, reformatting and comments are not entries.
Exit codes: 0 compared, whatever the difference; 2 invalid input.")]
pub(crate) struct Diff {
    /// Two commits as BASE..HEAD, one commit to compare with HEAD, or the old directory.
    #[arg(value_name = "BASE..HEAD|DIR")]
    pub(crate) base: String,
    /// New directory.
    #[arg(value_name = "DIR")]
    pub(crate) head: Option<PathBuf>,
    /// Repository of the commits: a folder in it, or a bare repository.
    #[arg(
        long,
        default_value = ".",
        hide_default_value = true,
        value_name = "REPO",
        conflicts_with = "head"
    )]
    pub(crate) repo: PathBuf,
    /// Measure only this folder or glob (repeatable).
    #[arg(long, value_name = "PATH", conflicts_with = "head")]
    pub(crate) paths: Vec<String>,
    /// Maximum rows of each list, 0 for all.
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

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope research ledger ~/src/flask ~/src/click
  slope research ledger . --format json

slope sums the ledger entries of every first-parent commit without rounding. It compares the sum
with the total change, computed from all files.
Exit code 1: a sum differs.")]
pub(crate) struct ResearchLedger {
    /// Repositories.
    #[arg(required = true, value_name = "REPO")]
    pub(crate) repos: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope research metamorphic ~/src/flask ~/src/requests ~/src/click ~/src/jinja ~/src/uvicorn
  slope research metamorphic ~/src/flask --commits 5 --format json

slope makes twelve kinds of edits to each chosen commit, one at a time. Seven kinds change nothing
(shifts, renames, moves, splits, reformatting, comments): the ledger must be empty. Five kinds add
slop to one function: the ledger must have an entry for it and for no other.
Exit code 1: precision, recall or the share of empty ledgers is below 0.95.")]
pub(crate) struct ResearchMetamorphic {
    /// Repositories with Python code.
    #[arg(required = true, value_name = "REPO")]
    pub(crate) repos: Vec<PathBuf>,
    /// Commits per repository, evenly spaced along the first parents of HEAD.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) commits: usize,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
LIST has one line per repository: its folder, relative to the list, and optionally the newest commit
to use. Comments start with #:

  flask
  click    8.1.7    # as released

slope measures up to --sample commits of each repository by the published definitions, and compares
the last commit with the first. The commits are evenly spaced among the first-parent commits that
change measured files.

Examples:
  slope research panel panel.txt
  slope research panel panel.txt --rules slop_rules.yaml --format json

Exit code 1: a repository could not be measured.")]
pub(crate) struct ResearchPanel {
    /// File with a list of repositories.
    #[arg(value_name = "LIST")]
    pub(crate) list: PathBuf,
    /// Maximum commits per repository.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) sample: u32,
    /// Published rules, a folder or file (repeatable) [default: slope's Python rules].
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Parses a day.
fn date(text: &str) -> Result<jiff::civil::Date, String> {
    text.parse()
        .map_err(|_| "expected a day such as 2026-06-30".to_owned())
}
