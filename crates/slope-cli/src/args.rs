//! Arguments as typed; what they mean is decided in [`crate::commands`].

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use slope_report::Format;
use slope_suite::track::TrackName;

mod agents;
mod check;
mod choices;
mod control;
mod failures;
mod formats;
mod grade;
mod grade_tests;
mod history;
mod judge;
mod measure;
pub(crate) mod next_edit;
mod output;
pub(crate) mod problem;
mod refusals;
mod report;
mod rewards;
mod run;
mod serve;
mod setup;
mod track;
mod watch;

pub(crate) use agents::{Answer, Hook, InstallHooks, Mcp, Settings};
pub(crate) use check::{ChangeArgs, Check};
use choices::dollars;
pub(crate) use choices::{Color, Phases};
pub(crate) use control::{OfRun, Resume, Worker};
pub(crate) use failures::Failures;
pub(crate) use formats::{command, parse};
pub(crate) use grade::{
    BaseArgs, Explained, Grade, GradeCommand, Index, Mutate, SchemaOf, Serve, Severities,
};
pub(crate) use grade_tests::TestArgs;
pub(crate) use history::{Diff, History, ResearchLedger, ResearchMetamorphic, ResearchPanel};
pub(crate) use judge::{Judge, JudgeCalibrate, JudgeCommand, JudgeModel};
pub(crate) use measure::{
    DefinitionArgs, Explain, FileArgs, Measure, Profile, ReportedArgs, RuleSource, Rules, SizeTerm,
    Tests, WorkArgs,
};
pub(crate) use output::Output;
pub(crate) use report::Report;
pub(crate) use rewards::{Calibrate, Experiment, ResearchRewards};
pub(crate) use run::{Arm, Dialect, Grading, Isolation, Run, Stability, Workers, track};
pub(crate) use serve::{
    DatabaseArgs, ProjectCommand, ServeAll, ServeCommand, TokenCommand, TokenScope,
};
pub(crate) use setup::{Completions, Doctor, Man};
pub(crate) use track::{
    AuthorArgs, Checked, PushArgs, ServerArgs, Track, TrackAdd, TrackPlot, TrackPush, TrackStatus,
};
pub(crate) use watch::{
    DemoLayer, OfWatch, RunWork, TableKind, Watch, WatchAcknowledge, WatchBisect, WatchDemo,
    WatchExport, WatchInit, WatchNotify, WatchPush, WatchReport, WatchSimulate, WatchTarget,
    WatchTick,
};

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
  slope quickstart                              compare two runs of a built-in problem
  slope measure src                             measure a directory
  slope history .                               show how quality changed over time
  slope diff main..HEAD                         show what a change did, function by function
  slope check                                   check whether a change makes anything worse
  slope track add --iteration 1                 keep a measured point of a project
  slope hook install                            report regressions to coding agents while they work
  slope explain swallowed-exception             explain a rule, and what to write instead
  slope run NAME --agent codex --model M --upstream https://api.example.com --key-env KEY
  slope status slope-runs/x                     show the progress of a run
  slope report slope-runs/x --html report.html  write the report of a run

