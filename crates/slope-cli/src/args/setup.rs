//! Arguments of `completions` and `man`.

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
