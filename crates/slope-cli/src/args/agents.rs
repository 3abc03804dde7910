//! Arguments of what agents use: hooks and the MCP server.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use slope_hook::Hooked;

#[derive(Debug, Args)]
#[command(after_help = "\
The server speaks the Model Context Protocol on standard input and output. Its tools are
find_similar, check, diff, measure and explain (docs/mcp.md). It reads DIR and nothing else, writes
nothing, and asks no network.

Examples:
  slope mcp
  claude mcp add slope -- slope mcp
  codex mcp add slope -- slope mcp ~/src/project")]
pub(crate) struct Mcp {
    /// Folder that the server tells of.
    #[arg(default_value = ".")]
    pub(crate) dir: PathBuf,
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
After an edit the agent is told in one or two sentences what the edit made worse; when it is about
to stop, it is sent on once with the list. Old debt is never told. A hook that fails or takes too
long stays silent (docs/hooks.md).

Examples:
  slope hook install                     the agents that are found here, in this project
  slope hook install codex --user        Codex, in all projects of this user
  slope hook status
  slope hook uninstall")]
pub(crate) enum Hook {
    /// Answer an event of Claude Code on standard input.
    ClaudeCode(Answer),
    /// Answer an event of Codex on standard input.
    Codex(Answer),
    /// Answer an event of Gemini CLI on standard input.
    Gemini(Answer),
    /// Answer an event of opencode's plugin on standard input.
    Opencode(Answer),
    /// Put hooks into agents' settings.
    Install(Settings),
    /// Take them out again.
    Uninstall(Settings),
    /// Say where hooks are installed, and what they did last.
    Status(Settings),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope hook claude-code < event.json
  slope hook codex --base-dir /srv/project-as-it-was < event.json

Agents run this by themselves once `slope hook install` was run. The exit code is always 0.")]
pub(crate) struct Answer {
    /// Folder to hold changes against, instead of the commit that was checked out when the session
    /// began.
    #[arg(long, value_name = "DIR")]
    pub(crate) base_dir: Option<PathBuf>,
    /// Top of the code that is held against --base-dir [default: the agent's current directory].
    #[arg(long, value_name = "DIR", requires = "base_dir")]
    pub(crate) top: Option<PathBuf>,
    /// Seconds that an answer may take [default: 30 at the start, 5 after an edit, 30 at the end].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) patience: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope hook install claude-code --project
  slope hook uninstall claude-code --project
  slope hook status --user")]
pub(crate) struct Settings {
    /// Agents: claude-code, codex, gemini, opencode [default: those that are found here].
    #[arg(value_name = "AGENT", value_parser = agent)]
    pub(crate) agents: Vec<Hooked>,
    /// The settings of this user, for all projects.
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// The settings of the project in the current directory; the default.
    #[arg(long)]
    pub(crate) project: bool,
}

fn agent(name: &str) -> Result<Hooked, String> {
    Hooked::by_name(name).ok_or_else(|| {
        let known = Hooked::ALL.map(Hooked::name).join(", ");
        format!("there are hooks for {known}")
    })
}
