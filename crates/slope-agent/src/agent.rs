//! The interface between agents and the bench: install, launch, conclude.
//!
//! An adapter never starts a process of the agent itself. It describes the launch as plain data,
//! the bench runs it in a sandbox, and the adapter reads the evidence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_model::run::AttemptState;
use slope_model::usage::Usage;

use crate::Error;
use crate::hooks::Hooked;
use crate::inside::INNER_PATH;

/// Protocol between an agent and its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// OpenAI Chat Completions, `POST /v1/chat/completions`.
    Chat,
    /// Google Gemini, `POST /v1beta/models/MODEL:generateContent` and its stream.
    Gemini,
    /// Anthropic Messages, `POST /v1/messages`.
    Messages,
    /// OpenAI Responses, `POST /v1/responses`.
    Responses,
}

impl Dialect {
    /// Name as written in files: `chat`, `gemini`, `messages` or `responses`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Gemini => "gemini",
            Self::Messages => "messages",
            Self::Responses => "responses",
        }
    }
}

/// Reasoning effort of a model, for agents that can set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Little.
    Low,
    /// In between.
    Medium,
    /// Much.
    High,
}

impl Effort {
    /// Name as written in files: `low`, `medium` or `high`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl std::str::FromStr for Effort {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = [Self::Low, Self::Medium, Self::High];
        let found = known.into_iter().find(|effort| effort.name() == name);
        found.ok_or_else(|| format!("`{name}` is not one of low, medium and high"))
    }
}

/// Resources of an installation.
pub struct InstallContext<'a> {
    /// Folder on the host shared by all runs; the installation goes below `agents/`.
    pub cache_dir: &'a Path,
    /// Whether the network must not be used.
    pub offline: bool,
    /// The Python that sandboxes have, for agents that are written in it.
    pub python: &'a Path,
    /// Gets short lines about slow steps.
    pub progress: &'a dyn Fn(&str),
}

/// A host folder or file that is visible inside the sandbox, read-only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledBind {
    /// Path on the host.
    pub source: PathBuf,
    /// Absolute path inside.
    pub target: PathBuf,
}

/// An agent that is ready to be launched any number of times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// Version of the agent.
    pub version: String,
    /// Visible binds inside, in order of the target.
    pub binds: Vec<InstalledBind>,
    /// Absolute path of the executable inside the sandbox; `None` for agents without one.
    pub program: Option<PathBuf>,
    /// Hashes by name: packages by their registry's integrity string, files as `blake3:…`.
    pub hashes: BTreeMap<String, String>,
    /// Notes on the installation for people; may be empty.
    pub notes: Vec<String>,
}

impl Installed {
    /// An agent that is part of this binary.
    pub(crate) fn builtin() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            binds: Vec::new(),
            program: None,
            hashes: BTreeMap::new(),
            notes: Vec::new(),
        }
    }
}

/// Inputs of one launch.
pub struct LaunchContext<'a> {
    /// The rendered prompt.
    pub prompt: &'a str,
    /// Model name, passed through unchanged.
    pub model: &'a str,
    /// Base address of the gateway inside the sandbox, `http://127.0.0.1:PORT`, without a path.
    pub gateway_url: &'a str,
    /// Token of this attempt, valid at the gateway only.
    pub token: &'a str,
    /// The installation.
    pub installed: &'a Installed,
    /// Workspace inside, `/workspace`.
    pub workspace: &'a Path,
    /// Home inside, `/home/user`.
    pub home: &'a Path,
    /// Folder on the host with the checkpoint's reference solution, if there is one.
    pub reference_solution: Option<&'a Path>,
    /// Hooks to install; agents without hooks return an error.
    pub hooks: Option<&'a HookCommand>,
    /// Whether the home has the [files](Agent::conversation_files) of a conversation to continue.
    pub continues: bool,
}

