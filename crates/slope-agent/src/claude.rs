//! Claude Code, from the npm registry.

use std::path::{Path, PathBuf};

use serde_json::Value;
use slope_model::run::AttemptState;
use slope_model::usage::{Tokens, Usage};

use crate::Error;
use crate::agent::{Agent, Conclusion, Dialect, Evidence, InstallContext, Installed};
use crate::agent::{Launch, LaunchContext, Process, Program, base_env, check_arguments};
use crate::evidence::{self, Lines, number, text};
use crate::hooks::Hooked;
use crate::npm::Package;
use crate::settings::{self, CliSettings};

/// Version that is installed where the settings name none.
pub const CLAUDE_CODE_VERSION: &str = "2.1.197";

/// What the registry must deliver for [`CLAUDE_CODE_VERSION`].
const PINS: [(&str, &str); 5] = [
    (
        "@anthropic-ai/claude-code",
        "sha512-EqrwbRcI7M5y8jQlayIfTMmbZJ2OQaLOc7KwIWKdryQCdKWUEFr+C9rMovZUuj2Asndi7aqLujEzRtr471gncg==",
    ),
    (
        "@anthropic-ai/claude-code-linux-x64",
        "sha512-rIlKmrY0QMyHgPRX/MYWNj039vbypICvI9jVe3rs9Xy2RnNklySjyPxqh62QadznzoftEO23uYQ1tFePcQ//bg==",
    ),
    (
        "@anthropic-ai/claude-code-linux-x64-musl",
        "sha512-/Ij3+inZf96Lb1BLnO0rWArRi1HqIMh6HeGrQoykrp7a8Yj0SA1EQIO42kpNeVxM9z3o3xUaiIf0FRMzLIp6oQ==",
    ),
    (
        "@anthropic-ai/claude-code-linux-arm64",
        "sha512-sx6SoGj3MNR5CV+YDkNtbLHXa1tn3G8qcYFgm1gnvOi9ODQUKbhiPfankJfkTMDVekOvnKJhm6i9hGFIPzp7cQ==",
    ),
    (
        "@anthropic-ai/claude-code-linux-arm64-musl",
        "sha512-r3taVK9rDaMahHkrCGV8wF1Sjphs7fqXy2ZEznyDGxUqeW6HxgkbG7dPplXnwwGiMTdYLrtQTQMN21ZTxcVHBA==",
    ),
];

/// Tools that would reach beyond the sandbox, by way of the provider.
const WEB_TOOLS: [&str; 2] = ["WebSearch", "WebFetch"];

/// Claude Code.
#[derive(Debug, Clone, Default)]
pub struct ClaudeCode {
    settings: CliSettings,
}

impl ClaudeCode {
    /// Reads the settings, all defaults where there is no file.
    ///
    /// # Errors
    /// Where the file cannot be read or holds something unknown.
    pub fn new(config: Option<&Path>) -> Result<Self, Error> {
        let settings: CliSettings = settings::read_or_default(config)?;
        if let Some(version) = &settings.version {
            settings::check_version(config, version)?;
        }
        Ok(Self { settings })
    }

    /// With this turn cap instead of that of the settings, if there is one.
    #[must_use]
    pub fn with_max_turns(mut self, turns: Option<u32>) -> Self {
        if let Some(turns) = turns {
            self.settings.max_turns = Some(toml::Spanned::new(0..0, turns));
        }
        self
    }

    fn package(&self) -> Package {
        let version = self
            .settings
            .version
            .clone()
            .unwrap_or_else(|| CLAUDE_CODE_VERSION.to_owned());
        let arch = node_arch();
        Package {
            agent: "claude-code",
            package: "@anthropic-ai/claude-code",
            pins: if version == CLAUDE_CODE_VERSION {
                &PINS
            } else {
                &[]
            },
            version,
            native: vec![
                format!("@anthropic-ai/claude-code-linux-{arch}"),
                format!("@anthropic-ai/claude-code-linux-{arch}-musl"),
            ],
            executables: &["claude"],
        }
    }
}

/// Processor name as the npm registry writes it.
pub(crate) fn node_arch() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    }
}

