//! Arguments of `track`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use slope_model::series::{MAIN_SERIES, check_name};
use slope_track::check_series;

#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  slope track add --iteration 1                 measure the project after the first iteration
  slope track add --commit HEAD --push          measure a commit, and send it to the server
  slope track status                            show the last point, and limits that it exceeds
  slope track plot --html track.html            write charts of the whole series

A series is a list of measured points of a project. Each point is a file in .slope/track: commit it.")]
pub(crate) enum Track {
    /// Measure a directory or commit, and keep it as a point.
    Add(Box<TrackAdd>),
    /// Show the last point, what changed, and which limits are exceeded.
    Status(TrackStatus),
    /// Draw a series.
    Plot(TrackPlot),
    /// Send points to a server.
    Push(TrackPush),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope track add --iteration 3 --agent claude-code --model M --session ID
  slope track add src --series backend          measure a part of the project
  slope track add --commit v1.2.0               measure a commit, without a checkout
  slope track add --push                        also send it to the server
  slope track add --judged scores.json          also keep the scores that a model gave

If no measured file differs from the checked-out commit, the point is of that commit. The agents of
commits come from their trailers, names and addresses, as in `slope history`. Hooks and CI jobs can
set SLOPE_AGENT, SLOPE_AGENT_VERSION, SLOPE_MODEL and SLOPE_SESSION instead of the options.
A point is unique by its iteration, otherwise by its commit, otherwise by its time.
Exit codes: 0 added, or the same point exists; 1 the server has other numbers for a point;
2 invalid input, or the point exists with other numbers; 4 the point is kept, but was not sent.")]
pub(crate) struct TrackAdd {
    /// Directory to measure.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Number of the iteration.
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<u32>,
    /// Name of the series.
    #[arg(long, value_name = "NAME", default_value = MAIN_SERIES, value_parser = series)]
    pub(crate) series: Checked,
    /// Commit to measure, instead of the files on disk.
    #[arg(long, value_name = "REVISION")]
    pub(crate) commit: Option<String>,
    /// Note to keep with the point.
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
    /// Scores of the same code by a model: the JSON of `slope judge --format json`. Repeat it for several models.
    #[arg(long, value_name = "FILE")]
    pub(crate) judged: Vec<PathBuf>,
    /// Add no point if measured code is that of the last point of the series.
    #[arg(long, conflicts_with_all = ["replace", "judged"])]
    pub(crate) if_changed: bool,
    /// Work for the hook of an agent whose session began at this commit: in turn, and with a line in the log of hooks.
    #[arg(long, hide = true, requires = "if_changed", value_name = "COMMIT", num_args = 0..=1, require_equals = true,
          default_missing_value = "")]
    pub(crate) from_hook: Option<String>,
    /// Overwrite a point that exists with other numbers.
    #[arg(long)]
    pub(crate) replace: bool,
    /// Send all points to the server afterwards, as `slope track push`.
    #[arg(long)]
    pub(crate) push: bool,
    #[command(flatten)]
    pub(crate) author: AuthorArgs,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

/// Who or what wrote the code.
#[derive(Debug, Args)]
#[command(next_help_heading = "Author")]
pub(crate) struct AuthorArgs {
    /// Agent that wrote the code [default: SLOPE_AGENT, or that of the commits].
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Version of the agent [default: SLOPE_AGENT_VERSION].
    #[arg(long, value_name = "VERSION")]
    pub(crate) agent_version: Option<String>,
    /// Model of the agent [default: SLOPE_MODEL].
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Id of the agent's session [default: SLOPE_SESSION].
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Person who wrote the code [default: the author of the commits].
    #[arg(long, value_name = "NAME")]
    pub(crate) person: Option<String>,
}

/// A server, and how to reach it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerArgs {
    /// Address of the server [default: SLOPE_SERVER, or `track.server` in slope.toml].
    // It is checked later: the parser repeats a faulty value, which may have a password.
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Project on the server [default: `track.project` in slope.toml].
    #[arg(long, value_name = "NAME", value_parser = project)]
    pub(crate) project: Option<Checked>,
    /// Environment variable with the token [default: SLOPE_TOKEN].
    #[arg(long, value_name = "VAR")]
    pub(crate) token_env: Option<String>,
    /// Send the token without encryption to a server on another machine.
    #[arg(long)]
    pub(crate) insecure_http: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope track status
  slope track status --series backend --format json

Limits are in [track] of slope.toml (docs/track.md). Changes are from the point before and from the
first point with the same definitions. Metrics are of production code, scores of the static judge.
Exit codes: 0 no limit is exceeded; 1 a limit is exceeded; 2 invalid input, or a damaged point;
5 the series has no points.")]
pub(crate) struct TrackStatus {
    /// Directory of the project.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Name of the series.
    #[arg(long, value_name = "NAME", default_value = MAIN_SERIES, value_parser = series)]
    pub(crate) series: Checked,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope track plot                              draw charts in the terminal
  slope track plot --html track.html            write one self-contained page
  slope track plot --format csv > track.csv     write a row for each point

Points are in order of their iterations, otherwise of their times.
Exit codes: 0 drawn; 2 invalid input, or a damaged point; 5 the series has no points.")]
pub(crate) struct TrackPlot {
    /// Directory of the project.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Name of the series.
    #[arg(long, value_name = "NAME", default_value = MAIN_SERIES, value_parser = series)]
    pub(crate) series: Checked,
    /// Write a page with charts.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope track push --server https://slope.example.com --project shop
  SLOPE_TOKEN=… slope track push                use the server of slope.toml
  slope track push --server http://127.0.0.1:8080 --project shop
  slope track push --run slope-runs             send the runs below a folder

Sends all points of all series that the server does not have yet, each once. Points that could not
be sent are kept for the next time. With --run, sends reports of runs, and the details that the
server does not have yet. slope follows no redirects, so only the named server gets the token.
Exit codes: 0 the server has everything; 1 it has other numbers for a point; 2 invalid input;
4 points or runs were not sent, and are kept.")]
pub(crate) struct TrackPush {
    /// Directory of the project.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Send a run of the benchmark instead of points (repeatable): a run directory, or a folder that contains run
    /// directories.
    #[arg(long, value_name = "RUN_DIR")]
    pub(crate) run: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

/// Sending a run while it goes on.
#[derive(Debug, Args)]
pub(crate) struct PushArgs {
    /// Send the run to a server while it goes on, and do what visitors of its page ask: pause, resume, cancel.
    #[arg(long, help_heading = "Server")]
    pub(crate) push: bool,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

/// A name or address that was checked. A plain text would lose its parser, see [`super::formats`].
#[derive(Debug, Clone)]
pub(crate) struct Checked(pub(crate) String);

pub(super) fn series(name: &str) -> Result<Checked, String> {
    check_series(name).map(|()| Checked(name.to_owned()))
}

fn project(name: &str) -> Result<Checked, String> {
    check_name(name).map(|()| Checked(name.to_owned()))
}
