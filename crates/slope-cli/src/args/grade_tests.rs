//! Arguments of runs of tests in `grade`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::Value;
use slope_model::grade_request::ReportFormat;
use slope_suite::track::TrackName;

use super::track;

/// How tests of edits are run. Without these, no code of an edit or of a request ever runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Runs of tests")]
pub(crate) struct TestArgs {
    /// Run the commands that requests name in `tests.command`, in a sandbox without network.
    #[arg(long)]
    pub(crate) run_tests: bool,
    /// Command that runs the tests of requests without results and without a command of their own. A
    /// line for `sh`. slope replaces `{report}` by the path of the report.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) test_command: Option<String>,
    /// Format of the report of --test-command: JUnit in the file {report}, or the output of a runner.
    /// Without one, the exit code decides.
    #[arg(long, value_name = "FORMAT", requires = "test_command", value_parser = format())]
    pub(crate) test_report: Option<ReportFormat>,
    /// Problem whose hidden tests requests may name in `tests.suite`: a folder, or the name of one that ships
    /// with slope. Repeat it for several.
    #[arg(long, value_name = "PROBLEM")]
    pub(crate) test_suite: Vec<PathBuf>,
    /// Checkpoint of --test-suite that answers requests without tests of their own.
    #[arg(long, value_name = "N", requires = "test_suite", conflicts_with = "test_command", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) test_checkpoint: Option<u32>,
    /// Language of the programs that --test-suite tests.
    #[arg(long, value_name = "TRACK", default_value_t, value_parser = track())]
    pub(crate) test_track: TrackName,
    /// Runs of tests at the same time [default: half of the processors].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) test_jobs: Option<u16>,
    /// Time limit of a run in seconds. A request may set a shorter one.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) test_timeout: u32,
    /// Environment file with the runtime and the limits of tests, as for `slope run`. Without one: this machine's
    /// programs below /usr, 4 GiB of memory, 2 GiB of files, 512 processes.
    #[arg(long, value_name = "FILE")]
    pub(crate) test_environment: Option<PathBuf>,
    /// Folder of this machine that tests can read, at the same path. Repeat it for several.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) test_mount: Vec<PathBuf>,
    /// Variable of the environment of tests. Repeat it for several.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) test_env: Vec<(String, String)>,
}

/// Reads the name of a format.
fn format() -> impl TypedValueParser<Value = ReportFormat> {
    let names = ["junit", "pytest", "unittest", "cargo", "go", "tap"];
    PossibleValuesParser::new(names).try_map(|name| serde_json::from_value(Value::String(name)))
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}