impl Agent for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Messages)
    }

    fn hooked(&self) -> Option<Hooked> {
        Some(Hooked::ClaudeCode)
    }

    fn install(&self, context: &InstallContext<'_>) -> Result<Installed, Error> {
        self.package().install(context)
    }

    fn launch(&self, context: &LaunchContext<'_>) -> Result<Launch, Error> {
        let Some(program) = &context.installed.program else {
            return Err(Error::launch(self.name(), "it is not installed"));
        };
        let mut argv = vec![program.to_string_lossy().into_owned()];
        // Without `--verbose` the event stream is refused.
        argv.extend(["--output-format", "stream-json", "--verbose"].map(str::to_owned));
        argv.push("--dangerously-skip-permissions".to_owned());
        argv.extend(["--disallowedTools".to_owned(), WEB_TOOLS.join(",")]);
        argv.extend(["--model".to_owned(), context.model.to_owned()]);
        if let Some(turns) = &self.settings.max_turns {
            argv.extend(["--max-turns".to_owned(), turns.get_ref().to_string()]);
        }
        argv.extend(self.settings.extra_args.iter().cloned());
        argv.extend(["--print", "--", context.prompt].map(str::to_owned));
        check_arguments(self.name(), &argv)?;

        let mut env = base_env(context.home);
        let mut set = |key: &str, value: &str| env.insert(key.to_owned(), value.to_owned());
        set("ANTHROPIC_BASE_URL", context.gateway_url);
        set("ANTHROPIC_API_KEY", context.token);
        // One run has one model; otherwise side tasks ask for the vendor's small one.
        for tier in ["HAIKU", "SONNET", "OPUS"] {
            set(&format!("ANTHROPIC_DEFAULT_{tier}_MODEL"), context.model);
        }
        set("DISABLE_AUTOUPDATER", "1");
        set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
        // The default of ten, with long pauses, also for refused keys, outlives patience.
        set("CLAUDE_CODE_MAX_RETRIES", "3");
        env.extend(self.settings.env.clone());
        Ok(Launch::Process(Process {
            program: Program::Exec(argv),
            env,
            home_files: hook_files(context),
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

/// The settings with hooks, if there are to be any.
fn hook_files(context: &LaunchContext<'_>) -> Vec<(PathBuf, Vec<u8>)> {
    let settings = context.hooks.map(|hooks| {
        let agent = Hooked::ClaudeCode;
        (agent.project_file().to_owned(), hooks.settings(agent))
    });
    settings.into_iter().collect()
}

/// What is kept of the event stream.
#[derive(Debug, Default)]
struct Stream {
    result: Option<Value>,
    last_retry: Option<String>,
    retries: u64,
    messages: std::collections::BTreeSet<String>,
    tool_calls: std::collections::BTreeSet<String>,
    web_tools: Vec<String>,
}

impl Stream {
    fn take(&mut self, event: &Value) {
        match (text(event, "/type"), text(event, "/subtype")) {
            (Some("result"), _) => self.result = Some(event.clone()),
            (Some("system"), Some("api_retry")) => {
                self.retries += 1;
                let what =
                    |pointer| number(event, pointer).map_or("?".to_owned(), |n| n.to_string());
                self.last_retry = Some(format!(
                    "retry {} of {}, status {}, {}",
                    what("/attempt"),
                    what("/max_retries"),
                    what("/error_status"),
                    evidence::one_line(text(event, "/error").unwrap_or("no reason"), 120),
                ));
            }
            (Some("system"), Some("init")) => self.web_tools = web_tools(event),
            (Some("assistant"), _) => self.take_message(event),
            _ => {}
        }
    }

    /// One message comes as several events, one for each block; ids make them one again.
    fn take_message(&mut self, event: &Value) {
        if let Some(id) = text(event, "/message/id") {
            self.messages.insert(id.to_owned());
        }
        let blocks = event.pointer("/message/content").and_then(Value::as_array);
        for block in blocks.into_iter().flatten() {
            if let (Some("tool_use"), Some(id)) = (text(block, "/type"), text(block, "/id")) {
                self.tool_calls.insert(id.to_owned());
            }
        }
    }

    fn conclude(&self, evidence: &Evidence<'_>, lines: &Lines) -> Conclusion {
        let Some(result) = &self.result else {
            return self.without_result(evidence, lines);
        };
        // `subtype` says `success` for a refused request or a missing login; `is_error` decides.
        let subtype = text(result, "/subtype").unwrap_or("none");
        let failed = result.get("is_error").and_then(Value::as_bool) != Some(false);
        let mut conclusion = match subtype {
            "error_max_turns" => Conclusion::ended(AttemptState::Budget, "the turn cap ended it"),
            "error_max_budget_usd" => {
                Conclusion::ended(AttemptState::Budget, "the agent's own cost cap ended it")
            }
            _ if failed || subtype.starts_with("error") => {
                Conclusion::ended(AttemptState::AgentError, self.error_of(result, subtype))
            }
            _ if !evidence::exited_well(evidence) => Conclusion::ended(
                AttemptState::AgentError,
                format!("it reported success and then ended with {}", evidence.exit),
            ),
            _ => Conclusion::completed(),
        };
        conclusion.reported = self.usage(result);
        conclusion.not_reported = vec!["reasoning"];
        conclusion
    }

    fn without_result(&self, evidence: &Evidence<'_>, lines: &Lines) -> Conclusion {
        if evidence.stdout_cut && evidence::exited_well(evidence) {
            let mut conclusion = Conclusion::completed();
            conclusion.notes.push(
                "the event stream was cut off at the output limit before its result event; \
                 judged by the exit code"
                    .to_owned(),
            );
            return conclusion;
        }
        let mut missing = "the event stream ended without a result event".to_owned();
        if let Some(failure) = &lines.failure {
            missing = format!("the event stream could not be read: {failure}");
        } else if let Some(retry) = &self.last_retry {
            missing = format!("{missing}; last: {retry}");
        }
        evidence::died(evidence, &missing)
    }

    fn error_of(&self, result: &Value, subtype: &str) -> String {
        let mut reason = format!("the agent reported an error ({subtype})");
        if let Some(status) = number(result, "/api_error_status") {
            reason = format!("{reason}, status {status} of the model's server");
        }
        let words = text(result, "/result").or_else(|| text(result, "/errors/0"));
        if let Some(words) = words.filter(|words| !words.is_empty()) {
            reason = format!("{reason}: {}", evidence::one_line(words, 300));
        }
        if let Some(retry) = &self.last_retry {
            reason = format!("{reason}; last: {retry}");
        }
        reason
    }

    /// Usage by model is right also where a cap ended the run, when `usage` is all zero.
    fn usage(&self, result: &Value) -> Option<Usage> {
        let by_model = result.get("modelUsage").and_then(Value::as_object);
        let tokens = match by_model.filter(|models| !models.is_empty()) {
            Some(models) => {
                let mut sum = Tokens::default();
                for model in models.values() {
                    sum += Tokens {
                        input: number(model, "/inputTokens")?,
                        cache_read: number(model, "/cacheReadInputTokens").unwrap_or(0),
                        cache_write: number(model, "/cacheCreationInputTokens").unwrap_or(0),
                        output: number(model, "/outputTokens")?,
                        reasoning: 0,
                    };
                }
                sum
            }
            None => Tokens {
                input: number(result, "/usage/input_tokens")?,
                cache_read: number(result, "/usage/cache_read_input_tokens").unwrap_or(0),
                cache_write: number(result, "/usage/cache_creation_input_tokens").unwrap_or(0),
                output: number(result, "/usage/output_tokens")?,
                reasoning: 0,
            },
        };
        Some(Usage {
            tokens,
            requests: self.messages.len() as u64,
            failed_requests: self.retries,
            tool_calls: self.tool_calls.len() as u64,
            unreported: 0,
            cost_usd: result.get("total_cost_usd").and_then(Value::as_f64),
        })
    }

    fn note(&self, conclusion: &mut Conclusion, lines: &Lines) {
        if self.retries > 0 {
            conclusion
                .notes
                .push(format!("the agent retried {} requests", self.retries));
        }
        if lines.unreadable > 0 {
            conclusion.notes.push(format!(
                "{} lines of its stream are no events",
                lines.unreadable
            ));
        }
        if !self.web_tools.is_empty() {
            conclusion.notes.push(format!(
                "web tools were offered: {}",
                self.web_tools.join(", ")
            ));
        }
        let denials = self
            .result
            .as_ref()
            .and_then(|result| result["permission_denials"].as_array());
        if let Some(denials) = denials.filter(|denials| !denials.is_empty()) {
            conclusion
                .notes
                .push(format!("{} tool calls were denied", denials.len()));
        }
    }
}

fn web_tools(init: &Value) -> Vec<String> {
    let tools = init["tools"].as_array().into_iter().flatten();
    tools
        .filter_map(Value::as_str)
        .filter(|tool| WEB_TOOLS.contains(tool))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
#[path = "claude_tests.rs"]
mod tests;
