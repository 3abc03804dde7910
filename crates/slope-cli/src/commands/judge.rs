//! `slope judge`: scores from 0 to 10.

use anyhow::bail;
use slope_history::Repo;
use slope_judge::Snapshot;
use slope_model::assessment::Assessment;
use slope_report::Format;

use super::diff::ends;
use super::history::measurer;
use super::measure::options::Said;
use super::output;
use crate::args::Judge;
use crate::exit::Done;

pub(crate) fn run(args: &Judge, format: Format) -> anyhow::Result<Done> {
    let said = Said {
        definitions: &args.definitions,
        rules: &args.rules,
        reported: &args.reported,
        files: &args.files,
        work: &args.work,
    };
    let measurer = measurer(&said, &args.path)?;
    let most = if args.top == 0 { usize::MAX } else { args.top };
    let assessment = match &args.diff {
        None => {
            let snapshot = Snapshot::of_path(&measurer, &args.path)?;
            slope_judge::judge(&snapshot, most)
        }
        Some(range) => change(args, range, &measurer, most)?,
    };
    if assessment.languages.is_empty() {
        bail!(
            "{} has no production code that slope measures\nhelp: name a directory or file with code",
            assessment.target
        );
    }
    match format {
        Format::Json => output::json(&assessment)?,
        _ => output::text(&slope_report::render_assessment(&assessment))?,
    }
    Ok(Done::Fine)
}

/// The assessment of a change of the repository.
fn change(
    args: &Judge,
    range: &str,
    measurer: &slope_measure::Measurer,
    most: usize,
) -> anyhow::Result<Assessment> {
    let repo = Repo::open(&args.path)?;
    let (base, head) = ends(range, &repo.reader())?;
    let base = Snapshot::of_commit(measurer, &repo, base.1, &base.0)?;
    let head = Snapshot::of_commit(measurer, &repo, head.1, &head.0)?;
    Ok(slope_judge::judge_change(&base, &head, most))
}
