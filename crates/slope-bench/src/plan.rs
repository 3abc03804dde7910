//! The plan of a run, fixed before it starts and stored in its directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_model::problem::Problem;
use slope_model::run::{ProblemRef, RunConfig, Start};
use slope_model::schema;
use slope_model::usage::Prices;
use slope_problem::{LoadOptions, Prompt};
use slope_store::atomic;
use slope_store::run_dir::RunDir;
use slope_suite::track::{Track, TrackName};

pub use slope_agent::Effort;

use crate::environment::Environment;
use crate::intervention::Intervention;
use crate::{Error, PlanChange, directories, steps};

/// Upstream of the gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpstreamPlan {
    /// Nowhere: the agent needs no model.
    None,
    /// A script file.
    Script(PathBuf),
    /// The recordings of another run.
    Replay(PathBuf),
    /// A server.
    Http {
        /// Base address, for example `https://api.example.com`.
        base_url: String,
        /// Name of the environment variable on the host that contains the key.
        key_env: Option<String>,
    },
}

/// Caps of an attempt, a trial or a run. `None` is no cap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CapPlan {
    /// Tokens of all kinds.
    pub tokens: Option<u64>,
    /// US dollars.
    pub usd: Option<f64>,
    /// Requests.
    pub requests: Option<u64>,
    /// Wall-clock time in seconds. Each attempt has a separate limit, [`RunOptions::timeout_s`],
    /// which applies even if it asks no model.
    #[serde(default)]
    pub wall_s: Option<u64>,
}

impl CapPlan {
    /// The caps as the gateway takes them.
    #[must_use]
    pub fn caps(self) -> slope_gateway::Caps {
        slope_gateway::Caps {
            tokens: self.tokens,
            cost_usd: self.usd,
            requests: self.requests,
            wall_s: self.wall_s,
        }
    }
}

/// Tests that are repeated to find unstable ones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StabilityPlan {
    /// Never.
    Off,
    /// Tests that did not pass.
    #[default]
    Failing,
    /// Every test runs again under load.
    All,
}

/// All settings of a run except its problems, kept in `run.json` so that a resumed run needs
/// nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunOptions {
    /// Agent name.
    pub agent: String,
    /// Description of a `command` agent.
    pub agent_config: Option<PathBuf>,
    /// Model name that the agent gets.
    pub model: String,
    /// Prompt strategy name or template file.
    pub prompt: String,
    /// Arm of a study.
    #[serde(default)]
    pub intervention: Intervention,
    /// A label for tables.
    pub label: String,
    /// Upstream of the gateway.
    pub upstream: UpstreamPlan,
    /// Wire dialect of slope's own agent; its default if `None`.
    pub dialect: Option<slope_agent::Dialect>,
    /// Prices per million tokens.
    pub prices: Option<Prices>,
    /// Price file, which takes precedence over the built-in prices.
    #[serde(default)]
    pub price_file: Option<PathBuf>,
    /// Caps of one attempt.
    pub caps: CapPlan,
    /// Caps of all attempts of a trial together.
    #[serde(default)]
    pub trial_caps: CapPlan,
    /// Caps of all trials of the run together.
    #[serde(default)]
    pub run_caps: CapPlan,
    /// Rate limits of the upstream's key.
    #[serde(default)]
    pub rates: slope_gateway::RateLimits,
    /// Whether every exchange with the model is recorded byte by byte.
    #[serde(default)]
    pub record: bool,
    /// Turn cap passed to the agent, if it supports one.
    pub max_turns: Option<u32>,
    /// Reasoning effort of the model, if the agent can set it.
    #[serde(default)]
    pub effort: Option<slope_agent::Effort>,
    /// Time limit of one attempt in seconds.
    pub timeout_s: u64,
    /// Whether the prompt and the environment state the time limit; `false` in runs of older versions.
    #[serde(default)]
    pub show_deadline: bool,
    /// Longest silence of the model's server in seconds; `None` means the gateway's default.
    #[serde(default)]
    pub upstream_patience_s: Option<u64>,
    /// Whether the agent continues one conversation over all checkpoints of a trial.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_conversation: bool,
    /// Only this many checkpoints of each problem.
    pub checkpoints: Option<u32>,
    /// Code that each checkpoint starts from.
    #[serde(default, skip_serializing_if = "Start::is_own")]
    pub start: Start,
    /// Only these checkpoints, by problem; all of a problem that has no entry. Needs
    /// [`Start::Reference`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub steps: BTreeMap<String, Vec<String>>,
    /// Trials for each problem.
    pub trials: u32,
    /// Memory of a sandbox in bytes.
    pub memory: u64,
    /// Bytes that an agent, or the programs of a suite, may write: workspace, home and `/tmp` together.
    pub disk: u64,
    /// Processes and threads of an agent's sandbox.
    #[serde(default = "processes")]
    pub processes: u64,
    /// Run without isolation.
    pub unconfined: bool,
    /// Runtime and limits of agents and programs.
    #[serde(default)]
    pub environment: Environment,
    /// Language that programs are written in.
    #[serde(default)]
    pub track: TrackName,
    /// Interpreter for the Python track.
    pub python: Option<PathBuf>,
    /// Use no package index.
    pub offline: bool,
    /// Folder of wheels to install from.
    pub wheels: Option<PathBuf>,
    /// Time limit of a whole suite in seconds; `None` for the driver's default.
    pub suite_timeout_s: Option<u64>,
    /// When tests are repeated.
    pub stability: StabilityPlan,
    /// Retries of one execution after infrastructure failures ([`crate::retry`]).
    #[serde(default = "retries")]
    pub retries: u32,
}

