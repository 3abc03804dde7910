//! Arguments of `problem`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use slope_suite::track::TrackName;

use super::Isolation;
use super::next_edit::NextEdit;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope problem list
  slope problem lint problems/household-stock
  slope problem new quilt-keeper --checkpoints 3
  slope problem lint problems/* --format json
  slope problem try problems/household-stock --checkpoint 2
  slope problem gate problems/household-stock --sample")]
pub(crate) enum Problem {
    /// List the problems that ship with slope.
    List,
    /// Tell what is wrong with problems: leaks, clauses that nothing tests, tests that follow from no clause.
    Lint(Lint),
    /// Make a new problem's folder, small and whole.
    New(New),
    /// Run the cases on a reference solution, each once: the quick loop while writing.
    Try(Try),
    /// Change the reference solution in one place after another, and tell which changes no case notices.
    Mutate(Mutate),
    /// Decide whether problems may be used: right answers pass, wrong ones fail, changes are noticed.
    Gate(Gate),
    /// Write the variant of a problem that a seed gives.
    Render(Render),
    /// List the variants of a problem, or try each.
    Variants(Variants),
    /// Write a problem in a form that others can use: the published layout, or one JSON document.
    Export(Export),
    /// Tasks of single edits: cut them from lineages, ask them, score the answers.
    #[command(subcommand)]
    NextEdit(NextEdit),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem lint problems/household-stock
  slope problem lint problems/* --format json > lint.json

Nothing is run: what loading refuses, and the rules in docs/problems.md.
Exit codes: 0 no errors (there may be notes), 1 errors, 2 a folder that cannot be loaded.")]
pub(crate) struct Lint {
    /// Problem folders.
    #[arg(required = true, value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem new quilt-keeper
  slope problem new quilt-keeper --checkpoints 5 --out problems

The folder holds specs with marked clauses, cases and reference solutions of a toy program; it passes
`slope problem gate`. Replace it piece by piece (docs/authoring.md). Nothing is ever overwritten.")]
pub(crate) struct New {
    /// Name of the problem: lower-case letters, digits and hyphens; a name that no spec says.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Number of checkpoints.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) checkpoints: u32,
    /// Folder in which the problem's folder is made.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem try problems/household-stock                           every checkpoint
  slope problem try problems/household-stock --checkpoint 2 --own      without the regression cases
  slope problem try problems/household-stock --case import-csv
  slope problem try problems/household-stock --checkpoint 1 --solution /tmp/mine

Exit codes: 0 every case passed, 1 some did not, 2 a folder that cannot be loaded.")]
pub(crate) struct Try {
    /// Problem folder.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Only the checkpoint with this number, from 1.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: Option<u32>,
    /// Folder of the solution [default: the reference solution of each checkpoint].
    #[arg(long, value_name = "DIR", requires = "checkpoint")]
    pub(crate) solution: Option<PathBuf>,
    /// Language of the solution [default: every language that the problem has reference solutions in].
    #[arg(long, value_name = "TRACK", value_parser = super::track())]
    pub(crate) track: Option<TrackName>,
    /// Only the cases with this id; may be given again.
    #[arg(long = "case", value_name = "ID")]
    pub(crate) cases: Vec<String>,
    /// Leave out the cases of earlier checkpoints, which run as regression tests.
    #[arg(long)]
    pub(crate) own: bool,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem mutate problems/household-stock                            60 mutants of the last checkpoint
  slope problem mutate problems/household-stock --checkpoint 1 --sample 200 --seed 7
  slope problem mutate problems/household-stock --all --format json > mutants.json

Each mutant runs up to the first case that fails. One that does the same as the original is waived in
mutants.yaml (docs/authoring.md). Ctrl-C ends it and prints what was found.
Exit codes: 0 at least 90 % were killed, 1 fewer, 2 a folder that cannot be loaded, 130 interrupted.")]
pub(crate) struct Mutate {
    /// Problem folder.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Number of the checkpoint, from 1 [default: the last].
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: Option<u32>,
    /// How many mutants.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) sample: usize,
    /// Every mutant there is; may take hours.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) all: bool,
    /// Which mutants are drawn: the same seed draws the same on every machine.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Mutants that run side by side [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Also run cases tagged `performance`.
    #[arg(long)]
    pub(crate) performance: bool,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem gate problems/household-stock
  slope problem gate --all --sample                      every problem below problems/, the form for CI
  slope problem gate --all --sample --variants 2         and two variants of each
  slope problem gate problems/* --format json > gate.json

Held to (docs/authoring.md): lint finds no errors; every lineage of solutions passes every checkpoint,
again and again and under load; stubs and the solution before fail the core cases; 90 % of the mutants
are killed; our metrics rank the sloppy lineage below the tidy one.
Exit codes: 0 all of it holds, 1 some does not, 2 a folder that cannot be loaded, 130 interrupted.")]
pub(crate) struct Gate {
    /// Problem folders.
    #[arg(
        value_name = "PROBLEM_DIR",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub(crate) problems: Vec<PathBuf>,
    /// Every problem below the folder `problems`.
    #[arg(long)]
    pub(crate) all: bool,
    /// The form for CI: two runs in place of five, each of a few cases drawn anew, load and mutants at the last
    /// checkpoint only, and of mutants so few that only a share far too small is told; problems side by side.
    #[arg(long)]
    pub(crate) sample: bool,
    /// Cases that each run draws of those that run at a checkpoint [default: 12].
    #[arg(long, value_name = "N", requires = "sample", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) cases: Option<u32>,
    /// Runs of each reference solution on an idle machine [default: 5; 2 with --sample].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Mutants of each checkpoint, 0 for none [default: 60; 10 with --sample].
    #[arg(long, value_name = "N")]
    pub(crate) mutants: Option<usize>,
    /// Which mutants are drawn, and with --sample which cases.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Look at the variants of the seeds 1 to N too, of each problem that has variants.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) variants: Option<u64>,
    /// Leave out the published form: only the variants.
    #[arg(long, requires = "variants")]
    pub(crate) only_variants: bool,
    /// Mutants that run side by side, and with --sample problems [default: one for each processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem render problems/quilt-keeper --seed 7 --out /tmp/quilt-7
  slope problem render problems/quilt-keeper --seed 0 --out /tmp/published

A problem with variants has a file variants.toml, in its folder or in a folder template/ there
(docs/authoring.md). Seed 0 gives the published form. The same seed gives the same bytes on every machine.
Nothing is ever overwritten.")]
pub(crate) struct Render {
    /// Problem folder, or a template.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Which variant.
    #[arg(long, value_name = "S")]
    pub(crate) seed: u64,
    /// Folder to write, which must not exist.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem variants problems/quilt-keeper                        what the seeds 0 to 4 choose
  slope problem variants problems/quilt-keeper --seeds 0..20 --check

With --check: each variant loads, lint finds no errors, its own reference solutions pass, no two are the
same, and the published solutions do not pass all core cases of another; seed 0 is the published form.
Exit codes: 0 all of it holds, 1 some does not, 2 a malformed template.")]
pub(crate) struct Variants {
    /// Problem folder, or a template.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Seeds, from the first to before the last.
    #[arg(long, value_name = "A..B", default_value = "0..5", value_parser = seeds)]
    pub(crate) seeds: Seeds,
    /// Try each in the sandbox.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem export problems/household-stock --out /tmp/published/household-stock
  slope problem export household-stock --form json > household-stock.json

pytest is the published layout: config.yaml, specs, solutions, and tests that carry the cases out with Python's
standard library (jsonschema where a case has a schema). json is all but the solutions in one document.
Nothing is ever overwritten (docs/problems.md).")]
pub(crate) struct Export {
    /// Problem folder, or the name of a problem that ships with slope.
    #[arg(value_name = "PROBLEM")]
    pub(crate) problem: PathBuf,
    /// What to write.
    #[arg(long, value_enum, default_value_t = ExportForm::Pytest)]
    pub(crate) form: ExportForm,
    /// Folder or file to write, which must not exist [default for json: standard output].
    #[arg(long, value_name = "PATH", required_if_eq("form", "pytest"))]
    pub(crate) out: Option<PathBuf>,
}

/// Forms of an exported problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// The published layout.
    Pytest,
    /// One document.
    Json,
}

/// Seeds from the first to before the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seeds {
    pub(crate) first: u64,
    pub(crate) end: u64,
}

fn seeds(text: &str) -> Result<Seeds, String> {
    let wrong = || format!("`{text}` is no range of seeds; write for example 0..5");
    let (first, end) = text.split_once("..").ok_or_else(wrong)?;
    let first = first.parse().map_err(|_| wrong())?;
    let end = end.parse().map_err(|_| wrong())?;
    if first >= end {
        return Err(wrong());
    }
    Ok(Seeds { first, end })
}
