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
    /// List the built-in problems.
    List,
    /// Find faults in problems: leaks, untested clauses, tests without a clause.
    Lint(Lint),
    /// Create the folder of a small, complete problem.
    New(New),
    /// Run the cases of a problem once, on a reference solution or your own.
    Try(Try),
    /// Find mutants of the reference solution that no case catches.
    Mutate(Mutate),
    /// Check that problems are ready: right answers pass, wrong answers and mutants fail.
    Gate(Gate),
    /// Write a variant of a problem to a new folder.
    Render(Render),
    /// List the variants of a problem, or check them.
    Variants(Variants),
    /// Export a problem in the published layout or as one JSON document.
    Export(Export),
    /// Create, render and score next-edit tasks.
    #[command(subcommand)]
    NextEdit(NextEdit),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem lint problems/household-stock
  slope problem lint problems/* --format json > lint.json

Lint runs no code. It applies the rules in docs/problems.md.
Exit codes: 0 no errors (there may be notes), 1 errors, 2 a folder cannot be loaded.")]
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

The folder contains specs with marked clauses, cases, and reference solutions of a small program. It
passes `slope problem gate`. Replace its parts one by one (docs/authoring.md). slope never overwrites
files.")]
pub(crate) struct New {
    /// Name of the problem: lower-case letters, digits and hyphens. Specs must not contain it.
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// Number of checkpoints.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) checkpoints: u32,
    /// Folder in which to create the folder of the problem.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem try problems/household-stock                           try every checkpoint
  slope problem try problems/household-stock --checkpoint 2 --own      skip regression cases
  slope problem try problems/household-stock --case import-csv
  slope problem try problems/household-stock --checkpoint 1 --solution /tmp/mine

Exit codes: 0 every case passed, 1 some cases failed, 2 a folder cannot be loaded.")]
pub(crate) struct Try {
    /// Problem folder.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Try only this checkpoint, from 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: Option<u32>,
    /// Folder of the solution [default: the reference solution of each checkpoint].
    #[arg(long, value_name = "DIR", requires = "checkpoint")]
    pub(crate) solution: Option<PathBuf>,
    /// Language of the solution [default: every language with reference solutions].
    #[arg(long, value_name = "TRACK", value_parser = super::track())]
    pub(crate) track: Option<TrackName>,
    /// Run only the case with this id (repeatable).
    #[arg(long = "case", value_name = "ID")]
    pub(crate) cases: Vec<String>,
    /// Skip the cases of earlier checkpoints.
    #[arg(long)]
    pub(crate) own: bool,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem mutate problems/household-stock                            try 60 mutants
  slope problem mutate problems/household-stock --checkpoint 1 --sample 200 --seed 7
  slope problem mutate problems/household-stock --all --format json > mutants.json

Each mutant runs until a case fails. List mutants that behave like the original in mutants.yaml
(docs/authoring.md). Ctrl-C stops the command and prints the results so far.
Exit codes: 0 at least 90 % were killed, 1 fewer were killed, 2 a folder cannot be loaded,
130 interrupted.")]
pub(crate) struct Mutate {
    /// Problem folder.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Checkpoint to mutate, from 1 [default: the last].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoint: Option<u32>,
    /// Number of mutants to try.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) sample: usize,
    /// Try every mutant. This can take hours.
    #[arg(long, conflicts_with = "sample")]
    pub(crate) all: bool,
    /// Seed that selects the mutants. The same seed selects the same mutants on every machine.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Maximum concurrent mutants [default: one per processor].
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
  slope problem gate --all --sample                      quick check of all problems, for CI
  slope problem gate --all --sample --variants 2         also check two variants of each
  slope problem gate problems/* --format json > gate.json

A problem is ready if all of these conditions are met (docs/authoring.md):
- lint finds no errors;
- every lineage of solutions passes every checkpoint, repeatedly and under load;
- stubs and the previous checkpoint's solution fail the core cases;
- the cases kill 90 % of the mutants;
- slope's metrics rank the sloppy lineage below the tidy one.

Exit codes: 0 ready, 1 not ready, 2 a folder cannot be loaded, 130 interrupted.")]
pub(crate) struct Gate {
    /// Problem folders.
    #[arg(
        value_name = "PROBLEM_DIR",
        required_unless_present = "all",
        conflicts_with = "all"
    )]
    pub(crate) problems: Vec<PathBuf>,
    /// Check every problem in the folder `problems`.
    #[arg(long)]
    pub(crate) all: bool,
    /// Check quickly, for CI: two runs instead of five with a sample of cases, load and a few
    /// mutants for the last checkpoint only, several problems at once.
    #[arg(long)]
    pub(crate) sample: bool,
    /// Number of cases in each sample [default: 12].
    #[arg(long, value_name = "N", requires = "sample", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) cases: Option<u32>,
    /// Number of runs of each reference solution [default: 5; 2 with --sample].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Number of mutants per checkpoint, 0 for none [default: 60; 10 with --sample].
    #[arg(long, value_name = "N")]
    pub(crate) mutants: Option<usize>,
    /// Seed that selects the mutants and, with --sample, the cases.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Also check the variants with seeds 1 to N of each problem that has variants.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) variants: Option<u64>,
    /// Check only variants, and skip the published form.
    #[arg(long, requires = "variants")]
    pub(crate) only_variants: bool,
    /// Maximum concurrent mutants or, with --sample, problems [default: one per processor].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem render problems/household-stock --seed 7 --out /tmp/stock-7
  slope problem render problems/household-stock --seed 0 --out /tmp/published

A problem with variants has a file variants.toml in its folder or in the subfolder template/
(docs/authoring.md). Seed 0 is the published form. The same seed gives the same bytes on every
machine. slope never overwrites files.")]
pub(crate) struct Render {
    /// Problem folder or template.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Seed of the variant.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: u64,
    /// Folder to create. It must not exist.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope problem variants problems/household-stock                  list the variants with seeds 0 to 4
  slope problem variants problems/household-stock --seeds 0..20 --check

With --check, each variant must load, have no lint errors, and pass with its own reference solutions.
No two variants may be equal. The published solutions must fail core cases of every other variant.
Seed 0 must be the published form.
Exit codes: 0 listed, or every check passed; 1 a check failed; 2 the template is invalid.")]
pub(crate) struct Variants {
    /// Problem folder or template.
    #[arg(value_name = "PROBLEM_DIR")]
    pub(crate) problem: PathBuf,
    /// Range of seeds, without its end.
    #[arg(long, value_name = "A..B", default_value = "0..5", value_parser = seeds)]
    pub(crate) seeds: Seeds,
    /// Check each variant in the sandbox.
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

The form `pytest` is the published layout: config.yaml, specs, solutions, and tests that need only
Python's standard library (and jsonschema, if a case has a schema). The form `json` is one document
without the solutions. slope never overwrites files (docs/problems.md).")]
pub(crate) struct Export {
    /// Problem folder, or the name of a built-in problem.
    #[arg(value_name = "PROBLEM")]
    pub(crate) problem: PathBuf,
    /// Form to write.
    #[arg(long, value_enum, default_value_t = ExportForm::Pytest)]
    pub(crate) form: ExportForm,
    /// Folder or file to create. It must not exist [default for json: standard output].
    #[arg(long, value_name = "PATH", required_if_eq("form", "pytest"))]
    pub(crate) out: Option<PathBuf>,
}

/// Layouts of an exported problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// The published layout, with tests for pytest.
    Pytest,
    /// One JSON document without solutions.
    Json,
}

/// Range of seeds without its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seeds {
    pub(crate) first: u64,
    pub(crate) end: u64,
}

fn seeds(text: &str) -> Result<Seeds, String> {
    let wrong = || format!("invalid range of seeds `{text}`: expected for example 0..5");
    let (first, end) = text.split_once("..").ok_or_else(wrong)?;
    let first = first.parse().map_err(|_| wrong())?;
    let end = end.parse().map_err(|_| wrong())?;
    if first >= end {
        return Err(wrong());
    }
    Ok(Seeds { first, end })
}
