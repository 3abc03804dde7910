//! slope's own agent: a loop around one tool, bash.
//!
//! It needs no installation: the running binary itself is the agent, inside the sandbox. It is
//! deliberately small: a benchmark with it measures the model, any model behind an OpenAI- or
//! Anthropic-compatible server, with as little as possible added.

mod chat;
mod conversation;
mod hook;
mod http;
mod messages;
mod session;
mod shell;
mod sse;
mod wire;

use std::io::Write;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slope_model::run::AttemptState;
use slope_model::usage::Usage;

use crate::agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use crate::agent::{Launch, LaunchContext, Process, Program, base_env};
use crate::evidence::{self, Lines, text};
use crate::hooks::Hooked;
use crate::{Error, settings};

/// Name under which the bench registers [`own_agent_main`].
pub const OWN_AGENT: &str = "own-agent";

/// File of its conversation, in the home.
const CONVERSATION: &str = ".slope-agent/conversation.json";

/// Exit codes of [`own_agent_main`].
pub mod exit {
    /// The model ended the conversation.
    pub const DONE: i32 = 0;
    /// The payload is malformed.
    pub const PAYLOAD: i32 = 2;
    /// A request to the model failed after all retries.
    pub const REQUEST: i32 = 3;
    /// The turn cap ended it.
    pub const TURNS: i32 = 4;
}

/// All inputs of the agent. Passed as the payload, since it contains the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payload {
    /// Protocol; [`Dialect::Messages`] or [`Dialect::Chat`].
    pub dialect: Dialect,
    /// Address of the model's server, without a path.
    pub base_url: String,
    /// Token for it.
    pub token: String,
    /// Model name.
    pub model: String,
    /// The task.
    pub prompt: String,
    /// Folder in which commands run.
    pub workspace: PathBuf,
    /// Maximum number of replies to request. No cap if absent.
    pub max_turns: Option<u32>,
    /// Longest reply in tokens; if absent, the server's default where the dialect has one.
    pub max_output_tokens: Option<u32>,
    /// Default time limit of a command, in seconds.
    pub command_timeout_s: u32,
    /// Seconds that the model may name at most.
    pub command_timeout_max_s: u32,
    /// Whether to request a stream of events.
    pub stream: bool,
    /// Tries per request, including the first.
    pub tries: u32,
    /// Milliseconds before the second try; doubled for each further one.
    pub retry_pause_ms: u64,
    /// Shell line that gets tool calls and the end, in Claude Code's hook protocol; no hook if
    /// absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<String>,
    /// File that the conversation is kept in at the end.
    pub conversation: PathBuf,
    /// Whether to continue the conversation that is in this file.
    pub continues: bool,
}

/// Settings of the agent, a TOML file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OwnSettings {
    dialect: toml::Spanned<Dialect>,
    max_turns: Option<u32>,
    max_output_tokens: Option<u32>,
    command_timeout_s: u32,
    stream: bool,
}

impl Default for OwnSettings {
    fn default() -> Self {
        Self {
            dialect: toml::Spanned::new(0..0, Dialect::Messages),
            max_turns: None,
            max_output_tokens: None,
            command_timeout_s: 120,
            stream: true,
        }
    }
}

/// slope's own agent.
#[derive(Debug, Clone, Default)]
pub struct OwnAgent {
    settings: OwnSettings,
}

impl OwnAgent {
    /// Reads the settings, or uses the defaults.
    ///
    /// # Errors
    /// If the file cannot be read or contains an unknown setting.
    pub fn new(config: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = config else {
            return Ok(Self::default());
        };
        let (settings, source): (OwnSettings, String) = settings::read(path)?;
        if matches!(
            settings.dialect.get_ref(),
            Dialect::Responses | Dialect::Gemini
        ) {
            let at = settings.dialect.span().start;
            let message = "the agent speaks `messages` and `chat`, not `responses`";
            return Err(settings::wrong(path, &source, at, message));
        }
        Ok(Self { settings })
    }

    /// Replaces the turn cap of the settings, if there is a new one.
    #[must_use]
    pub fn with_max_turns(mut self, turns: Option<u32>) -> Self {
        self.settings.max_turns = turns.or(self.settings.max_turns);
        self
    }

    /// Replaces the dialect of the settings, if there is a new one.
    ///
    /// # Errors
    /// For a dialect that the agent does not support.
    pub fn with_dialect(mut self, dialect: Option<Dialect>) -> Result<Self, Error> {
        match dialect {
            None => {}
            Some(dialect @ (Dialect::Chat | Dialect::Messages)) => {
                self.settings.dialect = toml::Spanned::new(0..0, dialect);
            }
            Some(Dialect::Responses | Dialect::Gemini) => {
                return Err(Error::NoDialectChoice {
                    name: "slope".to_owned(),
                });
            }
        }
        Ok(self)
    }
}

