//! Arguments of `history`, `diff`, `conformance ledger` and `conformance panel`.

use std::path::PathBuf;

use clap::Args;

use super::measure::{DefinitionArgs, FileArgs, ReportedArgs, RuleSource, WorkArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope history                                  30 snapshots of the default branch
  slope history ~/src/flask --all                every commit that changes code
  slope history . --since 2026-01-01 --ledger    who and what moved it this year
  slope history . --paths src --sample 50 --format json > out.json
  slope history . --ledger --agent 'ours=ci-bot@example.com'
  slope history . --html history.html            a page: plots, what moved them, diffs

Nothing is checked out: bare repositories, linked worktrees and shallow clones will do. The first
parent of each merge is followed. Settings and ignore files are those of the newest commit's
checkout, so that numbers are comparable. Forms: human, json, csv, markdown, html (the page).
Exit codes: 0 told, whatever was found; 2 bad input, or nothing that could be measured.")]
pub(crate) struct History {
    /// Repository: a folder in it, or a bare one.
    #[arg(default_value = ".", hide_default_value = true, value_name = "REPO")]
    pub(crate) repo: PathBuf,
    /// Newest commit [default: the default branch].
    #[arg(long, value_name = "REVISION")]
    pub(crate) rev: Option<String>,
    /// Snapshots, taken evenly among the commits that change code.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sample: u32,
    /// Every commit that changes code instead of a sample.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) all: bool,
    /// Only commits from this day on, as 2026-06-30.
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<jiff::civil::Date>,
    /// Only paths below a folder, or like a pattern (repeatable).
    #[arg(long, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Tell who and what moved the code, of every commit: sums by author, agent, file, function.
    #[arg(long)]
    pub(crate) ledger: bool,
    /// An agent and a part of the names or addresses that it commits by (repeatable).
    #[arg(long, value_name = "NAME=PART")]
    pub(crate) agent: Vec<String>,
    /// Write a page with plots, what moved them and its diffs; keeps the ledger, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Rows of each list of the ledger, 0 for all.
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
  slope diff main..HEAD                    from main to what is checked out
  slope diff main...HEAD                   from where both branched off
  slope diff HEAD~3                        from there to what is checked out
  slope diff old-checkout new-checkout     two directories
  slope diff v1.0..v2.0 --repo ~/src/flask --format json > ledger.json

Entries sum exactly to the change of the whole. Renames, moves, other layouts and comments
make none. Exit codes: 0 told, whatever was found; 2 bad input.")]
pub(crate) struct Diff {
    /// Two commits as BASE..HEAD, one that HEAD is compared with, or a directory.
    #[arg(value_name = "BASE..HEAD|DIR")]
    pub(crate) base: String,
    /// The other directory.
    #[arg(value_name = "DIR")]
    pub(crate) head: Option<PathBuf>,
    /// Repository of the commits: a folder in it, or a bare one.
    #[arg(
        long,
        default_value = ".",
        hide_default_value = true,
        value_name = "REPO",
        conflicts_with = "head"
    )]
    pub(crate) repo: PathBuf,
    /// Only paths below a folder, or like a pattern (repeatable).
    #[arg(long, value_name = "PATH", conflicts_with = "head")]
    pub(crate) paths: Vec<String>,
    /// Rows of each list, 0 for all.
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
  slope conformance ledger ~/src/flask ~/src/click
  slope conformance ledger . --format json

For every commit of the first-parent line, the entries of the ledger are summed without rounding
and held against the change of the whole, which is summed up anew from all files.
Exit code 1 says that a sum differs.")]
pub(crate) struct ConformanceLedger {
    /// Repositories.
    #[arg(required = true, value_name = "REPO")]
    pub(crate) repos: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope conformance metamorphic ~/src/flask ~/src/requests ~/src/click ~/src/jinja ~/src/uvicorn
  slope conformance metamorphic ~/src/flask --commits 5 --format json

To each chosen commit twelve kinds of edits are made, each alone: seven that change nothing (shifts,
renames, moves, splits, layout, comments), whose ledger must be empty, and five that put slop into one
function, which must be entered there and nowhere else.
Exit code 1 says that precision, recall or the share of empty ledgers is below 0.95.")]
pub(crate) struct ConformanceMetamorphic {
    /// Repositories with Python code.
    #[arg(required = true, value_name = "REPO")]
    pub(crate) repos: Vec<PathBuf>,
    /// Commits of each repository, evenly over the first-parent line of HEAD.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) commits: usize,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The list has a line for each repository: its folder, from the list's own folder on, and perhaps
the newest commit that counts. What follows # is passed:

  flask
  click    8.1.7    # as released

For each, up to --sample commits are measured by the published definitions, evenly among the
first-parent commits that change measured files, and the last is held against the first. Without
--rules, slope's own Python rules stand in for the published ones.

Examples:
  slope conformance panel panel.txt
  slope conformance panel panel.txt --rules slop_rules.yaml --format json

Exit code 1 says that a repository of the list could not be measured.")]
pub(crate) struct ConformancePanel {
    /// The list of repositories.
    #[arg(value_name = "LIST")]
    pub(crate) list: PathBuf,
    /// Most snapshots of a repository.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) sample: u32,
    /// The published rules instead of slope's own (repeatable).
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}
