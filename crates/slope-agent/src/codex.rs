//! Codex CLI, from the npm registry.

use std::path::{Path, PathBuf};

use serde_json::Value;
use slope_model::run::AttemptState;
use slope_model::usage::{Tokens, Usage};

use crate::Error;
use crate::agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use crate::agent::{Launch, LaunchContext, Process, Program, base_env, check_arguments};
use crate::claude::node_arch;
use crate::evidence::{self, Lines, number, text};
use crate::hooks::Hooked;
use crate::npm::Package;
use crate::settings::{self, CliSettings};

/// Version that is installed where the settings name none.
pub const CODEX_VERSION: &str = "0.169.0";

/// What the registry must deliver for [`CODEX_VERSION`].
const PINS: [(&str, &str); 3] = [
    (
        "@openai/codex",
        "sha512-KhzYlkKPxoNssR8CEm45IjqnFWn7UtlF4CiD3tOJPea51xBs7MaHy0UQG9GSbCqk6Lrjn5QdJDV0QD1/FgWlGw==",
    ),
    (
        "@openai/codex-linux-x64",
        "sha512-o05NyAOCDygSPRo1yinzxvkRSdmsZyBD9E7mbpmjRanSfM8lypqWtQgEo4XfNkwhuCR2aFu8mlGOsQGFXVbVww==",
    ),
    (
        "@openai/codex-linux-arm64",
        "sha512-NZ/DaQUpcQmxmqee7Z9uC1rzw3GhSbooawcaTe1LN5Yk+WlinUKGdTXJgClRT/9ogQEEM9TWxYzvxPfj5G/xFg==",
    ),
];

/// Variable with the token. Its name says nothing of who runs the agent.
const TOKEN_VARIABLE: &str = "GATEWAY_TOKEN";

/// Folder of the agent's own files, in the home.
const CODEX_HOME: &str = ".codex";

/// Codex CLI.
#[derive(Debug, Clone, Default)]
pub struct Codex {
    settings: CliSettings,
}

impl Codex {
    /// Reads the settings, all defaults where there is no file.
    ///
    /// # Errors
    /// Where the file cannot be read, holds something unknown, or asks for a turn cap,
    /// which this program does not have.
    pub fn new(config: Option<&Path>) -> Result<Self, Error> {
        let Some(path) = config else {
            return Ok(Self::default());
        };
        let (settings, source): (CliSettings, String) = settings::read(path)?;
        if let Some(turns) = &settings.max_turns {
            return Err(settings::wrong(
                path,
                &source,
                turns.span().start,
                "codex has no turn cap; remove `max_turns` and cap requests at the gateway",
            ));
        }
        if let Some(version) = &settings.version {
            settings::check_version(config, version)?;
        }
        Ok(Self { settings })
    }

    fn package(&self) -> Package {
        let version = self
            .settings
            .version
            .clone()
            .unwrap_or_else(|| CODEX_VERSION.to_owned());
        let (node, arch) = (node_arch(), std::env::consts::ARCH);
        Package {
            agent: "codex",
            package: "@openai/codex",
            pins: if version == CODEX_VERSION { &PINS } else { &[] },
            version,
            native: vec![format!(
                "@openai/codex-linux-{node}/vendor/{arch}-unknown-linux-musl"
            )],
            executables: &["bin/codex", "bin/codex-code-mode-host", "codex-path/rg"],
        }
    }
}

/// The agent's configuration file.
///
/// A provider of its own, since the built-in one ignores the usual variable for its address and
/// opens a WebSocket first. No login shells, since those would replace the search path by the
/// system's. Nothing here is secret.
fn config_file(gateway_url: &str) -> String {
    let base_url = Value::from(format!("{gateway_url}/v1"));
    // A JSON string is a TOML basic string too.
    format!(
        r#"model_provider = "gateway"
web_search = "disabled"
allow_login_shell = false
check_for_update_on_startup = false

[model_providers.gateway]
name = "gateway"
base_url = {base_url}
env_key = "{TOKEN_VARIABLE}"
wire_api = "responses"
request_max_retries = 3
stream_max_retries = 3

[shell_environment_policy]
exclude = ["{TOKEN_VARIABLE}"]

[analytics]
enabled = false

[feedback]
enabled = false

[history]
persistence = "none"
"#
    )
}

impl Agent for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Responses)
    }

    fn hooked(&self) -> Option<Hooked> {
        Some(Hooked::Codex)
    }

    fn install(&self, context: &InstallContext<'_>) -> Result<Installed, Error> {
        self.package().install(context)
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error> {
        let Some(program) = &context.installed.program else {
            return Err(Error::launch(self.name(), "it is not installed"));
        };
        let mut argv = vec![program.to_string_lossy().into_owned()];
        argv.extend(["exec", "--json", "--skip-git-repo-check"].map(str::to_owned));
        argv.push("--dangerously-bypass-approvals-and-sandbox".to_owned());
        if context.hooks.is_some() {
            // Otherwise a person has to look at them first.
            argv.push("--dangerously-bypass-hook-trust".to_owned());
        }
        argv.extend(["-m".to_owned(), context.model.to_owned()]);
        argv.extend(self.settings.extra_args.iter().cloned());
        argv.extend(["--", context.prompt].map(str::to_owned));
        check_arguments(self.name(), &argv)?;

        let mut env = base_env(context.home);
        let codex_home = context.home.join(CODEX_HOME);
        env.insert(
            "CODEX_HOME".to_owned(),
            codex_home.to_string_lossy().into_owned(),
        );
        env.insert(TOKEN_VARIABLE.to_owned(), context.token.to_owned());
        env.extend(self.settings.env.clone());
        let config = config_file(context.gateway_url).into_bytes();
        let mut home_files = vec![(PathBuf::from(CODEX_HOME).join("config.toml"), config)];
        if let Some(hooks) = context.hooks {
            let path = PathBuf::from(CODEX_HOME).join("hooks.json");
            home_files.push((path, hooks.settings(Hooked::Codex)));
        }
        Ok(Launch::Process(Process {
            program: Program::Exec(argv),
            env,
            home_files,
            binds: context.installed.binds.clone(),
        }))
    }

    fn conclude(&self, evidence: &Evidence<'_>) -> Conclusion {
        let mut stream = Stream::default();
        let lines = evidence::each_event(evidence.stdout, |event| stream.take(event));
        let mut conclusion = evidence::flag_silence(stream.conclude(evidence, &lines), evidence);
        stream.note(&mut conclusion, &lines);
        conclusion
    }
}

