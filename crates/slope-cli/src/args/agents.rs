//! Arguments of what agents use: hooks and the MCP server.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use slope_hook::Hooked;
use slope_model::series::MAIN_SERIES;

use super::track::{Checked, series};

#[derive(Debug, Args)]
#[command(after_help = "\
The server speaks the Model Context Protocol on standard input and output. Its tools are
find_similar, check, diff, measure and explain (docs/mcp.md). It reads only DIR, writes nothing and
does not use the network.

Examples:
  slope mcp
  claude mcp add slope -- slope mcp
  codex mcp add slope -- slope mcp ~/src/project")]
pub(crate) struct Mcp {
    /// Directory to serve.
    #[arg(default_value = ".")]
    pub(crate) dir: PathBuf,
}

#[derive(Debug, Subcommand)]
#[command(after_help = "\
After an edit, the hook reports in one or two sentences what the edit made worse. When the agent
wants to stop, the hook sends it back once with a list of regressions. Old debt is never reported. A
hook that fails or takes too long prints nothing (docs/hooks.md).

Examples:
  slope hook install                     for the agents found here, in this project
  slope hook install codex --user        for Codex, in all your projects
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
    /// Install hooks in the settings of agents.
    Install(InstallHooks),
    /// Remove hooks from the settings of agents.
    Uninstall(Settings),
    /// Show the installed hooks and their last answers.
    Status(Settings),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope hook claude-code < event.json
  slope hook codex --base-dir /srv/base < event.json

Agents run this command after `slope hook install`. The exit code is always 0.")]
pub(crate) struct Answer {
    /// Folder to compare with [default: the commit at the start of the session].
    #[arg(long, value_name = "DIR")]
    pub(crate) base_dir: Option<PathBuf>,
    /// Root of the code to compare with --base-dir [default: the agent's current directory].
    #[arg(long, value_name = "DIR", requires = "base_dir")]
    pub(crate) top: Option<PathBuf>,
    /// Time limit of an answer in seconds [default: 30 at the start, 5 after an edit, 30 at the end].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) patience: Option<u64>,
    /// Add a point to a series at the end of each turn that changed code, in the background.
    #[arg(long, value_name = "SERIES", num_args = 0..=1, require_equals = true,
          default_missing_value = MAIN_SERIES, value_parser = series)]
    pub(crate) track: Option<Checked>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope hook install claude-code
  slope hook install --track             also add a point at the end of each turn (docs/track.md)
  slope hook install --track=agents      add the points to the series `agents`

Installing again without --track removes it.")]
pub(crate) struct InstallHooks {
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Add a point to a series at the end of each turn that changed code [default series: main].
    #[arg(long, value_name = "SERIES", num_args = 0..=1, require_equals = true,
          default_missing_value = MAIN_SERIES, value_parser = series)]
    pub(crate) track: Option<Checked>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope hook install claude-code --project
  slope hook uninstall claude-code --project
  slope hook status --user")]
pub(crate) struct Settings {
    /// Agents: claude-code, codex, gemini, opencode [default: the agents found here].
    #[arg(value_name = "AGENT", value_parser = agent)]
    pub(crate) agents: Vec<Hooked>,
    /// Use your user settings, which apply to all projects.
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// Use the settings of the project in the current directory (default).
    #[arg(long)]
    pub(crate) project: bool,
}

fn agent(name: &str) -> Result<Hooked, String> {
    Hooked::by_name(name).ok_or_else(|| {
        let known = Hooked::ALL.map(Hooked::name).join(", ");
        format!("expected one of {known}")
    })
}
