//! Arguments of `watch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jiff::civil::Date;
use slope_model::sent_watch::check_watch_name;

use super::{Checked, Isolation, ServerArgs, Workers, control};

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope watch demo                              show 60 simulated days with a degradation
  slope watch init --agent codex --model M --upstream URL --key-env KEY
  slope watch plan                              show what the next day runs and costs
  slope watch tick                              run today's tasks: call this from cron every day
  slope watch status                            show what changed, when, and in which layer
  slope watch acknowledge ALARM --why TEXT      note that you know of an alarm
  slope watch report --html watch.html          write the page of the watch
  slope watch push --server URL --project shop  send the watch to a server
  slope watch simulate --tasks 50 --drop 4      show how soon a drop would raise an alarm

A watch is a folder with watch.toml and a folder for each day.")]
pub(crate) enum Watch {
    /// Create a watch: its tasks, its assistant and its alarms.
    Init(Box<WatchInit>),
    /// Show what the next day runs, and what it costs.
    #[command(after_help = "\
Examples:
  slope watch plan
  slope watch plan nightly --format json

Exit codes: 0 success, 2 invalid input.")]
    Plan(OfWatch),
    /// Run the tasks of a day, and keep the results.
    Tick(WatchTick),
    /// Show what changed, when, by how much and in which layer.
    #[command(after_help = "\
Examples:
  slope watch status
  slope watch status nightly --format json

An alarm that is acknowledged (`slope watch acknowledge`) stays open, and does not fail.
Exit codes: 0 no alarm is open that nobody has acknowledged, 1 such an alarm is open, 2 invalid input,
5 there are no results yet.")]
    Status(OfWatch),
    /// Write the runs and series of a watch as tables.
    Export(WatchExport),
    /// Find the first bad version of an agent between a good one and a bad one.
    Bisect(WatchBisect),
    /// Send messages about alarms: webhooks, Slack, GitHub issues.
    Notify(WatchNotify),
    /// Acknowledge an alarm, with a note.
    Acknowledge(WatchAcknowledge),
    /// Send the days and notes that a server does not have yet.
    Push(WatchPush),
    /// Write the page of a watch.
    Report(WatchReport),
    /// Simulate years of a design: false alarms, and days until a drop raises an alarm.
    Simulate(WatchSimulate),
    /// Show a watch with simulated results, to see what the pages say.
    Demo(WatchDemo),
}

/// The folder of a watch.
#[derive(Debug, Args)]
pub(crate) struct OfWatch {
    /// Folder of the watch.
    #[arg(default_value = "slope-watch")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch init --agent codex --model M --upstream https://api.example.com --key-env KEY
  slope watch init nightly --agent claude-code --model M --upstream URL --key-env KEY --tasks 20
  slope watch init --agent oracle --tasks 4     try the machinery without a model

The tasks are extension steps of the problems that ship with slope (the reference solution of a
checkpoint, and the spec of the next one) and refactorings of legacy code. Edit watch.toml to choose others or to add arms.
Exit codes: 0 created, 2 invalid input, or the watch exists.")]
pub(crate) struct WatchInit {
    /// Folder of the watch.
    #[arg(default_value = "slope-watch")]
    pub(crate) folder: PathBuf,
    /// Agent to watch, as of `slope run --agent`.
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// Settings of the agent (TOML, docs/agents.md).
    #[arg(long, value_name = "FILE")]
    pub(crate) agent_config: Option<PathBuf>,
    /// Model to request.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Base address of the model's server.
    #[arg(long, value_name = "URL")]
    pub(crate) upstream: Option<String>,
    /// Environment variable with the server's key.
    #[arg(long, value_name = "VAR")]
    pub(crate) key_env: Option<String>,
    /// Number of tasks.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) tasks: u32,
    /// Number of them that refactor legacy code [default: one in ten, at most 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) refactorings: Option<u32>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch tick                              today, in UTC
  slope watch tick nightly --workers 8
  slope watch tick --date 2026-11-30            a day of your choice, not before the last one
  slope watch tick --push                       send the day to a server, as `slope watch push`

Call it as often as you like: a day that is over stays as it was, and a day that was interrupted goes on. A
missed day stays missing.
Exit codes: 0 the day is over, 1 the server has other results of a day, 2 invalid input or another tick
works, 3 the machine failed, 4 the day is kept, but was not sent, 130 interrupted. A change of the
assistant is not an error: ask `slope watch status`.")]
pub(crate) struct WatchTick {
    #[command(flatten)]
    pub(crate) of: OfWatch,
    /// The day, in UTC [default: today].
    #[arg(long, value_name = "DATE")]
    pub(crate) date: Option<Date>,
    #[command(flatten)]
    pub(crate) work: RunWork,
    /// Send the watch to a server afterwards.
    #[arg(long, help_heading = "Server")]
    pub(crate) push: bool,
    #[command(flatten)]
    pub(crate) target: WatchTarget,
}

/// How runs of tasks work.
#[derive(Debug, Args)]
pub(crate) struct RunWork {
    /// Maximum concurrent trials.
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = control::workers)]
    pub(crate) workers: Workers,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    /// Install packages from the cache, never from a package index.
    #[arg(long)]
    pub(crate) offline: bool,
}

