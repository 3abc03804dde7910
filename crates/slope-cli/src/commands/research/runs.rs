//! `slope research runs`: compares the stored numbers of published runs with profile
//! published-runs.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use slope_bench::gather;
use slope_compat::runs::{Compared, compare};
use slope_model::error_text::one_line;
use slope_report::Format;

use crate::commands::output;
use crate::exit::Done;

#[derive(Debug, Args)]
#[command(after_help = "\
slope compares lines, source lines, clone lines, callables and mass of each file, before and after
refactoring passes.

Examples:
  slope research runs outputs
  slope research runs outputs/m/run --format json > compared.json

Exit code 1: a number differs.")]
pub(crate) struct ResearchRuns {
    /// Run directories of the published harness, or folders that contain them.
    #[arg(required = true, value_name = "RUN_DIR")]
    pub(crate) runs: Vec<PathBuf>,
}

/// A run and its snapshots.
#[derive(Debug, Serialize)]
struct RunCompared {
    /// Run directory.
    run: PathBuf,
    /// Its snapshots that have stored numbers.
    snapshots: Vec<Compared>,
    /// Reason that the run cannot be read.
    unreadable: Option<String>,
}

pub(crate) fn run(args: &ResearchRuns, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let dirs = gather::published_dirs(&args.runs)?;
    if dirs.is_empty() {
        bail!("none of these folders is or contains a run of the published harness");
    }
    let mut compared = Vec::new();
    for run in dirs {
        if !quiet {
            anstream::eprintln!("{}", output::safe(&run.display().to_string()));
        }
        let (snapshots, unreadable) = match compare(&run) {
            Ok(snapshots) => (snapshots, None),
            Err(error) => (Vec::new(), Some(one_line(&error))),
        };
        compared.push(RunCompared {
            run,
            snapshots,
            unreadable,
        });
    }
    match format {
        Format::Json => output::json(&compared)?,
        _ => output::text(&describe(&compared))?,
    }
    let snapshots = || compared.iter().flat_map(|run| &run.snapshots);
    let unreadable = compared.iter().any(|run| run.unreadable.is_some());
    if snapshots().next().is_none() {
        bail!("no snapshot of these runs has stored numbers");
    }
    let equal = snapshots().all(|snapshot| snapshot.differences.is_empty());
    Ok(if equal && !unreadable {
        Done::Fine
    } else {
        Done::Unmet
    })
}

fn describe(compared: &[RunCompared]) -> String {
    let mut text = String::new();
    let (mut equal, mut all) = (0, 0);
    for run in compared {
        if let Some(why) = &run.unreadable {
            let line = format!("{}: {why}", run.run.display());
            let _ = writeln!(text, "{}", output::safe(&line));
        }
        for snapshot in &run.snapshots {
            all += 1;
            equal += usize::from(snapshot.differences.is_empty());
            if let Some(first) = snapshot.differences.first() {
                let more = match snapshot.differences.len() - 1 {
                    0 => String::new(),
                    more => format!(" (and {more} more)"),
                };
                let line = format!("{}: {first}{more}", snapshot.folder.display());
                let _ = writeln!(text, "{}", output::safe(&line));
            }
        }
    }
    let _ = writeln!(
        text,
        "{equal} of {all} snapshots are equal in every number."
    );
    text
}
