//! `slope research scb`: compares profile scb-0.2.0 with scb-check itself.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use slope_compat::compare::{Comparison, Outcome, Repository, Tool, compare, read_list};
use slope_compat::scb::{self, Options};
use slope_report::Format;

use crate::commands::output;
use crate::exit::Done;

#[derive(Debug, Args)]
#[command(after_help = "\
slope starts the tool inside each repository, because the tool looks for its configuration there.
The file for --repos has one folder per line. Text after ` # ` is the reason for an expected
difference, for example that the tool hangs.

Examples:
  slope research scb flask ripgrep --tool scb-venv/bin/scb-check --rules slop_rules
  slope research scb --repos repositories.txt --tool scb-venv/bin/scb-check --rules slop_rules
  slope research scb flask --tool scb-venv/bin/scb-check            compare all but the rules

Exit code 1: an unexpected difference.")]
pub(crate) struct ResearchScb {
    /// Repositories to measure.
    #[arg(required_unless_present = "repos", value_name = "REPO")]
    pub(crate) dirs: Vec<PathBuf>,
    /// File with a list of repositories.
    #[arg(long, value_name = "FILE")]
    pub(crate) repos: Option<PathBuf>,
    /// Path of scb-check 0.2.0.
    #[arg(long, value_name = "PATH")]
    pub(crate) tool: PathBuf,
    /// Rules of the tool, a folder or file (repeatable) [default: no rules].
    #[arg(long, value_name = "PATH")]
    pub(crate) rules: Vec<PathBuf>,
    /// Pass --include-all to the tool, and measure the same files.
    #[arg(long)]
    pub(crate) include_all: bool,
    /// Folder for the tool's reports. Existing reports are reused.
    #[arg(long, value_name = "DIR")]
    pub(crate) reports: Option<PathBuf>,
    /// Time limit of the tool in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
    /// Number of threads, 0 for one per processor.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}

pub(crate) fn run(args: &ResearchScb, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let repositories = repositories(args)?;
    let rules = if args.rules.is_empty() {
        None
    } else {
        Some(scb::read_rules(&args.rules)?)
    };
    let options = Options {
        include_all: args.include_all,
        rules,
        config: None,
        threads: args.threads,
    };
    if let Some(folder) = &args.reports {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let tool = Tool {
        program: args.tool.clone(),
        timeout: Duration::from_secs(args.timeout),
        reports: args.reports.clone(),
    };
    let mut comparisons = Vec::with_capacity(repositories.len());
    for repository in &repositories {
        if !quiet {
            anstream::eprintln!("{}", repository.dir.display());
        }
        comparisons.push(compare(&tool, repository, &options));
    }
    match format {
        Format::Json => output::json(&comparisons)?,
        _ => output::text(&table(&comparisons))?,
    }
    let fine = comparisons.iter().all(Comparison::conforms);
    Ok(if fine { Done::Fine } else { Done::Unmet })
}

fn repositories(args: &ResearchScb) -> anyhow::Result<Vec<Repository>> {
    let mut found: Vec<Repository> = args
        .dirs
        .iter()
        .map(|dir| Repository {
            dir: dir.clone(),
            exception: None,
        })
        .collect();
    if let Some(list) = &args.repos {
        found.extend(read_list(list).with_context(|| format!("cannot read {}", list.display()))?);
    }
    if found.is_empty() {
        bail!("no repositories given\nhelp: pass some, or a list with --repos FILE");
    }
    for repository in &found {
        if !repository.dir.is_dir() {
            bail!("{}: no such directory", repository.dir.display());
        }
    }
    Ok(found)
}

/// Markdown table, which is readable as text too.
fn table(comparisons: &[Comparison]) -> String {
    let mut text = String::new();
    let mut row = |cells: [&str; 7]| {
        let [name, files, sloc, functions, languages, equal, outcome] = cells;
        let _ = writeln!(
            text,
            "| {name:<24} | {files:>6} | {sloc:>8} | {functions:>9} | {languages:<24} | {equal:>6} | {outcome} |"
        );
    };
    row([
        "repository",
        "files",
        "sloc",
        "functions",
        "languages",
        "equal",
        "outcome",
    ]);
    row(["---"; 7]);
    for comparison in comparisons {
        let report = comparison.report.as_ref();
        let number = |of: fn(&scb::Report) -> u64| {
            report.map_or_else(|| "-".to_owned(), |r| of(r).to_string())
        };
        let languages = report.map_or_else(String::new, |report| {
            let ids: Vec<&str> = report.syntax_by_language.keys().copied().collect();
            ids.join(" ")
        });
        row([
            &comparison.repository,
            &number(|r| r.files_scanned),
            &number(|r| r.total_loc),
            &number(|r| r.total_functions),
            &languages,
            &format!("{}/{}", comparison.equal, comparison.fields),
            &outcome(comparison),
        ]);
    }
    let equal = comparisons.iter().filter(|c| c.outcome == Outcome::Equal);
    let (equal, all) = (equal.count(), comparisons.len());
    let excepted = comparisons.iter().filter(|c| c.conforms()).count() - equal;
    let _ = writeln!(
        text,
        "\n{equal} of {all} repositories equal in every field, {excepted} different as expected."
    );
    text
}

fn outcome(comparison: &Comparison) -> String {
    let mut text = match &comparison.outcome {
        Outcome::Equal => "equal".to_owned(),
        Outcome::Different { fields } => match fields.first() {
            Some(first) => format!("{}: {} here {}", first.name, first.original, first.slope),
            None => "different".to_owned(),
        },
        Outcome::NoReport { reason } => format!("no report: {reason}"),
        Outcome::Failed { reason } => format!("failed: {reason}"),
    };
    if let Some(reason) = &comparison.exception {
        let _ = write!(text, " (expected: {reason})");
    }
    text
}
