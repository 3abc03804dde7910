//! `slope research metamorphic`: checks that ledgers report a transformation and nothing else.

use std::fmt::Write as _;

use serde::Serialize;
use slope_history::{Metamorphic, Repo, metamorphic};
use slope_report::Format;

use super::ledger::measurer;
use crate::args::ResearchMetamorphic;
use crate::commands::measure::progress::Progress;
use crate::commands::output;
use crate::exit::Done;

/// Minimum precision, recall and share of empty ledgers.
const MIN_SHARE: f64 = 0.95;

#[derive(Serialize)]
struct Report {
    precision: Option<f64>,
    recall: Option<f64>,
    silence: Option<f64>,
    #[serde(flatten)]
    found: Metamorphic,
}

pub(crate) fn run(args: &ResearchMetamorphic, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let measurer = measurer(&args.work)?;
    let mut found = Metamorphic::default();
    for path in &args.repos {
        let progress = Progress::new(quiet);
        let repo = Repo::open(path)?;
        let watch = |what: &str, done, all| progress.stage(what, done, all);
        found.add(metamorphic(&repo, &measurer, args.commits, &watch)?);
        progress.finish();
    }
    let report = Report {
        precision: found.precision(),
        recall: found.recall(),
        silence: found.silence(),
        found,
    };
    match format {
        Format::Json => output::json(&report)?,
        _ => output::text(&describe(&report)?)?,
    }
    let shares = [report.precision, report.recall, report.silence];
    let holds = shares
        .iter()
        .all(|share| share.is_some_and(|s| s >= MIN_SHARE));
    Ok(if holds { Done::Fine } else { Done::Unmet })
}

fn describe(report: &Report) -> anyhow::Result<String> {
    let mut text = String::new();
    writeln!(text, "Edits of {} commits:", report.found.commits)?;
    for (kind, outcome) in &report.found.kinds {
        let wanted = if outcome.slop {
            "reported at their functions"
        } else {
            "with an empty ledger"
        };
        writeln!(
            text,
            "  {kind:<20} {:>4} of {:>4} {wanted}, {} wrong entries",
            outcome.right, outcome.edits, outcome.wrong_entries
        )?;
        for fault in &outcome.faults {
            writeln!(text, "      {fault}")?;
        }
    }
    let share = |share: Option<f64>| share.map_or("not measured".to_owned(), |s| format!("{s:.4}"));
    writeln!(
        text,
        "precision {} (entries at edited functions), recall {} (slop with an entry), empty ledgers {} \
         (edits that change nothing)",
        share(report.precision),
        share(report.recall),
        share(report.silence)
    )?;
    Ok(text)
}
