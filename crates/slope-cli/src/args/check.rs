//! Arguments of `check`.

use std::path::PathBuf;

use clap::Args;
use slope_model::gate::GateRule;
use slope_report::JudgementFormat;

use super::measure::{DefinitionArgs, FileArgs, ReportedArgs, RuleSource, WorkArgs};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  slope check                              the working tree against where the branch left main
  slope check --base origin/main           against where it left origin/main
  slope check --staged                     what the next commit would add
  slope check --base HEAD~1 --head HEAD    the last commit
  git diff main | slope check --base main --diff -
  slope check old-checkout new-checkout    two directories
  slope check --only new-clone --verbose   one rule, with the evidence
  slope check -o slope.sarif -o comment.md
  slope check --ratchet                    the whole tree against slope-ratchet.txt

Only what the change adds counts: old debt, renames, moves, other layouts and comments do not.
Rules and limits stand in [check] of slope.toml (docs/check.md).
Forms: human, json, jsonl, sarif, github, gitlab, markdown.
Exit codes: 0 the change passes, or there is none; 1 it does not pass; 2 bad input.")]
pub(crate) struct Check {
    /// Repository, or a folder or file in it, of which only what lies below is told; or a
    /// directory that NEW_DIR is compared with.
    #[arg(
        default_value = ".",
        hide_default_value = true,
        value_name = "PATH|OLD_DIR"
    )]
    pub(crate) path: PathBuf,
    /// The later one of two directories.
    #[arg(value_name = "NEW_DIR", conflicts_with_all = ["base", "staged", "diff", "head"])]
    pub(crate) new: Option<PathBuf>,
    /// Revision to compare with, from where both branched off; or a directory [default: the
    /// default branch].
    #[arg(long, value_name = "REVISION|DIR")]
    pub(crate) base: Option<String>,
    /// Judge a commit instead of the working tree.
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["staged", "diff"])]
    pub(crate) head: Option<String>,
    /// Judge what is staged, against the last commit.
    #[arg(long)]
    pub(crate) staged: bool,
    /// Judge a unified diff, `-` for standard input, laid onto the base or the last commit.
    #[arg(long, value_name = "FILE", conflicts_with = "staged")]
    pub(crate) diff: Option<PathBuf>,
    /// Hold the whole tree against the committed ratchet instead of a change against its base.
    #[arg(long, conflicts_with_all = ["new", "base", "head", "staged", "diff"])]
    pub(crate) ratchet: bool,
    /// Write what has become better to the ratchet, or make it if there is none.
    #[arg(long, requires = "ratchet")]
    pub(crate) update: bool,
    /// Only this rule (repeatable).
    #[arg(long, value_name = "RULE", value_parser = rule)]
    pub(crate) only: Vec<GateRule>,
    /// Show the evidence of each violation.
    #[arg(long, short, visible_alias = "explain")]
    pub(crate) verbose: bool,
    /// Write a form to a file, `-` for standard output; repeat for several. A file's suffix
    /// names its form: -o slope.sarif, -o gitlab=out.json. Missing folders are made. A link is replaced
    /// by the file and never followed, since code that is judged may have put it there.
    #[arg(long, short, value_name = "[FORM=]FILE", value_parser = JudgementOutput::parse)]
    pub(crate) output: Vec<JudgementOutput>,
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
}

fn rule(text: &str) -> Result<GateRule, String> {
    let found = GateRule::by_id(text);
    found.ok_or_else(|| {
        let names: Vec<&str> = GateRule::all().map(GateRule::id).collect();
        let names = names.join(", ");
        format!("there is no such rule; the rules are {names}")
    })
}

/// A form and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgementOutput {
    /// The form.
    pub(crate) form: JudgementFormat,
    /// The file; `None` for standard output.
    pub(crate) file: Option<PathBuf>,
}

impl JudgementOutput {
    fn parse(text: &str) -> Result<Self, String> {
        let named = text
            .split_once('=')
            .and_then(|(form, file)| Some((JudgementFormat::by_name(form)?, file)));
        let (form, file) = match named {
            Some(named) => named,
            None => {
                let form = JudgementFormat::of_file(text).ok_or_else(|| {
                    let names = JudgementFormat::ALL.map(JudgementFormat::name).join(", ");
                    format!("no form has this suffix; say FORM=FILE with one of {names}")
                })?;
                (form, text)
            }
        };
        if file.is_empty() {
            return Err("the name of the file is missing; `-` is standard output".to_owned());
        }
        let file = (file != "-").then(|| PathBuf::from(file));
        Ok(Self { form, file })
    }
}
