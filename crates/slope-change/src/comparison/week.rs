//! Effect of the commits before the base: of the last week, or since a commit.

use slope_git::{Id, Line, Reader};
use slope_measure::{Choice, Content, Measurer, Selection};

use super::git::listing;
use crate::Error;
use crate::base_files::{BaseFiles, Files, listed};
use crate::baseline::Baseline;
use crate::contents::Contents;
use crate::ledger::Change;

/// Seconds of a week.
const WEEK: i64 = 7 * 24 * 60 * 60;

/// Effect of the commits of a week.
pub struct Week {
    /// The change from the start of the week to the base.
    pub change: Change,
    /// A note about the week.
    pub note: Option<String>,
}

/// Effect of the commits in the seven days before a commit, on its first-parent line. `files` are the files of that
/// commit.
pub(super) fn before(
    measurer: &Measurer,
    files: &BaseFiles,
    (commit, selection): (Id, &Selection),
    now: jiff::Timestamp,
) -> Result<Week, Error> {
    let reader = files.repo.reader();
    let since = now.as_second() - WEEK;
    let walk = reader.walk(commit, Line::FirstParent, Some(since))?;
    let note = walk.is_cut_off.then(|| {
        "the clone is shallow, so the week's budget counts only the commits that are there"
            .to_owned()
    });
    let oldest = walk.commits.first();
    let parent = oldest.and_then(|commit| commit.parents.first());
    let start = match (oldest, parent) {
        (None, _) => Some(reader.commit(commit)?.tree),
        (Some(oldest), _) if walk.is_cut_off => Some(oldest.tree),
        (Some(_), Some(parent)) => Some(reader.commit(*parent)?.tree),
        (Some(_), None) => None,
    };
    let start = measured(&reader, start, selection)?;
    let change = change(measurer, files, ("a week ago", &start))?;
    Ok(Week { change, note })
}

/// Effect of the commits since the newest of `commits` that the base has, up to the base. `None` if it has none of them.
pub(super) fn since(
    measurer: &Measurer,
    files: &BaseFiles,
    (base, selection): (Id, &Selection),
    commits: &[&str],
) -> Result<Option<Change>, Error> {
    let reader = files.repo.reader();
    let known = commits.iter().filter_map(|name| reader.resolve(name).ok());
    let Some(id) = reader.newest_of(&known.collect(), base)? else {
        return Ok(None);
    };
    let start = measured(&reader, Some(reader.commit(id)?.tree), selection)?;
    Ok(Some(change(measurer, files, (&id.short(), &start))?))
}

/// The measured files of a tree.
fn measured(reader: &Reader, tree: Option<Id>, selection: &Selection) -> Result<Files, Error> {
    let mut files = listing(reader, tree, &|folder| selection.enters(folder))?;
    files.retain(|path, _| selection.choice(path) == Choice::Measured);
    Ok(files)
}

/// Change from earlier files to the files of the base.
fn change(
    measurer: &Measurer,
    base: &BaseFiles,
    (name, start): (&str, &Files),
) -> Result<Change, Error> {
    let end = base.contents(measurer, &|_| true)?;
    let start = base.read(measurer, listed(start), &|_| true)?;
    let gone = start.iter();
    let mut changes: Contents = gone
        .map(|(path, _)| (path.clone(), Content::Nothing))
        .collect();
    changes.extend(end);
    let mut baseline = Baseline::new(measurer, name, start);
    baseline.change("base", changes.into_iter().collect())
}