Exit codes: 0 success, 1 a check failed, 2 invalid input or usage, 3 slope or the machine failed,
4 an upload failed, 5 nothing to compare with, 130 interrupted or cancelled (continue with
`slope resume DIR`).")]
pub(crate) struct Cli {
    /// Output format. The help of each command lists its formats.
    #[arg(long, global = true, value_name = "FORMAT", value_parser = formats::format,
          default_value = "human", help_heading = "Global options")]
    pub(crate) format: Format,
    /// When to use colour.
    #[arg(long, value_enum, global = true, value_name = "WHEN", default_value_t = Color::Auto,
          help_heading = "Global options")]
    pub(crate) color: Color,
    /// Hide progress.
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
    /// Write log lines to standard error: a level (error, warn, info, debug or trace), or
    /// TARGET=LEVEL,… [default: SLOPE_LOG, or off].
    #[arg(
        long,
        global = true,
        value_name = "FILTER",
        help_heading = "Global options"
    )]
    pub(crate) log: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compare a tidy and a sloppy agent on a built-in problem, without a key or network.
    Quickstart(Quickstart),
    /// Run an agent on benchmark problems, checkpoint by checkpoint.
    Run(Box<Run>),
    /// Show the progress of a run.
    Status(OfRun),
    /// Pause a run: let current attempts finish and start no new ones.
    Pause(OfRun),
    /// Resume a run that was paused, cancelled or interrupted.
    Resume(Resume),
    /// Cancel a run: stop current attempts and keep all results.
    Cancel(OfRun),
    /// Run one trial for a coordinator.
    #[command(hide = true)]
    Worker(Worker),
    /// Grade the snapshots of a run again, or grade a directory.
    Eval(Eval),
    /// Measure the code quality of a directory or file.
    Measure(Box<Measure>),
    /// Show how the code quality of a git repository changed over time.
    History(Box<History>),
    /// Show what a change did to code quality, function by function.
    Diff(Box<Diff>),
    /// Check whether a change makes the code worse: a gate for commits, CI and agents.
    Check(Box<Check>),
    /// Score code from 0 to 10 for verbosity, erosion and extensibility.
    Judge(Box<Judge>),
    /// Track a project over iterations: points, limits, charts.
    #[command(subcommand)]
    Track(Track),
    /// Watch an assistant day by day: what got worse, when, and in which layer.
    #[command(subcommand)]
    Watch(Watch),
    /// Grade edits: rewards for training models that write code.
    Grade(Box<Grade>),
    /// Start a server with pages and an HTTP API that track projects over time.
    Serve(Box<ServeAll>),
    /// Report regressions to coding agents while they work.
    #[command(subcommand)]
    Hook(Hook),
    /// Start an MCP server with tools for coding agents.
    Mcp(Mcp),
    /// List rules and signals.
    Rules(Rules),
    /// Explain a rule or signal, and what to write instead, or a metric.
    Explain(Explain),
    /// Report the results of one or more runs.
    Report(Report),
    /// Show how attempts of runs failed, by class.
    Failures(Failures),
    /// Compare slope with published results and other tools, and attack its sandbox.
    #[command(subcommand)]
    Research(Research),
    /// List, write and validate benchmark problems.
    #[command(subcommand)]
    Problem(problem::Problem),
    /// Print a script that completes commands in your shell.
    Completions(Completions),
    /// Write man pages.
    Man(Man),
    /// Check what this machine supports: sandbox, interpreter, tools.
    Doctor(Doctor),
    /// Remove containers, volumes and images that runs left behind.
    Gc(Gc),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope quickstart
  slope quickstart --out /tmp/try --html /tmp/try.html
  slope quickstart --format json > report.json")]
