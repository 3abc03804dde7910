//! Arguments of `check`.

use std::path::PathBuf;

use clap::Args;
use slope_model::gate::GateRule;
use slope_model::near_names;
use slope_model::sent_change::check_change_key;
use slope_report::JUDGEMENT_FORMATS;

use super::measure::{DefinitionArgs, FileArgs, ReportedArgs, RuleSource, WorkArgs};
use super::output::Output;
use super::track::{Checked, ServerArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope check                              check the working tree against main
  slope check --base origin/main           compare with origin/main instead
  slope check --staged                     check what the next commit would add
  slope check --base HEAD~1 --head HEAD    check the last commit
  git diff main | slope check --base main --diff -
  slope check old-checkout new-checkout    compare two directories
  slope check --only new-clone --verbose   check one rule and show the evidence
  slope check -o slope.sarif -o comment.md
  slope check --ratchet                    check the whole tree against slope-ratchet.txt
  slope check --replay 50                  try the rules on the last 50 commits
  slope check --base origin/main --policy origin/main     judge by the rules of main
  slope check --base origin/main --push --change pr-12    show the judgement on a server

Only what the change adds counts. Old debt, renames, moves, reformatting and comments do not.
The default base is the commit where your branch left the default branch.
Configure rules and limits in [check] of slope.toml (docs/check.md).
Exit codes: 0 the change passes, or there is no change; 1 it does not pass; 2 invalid input; 4 it
passes, but with --push it was not sent; 5 there is no commit to compare with.")]
pub(crate) struct Check {
    /// Folder or file to check. With NEW_DIR, the old directory.
    #[arg(
        default_value = ".",
        hide_default_value = true,
        value_name = "PATH|OLD_DIR"
    )]
    pub(crate) path: PathBuf,
    /// New directory, to compare with OLD_DIR.
    #[arg(value_name = "NEW_DIR", conflicts_with_all = ["base", "staged", "diff", "head"])]
    pub(crate) new: Option<PathBuf>,
    /// Revision to compare with, at its merge base, or a directory [default: the default branch].
    #[arg(long, value_name = "REVISION|DIR")]
    pub(crate) base: Option<String>,
    /// Check a commit instead of the working tree.
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["staged", "diff"])]
    pub(crate) head: Option<String>,
    /// Check staged changes against the last commit.
    #[arg(long)]
    pub(crate) staged: bool,
    /// Check a unified diff (`-` for standard input), applied to the base or the last commit.
    #[arg(long, value_name = "FILE", conflicts_with = "staged")]
    pub(crate) diff: Option<PathBuf>,
    /// Check the whole tree against the committed ratchet instead of a change.
    #[arg(long, conflicts_with_all = ["new", "base", "head", "staged", "diff"])]
    pub(crate) ratchet: bool,
    /// Read settings, ratchet and waivers from a revision instead of the files on disk. In CI, name
    /// the target branch, so that a change cannot relax the gate.
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["new", "update", "config", "isolated"])]
    pub(crate) policy: Option<String>,
    /// Write improvements to the ratchet, or create it if it does not exist.
    #[arg(long, requires = "ratchet")]
    pub(crate) update: bool,
    /// Show how often each rule would have fired on the last N commits.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..),
          conflicts_with_all = ["new", "base", "head", "staged", "diff", "ratchet", "output"])]
    pub(crate) replay: Option<u32>,
    /// Check only this rule (repeatable).
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub(crate) only: Vec<GateRule>,
    /// Show the evidence of each violation.
    #[arg(long, short, visible_alias = "explain")]
    pub(crate) verbose: bool,
    /// Write a report to a file, or to standard output with `-` (repeatable). The suffix selects the
    /// format: -o slope.sarif. Or name it: -o gitlab=out.json. Missing folders are created. A
    /// symbolic link is replaced, never followed.
    #[arg(long, short, value_name = "[FORMAT=]FILE", value_parser = judgement_output)]
    pub(crate) output: Vec<Output>,
    #[command(flatten)]
    pub(crate) definitions: DefinitionArgs,
    #[command(flatten)]
    pub(crate) rules: RuleSource,
    #[command(flatten)]
    pub(crate) reported: ReportedArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    #[command(flatten)]
    pub(crate) sent: ChangeArgs,
}

/// Sending a judgement.
#[derive(Debug, Args)]
pub(crate) struct ChangeArgs {
    /// Send the judgement to a server, whose page of the change shows it.
    #[arg(long, help_heading = "Server", requires = "change", conflicts_with_all = ["replay", "ratchet"])]
    pub(crate) push: bool,
    /// Name of the change on the server, for example pr-12.
    #[arg(long, value_name = "NAME", help_heading = "Server", value_parser = change_name)]
    pub(crate) change: Option<Checked>,
    /// Title of the change.
    #[arg(long, value_name = "TEXT", help_heading = "Server")]
    pub(crate) title: Option<String>,
    /// Address of the change, for example of the pull request.
    #[arg(long, value_name = "URL", help_heading = "Server")]
    pub(crate) link: Option<String>,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

fn change_name(text: &str) -> Result<Checked, String> {
    check_change_key(text).map(|()| Checked(text.to_owned()))
}

fn rule(text: &str) -> Result<GateRule, String> {
    let found = GateRule::by_id(text);
    found.ok_or_else(|| {
        let names: Vec<&str> = GateRule::all().map(GateRule::id).collect();
        let near = near_names(names.iter().copied(), text);
        let help = near.first().map(|near| format!("\nhelp: use `{near}`"));
        format!(
            "unknown rule: expected one of {}{}",
            names.join(", "),
            help.unwrap_or_default()
        )
    })
}

fn judgement_output(text: &str) -> Result<Output, String> {
    Output::parse(text, JUDGEMENT_FORMATS)
}
