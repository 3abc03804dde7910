//! Arguments of `grade`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  slope grade --base . < requests.jsonl > grades.jsonl
  slope grade --base path/to/repo@v2.1 < requests.jsonl
  slope grade group --base . < requests.jsonl          rewards by groups of attempts
  git diff | slope grade explain --base .@HEAD --diff -
  slope grade schema request                           print the format of a request
  slope grade pack > my-pack.toml                      print the weights, to change them
  slope grade mutate --repo . > requests.jsonl         make requests with injected slop

A request is one line of JSON with an id and a change:
  {\"id\": \"r1\", \"change\": {\"kind\": \"diff\", \"data\": \"--- a/f.py\\n+++ b/f.py\\n...\"},
   \"tests\": {\"passed\": 12, \"failed\": 0}}
Each grade is one line, in the order of the requests. A request that cannot be graded gets a grade
with an error, and the others are graded all the same.
Exit codes: 0 all records are written, also those with errors; 2 invalid input or usage."
)]
pub(crate) struct Grade {
    #[command(flatten)]
    pub(crate) code: Option<BaseArgs>,
    #[command(subcommand)]
    pub(crate) command: Option<GradeCommand>,
}

/// What edits are graded by.
#[derive(Debug, Args)]
pub(crate) struct BaseArgs {
    /// Code base that the edits apply to: a directory, or a revision of a repository as
    /// PATH@REVISION.
    #[arg(long, value_name = "PATH[@REVISION]")]
    pub(crate) base: String,
    /// Reward pack: a TOML file with weights and scales [default: the one that slope comes with].
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
    /// Number of threads [default: one per processor]. Grades do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GradeCommand {
    /// Explain the grade of one edit, with the lines that it rests on.
    Explain(Explained),
    /// Grade all requests, then set the rewards by groups of attempts (task.group).
    Group(BaseArgs),
    /// Print the JSON schema of requests or grades.
    Schema(Schema),
    /// Print the default reward pack.
    Pack,
    /// Make requests from real commits with injected slop, improvements and neutral edits.
    Mutate(Mutate),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  git diff | slope grade explain --base .@HEAD --diff -
  slope grade explain --base . --diff fix.patch --reference minimal.patch
  slope grade explain --base . --diff fix.patch --format json")]
pub(crate) struct Explained {
    #[command(flatten)]
    pub(crate) code: BaseArgs,
    /// Unified diff of the edit (`-` for standard input).
    #[arg(long, value_name = "FILE")]
    pub(crate) diff: PathBuf,
    /// Unified diff of a patch that is known to be good, to measure minimality against.
    #[arg(long, value_name = "FILE")]
    pub(crate) reference: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope grade mutate --repo . --commits 20 > requests.jsonl
  slope grade mutate --repo . --commit HEAD~3 --kind copy-helper-exact --severity high
  git diff | slope grade mutate --base . --diff - --seed 7
  slope grade mutate --list                            print kinds, families and languages

For each commit, the first request is the real edit. Each of the others differs from it in one known
way, which its field `mutation` names. A request's `base` is the commit before the edit; grade it with
  slope grade --base PATH@BASE
A kind that finds no place in a commit makes no request. The same seed gives the same requests.")]
pub(crate) struct Mutate {
    /// Repository whose commits to mutate.
    #[arg(long, value_name = "PATH", required_unless_present_any = ["base", "list"], conflicts_with_all = ["base", "list"])]
    pub(crate) repo: Option<PathBuf>,
    /// The one commit to mutate.
    #[arg(
        long,
        value_name = "REV",
        requires = "repo",
        conflicts_with = "commits"
    )]
    pub(crate) commit: Option<String>,
    /// Number of commits to choose on the first-parent line of HEAD.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) commits: u32,
    /// Folder that the diff applies to.
    #[arg(long, value_name = "DIR", requires = "diff")]
    pub(crate) base: Option<PathBuf>,
    /// Unified diff of the one edit to mutate (`-` for standard input).
    #[arg(long, value_name = "FILE", requires = "base")]
    pub(crate) diff: Option<PathBuf>,
    /// Kinds of mutations [default: all].
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// Severities of mutations.
    #[arg(long, value_enum, default_value_t = Severities::All)]
    pub(crate) severity: Severities,
    /// Seed of all choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// List kinds with their families and languages.
    #[arg(long)]
    pub(crate) list: bool,
}

/// Severities of mutations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Severities {
    /// One small instance.
    Low,
    /// A larger one, or several.
    High,
    /// Both.
    All,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// What to describe.
    #[arg(value_enum)]
    pub(crate) of: SchemaOf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SchemaOf {
    /// A request.
    Request,
    /// A grade.
    Grade,
}