pub(crate) struct Quickstart {
    /// Directory of the two runs. Interrupted runs in it are resumed [default: slope-runs/TIME-quickstart].
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
  slope eval slope-runs/x                                        grade all snapshots of a run
  slope eval slope-runs/x --problem ~/new/place                  use a problem that has moved
  slope eval my-solution --problem ~/problems/x --checkpoint 2   grade a directory")]
pub(crate) struct Eval {
    /// Run directory, or a directory with a solution.
    pub(crate) target: PathBuf,
    /// Problem folder or name (repeatable). Required for a solution, and for a run whose problem
    /// has moved.
    #[arg(long, value_name = "DIR")]
    pub(crate) problem: Vec<PathBuf>,
    /// Checkpoint of the solution, from 1.
    #[arg(long, value_name = "N")]
    pub(crate) checkpoint: Option<u32>,
    /// Language of the solution.
    #[arg(long, value_name = "TRACK", requires = "checkpoint", default_value_t, value_parser = track())]
    pub(crate) track: TrackName,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    #[command(flatten)]
    pub(crate) grading: Grading,
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope research problems ~/problems --expect expected.toml
  slope research problems ~/problems --only code_search --nop
  slope research cheats --environment docker.toml
  slope research scb flask ripgrep --tool scb-venv/bin/scb-check --rules slop_rules")]
pub(crate) enum Research {
    /// Grade the reference solutions of problems and compare the counts with expected ones.
    Problems(ResearchProblems),
    /// Compare slope's rule engine with ast-grep's, match by match.
    Rules(ResearchRules),
    /// Measure the repositories of the published Table 7 and compare every value.
    Table7(ResearchTable7),
    /// Check that the ledger of every commit sums exactly to the total change.
    Ledger(ResearchLedger),
    /// Check that ledgers report known edits, and only those.
    Metamorphic(ResearchMetamorphic),
    /// Check whether rewards tell better edits from worse ones.
    Rewards(ResearchRewards),
    /// Count in how many repositories verbosity and erosion rise over time.
    Panel(ResearchPanel),
    /// Measure the reference repositories that `slope measure` ranks code against.
    Reference(crate::commands::research::reference::ResearchReference),
    /// Attack slope the way agents and programs under test could, and report successful attacks.
    Cheats(crate::commands::research::cheats::ResearchCheats),
    /// Grade snapshots of published runs again and compare every test with its stored outcome.
    Replay(crate::commands::research::replay::ResearchReplay),
    /// Measure snapshots of published runs again and compare every number with the stored one.
    Runs(crate::commands::research::runs::ResearchRuns),
    /// Measure repositories with scb-check and slope, and compare every field.
    Scb(crate::commands::research::scb::ResearchScb),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope research rules ~/src/django
  slope research rules ~/src/django --rules ~/rules/slop_rules.yaml

Exit code 1: the engines differ.")]
pub(crate) struct ResearchRules {
    /// Folder or file to search.
    #[arg(value_name = "PATH")]
    pub(crate) dir: PathBuf,
    /// Rules in ast-grep's format, a folder or file (repeatable) [default: slope's rules].
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    /// Number of threads, 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) threads: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The panel is a CSV file with the columns repo, source, commit, loc, callables, violation, clone,
verbosity, erosion and mass. --repos contains a folder for each repository, checked out at its
commit. Only Python files count. The published rules are not part of slope. Get them from
configs/slop_rules.yaml in the benchmark's repository, at commit 21dd1f58. slope also compares its
own Python rules with them, line by line.

Examples:
  slope research table7 --panel panel.csv --repos ~/panel --rules slop_rules.yaml
  slope research table7 --panel panel.csv --repos ~/panel --rules slop_rules.yaml --only flask --format json")]
pub(crate) struct ResearchTable7 {
    /// Panel: repositories and expected values (CSV).
    #[arg(long, value_name = "FILE")]
    pub(crate) panel: PathBuf,
    /// Folder that contains the repositories.
    #[arg(long, value_name = "DIR")]
    pub(crate) repos: PathBuf,
    /// Published rules (repeatable).
    #[arg(long, value_name = "PATH", required = true)]
    pub(crate) rules: Vec<PathBuf>,
    /// Compare only this repository (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Also write a panel with the values that slope's own rules give.
    #[arg(long, value_name = "FILE")]
    pub(crate) panel_out: Option<PathBuf>,
    /// Name and version of that panel.
    #[arg(long, value_name = "NAME", default_value = "human")]
    pub(crate) panel_name: String,
    /// Number of threads, 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The file for --expect (TOML) lists the expected counts of each problem and checkpoint, as
passed/total for each group. `unstable` names the tests that may be unstable. With
--stability all, slope must find them:

  [code_search.checkpoint_1]
  core = \"7/7\"
  functionality = \"4/4\"
  error = \"2/2\"
  unstable = [\"test_slow\"]

Examples:
  slope research problems ~/problems --expect expected.toml
  slope research problems ~/problems --only code_search --only file_backup --nop
  slope research problems ~/problems --expect expected.toml --stability all")]
pub(crate) struct ResearchProblems {
    /// Folder that contains the problems.
    pub(crate) dir: PathBuf,
    /// Expected counts. Without this file, every test must pass.
    #[arg(long, value_name = "FILE")]
    pub(crate) expect: Option<PathBuf>,
    /// Grade only this problem (repeatable).
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Also check that an empty workspace passes no core tests.
    #[arg(long)]
    pub(crate) nop: bool,
    /// Maximum concurrent problems. `auto` depends on memory and processors (docs/scheduling.md).
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = control::workers)]
    pub(crate) workers: Workers,
    /// Directory of the runs. Interrupted runs in it are resumed [default: a new folder in slope's cache].
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
  slope gc --dry-run                            list what would be removed, and why
  slope gc                                      remove it
  slope gc --images                             also remove unexpired images
  slope gc --host unix:///run/podman/podman.sock --format json

slope labels everything that it creates in an engine with its run, its owner process and a lease.
`slope gc` removes objects whose owner has ended or whose lease has expired. It never touches
objects without these labels.

Exit codes: 0 success or nothing to remove, 1 something could not be removed, 2 invalid usage,
3 the engine failed.")]
pub(crate) struct Gc {
    /// List what would be removed, and remove nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also remove unexpired images that no container uses. slope rebuilds them when needed.
    #[arg(long)]
    pub(crate) images: bool,
    /// Address of the engine [default: DOCKER_HOST, or the first known socket that exists].
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<String>,
}
