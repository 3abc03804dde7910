//! Arguments of `problem next-edit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope problem next-edit render --all --format json > prompts.json
  slope problem next-edit score --answers answers.jsonl
  slope problem next-edit cut problems/household-stock --lineage solutions-rust

A task is a file in the middle of being changed, the edits just made, and the one that comes next
(docs/next-edit.md). slope ships with forty.")]
pub(crate) enum NextEdit {
    /// Cut tasks from the changes between a problem's successive solutions.
    Cut(Cut),
    /// Print what a person or a model is asked.
    Render(Render),
    /// Score answers: exact match, and how much of the edit is right.
    Score(Score),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit cut problems/household-stock
  slope problem next-edit cut problems/household-stock --lineage solutions-rust --checkpoint 3
  slope problem next-edit cut problems/household-stock --pick ID --pick ID --out mine.yaml

Nothing is run. Tells which edits make a task, and why each follows from those before it; choose by eye.
The same solutions give the same tasks. Nothing is ever overwritten.")]
pub(crate) struct Cut {
    /// Problem folders.
    #[arg(required = true, value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    /// Only the lineage in this folder of the problem's [default: every one that it has].
    #[arg(long, value_name = "NAME")]
    pub(crate) lineage: Option<String>,
    /// Only the changes that lead to the checkpoint with this number, from 2.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) checkpoint: Option<u32>,
    /// Only the task with this id; may be given again, in the order of the set.
    #[arg(long = "pick", value_name = "ID")]
    pub(crate) picks: Vec<String>,
    /// File to write the tasks to, which must not exist.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit render 'household-stock/solutions-rust/checkpoint_4/src/commands.rs#8'
  slope problem next-edit render --all --format json > prompts.json
  slope problem next-edit render --all --tasks mine.yaml")]
pub(crate) struct Render {
    /// Id of the task.
    #[arg(
        value_name = "ID",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub(crate) id: Option<String>,
    /// Every task of the set.
    #[arg(long)]
    pub(crate) all: bool,
    /// Task set [default: the tasks that ship with slope].
    #[arg(long, value_name = "TASKS")]
    pub(crate) tasks: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit score --answers answers.jsonl
  slope problem next-edit score mine.yaml --answers answers.jsonl --format json > scores.json

One answer a line: {\"id\": …, \"text\": the whole file}, {\"id\": …, \"edit\": {\"line\": …, \"lines\": …,
\"replacement\": …}} or {\"id\": …, \"missing\": why}. Means are over the answers that are there; the missing are
counted beside them. Both scores are defined in docs/next-edit.md.
Exit codes: 0 scored, 2 a file that cannot be read.")]
pub(crate) struct Score {
    /// Task set [default: the tasks that ship with slope].
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: Option<PathBuf>,
    /// Answers as JSONL.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: PathBuf,
}