/// The command of an agent's hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookCommand {
    /// slope's program, inside.
    pub program: PathBuf,
    /// Workspace inside.
    pub top: PathBuf,
    /// Folder inside with the workspace as it was at the start.
    pub base: PathBuf,
    /// Seconds that a hook may take; slope's own limits if `None`.
    pub patience_s: Option<u32>,
}

impl HookCommand {
    /// Program and arguments of the hooks that speak to an agent.
    #[must_use]
    pub fn argv(&self, agent: Hooked) -> Vec<String> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let mut argv = vec![
            path(&self.program),
            "hook".to_owned(),
            agent.name().to_owned(),
            "--base-dir".to_owned(),
            path(&self.base),
            "--top".to_owned(),
            path(&self.top),
        ];
        if let Some(patience) = self.patience_s {
            argv.extend(["--patience".to_owned(), patience.to_string()]);
        }
        argv
    }

    /// An agent's settings for the hooks alone.
    pub(crate) fn entries(&self, agent: Hooked) -> serde_json::Value {
        agent.settings(&self.line(agent), self.patience_s)
    }

    /// A complete settings file of an agent for the hooks alone.
    #[must_use]
    pub fn settings(&self, agent: Hooked) -> Vec<u8> {
        let settings = self.entries(agent);
        format!("{settings:#}\n").into_bytes()
    }

    /// The command as one line for a shell.
    #[must_use]
    pub fn line(&self, agent: Hooked) -> String {
        shell_words::join(self.argv(agent))
    }
}

/// A launch of an agent.
#[derive(Debug, Clone, PartialEq)]
pub enum Launch {
    /// Run a process in the sandbox, in the workspace, with standard input closed.
    Process(Process),
    /// Replace the workspace by this folder of the host; no process runs.
    LayDown {
        /// The folder, a complete workspace.
        from: PathBuf,
    },
    /// Do nothing; the workspace is unchanged.
    Nothing,
}

/// A process to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Process {
    /// Program to run.
    pub program: Program,
    /// The complete environment.
    pub env: BTreeMap<String, String>,
    /// Files to write to the home before the start, as relative path and content, in order of the
    /// path. Only their owner can read them.
    pub home_files: Vec<(PathBuf, Vec<u8>)>,
    /// Read-only binds inside the sandbox.
    pub binds: Vec<InstalledBind>,
}

/// The parts of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// An executable inside the sandbox, with arguments.
    Exec(Vec<String>),
    /// A function of the running binary; see [`crate::BUILTINS`].
    Builtin {
        /// Name that it is registered under.
        name: String,
        /// Its argument.
        payload: String,
    },
}

/// Exit status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessExit {
    /// Exited with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl std::fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// The results of a launch.
pub struct Evidence<'a> {
    /// Exit status of the process.
    pub exit: ProcessExit,
    /// File with its standard output.
    pub stdout: &'a Path,
    /// File with its standard error.
    pub stderr: &'a Path,
    /// Whether standard output was cut off at a limit, so that its end is missing.
    pub stdout_cut: bool,
    /// Requests for a model's answer that reached the gateway with this attempt's token.
    pub gateway_requests: u64,
}

/// An adapter's view of the evidence.
///
/// The bench overrides `state` where it knows better: a wall clock that ended the sandbox is
/// [`AttemptState::Timeout`], a cap of the gateway is [`AttemptState::Budget`].
#[derive(Debug, Clone, PartialEq)]
pub struct Conclusion {
    /// Final state of the attempt.
    pub state: AttemptState,
    /// Reason, if it did not complete; one line.
    pub reason: Option<String>,
    /// Usage by the agent's own report; `None` where that is unreliable.
    pub reported: Option<Usage>,
    /// Fields of `reported` that the agent does not report and that are therefore 0.
    pub not_reported: Vec<&'static str>,
    /// Other notes for the attempt.
    pub notes: Vec<String>,
}

