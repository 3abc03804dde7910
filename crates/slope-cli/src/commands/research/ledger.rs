//! `slope research ledger`: checks that ledgers sum to the change of the complete tree.

use std::fmt::Write as _;
use std::time::Instant;

use serde::Serialize;
use slope_history::{ChangeError, Error, Repo, Verified, verify};
use slope_measure::{Measurer, Options};
use slope_report::Format;

use crate::args::{ResearchLedger, WorkArgs};
use crate::commands::measure::progress::Progress;
use crate::commands::output;
use crate::exit::Done;
use crate::folders;

/// Result of one repository.
#[derive(Debug, Serialize)]
struct Row {
    repository: String,
    commits: usize,
    touching: usize,
    entered: usize,
    empty: usize,
    entries: usize,
    layout: usize,
    seconds: f64,
    /// The first sum that differs.
    fault: Option<String>,
}

pub(crate) fn run(args: &ResearchLedger, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let measurer = measurer(&args.work)?;
    let mut rows = Vec::new();
    for path in &args.repos {
        let progress = Progress::new(quiet);
        let repo = Repo::open(path)?;
        let started = Instant::now();
        let result = verify(&repo, &measurer, &|what, done, all| {
            progress.stage(what, done, all)
        });
        progress.finish();
        let (found, fault) = match result {
            Ok(found) => (found, None),
            Err(Error::Change(fault @ ChangeError::Sum { .. })) => {
                (Verified::default(), Some(fault.to_string()))
            }
            Err(error) => return Err(error.into()),
        };
        rows.push(Row {
            repository: path.display().to_string(),
            commits: found.commits,
            touching: found.touching,
            entered: found.entered,
            empty: found.empty,
            entries: found.entries,
            layout: found.layout,
            seconds: started.elapsed().as_secs_f64(),
            fault,
        });
    }
    match format {
        Format::Json => output::json(&rows)?,
        _ => output::text(&describe(&rows)?)?,
    }
    Ok(match rows.iter().all(|row| row.fault.is_none()) {
        true => Done::Fine,
        false => Done::Unmet,
    })
}

/// Measurer for commits.
pub(super) fn measurer(work: &WorkArgs) -> anyhow::Result<Measurer> {
    let mut options = Options::trusting(jiff::Zoned::now().date()).comparing();
    options.threads = work.threads();
    options.cache = match work.no_cache {
        true => None,
        false => folders::cache(),
    };
    Ok(Measurer::new(options)?)
}

fn describe(rows: &[Row]) -> anyhow::Result<String> {
    let mut text = String::new();
    for row in rows {
        if let Some(fault) = &row.fault {
            writeln!(text, "{}: {fault}", row.repository)?;
            continue;
        }
        writeln!(
            text,
            "{}: the entries of each of {} commits sum exactly to the total change; {} commits \
             change code, {} have entries ({} entries, {} for layout), {} are empty; {:.1} s",
            row.repository,
            row.commits,
            row.touching,
            row.entered,
            row.entries,
            row.layout,
            row.empty,
            row.seconds
        )?;
    }
    Ok(text)
}
