//! `slope diff`: effects of a change.

use std::path::Path;

use anyhow::bail;
use slope_git::{Id, Reader};
use slope_history::{Repo, diff_commits, diff_dirs};
use slope_report::Format;

use super::history::measurer;
use super::measure::options::Said;
use super::output;
use crate::args::Diff;
use crate::exit::Done;

pub(crate) fn run(args: &Diff, format: Format, _quiet: bool) -> anyhow::Result<Done> {
    let said = Said {
        definitions: &args.definitions,
        rules: &args.rules,
        reported: &args.reported,
        files: &args.files,
        work: &args.work,
    };
    let ledger = match &args.head {
        Some(head) => {
            let base = Path::new(&args.base);
            refuse_missing(base)?;
            refuse_missing(head)?;
            diff_dirs(&measurer(&said, head)?, base, head)?
        }
        None => {
            let repo = Repo::open(&args.repo)?;
            let (base, head) = ends(&args.base, &repo.reader())?;
            let measurer = measurer(&said, repo.path())?;
            let (base, head) = ((base.0.as_str(), base.1), (head.0.as_str(), head.1));
            diff_commits(&repo, &measurer, base, head, &args.paths)?
        }
    };
    let detail = output::list_detail(args.top);
    match format {
        Format::Json => output::json(&ledger)?,
        _ => {
            output::text(&slope_report::render_ledger(&ledger, &detail))?;
        }
    }
    Ok(Done::Fine)
}

fn refuse_missing(directory: &Path) -> anyhow::Result<()> {
    if !directory.exists() {
        bail!(
            "{} does not exist\nhelp: name two directories",
            directory.display()
        );
    }
    Ok(())
}

/// A revision as given and the commit that it names.
pub(super) type Named = (String, Id);

/// Both ends of a range: `A..B`, `A...B` from where both branched off, or `A` for `A..HEAD`.
pub(super) fn ends(range: &str, reader: &Reader) -> anyhow::Result<(Named, Named)> {
    let or_head = |text: &str| if text.is_empty() { "HEAD" } else { text }.to_owned();
    let named = |text: &str| -> anyhow::Result<Named> {
        let name = or_head(text);
        let id = reader.resolve(&name)?;
        Ok((name, id))
    };
    if let Some((base, head)) = range.split_once("...") {
        let (base, head) = (named(base)?, named(head)?);
        let common = reader.merge_base(base.1, head.1)?;
        return Ok(((common.short(), common), head));
    }
    let (base, head) = range.split_once("..").unwrap_or((range, "HEAD"));
    Ok((named(base)?, named(head)?))
}