/// How the last turn of the stream ended.
#[derive(Debug, Default, PartialEq)]
enum Turn {
    /// No turn has ended.
    #[default]
    Open,
    /// With `turn.completed`.
    Completed,
    /// With `turn.failed`, for this reason.
    Failed(String),
}

/// What is kept of the event stream.
#[derive(Debug, Default)]
struct Stream {
    turn: Turn,
    /// Usage of the thread so far: every `turn.completed` repeats the sum of those before it.
    thread: Option<Tokens>,
    /// Usage of threads before the current one.
    earlier: Option<Tokens>,
    tool_calls: u64,
    item_errors: Vec<String>,
    errors: Vec<String>,
}

impl Stream {
    fn take(&mut self, event: &Value) {
        match text(event, "/type") {
            Some("thread.started") => self.close_thread(),
            Some("turn.started") => self.turn = Turn::Open,
            Some("turn.completed") => {
                self.turn = Turn::Completed;
                if let Some(tokens) = event.get("usage").and_then(tokens) {
                    self.thread = Some(tokens);
                }
            }
            Some("turn.failed") => {
                self.turn = Turn::Failed(words(event, "/error/message"));
            }
            Some("error") => self.errors.push(words(event, "/message")),
            Some("item.completed") => match text(event, "/item/type") {
                Some("error") => self.item_errors.push(words(event, "/item/message")),
                Some("command_execution" | "file_change" | "mcp_tool_call" | "web_search") => {
                    self.tool_calls += 1;
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn close_thread(&mut self) {
        if let Some(tokens) = self.thread.take() {
            *self.earlier.get_or_insert_default() += tokens;
        }
    }

    fn usage(&self) -> Option<Usage> {
        let mut tokens = self.thread.or(self.earlier)?;
        if let (Some(_), Some(earlier)) = (self.thread, self.earlier) {
            tokens += earlier;
        }
        Some(Usage {
            tokens,
            tool_calls: self.tool_calls,
            ..Usage::default()
        })
    }

    fn conclude(&self, evidence: &Evidence<'_>, lines: &Lines) -> Conclusion {
        let mut conclusion = match &self.turn {
            Turn::Failed(reason) => Conclusion::ended(
                AttemptState::AgentError,
                format!("its turn failed: {reason}"),
            ),
            Turn::Completed if evidence::exited_well(evidence) => Conclusion::completed(),
            Turn::Completed => Conclusion::ended(
                AttemptState::AgentError,
                format!(
                    "its turn completed and then it ended with {}",
                    evidence.exit
                ),
            ),
            Turn::Open if evidence.stdout_cut && evidence::exited_well(evidence) => {
                let mut conclusion = Conclusion::completed();
                conclusion.notes.push(
                    "the event stream was cut off at the output limit before its turn ended; \
                     judged by the exit code"
                        .to_owned(),
                );
                conclusion
            }
            Turn::Open => self.without_end(evidence, lines),
        };
        conclusion.reported = self.usage();
        conclusion.not_reported = vec!["requests", "failed_requests"];
        conclusion
    }

    fn without_end(&self, evidence: &Evidence<'_>, lines: &Lines) -> Conclusion {
        let mut missing = "the event stream ended before the turn did".to_owned();
        if let Some(failure) = &lines.failure {
            missing = format!("the event stream could not be read: {failure}");
        } else if let Some(error) = self.errors.last() {
            missing = format!("{missing}; last error: {error}");
        }
        evidence::died(evidence, &missing)
    }

    fn note(&self, conclusion: &mut Conclusion, lines: &Lines) {
        // An unknown model name, for one, is an error item in a run that succeeds.
        for error in self.item_errors.iter().take(5) {
            conclusion
                .notes
                .push(format!("it mentioned an error: {error}"));
        }
        if !self.errors.is_empty() {
            conclusion.notes.push(format!(
                "{} errors of its connection, the last: {}",
                self.errors.len(),
                self.errors.last().map_or("", String::as_str)
            ));
        }
        if lines.unreadable > 0 {
            conclusion.notes.push(format!(
                "{} lines of its stream are no events",
                lines.unreadable
            ));
        }
    }
}

/// Normalises: `input_tokens` holds the cached ones, which are kinds of their own here.
fn tokens(usage: &Value) -> Option<Tokens> {
    let input = number(usage, "/input_tokens")?;
    let cache_read = number(usage, "/cached_input_tokens").unwrap_or(0);
    let cache_write = number(usage, "/cache_write_input_tokens").unwrap_or(0);
    Some(Tokens {
        input: input.saturating_sub(cache_read).saturating_sub(cache_write),
        cache_read,
        cache_write,
        output: number(usage, "/output_tokens")?,
        reasoning: number(usage, "/reasoning_output_tokens").unwrap_or(0),
    })
}

fn words(event: &Value, pointer: &str) -> String {
    evidence::one_line(text(event, pointer).unwrap_or("no message"), 300)
}

#[cfg(test)]
#[path = "codex_tests.rs"]
mod tests;
