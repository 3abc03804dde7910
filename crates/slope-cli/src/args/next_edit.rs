//! Arguments of `problem next-edit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Isolation;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope problem next-edit render --all --format json > prompts.json
  slope problem next-edit score --answers answers.jsonl
  slope problem next-edit cut problems/household-stock --lineage solutions-rust

A task shows a file during a change, with the last edits. The answer is the next edit, or that the
change is complete (docs/next-edit.md). slope has 120 built-in tasks.")]
pub(crate) enum NextEdit {
    /// Create tasks from the changes between successive solutions of a problem.
    Cut(Cut),
    /// Print the prompt of a task.
    Render(Render),
    /// Score answers by exact match and by how much of the edit is right.
    Score(Score),
    /// Run the tests of the programs behind tasks, with and without the expected edit.
    Verify(Verify),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit cut problems/household-stock
  slope problem next-edit cut problems/household-stock --lineage solutions-rust --checkpoint 3
  slope problem next-edit cut problems/household-stock --pick ID --pick ID --out mine.yaml

This command runs no code. It lists the edits that make a task, and why each one follows from the
edits before it. The same solutions give the same tasks. slope never overwrites files.")]
pub(crate) struct Cut {
    /// Problem folders.
    #[arg(required = true, value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    /// Use only the solutions in this subfolder of the problem [default: all].
    #[arg(long, value_name = "NAME")]
    pub(crate) lineage: Option<String>,
    /// Use only changes that lead to this checkpoint, from 2.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) checkpoint: Option<u32>,
    /// Keep only the task with this id (repeatable). The order of the options is the order of tasks.
    #[arg(long = "pick", value_name = "ID")]
    pub(crate) picks: Vec<String>,
    /// File for the tasks. It must not exist.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit render 'household-stock/solutions-rust/checkpoint_4/src/commands.rs#12'
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
    /// Print the prompts of all tasks.
    #[arg(long)]
    pub(crate) all: bool,
    /// File with tasks [default: the built-in tasks].
    #[arg(long, value_name = "TASKS")]
    pub(crate) tasks: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit score --answers answers.jsonl
  slope problem next-edit score mine.yaml --answers answers.jsonl --format json > scores.json

An answer is one of these, on one line:
  {\"id\": …, \"text\": the whole file}
  {\"id\": …, \"edit\": {\"line\": …, \"lines\": …, \"replacement\": …}}
  {\"id\": …, \"no_edit\": true}
  {\"id\": …, \"missing\": reason}

Means cover only given answers. Missing answers are counted separately. docs/next-edit.md defines
both scores.
Exit codes: 0 scored, 2 a file cannot be read.")]
pub(crate) struct Score {
    /// File with tasks [default: the built-in tasks].
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: Option<PathBuf>,
    /// File with answers, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem next-edit verify                                    the built-in tasks
  slope problem next-edit verify --task 'household-stock/solutions/checkpoint_4/store.py#3'
  slope problem next-edit verify mine.yaml --problem my-problem

The finished program must pass the tests of its checkpoint, and must fail one without the expected
edit. For a task without an edit, it must pass them as it is. Languages without a toolchain on this
machine are left out.
Exit codes: 0 every task is right, 1 one is wrong, 2 a folder cannot be loaded.")]
pub(crate) struct Verify {
    /// File with tasks [default: the built-in tasks].
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: Option<PathBuf>,
    /// Verify only the task with this id (repeatable).
    #[arg(long = "task", value_name = "ID")]
    pub(crate) picks: Vec<String>,
    /// Folder of a problem that tasks come from (repeatable) [default: the built-in problems].
    #[arg(long = "problem", value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}
