//! Arguments as typed; what they mean is decided in [`crate::commands`].

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use slope_bench::plan::CapPlan;
use slope_suite::track::TrackName;

mod agents;
mod check;
mod control;
mod form;
mod history;
mod measure;
pub(crate) mod next_edit;
pub(crate) mod problem;
mod report;

pub(crate) use agents::{Answer, Hook, Mcp, Settings};
pub(crate) use check::{Check, JudgementOutput};
pub(crate) use control::{OfRun, Resume, Worker};
pub(crate) use form::{Color, Form, Format, Phases};
pub(crate) use history::{
    ConformanceLedger, ConformanceMetamorphic, ConformancePanel, Diff, History,
};
pub(crate) use measure::{
    DefinitionArgs, Explain, FileArgs, Measure, Output, Profile, ReportedArgs, RuleSource, Rules,
    SizeTerm, Tests, WorkArgs,
};
pub(crate) use report::Report;

/// Measure how code degrades while coding agents extend it.
#[derive(Debug, Parser)]
#[command(
    name = "slope",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(after_help = "\
Examples:
  slope quickstart                              two trajectories of a built-in problem, side by side
  slope measure src                             measure a directory
  slope history .                               how the code has moved, with trends
  slope diff main..HEAD                         what a change did, function by function
  slope check                                   whether a change makes anything worse
  slope hook install                            tell coding agents at once what they make worse
  slope explain swallowed-exception             why a rule finds something, and what to write instead
  slope run problems/x --agent claude-code --model M --upstream https://api.example.com --key-env KEY
  slope status slope-runs/x                     how a run goes; pause, resume and cancel work the same way
  slope report slope-runs/x --html report.html  render a run again

Exit codes: 0 done, 1 an expectation did not hold, 2 bad input or usage, 3 the harness failed,
130 interrupted or cancelled (continue with `slope resume DIR`).")]
pub(crate) struct Cli {
    /// How results are printed: human or json, and markdown of runs; `measure`, `check`, `history` and
    /// `report` have more forms, which their own help names [default: human].
    #[arg(long, value_enum, global = true, value_name = "FORM", hide_possible_values = true,
          hide_default_value = true, default_value_t = Form::Human)]
    pub(crate) format: Form,
    /// When to use colour; auto is on terminals only, and never where NO_COLOR is set.
    #[arg(long, value_enum, global = true, value_name = "WHEN", default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// No progress display.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run slope's own agent on the built-in problem, once tidy and once sloppy, and compare.
    Quickstart(Quickstart),
    /// Run an agent on problems, checkpoint by checkpoint.
    Run(Box<Run>),
    /// Tell how a run goes, or how far it got.
    Status(OfRun),
    /// Start no further attempt of a run that is going on; those that run end as usual.
    Pause(OfRun),
    /// Go on with a run that was paused, cancelled or interrupted.
    Resume(Resume),
    /// End the attempts of a run that is going on, and stop it. Everything is kept.
    Cancel(OfRun),
    /// Work on one trial of a run, told by its coordinator.
    #[command(hide = true)]
    Worker(Worker),
    /// Grade again: a run's snapshots, or one directory.
    Eval(Eval),
    /// Measure a directory or a file, or tell all that is known of a line.
    Measure(Box<Measure>),
    /// Tell how a git repository's code has moved, and by whom.
    History(Box<History>),
    /// Tell what a change did, function by function: two commits or two directories.
    Diff(Box<Diff>),
    /// Judge a change by what it adds: a gate for commits, pull requests and agents.
    Check(Box<Check>),
    /// Speak to coding agents while they work; install that in their settings.
    #[command(subcommand)]
    Hook(Hook),
    /// Serve measure, diff, check, explain and find_similar to agents (Model Context Protocol).
    Mcp(Mcp),
    /// List all rules and signals.
    Rules(Rules),
    /// Explain a rule or signal: why it is slop, and what to write instead.
    Explain(Explain),
    /// Render the report of one or several runs, finished or not.
    Report(Report),
    /// Check problems against expectations.
    #[command(subcommand)]
    Conformance(Conformance),
    /// The problems that ship with slope, and tools for those who write problems.
    #[command(subcommand)]
    Problem(problem::Problem),
    /// Say what this machine can do: sandbox features, interpreter, tools.
    Doctor(Doctor),
    /// Remove what runs left behind in a container engine: containers, volumes, images.
    Gc(Gc),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope quickstart
  slope quickstart --out /tmp/try --html /tmp/try.html
  slope quickstart --format json > report.json")]
