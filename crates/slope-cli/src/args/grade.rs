//! Arguments of `grade`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Calibrate, TestArgs};

#[derive(Debug, Args)]
#[command(
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  slope grade --base . < requests.jsonl > grades.jsonl
  slope grade --base path/to/repo@v2.1 < requests.jsonl
  slope grade --base release.tar.gz --strip-components 1 --apply first.patch < requests.jsonl
  slope grade --repo path/to/repo < requests.jsonl     each request names its revision in `base`
  slope grade group --base . < requests.jsonl          rewards by groups of attempts
  slope grade --base . --test-command 'python3 -m unittest' < requests.jsonl
  slope grade --base . --run-tests --test-jobs 4 < requests.jsonl
  git diff | slope grade explain --base .@HEAD --diff -
  slope grade schema request                           print the format of a request
  slope grade pack > my-pack.toml                      print the weights, to change them
  slope grade mutate --repo . > requests.jsonl         make requests with injected slop

A request is one line of JSON with an id and a change:
  {\"id\": \"r1\", \"change\": {\"kind\": \"diff\", \"data\": \"--- a/f.py\\n+++ b/f.py\\n...\"},
   \"tests\": {\"passed\": 12, \"failed\": 0}}
With --run-tests, a request can name a command instead of results:
   \"tests\": {\"command\": \"python3 -m unittest -v\", \"report\": \"unittest\"}
Each grade is one line, in the order of the requests. A request that cannot be graded gets a grade
with an error, and the others are graded all the same.
Exit codes: 0 all records are written, also those with errors; 2 invalid input or usage."
)]
pub(crate) struct Grade {
    #[command(flatten)]
    pub(crate) code: Option<BaseArgs>,
    #[command(flatten)]
    pub(crate) tests: TestArgs,
    #[command(subcommand)]
    pub(crate) command: Option<GradeCommand>,
}

/// What edits are graded by.
#[derive(Debug, Args)]
pub(crate) struct BaseArgs {
    /// Code base that the edits apply to: a directory, a revision of a repository as
    /// PATH@REVISION, a tar archive, or an index that `slope grade index` wrote.
    #[arg(long, value_name = "PATH[@REVISION]", required_unless_present = "repo")]
    pub(crate) base: Option<String>,
    /// Repository whose revisions the edits apply to. Each request names its revision in `base`.
    #[arg(long, value_name = "PATH", conflicts_with = "base")]
    pub(crate) repo: Option<PathBuf>,
    /// Patch to apply to the base first. Repeat it for a series.
    #[arg(long, value_name = "FILE", requires = "base")]
    pub(crate) apply: Vec<PathBuf>,
    /// Folders to remove from the beginning of each path in an archive.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) strip_components: usize,
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
    #[command(after_help = "\
Examples:
  slope grade group --base . < requests.jsonl > grades.jsonl
  slope grade group --base path/to/repo@v2.1 --pack my-pack.toml < requests.jsonl
  slope grade group --base . --run-tests --test-jobs 8 < requests.jsonl

Attempts at the same task have the same `task.group`. While few of them pass, only correctness counts.")]
    Group(Grouped),
    /// Write a base into one file, which opens in a fraction of the time.
    Index(Index),
    /// Fit the weights of a pack to pairs of edits.
    Calibrate(Calibrate),
    /// Grade edits over HTTP, for many trainers and bases at the same time.
    Serve(Serve),
    /// Print the JSON schema of requests or grades.
    #[command(after_help = "\
Examples:
  slope grade schema request
  slope grade schema grade > grade.schema.json")]
    Schema(Schema),
    /// Print the default reward pack.
    #[command(after_help = "\
Examples:
  slope grade pack
  slope grade pack > my-pack.toml                      then change it, and use it with --pack")]
    Pack,
    /// Make requests from real commits with injected slop, improvements and neutral edits.
    Mutate(Mutate),
}

#[derive(Debug, Args)]
pub(crate) struct Grouped {
    #[command(flatten)]
    pub(crate) code: BaseArgs,
    #[command(flatten)]
    pub(crate) tests: TestArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope grade index --base path/to/repo@v2.1 --out app.index
  slope grade --base app.index < requests.jsonl > grades.jsonl
  slope grade serve --base app=app.index

Another version of slope needs an index of its own.")]
pub(crate) struct Index {
    #[command(flatten)]
    pub(crate) code: BaseArgs,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope grade explain --base . --diff fix.patch
  slope grade explain --base . --diff fix.patch --reference minimal.patch
  slope grade explain --base . --diff fix.patch --format json
  git diff | slope grade explain --base .@HEAD --diff -")]
pub(crate) struct Explained {
    #[command(flatten)]
    pub(crate) code: BaseArgs,
    #[command(flatten)]
    pub(crate) tests: TestArgs,
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
  slope grade serve --base path/to/repo@v2.1
  slope grade serve --base app=repos/app@main --base lib=lib.tar.gz --threads 8
  slope grade serve --listen 0.0.0.0:8917 --token-file token.txt --root /srv/repos
  slope grade serve --base . --run-tests --test-jobs 8 --test-timeout 120
  curl -s localhost:8917/v1/score --data-binary @request.json

POST /v1/score grades one edit, POST /v1/score:batch many, POST /v1/group the attempts at one task.
/v1/bases lists, adds and deletes bases. /verify, /rm/slime, /rm/lists and /rm/records have the forms of
training packages. /healthz, /readyz and /metrics need no token.
The server ends with SIGTERM or Ctrl-C, after the requests in flight.
Exit codes: 0 it ended; 2 a base cannot be opened, or invalid usage.")]
pub(crate) struct Serve {
    /// Code base that edits apply to: a directory, a revision of a repository as PATH@REVISION, or a
    /// tar archive. Repeat it for several. Requests name a base by NAME, by its place, or by its id.
    #[arg(long, value_name = "[NAME=]PATH[@REVISION]")]
    pub(crate) base: Vec<String>,
    /// Folders to remove from the beginning of each path in an archive.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) strip_components: usize,
    /// Reward pack: a TOML file with weights and scales [default: the one that slope comes with].
    #[arg(long, value_name = "FILE")]
    pub(crate) pack: Option<PathBuf>,
    /// Number of threads [default: one per processor]. Grades do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Address to listen on. Port 0 takes any free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8917")]
    pub(crate) listen: std::net::SocketAddr,
    /// File with the token that requests must have as `Authorization: Bearer TOKEN`.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Accept requests without a token from other machines too.
    #[arg(long, conflicts_with = "token_file")]
    pub(crate) no_token: bool,
    /// Folder in which clients may open bases by path. Repeat it for several [default: none].
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Vec<PathBuf>,
    /// Edits that may wait or run at the same time. Further ones get the answer 429.
    #[arg(long, value_name = "N", default_value_t = 32_768)]
    pub(crate) queue: usize,
    /// Time limit of one grade in milliseconds, without the wait. A request may set its own.
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    pub(crate) deadline_ms: u64,
    /// Bases that may be open at the same time.
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) max_bases: usize,
    #[command(flatten)]
    pub(crate) tests: TestArgs,
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
  slope grade --repo PATH < requests.jsonl
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
    #[arg(value_enum, value_name = "WHAT")]
    pub(crate) of: SchemaOf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SchemaOf {
    /// A request.
    Request,
    /// A grade.
    Grade,
}