/// A watch on a server.
#[derive(Debug, Args)]
pub(crate) struct WatchTarget {
    /// Name of the watch on the server [default: that of its folder].
    #[arg(long, value_name = "NAME", value_parser = watch_name, help_heading = "Server")]
    pub(crate) name: Option<Checked>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch push --server https://slope.example.com --project shop
  slope watch push nightly --name codex         use the server of slope.toml, and another name
  SLOPE_TOKEN=… slope watch push

Sends the days that the server does not have yet, each once, then the notes on alarms. Keys, addresses
of models and prompts are not sent.
Exit codes: 0 the server has everything; 1 it has other results of a day; 2 invalid input; 4 days or
notes were not sent, and are kept.")]
pub(crate) struct WatchPush {
    #[command(flatten)]
    pub(crate) of: OfWatch,
    #[command(flatten)]
    pub(crate) target: WatchTarget,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch acknowledge main.pass-rate.2026-10-11 --why \"known, fixed in 2.1.1\"
  slope watch acknowledge ALARM --why \"waiting for the provider\" --until 2026-12-15 --by Ann
  slope watch acknowledge ALARM --take-back

`slope watch status` lists the ids of alarms. The note is kept in acknowledgements.json.
Exit codes: 0 kept, 2 invalid input or an unknown alarm, 5 there are no results yet.")]
pub(crate) struct WatchAcknowledge {
    /// Id of the alarm: ARM.MEASURE.DAY.
    #[arg(value_name = "ALARM")]
    pub(crate) alarm: String,
    #[command(flatten)]
    pub(crate) of: OfWatch,
    /// Reason.
    #[arg(long, value_name = "TEXT", required_unless_present = "take_back")]
    pub(crate) why: Option<String>,
    /// Last day on which the note holds [default: as long as the alarm is open].
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<Date>,
    /// Person who knows [default: the user of this system].
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// Take an acknowledgement back.
    #[arg(long, conflicts_with_all = ["why", "until"])]
    pub(crate) take_back: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch bisect --good 0.160.0 --bad 0.169.0
  slope watch bisect nightly --arm main --good 2.0.9 --bad 2.1.0 --most-runs 500
  slope watch bisect --good 1 --bad 3 --versions 1,2,3 --agent-config 'agents/{version}.toml'

The good and the bad version run all tasks first. Then each step runs the tasks that tell them apart best, with
the version that halves the remaining probability. An interrupted search goes on where it stopped.
Exit codes: 0 found, 2 invalid input, 3 the machine failed, 5 the versions do not differ, or the runs do not
suffice, 130 interrupted.")]
pub(crate) struct WatchBisect {
    #[command(flatten)]
    pub(crate) of: OfWatch,
    /// Arm of the watch.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) arm: String,
    /// Version that was good.
    #[arg(long, value_name = "VERSION")]
    pub(crate) good: String,
    /// Version that is bad.
    #[arg(long, value_name = "VERSION")]
    pub(crate) bad: String,
    /// The versions in order [default: those of the npm package between both, without pre-releases].
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    pub(crate) versions: Vec<String>,
    /// npm package with the versions [default: that of the arm's agent].
    #[arg(long, value_name = "NAME", conflicts_with = "versions")]
    pub(crate) package: Option<String>,
    /// Settings of the agent for a version (TOML); {version} stands for it [default: those of the arm, with
    /// the version].
    #[arg(long, value_name = "FILE")]
    pub(crate) agent_config: Option<String>,
    /// Runs of each task with the good and with the bad version, before the search.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) end_runs: u32,
    /// Most runs in all.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) most_runs: u64,
    /// Probability that is enough for an answer.
    #[arg(long, value_name = "P", default_value_t = 0.95, value_parser = certainty)]
    pub(crate) certainty: f64,
    #[command(flatten)]
    pub(crate) work: RunWork,
}

fn certainty(text: &str) -> Result<f64, String> {
    number(text, 0.5..=0.999, "from 0.5 to 0.999")
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch export --out tables
  slope watch export nightly --out tables --as csv

Writes runs (a row for each run of a task) and series (a row for each series and day).
Exit codes: 0 written, 2 invalid input, 5 there are no results yet.")]
pub(crate) struct WatchExport {
    #[command(flatten)]
    pub(crate) of: OfWatch,
    /// Folder for the tables.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Kind of the files.
    #[arg(long = "as", value_name = "KIND", default_value = "parquet")]
    pub(crate) kind: TableKind,
}

/// Kind of a file with a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TableKind {
    /// Apache Parquet.
    Parquet,
    /// Comma-separated values.
    Csv,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch notify --test                     send a test message to each receiver
  slope watch notify                            send what waits, for example after an outage

`slope watch tick` does this by itself. Receivers are in watch.toml: docs/watch.md.
Exit codes: 0 all sent, 2 invalid input, 4 a receiver did not take a message. It is kept, unless it was a test.")]
pub(crate) struct WatchNotify {
    #[command(flatten)]
    pub(crate) of: OfWatch,
    /// Send a test message to each receiver, and nothing else.
    #[arg(long)]
    pub(crate) test: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch report --html watch.html
  slope watch report nightly --html public/index.html

Exit codes: 0 written, 2 invalid input, 5 there are no results yet.")]
pub(crate) struct WatchReport {
    #[command(flatten)]
    pub(crate) of: OfWatch,
    /// File to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch demo
  slope watch demo --html demo.html --layer model

Exit codes: 0 success, 2 invalid input.")]
pub(crate) struct WatchDemo {
    /// File to write the page to.
    #[arg(long, value_name = "FILE", default_value = "slope-watch-demo.html")]
    pub(crate) html: PathBuf,
    /// Number of days.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u16).range(20..=400))]
    pub(crate) days: u16,
    /// Layer that degrades.
    #[arg(long, value_name = "LAYER", default_value = "harness")]
    pub(crate) layer: DemoLayer,
    /// Seed of the random numbers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Layer of a simulated degradation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DemoLayer {
    /// Nothing changes.
    None,
    /// The model or its service.
    Model,
    /// The agent around the model.
    Harness,
    /// The settings.
    Settings,
    /// The machine or the tasks.
    Infrastructure,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope watch simulate --tasks 50 --drop 4
  slope watch simulate --tasks 100 --baseline-runs 30 --within-variance 0.1 --drop 3 --paths 20000
  slope watch simulate --replicates 1           without more runs after a high scan
  slope watch simulate --false-alarms 0.01      with the threshold for one false alarm in 100 years

Exit codes: 0 success, 2 invalid input.")]
pub(crate) struct WatchSimulate {
    /// Tasks.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) tasks: u32,
    /// Runs of each task behind the baseline.
    #[arg(long, value_name = "R", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) baseline_runs: u32,
    /// Variance of a task's outcome from run to run: p(1 − p), averaged over tasks.
    #[arg(long, value_name = "V", default_value_t = 0.162, value_parser = variance)]
    pub(crate) within_variance: f64,
    /// Standard deviation of days beyond that, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 0.0, value_parser = points)]
    pub(crate) day_deviation: f64,
    /// Drop of the pass rate, in points.
    #[arg(long, value_name = "POINTS", default_value_t = 4.0, allow_negative_numbers = true, value_parser = any_points)]
    pub(crate) drop: f64,
    /// Simulated years without a change, and with the drop.
    #[arg(long, value_name = "P", default_value_t = 4000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) paths: u32,
    /// Seed of the random numbers.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threshold of the scan [default: 4.06, for 5 % of quiet years].
    #[arg(long, value_name = "H", value_parser = threshold, conflicts_with = "false_alarms")]
    pub(crate) threshold: Option<f64>,
    /// Find the threshold by simulation: share of quiet years with a false alarm.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) false_alarms: Option<f64>,
    /// Runs of each task on a day after a scan of at least 2.5.
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) replicates: u32,
    /// Let a rise raise an alarm, too.
    #[arg(long)]
    pub(crate) two_sided: bool,
}

fn watch_name(name: &str) -> Result<Checked, String> {
    check_watch_name(name).map(|()| Checked(name.to_owned()))
}

fn number(text: &str, range: std::ops::RangeInclusive<f64>, words: &str) -> Result<f64, String> {
    let number = text
        .parse::<f64>()
        .ok()
        .filter(|number| range.contains(number));
    number.ok_or_else(|| format!("give a number {words}"))
}

fn variance(text: &str) -> Result<f64, String> {
    number(text, 1e-9..=1.0, "above 0, at most 1")
}

fn points(text: &str) -> Result<f64, String> {
    number(text, 0.0..=100.0, "from 0 to 100")
}

fn any_points(text: &str) -> Result<f64, String> {
    number(text, -100.0..=100.0, "from -100 to 100")
}

fn threshold(text: &str) -> Result<f64, String> {
    number(text, 0.1..=100.0, "from 0.1 to 100")
}

fn share(text: &str) -> Result<f64, String> {
    number(text, 0.0001..=0.99, "from 0.0001 to 0.99")
}