pub(crate) struct Quickstart {
    /// Directory for the two runs; continued if it holds interrupted ones [default: slope-runs/quickstart-TIME].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// File for the HTML report [default: report.html in the directory of the runs].
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope run herbarium-vault --agent oracle
  slope run ~/problems/code_search --agent oracle
  slope run ~/problems/code_search --agent slope --model m --upstream http://127.0.0.1:8000 --dialect chat
  slope run ~/problems/* --agent codex --model M --upstream https://api.example.com --key-env OPENAI_API_KEY
  slope run problems/x --agent claude-code --model M --upstream URL --intervention hooks
  slope run problems/x --agent oracle --environment docker.toml
  slope run ~/problems/* --agent codex --model M --upstream URL --trials 5 --workers 20 --retries 3

An agent sees the current spec and its own workspace, nothing else. Each checkpoint is a new
conversation in a new sandbox, whose only network is slope's gateway.")]
pub(crate) struct Run {
    /// Problem folders in the published layout or slope's own, or names of problems that ship with slope
    /// (`slope problem list`).
    #[arg(required_unless_present = "resume", value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    /// Coordinate a run that exists, as it was left: paused if it was paused. `slope resume` is for people.
    #[arg(long, value_name = "DIR", conflicts_with_all = PLANNED, hide = true)]
    pub(crate) resume: Option<PathBuf>,
    /// Agent: slope, claude-code, codex, gemini, opencode, qwen-code, kimi-code, mini-swe-agent,
    /// oracle, nop, or command (docs/agents.md).
    #[arg(long, value_name = "NAME", required_unless_present = "resume")]
    pub(crate) agent: Option<String>,
    /// Settings of the agent (TOML); the description of a `command` agent.
    #[arg(long, value_name = "FILE")]
    pub(crate) agent_config: Option<PathBuf>,
    /// Model as the agent is told; a script names its own.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// How hard the model is to think, for agents that can tell it: low, medium or high.
    #[arg(long, value_name = "LEVEL")]
    pub(crate) effort: Option<slope_agent::Effort>,
    /// Prompt: just-solve, anti-slop, plan-first, or a template file [default: that of the arm].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) prompt: Option<String>,
    /// Arm of a study: none, anti-slop or plan-first (prompts), or hooks (slope's hooks installed
    /// for the agent); `slope report` compares runs of different arms.
    #[arg(long, value_enum, value_name = "ARM", default_value_t = Arm::None, hide_possible_values = true)]
    pub(crate) intervention: Arm,
    /// Language that the agent writes programs in, whatever language the specs name.
    #[arg(long, value_name = "TRACK", default_value_t, value_parser = track())]
    pub(crate) track: TrackName,
    /// Trials for each problem.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) trials: u32,
    /// Only the first N checkpoints of each problem.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoints: Option<u32>,
    /// Trials at a time, at most; auto: as many as memory and processors allow (docs/scheduling.md).
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = control::workers)]
    pub(crate) workers: Workers,
    /// How often an attempt is made again that ended by no doing of the agent (docs/scheduling.md).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) retries: u32,
    /// Directory of the run [default: slope-runs/TIME-AGENT].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Label in tables [default: agent and model].
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Wall clock of one attempt in seconds.
    #[arg(long, default_value_t = 7200, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// Leave the time limit out of the prompt, and do not set SLOPE_TIMEOUT_S and SLOPE_DEADLINE.
    #[arg(long)]
    pub(crate) no_deadline: bool,
    // A group's heading holds for every argument after it, so the groups come last.
    #[command(flatten)]
    pub(crate) upstream: Upstream,
    #[command(flatten)]
    pub(crate) caps: Caps,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    #[command(flatten)]
    pub(crate) grading: Grading,
}

/// Trials at a time; `None` for as many as fit.
pub(crate) type Workers = Option<u32>;

/// Arm of an intervention study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Arm {
    /// Nothing.
    None,
    /// The prompt asks for code without slop.
    AntiSlop,
    /// The prompt asks for a plan first.
    PlanFirst,
    /// slope's hooks are installed.
    Hooks,
}

/// What a run's directory says for good, so that it cannot be said again when the run is resumed.
const PLANNED: [&str; 39] = [
    "no_deadline",
    "upstream_patience",
    "retries",
    "intervention",
    "track",
    "agent",
    "agent_config",
    "model",
    "effort",
    "prompt",
    "trials",
    "checkpoints",
    "out",
    "label",
    "timeout",
    "upstream",
    "key_env",
    "script",
    "dialect",
    "prices",
    "price_file",
    "record",
    "replay",
    "max_concurrent",
    "max_rpm",
    "max_tpm",
    "trial_cap",
    "run_cap",
    "max_tokens",
    "max_usd",
    "max_requests",
    "max_turns",
    "no_sandbox",
    "environment",
    "python",
    "offline",
    "wheels",
    "suite_timeout",
    "stability",
];

/// Where the gateway sends requests.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct Upstream {
    /// Base address of an OpenAI- or Anthropic-compatible server.
    #[arg(long, value_name = "URL", conflicts_with = "script")]
    pub(crate) upstream: Option<String>,
    /// Environment variable that holds the server's key; it stays on this machine.
    #[arg(long, value_name = "VAR", requires = "upstream")]
    pub(crate) key_env: Option<String>,
    /// Longest silence of the server in seconds, after which the request fails as an outage [default: 600].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) upstream_patience: Option<u64>,
    /// A scripted model instead of a server.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Dialect that slope's own agent speaks [default: messages].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// Prices in US dollars per million tokens: input,output[,cache read,cache write].
    #[arg(long, value_name = "IN,OUT[,READ,WRITE]")]
    pub(crate) prices: Option<String>,
    /// Prices by model and day (TOML, docs/gateway.md); they take precedence over the built-in ones.
    #[arg(long, value_name = "FILE", conflicts_with = "prices")]
    pub(crate) price_file: Option<PathBuf>,
    /// Record every exchange with the model as it went over the wire.
    #[arg(long)]
    pub(crate) record: bool,
    /// Answer from what another run recorded instead of a server.
    #[arg(long, value_name = "RUN_DIR", conflicts_with_all = ["upstream", "script"])]
    pub(crate) replay: Option<PathBuf>,
    /// Requests to the server at once, of all trials together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_concurrent: Option<u32>,
    /// Requests to the server a minute, of all trials together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_rpm: Option<u32>,
    /// Tokens a minute, of all trials together: uncached input, cache writes and output.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tpm: Option<u64>,
}

/// Wire dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// Anthropic Messages.
    Messages,
    /// OpenAI Chat Completions.
    Chat,
}

/// Caps; none unless asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Caps of one attempt, a trial, the run")]
pub(crate) struct Caps {
    /// Tokens of all kinds.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// US dollars; needs prices.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) max_usd: Option<f64>,
    /// Requests to the model.
    #[arg(long, value_name = "N")]
    pub(crate) max_requests: Option<u64>,
    /// Turns, for agents that have such a cap.
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
    /// Caps of all attempts of a trial together: tokens, usd, requests, seconds.
    #[arg(long, value_name = "KIND=AMOUNT,…", value_parser = crate::caps::parse)]
    pub(crate) trial_cap: Option<CapPlan>,
    /// Caps of the whole run, of the same kinds.
    #[arg(long, value_name = "KIND=AMOUNT,…", value_parser = crate::caps::parse)]
    pub(crate) run_cap: Option<CapPlan>,
}

/// Sandbox and interpreter.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Sandbox")]
pub(crate) struct Isolation {
    /// Run without isolation, on kernels that forbid namespaces. Agents and their programs then act
    /// with your rights.
    #[arg(long, conflicts_with = "environment")]
    pub(crate) no_sandbox: bool,
    /// Where agents and programs run, and with how much: an environment file (TOML,
    /// docs/runtimes.md) [default: the local runtime].
    #[arg(long, value_name = "FILE")]
    pub(crate) environment: Option<PathBuf>,
    /// Interpreter of the Python track [default: python3 on PATH].
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

/// Reads the name of a track, and tells the names in help.
pub(crate) fn track() -> impl TypedValueParser<Value = TrackName> {
    PossibleValuesParser::new(TrackName::ALL.map(TrackName::name))
        .try_map(|name| name.parse::<TrackName>())
}

/// How suites are run.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Grading")]
pub(crate) struct Grading {
    /// Use no package index; what is not in the cache must be in --wheels.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Folder of wheels to install requirements of tests and programs from.
    #[arg(long, value_name = "DIR")]
    pub(crate) wheels: Option<PathBuf>,
    /// Limit of a whole suite in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) suite_timeout: Option<u64>,
    /// Repeat tests to find unstable ones [default: failing].
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) stability: Option<Stability>,
}

/// Which tests are repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stability {
    /// None.
    Off,
    /// Those that did not pass.
    Failing,
    /// All, once more on a stuttering machine; takes about five times as long.
    All,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope eval slope-runs/x                                        all snapshots of a run again
  slope eval slope-runs/x --problem moved/here                   the same, its problem has moved
  slope eval my-solution --problem ~/problems/x --checkpoint 2   one directory")]
pub(crate) struct Eval {
    /// A run directory, or a directory with a solution.
    pub(crate) target: PathBuf,
    /// Problem folder, or name of a problem that ships with slope: of a directory with a solution, or of a
    /// run whose problem has moved (repeatable).
    #[arg(long, value_name = "DIR")]
    pub(crate) problem: Vec<PathBuf>,
    /// Position of the checkpoint, from 1, for a directory with a solution.
    #[arg(long, value_name = "N", requires = "problem")]
    pub(crate) checkpoint: Option<u32>,
    /// Language of a solution in a directory; a run knows its own.
    #[arg(long, value_name = "TRACK", requires = "checkpoint", default_value = "python", value_parser = track())]
    pub(crate) track: TrackName,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    #[command(flatten)]
    pub(crate) grading: Grading,
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope conformance problems ~/problems --expect expected.toml
  slope conformance problems ~/problems --only code_search --nop
  slope conformance cheats --environment docker.toml
  slope conformance scb flask ripgrep --tool scb-venv/bin/scb-check --rules slop_rules")]
pub(crate) enum Conformance {
    /// Run the reference solutions of a folder of problems and compare counts by group.
    Problems(ConformanceProblems),
    /// Match rules by slope's engine and by ast-grep's own, and compare rule by rule.
    Rules(ConformanceRules),
    /// Measure the repositories of the published table of human code and compare each value.
    Table7(ConformanceTable7),
    /// Check that ledgers sum exactly to the change of the whole, on every commit of histories.
    Ledger(ConformanceLedger),
    /// Edit commits in known ways and check that ledgers tell what was done, and nothing else.
    Metamorphic(ConformanceMetamorphic),
    /// The histories of several repositories: in how many verbosity and erosion rise.
    Panel(ConformancePanel),
    /// Attack slope as agents and programs under test would, and tell what gets through.
    Cheats(crate::commands::conformance::cheats::ConformanceCheats),
    /// Grade stored snapshots of published runs once more, and compare every test with its stored outcome.
    Replay(crate::commands::conformance::replay::ConformanceReplay),
    /// Measure the stored snapshots of published runs, and compare every number with the stored one.
    Runs(crate::commands::conformance::runs::ConformanceRuns),
    /// Measure repositories with scb-check and with slope, and compare every field.
    Scb(crate::commands::conformance::scb::ConformanceScb),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope conformance rules ~/src/django
  slope conformance rules ~/src/django --rules ~/rules/slop_rules.yaml

Exit code 1 says that the engines differ.")]
pub(crate) struct ConformanceRules {
    /// Folder or file to match in.
    pub(crate) dir: PathBuf,
    /// Folder or file of rules in ast-grep's format (repeatable) [default: slope's own].
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    /// Files at a time; the result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) threads: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The panel is a CSV file with the columns repo, source, commit, loc, callables, violation, clone,
verbosity, erosion and mass. Each repository lies at its commit in the folder of its name below
--repos; only its Python files count. The published rules are not part of slope: get them from
configs/slop_rules.yaml of the benchmark's repository at commit 21dd1f58. slope's own Python rules
are held against them line by line.

Examples:
  slope conformance table7 --panel panel.csv --repos ~/panel --rules slop_rules.yaml
  slope conformance table7 --panel panel.csv --repos ~/panel --rules slop_rules.yaml --only flask --format json")]
pub(crate) struct ConformanceTable7 {
    /// The panel: repositories and expected values.
    #[arg(long, value_name = "FILE")]
    pub(crate) panel: PathBuf,
    /// Folder with one folder for each repository.
    #[arg(long, value_name = "DIR")]
    pub(crate) repos: PathBuf,
    /// The published rules (repeatable).
    #[arg(long, value_name = "PATH", required = true)]
    pub(crate) rules: Vec<PathBuf>,
    /// Only these repositories (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Write the values with slope's own rules as a panel to stand in.
    #[arg(long, value_name = "FILE")]
    pub(crate) panel_out: Option<PathBuf>,
    /// Name and version of that panel.
    #[arg(long, value_name = "NAME", default_value = "human")]
    pub(crate) panel_name: String,
    /// Threads, 0 for one per processor; the result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The expectation file (TOML) says, for each problem and checkpoint, what the reference
solution must get, as passed/total by group. Name tests that may be unstable. With --stability all,
slope must find them:

  [code_search.checkpoint_1]
  core = \"7/7\"
  functionality = \"4/4\"
  error = \"2/2\"
  unstable = [\"test_slow\"]

Examples:
  slope conformance problems ~/problems --expect expected.toml
  slope conformance problems ~/problems --only code_search --only file_backup --nop
  slope conformance problems ~/problems --expect expected.toml --stability all")]
pub(crate) struct ConformanceProblems {
    /// Folder of problem folders.
    pub(crate) dir: PathBuf,
    /// Expectations; without it the counts are printed and every test must pass.
    #[arg(long, value_name = "FILE")]
    pub(crate) expect: Option<PathBuf>,
    /// Only these problems (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Also check that an empty workspace gets none of the core tests.
    #[arg(long)]
    pub(crate) nop: bool,
    /// Problems at a time, at most; auto: as many as memory and processors allow.
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = control::workers)]
    pub(crate) workers: Workers,
    /// Directory for the runs; continued if it holds interrupted ones [default: a new folder in slope's cache].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    #[command(flatten)]
    pub(crate) grading: Grading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope doctor
  slope doctor --python /usr/bin/python3.12
  slope doctor --format json

Exit code 1 says that the sandbox or the interpreter cannot be used here.")]
pub(crate) struct Doctor {
    /// Interpreter of the Python track [default: python3 on PATH].
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope gc --dry-run                            tell what would be removed, and why
  slope gc                                      remove it
  slope gc --images                             also images that no container uses
  slope gc --host unix:///run/podman/podman.sock --format json

Everything that slope makes in an engine has labels: its run, the process that owns it and until
when it is needed. Removed is what has an owner that is gone or a lease that is over; nothing
without these labels is touched. Exit code 1 says that something could not be removed.")]
pub(crate) struct Gc {
    /// Only tell what would be removed.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also images whose lease is not over; they are built again when they are needed.
    #[arg(long)]
    pub(crate) images: bool,
    /// Address of the engine [default: DOCKER_HOST, or the first usual socket that exists].
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<String>,
}

/// Reads a cap in US dollars.
fn dollars(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|usd| usd.is_finite() && *usd > 0.0)
        .ok_or_else(|| "give US dollars above zero, for example 2.50".to_owned())
}
