//! Arguments of `completions`, `man` and `doctor`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope completions bash > ~/.local/share/bash-completion/completions/slope
  slope completions zsh > ~/.zfunc/_slope
  slope completions fish > ~/.config/fish/completions/slope.fish")]
pub(crate) struct Completions {
    /// Shell to write the script for.
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope man ~/.local/share/man/man1
  man slope-check")]
pub(crate) struct Man {
    /// Folder for the pages, one per command. Created if missing.
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope doctor
  slope doctor --python /usr/bin/python3.12
  slope doctor --format json

Exit code 1: the sandbox or the interpreter does not work on this machine.")]
pub(crate) struct Doctor {
    /// Python interpreter for the Python track [default: python3 on PATH].
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
}
