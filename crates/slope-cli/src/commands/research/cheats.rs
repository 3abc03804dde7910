//! `slope research cheats`: attacks on slope, run for real.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;
use slope_bench::plan::{RunOptions, StabilityPlan};
use slope_cheats::{Attack, Finding, Suite, catalogue};
use slope_model::plural;
use slope_report::Format;

use crate::args::{Grading, Isolation};
use crate::commands::{output, run};
use crate::exit::{Done, HarnessFailed};
use crate::setup;

#[derive(Debug, Args)]
#[command(after_help = "\
slope runs each attack for real, in the runtime of --environment: agents as whole trials, programs
as workspaces to grade. It looks for success from outside the sandbox, in bait on this machine, in
the output and in remaining files. The verdict must be that of an honest wrong solution.

Examples:
  slope research cheats --list
  slope research cheats
  slope research cheats --environment docker.toml --only agent/daemons --only program/fork_bomb
  slope research cheats --keep evidence --format json

Exit code 1: an attack succeeded.")]
pub(crate) struct ResearchCheats {
    /// List the attacks without running them.
    #[arg(long)]
    pub(crate) list: bool,
    /// Run only this attack: agent/NAME or program/NAME (repeatable).
    #[arg(long, value_name = "ATTACK")]
    pub(crate) only: Vec<String>,
    /// Maximum concurrent attacks.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) workers: u8,
    /// Keep output, verdicts and remaining files in this new folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// Runtime to attack (TOML, docs/runtimes.md) [default: the local runtime].
    #[arg(long, value_name = "FILE")]
    pub(crate) environment: Option<PathBuf>,
    /// Python interpreter for the Python track [default: python3 on PATH].
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
    /// Install packages from the cache or --wheels, never from a package index.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Folder with wheels for the requirements of tests and programs.
    #[arg(long, value_name = "DIR")]
    pub(crate) wheels: Option<PathBuf>,
}

/// Results of the attacks.
#[derive(Debug, Serialize)]
struct Result {
    /// Schema of this output.
    schema: &'static str,
    /// Runtime that was attacked.
    runtime: &'static str,
    /// Whether every attack failed.
    held: bool,
    /// Each attack.
    attacks: Vec<Finding>,
}

/// Row of the table as `--list` prints it.
#[derive(Debug, Serialize)]
struct Row {
    attack: String,
    class: String,
    tries: String,
    expected: String,
}

pub(crate) fn run(args: &ResearchCheats, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let attacks = chosen(catalogue::all()?, &args.only)?;
    if args.list {
        list(attacks, format)?;
        return Ok(Done::Fine);
    }
    let place = match &args.keep {
        Some(dir) => {
            std::fs::create_dir(dir).with_context(|| {
                format!(
                    "cannot create {}\nhelp: choose a new folder with --keep",
                    dir.display()
                )
            })?;
            None
        }
        // The path has the mark, because no attack may learn it.
        None => Some(tempfile::Builder::new().prefix("SECRET-MARK-").tempdir()?),
    };
    let dir = match (&args.keep, &place) {
        (Some(dir), _) => std::path::absolute(dir)?,
        (None, Some(place)) => place.path().to_owned(),
        (None, None) => bail!("no folder to work in"),
    };
    let result = attack(args, &attacks, &dir, quiet)?;
    match format {
        Format::Json => output::json(&result)?,
        _ => output::text(&describe(&result))?,
    }
    Ok(if result.held { Done::Fine } else { Done::Unmet })
}

/// Selected attacks.
fn chosen(all: Vec<Attack>, only: &[String]) -> anyhow::Result<Vec<Attack>> {
    if let Some(unknown) = only
        .iter()
        .find(|name| !all.iter().any(|a| a.name() == **name))
    {
        bail!(
            "unknown attack `{unknown}`\nhelp: list the attacks with `slope research cheats --list`"
        );
    }
    let asked = |attack: &Attack| only.is_empty() || only.contains(&attack.name());
    Ok(all.into_iter().filter(asked).collect())
}

fn attack(
    args: &ResearchCheats,
    attacks: &[Attack],
    dir: &Path,
    quiet: bool,
) -> anyhow::Result<Result> {
    let mut options = RunOptions::default();
    let isolation = Isolation {
        no_sandbox: false,
        environment: args.environment.clone(),
        python: args.python.clone(),
    };
    let grading = Grading {
        offline: args.offline,
        wheels: args.wheels.clone(),
        suite_timeout: None,
        stability: None,
    };
    run::apply(&mut options, &isolation, &grading)?;
    options.stability = StabilityPlan::Off;
    let machine = setup::machine(&options, dir)?;
    let suite = Suite::prepare(&machine, dir).map_err(harness)?;
    let observer = |finding: &Finding| {
        if !quiet {
            anstream::eprintln!("{}", line(finding));
        }
    };
    let attacks = suite
        .run(attacks, usize::from(args.workers), &observer)
        .map_err(harness)?;
    Ok(Result {
        schema: "slope.cheats/1",
        runtime: machine.runtime.name(),
        held: attacks.iter().all(|finding| finding.held),
        attacks,
    })
}

fn harness(error: slope_cheats::Error) -> anyhow::Error {
    HarnessFailed(error.into()).into()
}

fn list(attacks: Vec<Attack>, format: Format) -> anyhow::Result<()> {
    let rows: Vec<Row> = attacks
        .into_iter()
        .map(|attack| Row {
            attack: attack.name(),
            class: attack.class,
            tries: attack.tries,
            expected: attack.expected,
        })
        .collect();
    if format == Format::Json {
        return output::json(&rows);
    }
    let mut text = String::new();
    for row in &rows {
        text.push_str(&format!("{:<34} {}\n", row.attack, row.tries));
        text.push_str(&format!("{:<34}   expected: {}\n", "", row.expected));
    }
    output::text(&text)
}

fn line(finding: &Finding) -> String {
    let mark = if finding.held { "ok  " } else { "FAIL" };
    format!("{mark} {:<34} {}", finding.attack, finding.tries)
}

fn describe(result: &Result) -> String {
    let mut text = String::new();
    for finding in &result.attacks {
        text.push_str(&format!("{}\n", line(finding)));
        for what in &finding.got_through {
            text.push_str(&format!("       got through: {what}\n"));
        }
        for note in &finding.integrity {
            text.push_str(&format!("       noticed: {note}\n"));
        }
    }
    let failed = result.attacks.iter().filter(|f| !f.held).count();
    text.push_str(&format!(
        "\n{} in the runtime {}: {}\n",
        plural(result.attacks.len(), "attack"),
        result.runtime,
        match failed {
            0 => "none got through".to_owned(),
            some => format!("{some} got through"),
        }
    ));
    text
}