impl Agent for OwnAgent {
    fn name(&self) -> &'static str {
        "slope"
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(*self.settings.dialect.get_ref())
    }

    fn hooked(&self) -> Option<Hooked> {
        Some(Hooked::ClaudeCode)
    }

    fn conversation_files(&self) -> Vec<PathBuf> {
        vec![PathBuf::from(CONVERSATION)]
    }

    fn install(&self, _context: &InstallContext<'_>) -> Result<Installed, Error> {
        let mut installed = Installed::builtin();
        let words = blake3::hash(format!("{}{}", wire::SYSTEM, wire::tool_schema()).as_bytes());
        installed.hashes.insert(
            "system prompt and tool".to_owned(),
            format!("blake3:{}", words.to_hex()),
        );
        Ok(installed)
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error> {
        let settings = &self.settings;
        let payload = Payload {
            dialect: *settings.dialect.get_ref(),
            base_url: context.gateway_url.to_owned(),
            token: context.token.to_owned(),
            model: context.model.to_owned(),
            prompt: context.prompt.to_owned(),
            workspace: context.workspace.to_owned(),
            max_turns: settings.max_turns,
            max_output_tokens: settings.max_output_tokens,
            command_timeout_s: settings.command_timeout_s.max(1),
            command_timeout_max_s: settings.command_timeout_s.max(600),
            stream: settings.stream,
            tries: 5,
            retry_pause_ms: 500,
            hook: context.hooks.map(|hooks| hooks.line(Hooked::ClaudeCode)),
            conversation: context.home.join(CONVERSATION),
            continues: context.continues,
        };
        let payload = serde_json::to_string(&payload)
            .map_err(|error| Error::launch(self.name(), error.to_string()))?;
        Ok(Launch::Process(Process {
            program: Program::Builtin {
                name: OWN_AGENT.to_owned(),
                payload,
            },
            env: base_env(context.home),
            home_files: Vec::new(),
            binds: Vec::new(),
        }))
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        let mut end = None;
        let lines = evidence::each_event(evidence.stdout, |event| {
            if text(event, "/type") == Some("end") {
                end = Some(event.clone());
            }
        });
        let mut conclusion = conclude(end.as_ref(), evidence, &lines);
        if self.dialect() == Some(Dialect::Messages) {
            // The protocol counts reasoning as output and does not report its share.
            conclusion.not_reported.push("reasoning");
        }
        evidence::flag_silence(conclusion, evidence)
    }
}

fn conclude(end: Option<&Value>, evidence: &Evidence<'_>, lines: &Lines) -> Conclusion {
    let Some(end) = end else {
        if evidence.stdout_cut && evidence::exited_well(evidence) {
            let mut conclusion = Conclusion::completed();
            let note = "its events were cut off at the output limit; judged by the exit code";
            conclusion.notes.push(note.to_owned());
            return conclusion;
        }
        let missing = match &lines.failure {
            Some(failure) => format!("its events could not be read: {failure}"),
            None => "its events stop before the end".to_owned(),
        };
        return evidence::died(evidence, &missing);
    };
    let reason = text(end, "/reason").unwrap_or("no reason given");
    let mut conclusion = match text(end, "/state") {
        Some("done") if evidence::exited_well(evidence) => Conclusion::completed(),
        Some("done") => Conclusion::ended(
            AttemptState::AgentError,
            format!("it was done and then ended with {}", evidence.exit),
        ),
        Some("turns") => Conclusion::ended(AttemptState::Budget, reason),
        _ => Conclusion::ended(AttemptState::AgentError, reason),
    };
    conclusion.reported = serde_json::from_value::<Usage>(end["usage"].clone()).ok();
    conclusion
}

/// The functions that a sandbox of this crate's launches must be able to run, by name.
pub const BUILTINS: &[(&str, Builtin)] = &[(OWN_AGENT, own_agent_main)];

/// A function of the running binary: payload in, exit code out.
pub type Builtin = fn(&str) -> i32;

/// Runs the agent to its end. Returns the process's exit code (see [`exit`]).
///
/// Meant for a child process of its own, inside a sandbox. It starts no thread, and takes no lock
/// that a thread of the parent could have held when the process was forked: the streams are written
/// by descriptor, not through the standard library's shared handles.
#[must_use]
pub fn own_agent_main(payload: &str) -> i32 {
    let duplicate = |fd: std::io::Result<std::os::fd::OwnedFd>| fd.map(std::fs::File::from);
    let out = duplicate(std::io::stdout().as_fd().try_clone_to_owned());
    let err = duplicate(std::io::stderr().as_fd().try_clone_to_owned());
    match (out, err) {
        (Ok(mut out), Ok(mut err)) => run(payload, &mut out, &mut err),
        _ => exit::PAYLOAD,
    }
}

/// [`own_agent_main`] with streams of the caller's choice.
#[must_use]
pub fn run(payload: &str, out: &mut dyn Write, err: &mut dyn Write) -> i32 {
    let mut complain = |words: &str| drop(writeln!(err, "{words}"));
    let payload: Payload = match serde_json::from_str(payload) {
        Ok(payload) => payload,
        Err(error) => {
            complain(&format!("the payload is malformed: {error}"));
            return exit::PAYLOAD;
        }
    };
    if matches!(payload.dialect, Dialect::Responses | Dialect::Gemini) {
        complain("the agent does not speak the dialect `responses`");
        return exit::PAYLOAD;
    }
    let earlier = if payload.continues {
        conversation::read(&payload.conversation)
    } else {
        Ok(Vec::new())
    };
    let earlier = match earlier {
        Ok(earlier) => earlier,
        Err(error) => {
            complain(&format!(
                "cannot continue the conversation in {}: {error}",
                payload.conversation.display()
            ));
            return exit::PAYLOAD;
        }
    };
    let ended = session::Session::new(&payload, earlier, out).run();
    if let Err(error) = conversation::write(&payload.conversation, &ended.history) {
        complain(&format!("the conversation is not kept: {error}"));
    }
    if let Some(reason) = ended.reason {
        complain(&reason);
    }
    ended.code
}
