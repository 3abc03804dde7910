//! Arguments of `judge`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{DefinitionArgs, Dialect, FileArgs, ReportedArgs, RuleSource, WorkArgs, dollars};

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  slope judge --static src                      score a directory, without a model
  slope judge --static app.py --format json     score a file, for programs
  slope judge --static --diff main..HEAD        score a change: before and after
  slope judge --static --run runs/first         score the code after each checkpoint of a run
  slope judge src --model M --upstream https://api.example.com --key-env KEY
  slope judge src --model M --upstream http://127.0.0.1:8000/v1 --dialect chat --repeats 5
  slope judge calibrate --model M --upstream https://api.example.com   try the model
  slope judge rubric > our-rubric.toml          print the criteria, to change them
  slope judge src --model M --upstream https://api.example.com --rubric our-rubric.toml

Each score is from 0 to 10, and 10 is best. The static judge needs no model and no network. With a
model, the result has the static scores too.
Exit codes: 0 judged, whatever the scores; 2 invalid input, or nothing to judge; 3 the model
judged nothing."
)]
pub(crate) struct Judge {
    #[command(subcommand)]
    pub(crate) command: Option<JudgeCommand>,
    /// Directory or file to judge.
    #[arg(default_value = ".", hide_default_value = true)]
    pub(crate) path: PathBuf,
    /// Judge by slope's measures, without a model.
    #[arg(long = "static", conflicts_with = "model")]
    pub(crate) is_static: bool,
    /// Judge a change of the repository at PATH: two commits as BASE..HEAD, or one to compare with HEAD.
    #[arg(long, value_name = "BASE..HEAD")]
    pub(crate) diff: Option<String>,
    /// Judge the code after each checkpoint of a run: a run directory of slope or of the published harness.
    #[arg(long, value_name = "DIR", conflicts_with = "diff")]
    pub(crate) run: Option<PathBuf>,
    /// Maximum number of issues, 0 for all.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    /// Score that is good enough. Each score is then above it, below it, or undecided if judgements differ.
    #[arg(long, value_name = "SCORE", value_parser = score, requires = "model")]
    pub(crate) line: Option<f64>,
    #[command(flatten)]
    pub(crate) of_model: JudgeModel,
    #[command(flatten)]
    pub(crate) definitions: DefinitionArgs,
    #[command(flatten)]
    pub(crate) rules: RuleSource,
    #[command(flatten)]
    pub(crate) reported: ReportedArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JudgeCommand {
    /// Try a model on code whose quality is known. Later scores of the model show the result.
    Calibrate(Box<JudgeCalibrate>),
    /// Print slope's own rubric, as a start for another one.
    Rubric,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope judge calibrate --model M --upstream https://api.example.com --key-env KEY
  slope judge calibrate --model M --upstream https://api.example.com --rubric our-rubric.toml --max-usd 5
  slope judge calibrate --model M --list        print the code, without asking

slope prints an estimate of the cost first. Answers are kept: if a calibration ends early, run it again.
Exit codes: 0 calibrated; 2 invalid input; 3 some judgements have no answer.")]
pub(crate) struct JudgeCalibrate {
    /// Print the code that the model is asked about and what is known of it (JSON), without asking.
    #[arg(long)]
    pub(crate) list: bool,
    /// Ask again, also for what was answered earlier.
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) of_model: JudgeModel,
}

/// A model that judges.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct JudgeModel {
    /// Model to judge with.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Base address of an OpenAI- or Anthropic-compatible server.
    #[arg(long, value_name = "URL", requires = "model", conflicts_with_all = ["script", "replay"])]
    pub(crate) upstream: Option<String>,
    /// Environment variable with the server's key.
    #[arg(long, value_name = "VAR", requires = "upstream")]
    pub(crate) key_env: Option<String>,
    /// Model API of the server [default: messages].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// Criteria to judge by (TOML, docs/judge.md). Overrides `rubric` in `[judge]` of slope.toml.
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(crate) rubric: Option<PathBuf>,
    /// Judgements of the same code. A score is their median.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeats: u32,
    /// Requests at the same time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// Maximum cost in US dollars. Needs prices.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) max_usd: Option<f64>,
    /// Prices by model and day (TOML, docs/gateway.md). Overrides the built-in prices.
    #[arg(long, value_name = "FILE")]
    pub(crate) price_file: Option<PathBuf>,
    /// Use a scripted model instead of a server.
    #[arg(long, value_name = "FILE", requires = "model")]
    pub(crate) script: Option<PathBuf>,
    /// Folder to record all requests and responses in.
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Replay the recorded responses of an earlier judgement instead of using a server.
    #[arg(
        long,
        value_name = "DIR",
        requires = "model",
        conflicts_with = "script"
    )]
    pub(crate) replay: Option<PathBuf>,
}

impl JudgeModel {
    /// A name of what answers.
    pub(crate) fn server(&self) -> String {
        let script = self.script.as_ref().map(|path| path.display().to_string());
        let server = self.upstream.clone().or(script).unwrap_or_default();
        format!("{server} {:?}", self.dialect)
    }
}

fn score(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|value| (0.0..=10.0).contains(value));
    value.ok_or_else(|| "expected a number from 0 to 10".to_owned())
}