impl Conclusion {
    /// An attempt that completed.
    #[must_use]
    pub fn completed() -> Self {
        Self {
            state: AttemptState::Completed,
            reason: None,
            reported: None,
            not_reported: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A conclusion with a state other than completed.
    #[must_use]
    pub fn ended(state: AttemptState, reason: impl Into<String>) -> Self {
        Self {
            state,
            reason: Some(reason.into()),
            ..Self::completed()
        }
    }

    /// Compares the agent's own token counts with the gateway's, one line for each difference. Cost
    /// is not compared: agents guess the prices of models that they do not know.
    #[must_use]
    pub fn differences(&self, counted: &Usage) -> Vec<String> {
        let Some(reported) = &self.reported else {
            return Vec::new();
        };
        let (says, is) = (&reported.tokens, &counted.tokens);
        // Agents that know of no cache writes count them as input.
        let written = self.not_reported.contains(&"cache_write");
        let input = is.input + if written { is.cache_write } else { 0 };
        [
            ("input", says.input, input),
            ("cache_read", says.cache_read, is.cache_read),
            ("cache_write", says.cache_write, is.cache_write),
            ("output", says.output, is.output),
            ("reasoning", says.reasoning, is.reasoning),
        ]
        .into_iter()
        .filter(|(name, says, is)| says != is && !self.not_reported.contains(name))
        .map(|(name, says, is)| {
            format!("{name} tokens: the agent reports {says}, the gateway counted {is}")
        })
        .collect()
    }
}

/// An agent.
pub trait Agent: Send + Sync {
    /// Name as in `--agent`.
    fn name(&self) -> &str;

    /// Protocol to its model; `None` for agents without a model.
    fn dialect(&self) -> Option<Dialect>;

    /// The agent whose hook protocol it uses; `None` for agents without hooks.
    fn hooked(&self) -> Option<Hooked> {
        None
    }

    /// Whether its snapshots are known in advance, because it runs no process. Then the checkpoints
    /// of a trial are graded concurrently.
    fn is_fixed(&self) -> bool {
        false
    }

    /// Files or folders of its home that contain its conversations, as relative paths; empty if it cannot continue
    /// one.
    fn conversation_files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Whether its own report of usage counts all of a conversation that it continues, instead of what is new.
    fn reports_whole_conversation(&self) -> bool {
        false
    }

    /// Installs the agent, or checks the existing installation.
    ///
    /// # Errors
    /// If a prerequisite is missing, the network is disabled, or a hash differs from the pinned or
    /// recorded one.
    fn install(&self, context: &InstallContext<'_>) -> Result<Installed, Error>;

    /// Describes one launch.
    ///
    /// # Errors
    /// If the context lacks something that this agent needs.
    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error>;

    /// Reads the evidence of a launch. Never fails: unreadable evidence becomes a reason.
    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion;
}

/// Environment that every agent gets.
pub(crate) fn base_env(home: &Path) -> BTreeMap<String, String> {
    [
        ("PATH", INNER_PATH),
        ("USER", "user"),
        ("LOGNAME", "user"),
        ("SHELL", "/bin/bash"),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
        ("TMPDIR", "/tmp"),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .chain([("HOME".to_owned(), home.to_string_lossy().into_owned())])
    .collect()
}

/// Longest single argument that Linux accepts, in bytes, its terminator included.
const MAX_ARGUMENT: usize = 128 * 1024;

/// Refuses arguments that the kernel would refuse with a bare `Argument list too long`.
pub(crate) fn check_arguments(agent: &str, argv: &[String]) -> Result<(), Error> {
    for argument in argv {
        if argument.len() >= MAX_ARGUMENT {
            return Err(Error::launch(
                agent,
                format!(
                    "an argument has {} bytes, and Linux accepts {} at most\n\
                     help: shorten the prompt, or use an agent that reads it from a file",
                    argument.len(),
                    MAX_ARGUMENT - 1
                ),
            ));
        }
        if argument.contains('\0') {
            return Err(Error::launch(agent, "an argument contains a NUL byte"));
        }
    }
    Ok(())
}
