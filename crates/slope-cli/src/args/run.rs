//! Arguments of `slope run`, and groups of options that other commands share.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use slope_bench::plan::CapPlan;
use slope_bench::runtimes;
use slope_model::run::Start;
use slope_suite::track::TrackName;

use super::choices::dollars;
use super::{PushArgs, control};

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
  slope run herbarium-vault --agent codex --model M --upstream URL --start reference
  slope run herbarium-vault --agent codex --model M --upstream URL --one-conversation
  slope run ~/problems/* --agent codex --model M --upstream URL --push --server URL --project bench

The agent sees only the current spec and its own workspace. Each checkpoint starts a new
conversation in a new sandbox, except with --one-conversation. The sandbox reaches no network but slope's model gateway.

Exit codes: 0 at least one checkpoint has a verdict, 2 invalid input, 3 infrastructure failures left
the run without any verdict, 4 with --push: the run could not be sent, 130 interrupted.")]
pub(crate) struct Run {
    /// Problems: names from `slope problem list`, or problem folders.
    #[arg(required = true, value_name = "PROBLEM_DIR")]
    pub(crate) problems: Vec<PathBuf>,
    /// Agent to run: slope, claude-code, codex, gemini, opencode, qwen-code, kimi-code,
    /// mini-swe-agent, oracle, nop or command (docs/agents.md).
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// Settings of the agent (TOML, docs/agents.md). A `command` agent needs them.
    #[arg(long, value_name = "FILE")]
    pub(crate) agent_config: Option<PathBuf>,
    /// Model to request. With --script, the script names the model.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Reasoning effort, for agents that support it: low, medium or high.
    #[arg(long, value_name = "LEVEL")]
    pub(crate) effort: Option<slope_agent::Effort>,
    /// Prompt: just-solve, anti-slop, plan-first or a template file [default: set by
    /// --intervention].
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) prompt: Option<String>,
    /// Intervention to study: none, anti-slop or plan-first (prompts), or hooks (slope's hooks in
    /// the agent). `slope report` compares interventions.
    #[arg(long, value_enum, value_name = "ARM", default_value_t = Arm::None, hide_possible_values = true)]
    pub(crate) intervention: Arm,
    /// Language of the programs. Overrides the language that the specs name.
    #[arg(long, value_name = "TRACK", default_value_t, value_parser = track())]
    pub(crate) track: TrackName,
    /// Trials for each problem.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) trials: u32,
    /// Run only the first N checkpoints of each problem.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) checkpoints: Option<u32>,
    /// Code that each checkpoint starts from.
    #[arg(long, value_name = "CODE", default_value = "own")]
    pub(crate) start: StartArg,
    /// Run only this checkpoint of a problem. Needs --start reference. Can be repeated.
    #[arg(long = "step", value_name = "PROBLEM/CHECKPOINT", value_parser = step, conflicts_with = "checkpoints")]
    pub(crate) steps: Vec<(String, String)>,
    /// Continue one conversation over all checkpoints of a trial. By default each checkpoint starts a new one.
    #[arg(long, conflicts_with = "steps")]
    pub(crate) one_conversation: bool,
    /// Maximum concurrent trials. `auto` depends on memory and processors (docs/scheduling.md).
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = control::workers)]
    pub(crate) workers: Workers,
    /// Retries per checkpoint after infrastructure failures (docs/scheduling.md).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) retries: u32,
    /// Directory of the run [default: slope-runs/TIME-AGENT].
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Label in tables [default: agent and model].
    #[arg(long, value_name = "TEXT")]
    pub(crate) label: Option<String>,
    /// Time limit of one attempt in seconds.
    #[arg(long, default_value_t = 7200, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// Hide the time limit from the agent: leave it out of the prompt, and do not set
    /// SLOPE_TIMEOUT_S and SLOPE_DEADLINE.
    #[arg(long)]
    pub(crate) no_deadline: bool,
    // A group's heading applies to every argument after it, so the groups come last.
    #[command(flatten)]
    pub(crate) upstream: Upstream,
    #[command(flatten)]
    pub(crate) caps: Caps,
    #[command(flatten)]
    pub(crate) isolation: Isolation,
    #[command(flatten)]
    pub(crate) grading: Grading,
    #[command(flatten)]
    pub(crate) push: PushArgs,
}

/// Code that each checkpoint starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum StartArg {
    /// The agent's own code of the checkpoint before.
    Own,
    /// The reference solution of the checkpoint before, so that each checkpoint is a task of its own.
    Reference,
}

impl From<StartArg> for Start {
    fn from(start: StartArg) -> Self {
        match start {
            StartArg::Own => Self::Own,
            StartArg::Reference => Self::Reference,
        }
    }
}

/// Parses `PROBLEM/CHECKPOINT`.
fn step(text: &str) -> Result<(String, String), String> {
    let parts = text
        .split_once('/')
        .filter(|(a, b)| !a.is_empty() && !b.is_empty());
    parts
        .map(|(problem, checkpoint)| (problem.to_owned(), checkpoint.to_owned()))
        .ok_or_else(|| {
            "give it as PROBLEM/CHECKPOINT, for example herbarium-vault/checkpoint_2".to_owned()
        })
}

/// Maximum number of concurrent trials. `None` uses as many as fit.
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

/// Model server, prices and rate limits.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct Upstream {
    /// Base address of an OpenAI- or Anthropic-compatible server.
    #[arg(long, value_name = "URL", conflicts_with = "script")]
    pub(crate) upstream: Option<String>,
    /// Environment variable with the server's key. Agents never see the key.
    #[arg(long, value_name = "VAR", requires = "upstream")]
    pub(crate) key_env: Option<String>,
    /// Seconds without data from the server before the request fails as an outage [default: 600].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) upstream_patience: Option<u64>,
    /// Use a scripted model instead of a server.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Model API that slope's own agent uses [default: messages].
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,
    /// Prices in US dollars per million tokens of input, output, cache reads and cache writes.
    #[arg(long, value_name = "IN,OUT[,READ,WRITE]")]
    pub(crate) prices: Option<String>,
    /// Prices by model and day (TOML, docs/gateway.md). Overrides the built-in prices.
    #[arg(long, value_name = "FILE", conflicts_with = "prices")]
    pub(crate) price_file: Option<PathBuf>,
    /// Record every request to the model and its response.
    #[arg(long)]
    pub(crate) record: bool,
    /// Replay the recorded responses of another run instead of using a server.
    #[arg(long, value_name = "RUN_DIR", conflicts_with_all = ["upstream", "script"])]
    pub(crate) replay: Option<PathBuf>,
    /// Maximum concurrent requests of all trials together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_concurrent: Option<u32>,
    /// Maximum requests per minute of all trials together.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_rpm: Option<u32>,
    /// Maximum tokens per minute of all trials together: uncached input, cache writes and output.
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

/// Caps of an attempt, a trial and the run. By default there are none.
#[derive(Debug, Args)]
#[command(next_help_heading = "Caps")]
pub(crate) struct Caps {
    /// Maximum tokens of an attempt, counting all kinds.
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Maximum cost of an attempt in US dollars. Needs prices.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) max_usd: Option<f64>,
    /// Maximum model requests of an attempt.
    #[arg(long, value_name = "N")]
    pub(crate) max_requests: Option<u64>,
    /// Maximum turns of an attempt, for agents that support it.
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,
    /// Caps of all attempts of a trial together. Kinds: tokens, usd, requests, seconds.
    #[arg(long, value_name = "KIND=AMOUNT,…", value_parser = crate::caps::parse)]
    pub(crate) trial_cap: Option<CapPlan>,
    /// Caps of the whole run. Kinds as for --trial-cap.
    #[arg(long, value_name = "KIND=AMOUNT,…", value_parser = crate::caps::parse)]
    pub(crate) run_cap: Option<CapPlan>,
}

/// Sandbox and interpreter.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Sandbox")]
pub(crate) struct Isolation {
    /// Run agents and programs without isolation, with your permissions. For kernels that forbid
    /// namespaces.
    #[arg(long, conflicts_with = "environment")]
    pub(crate) no_sandbox: bool,
    #[arg(long, value_name = "FILE", help = environment_help())]
    pub(crate) environment: Option<PathBuf>,
    /// Python interpreter for the Python track [default: python3 on PATH].
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}

/// Help of `--environment`, with the names of all runtimes.
fn environment_help() -> String {
    format!(
        "Runtime ({}) and resource limits (TOML, docs/runtimes.md) [default: {}]",
        runtimes::names(),
        runtimes::RuntimeChoice::default().name()
    )
}

/// Parser of track names. Help lists the names.
pub(crate) fn track() -> impl TypedValueParser<Value = TrackName> {
    PossibleValuesParser::new(TrackName::ALL.map(TrackName::name))
        .try_map(|name| name.parse::<TrackName>())
}

/// Options for running suites.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Grading")]
pub(crate) struct Grading {
    /// Install packages from the cache or --wheels, never from a package index.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Folder with wheels for the requirements of tests and programs.
    #[arg(long, value_name = "DIR")]
    pub(crate) wheels: Option<PathBuf>,
    /// Time limit of a whole suite in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) suite_timeout: Option<u64>,
    /// Tests to repeat, to find unstable ones [default: failing].
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) stability: Option<Stability>,
}

/// Which tests are repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stability {
    /// Repeat no tests.
    Off,
    /// Repeat tests that did not pass.
    Failing,
    /// Repeat all tests, also with simulated stalls. Takes about five times as long.
    All,
}