/// Default number of retries.
fn retries() -> u32 {
    1
}

/// Default number of processes and threads.
fn processes() -> u64 {
    slope_sandbox::Limits::default().processes
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            agent: "slope".to_owned(),
            agent_config: None,
            model: String::new(),
            prompt: "just-solve".to_owned(),
            intervention: Intervention::None,
            label: String::new(),
            upstream: UpstreamPlan::None,
            dialect: None,
            prices: None,
            price_file: None,
            caps: CapPlan::default(),
            trial_caps: CapPlan::default(),
            run_caps: CapPlan::default(),
            rates: slope_gateway::RateLimits::default(),
            record: false,
            max_turns: None,
            effort: None,
            timeout_s: 7200,
            show_deadline: true,
            upstream_patience_s: None,
            one_conversation: false,
            checkpoints: None,
            start: Start::Own,
            steps: BTreeMap::new(),
            trials: 1,
            memory: 4 << 30,
            disk: slope_sandbox::Limits::default().disk,
            processes: processes(),
            unconfined: false,
            environment: Environment::default(),
            track: TrackName::default(),
            python: None,
            offline: false,
            wheels: None,
            suite_timeout_s: None,
            stability: StabilityPlan::Failing,
            retries: retries(),
        }
    }
}

/// Problems by name.
type Problems = BTreeMap<String, Problem>;

/// A run that is ready to be executed: its directory exists and its configuration is in it.
#[derive(Debug)]
pub struct Plan {
    /// Directory.
    pub dir: RunDir,
    /// Configuration as stored.
    pub config: RunConfig,
    /// Options as stored.
    pub options: RunOptions,
    /// Problems, cut to the requested number of checkpoints.
    pub problems: Problems,
    /// Prompt template.
    pub prompt: Prompt,
}

/// A machine's part of a configuration.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// Version of slope.
    pub slope_version: String,
    /// Name of the agent, which a `command` agent's file chooses; that of the options if it is empty.
    pub agent: String,
    /// Version of the agent.
    pub agent_version: String,
    /// Sandbox capabilities as probed.
    pub capabilities: BTreeMap<String, String>,
}

/// Plans a new run in `out`.
///
/// # Errors
/// If a problem or the prompt cannot be loaded, or `out` already contains a run.
pub fn create(
    out: &Path,
    problem_dirs: &[PathBuf],
    options: RunOptions,
    surroundings: Surroundings,
) -> Result<Plan, Error> {
    let dir = RunDir::at(out);
    if dir.config().exists() {
        return Err(Error::Exists(out.to_owned()));
    }
    let problems = load_problems(problem_dirs, options.checkpoints, options.track)?;
    // The configuration is JSON, which cannot represent other names.
    if let Some(problem) = problems.values().find(|p| p.root.to_str().is_none()) {
        return Err(Error::NotUtf8(problem.root.clone()));
    }
    if let Some(name) = options
        .steps
        .keys()
        .find(|name| !problems.contains_key(*name))
    {
        let known = Vec::from_iter(problems.keys().map(String::as_str));
        return Err(Error::NoProblem {
            name: name.clone(),
            known: known.join(", "),
        });
    }
    let prompt = Prompt::by_name_or_path(&options.prompt)?;
    let agent = match surroundings.agent.as_str() {
        "" => options.agent.clone(),
        name => name.to_owned(),
    };
    let config = RunConfig {
        schema: schema::RUN.to_owned(),
        slope_version: surroundings.slope_version,
        label: options.label.clone(),
        agent,
        agent_version: surroundings.agent_version,
        model: options.model.clone(),
        prompt: options.prompt.clone(),
        prompt_hash: prompt.hash().to_owned(),
        problems: problems
            .iter()
            .map(|(name, p)| Ok((name.clone(), reference(p, &options)?)))
            .collect::<Result<_, Error>>()?,
        trials: options.trials,
        start: options.start,
        isolation: isolation(&options).to_owned(),
        capabilities: surroundings.capabilities,
        options: to_map(&options)?,
    };
    atomic::write_json(&dir.config(), &config).map_err(Error::Directory)?;
    Ok(Plan {
        dir,
        config,
        options,
        problems,
        prompt,
    })
}

