//! Hooks: settings files of each agent, and their content.
//!
//! The same content goes into a user's settings (`slope hook install`) and into the home of an
//! agent in a sandbox (`slope run --intervention hooks`).

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// An agent that runs hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hooked {
    /// Claude Code: `settings.json`.
    ClaudeCode,
    /// Codex CLI: `hooks.json`.
    Codex,
    /// Gemini CLI: `settings.json`.
    Gemini,
    /// opencode: a plugin.
    OpenCode,
}

/// Moment of a session at which an agent runs a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A session starts or is continued.
    Start,
    /// A tool that may have changed files has run.
    Edit,
    /// The agent is about to stop.
    Stop,
}

/// Seconds that an agent waits for a hook: longer than slope itself ever takes.
const PATIENCE_S: [(Moment, u32); 3] =
    [(Moment::Start, 60), (Moment::Edit, 15), (Moment::Stop, 60)];

impl Hooked {
    /// All agents with hooks.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::OpenCode];

    /// Name as in `slope hook NAME`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
        }
    }

    /// The agent of a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// The file with the hooks of a project, below its top folder.
    #[must_use]
    pub fn project_file(self) -> &'static Path {
        Path::new(match self {
            Self::ClaudeCode => ".claude/settings.json",
            Self::Codex => ".codex/hooks.json",
            Self::Gemini => ".gemini/settings.json",
            Self::OpenCode => ".opencode/plugins/slope.js",
        })
    }

    /// The file with a user's hooks; `variable` reads the environment. `None` without a home.
    #[must_use]
    pub fn user_file(self, variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
        let home = variable("HOME");
        let below_home = |path: &str| home.as_ref().map(|home| home.join(path));
        Some(match self {
            Self::ClaudeCode => variable("CLAUDE_CONFIG_DIR")
                .or_else(|| below_home(".claude"))?
                .join("settings.json"),
            Self::Codex => variable("CODEX_HOME")
                .or_else(|| below_home(".codex"))?
                .join("hooks.json"),
            Self::Gemini => below_home(".gemini/settings.json")?,
            Self::OpenCode => variable("XDG_CONFIG_HOME")
                .or_else(|| below_home(".config"))?
                .join("opencode/plugins/slope.js"),
        })
    }

    /// The program's name, to see whether it is installed.
    #[must_use]
    pub fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
        }
    }

    /// Moments with the agent's event names, and a pattern of the tools that trigger the event.
    #[must_use]
    pub fn moments(self) -> &'static [(Moment, &'static str, Option<&'static str>)] {
        match self {
            Self::ClaudeCode => &[
                (Moment::Start, "SessionStart", None),
                (
                    Moment::Edit,
                    "PostToolUse",
                    Some("Edit|MultiEdit|Write|NotebookEdit|Bash"),
                ),
                (Moment::Stop, "Stop", None),
            ],
            Self::Codex => &[
                (Moment::Start, "SessionStart", None),
                (Moment::Edit, "PostToolUse", Some("apply_patch|Bash")),
                (Moment::Stop, "Stop", None),
            ],
            Self::Gemini => &[
                (Moment::Start, "SessionStart", None),
                (
                    Moment::Edit,
                    "AfterTool",
                    Some("write_file|replace|edit|run_shell_command"),
                ),
                (Moment::Stop, "AfterAgent", None),
            ],
            // The plugin passes the moments' names itself.
            Self::OpenCode => &[
                (Moment::Start, "start", None),
                (Moment::Edit, "edit", None),
                (Moment::Stop, "stop", None),
            ],
        }
    }

    /// One settings entry per moment: the agent's event name, and the group of hooks for its list.
    /// The agent waits `patience` seconds, or its default. Empty for opencode, which has a plugin.
    #[must_use]
    pub fn entries(self, command: &str, patience: Option<u32>) -> Vec<(&'static str, Value)> {
        if self == Self::OpenCode {
            return Vec::new();
        }
        let entry = |&(moment, event, matcher): &(Moment, &'static str, Option<&str>)| {
            let mut group = Map::new();
            if let Some(matcher) = matcher {
                group.insert("matcher".to_owned(), json!(matcher));
            }
            let hook = json!({
                "type": "command", "command": command, "timeout": self.patience(moment, patience),
            });
            group.insert("hooks".to_owned(), json!([hook]));
            (event, Value::Object(group))
        };
        self.moments().iter().map(entry).collect()
    }

    /// Timeout of the hook, in the agent's own unit.
    fn patience(self, moment: Moment, wanted: Option<u32>) -> u32 {
        let known = PATIENCE_S.iter().find(|(known, _)| *known == moment);
        // A little longer than the hook itself, which can then log the timeout.
        let wanted = wanted.map(|seconds| seconds.saturating_add(10));
        let seconds = wanted.or(known.map(|(_, seconds)| *seconds)).unwrap_or(60);
        match self {
            Self::Gemini => seconds * 1_000,
            _ => seconds,
        }
    }

    /// A complete settings file for the hooks alone.
    #[must_use]
    pub fn settings(self, command: &str, patience: Option<u32>) -> Value {
        let mut events = Map::new();
        for (event, group) in self.entries(command, patience) {
            events.insert(event.to_owned(), json!([group]));
        }
        json!({ "hooks": events })
    }

    /// The plugin of opencode that runs a command.
    #[must_use]
    pub fn plugin(command: &[String]) -> String {
        let command = Value::from(command).to_string();
        format!("{PLUGIN_MARK}\n{}", PLUGIN.replace("\"COMMAND\"", &command))
    }
}

/// The first line of the plugin, which marks it as written by slope.
pub const PLUGIN_MARK: &str =
    "// Written by `slope hook install opencode`; `slope hook uninstall opencode` removes it.";

const PLUGIN: &str = include_str!("hooks/opencode.js");