/// Isolation of agents and programs from the host, as recorded in runs.
fn isolation(options: &RunOptions) -> &'static str {
    if options.unconfined {
        return "none";
    }
    options.environment.runtime.isolation()
}

/// Opens the run in `root` to resume it. `moved` are folders of problems that were moved since the
/// run was planned.
///
/// # Errors
/// If there is no run, or a problem or the prompt has changed since planning.
pub fn open(root: &Path, moved: &[PathBuf]) -> Result<Plan, Error> {
    let dir = RunDir::at(root);
    let config = directories::read_config(&dir)?;
    opened(dir, config, moved)
}

/// Opens the run in `root` for one trial of one problem, which is in `folder`.
///
/// # Errors
/// As for [`open`].
pub fn open_problem(root: &Path, problem: &str, folder: &Path) -> Result<Plan, Error> {
    let dir = RunDir::at(root);
    let mut config = directories::read_config(&dir)?;
    config.problems.retain(|name, _| name == problem);
    opened(dir, config, &[folder.to_owned()])
}

fn opened(dir: RunDir, config: RunConfig, moved: &[PathBuf]) -> Result<Plan, Error> {
    let value = serde_json::to_value(&config.options).map_err(Error::Options)?;
    let options: RunOptions = serde_json::from_value(value).map_err(|error| Error::Malformed {
        path: dir.config(),
        message: format!("options: {error}"),
    })?;
    let problems = find_problems(&config, moved, &options)?;
    let prompt = Prompt::by_name_or_path(&options.prompt)?;
    if prompt.hash() != config.prompt_hash {
        return Err(PlanChange::Prompt(options.prompt.clone()).into());
    }
    Ok(Plan {
        dir,
        config,
        options,
        problems,
        prompt,
    })
}

/// The error for a problem that the run does not have.
pub(crate) fn no_problem(config: &RunConfig, name: &str) -> Error {
    let known = Vec::from_iter(config.problems.keys().map(String::as_str));
    Error::NoProblem {
        name: name.to_owned(),
        known: known.join(", "),
    }
}

/// Loads the problems of a run, from `moved` or their recorded paths, and checks that they are
/// unchanged.
fn find_problems(
    config: &RunConfig,
    moved: &[PathBuf],
    options: &RunOptions,
) -> Result<Problems, Error> {
    let load = |dirs: &[PathBuf]| load_problems(dirs, options.checkpoints, options.track);
    let mut problems = load(moved)?;
    if let Some(other) = problems.keys().find(|n| !config.problems.contains_key(*n)) {
        return Err(no_problem(config, other));
    }
    for (name, reference) in &config.problems {
        if !problems.contains_key(name) {
            let path = &reference.path;
            if !path.is_dir() {
                return Err(PlanChange::ProblemGone {
                    name: name.clone(),
                    path: path.clone(),
                }
                .into());
            }
            problems.extend(load(std::slice::from_ref(path))?);
        }
        let now = problems.get(name);
        if now.is_none_or(|p| p.hash != reference.hash) {
            let path = now.map_or(&reference.path, |p| &p.root);
            return Err(PlanChange::Problem {
                name: name.clone(),
                path: path.clone(),
            }
            .into());
        }
    }
    Ok(problems)
}

/// Terms of specs where programs are written in the language of `track`.
///
/// # Errors
/// If the track's built-in configuration is malformed, which a test excludes.
pub fn load_options(track: TrackName) -> Result<LoadOptions, Error> {
    let track = Track::named(track)?;
    Ok(LoadOptions {
        note: track.spec_note(),
        entry_file: track.entry_file,
        agent_command: track.agent_command,
    })
}

fn load_problems(
    dirs: &[PathBuf],
    checkpoints: Option<u32>,
    track: TrackName,
) -> Result<Problems, Error> {
    let said = load_options(track)?;
    let mut problems = Problems::new();
    for dir in dirs {
        let mut problem = slope_problem::load(dir, &said)?;
        if let Some(limit) = checkpoints {
            problem.checkpoints.truncate(limit as usize);
        }
        let root = problem.root.clone();
        if let Some(other) = problems.insert(problem.name.clone(), problem) {
            return Err(Error::SameProblem {
                first: other.root,
                second: root,
                name: other.name,
            });
        }
    }
    Ok(problems)
}

fn reference(problem: &Problem, options: &RunOptions) -> Result<ProblemRef, Error> {
    Ok(ProblemRef {
        path: std::path::absolute(&problem.root).unwrap_or_else(|_| problem.root.clone()),
        hash: problem.hash.clone(),
        checkpoint_names: steps::attempted(problem, options)?,
    })
}

fn to_map(options: &RunOptions) -> Result<BTreeMap<String, serde_json::Value>, Error> {
    serde_json::to_value(options)
        .and_then(serde_json::from_value)
        .map_err(Error::Options)
}
