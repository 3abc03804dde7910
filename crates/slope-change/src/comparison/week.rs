//! What the commits of the last week did.

use slope_git::Line;
use slope_measure::{Choice, Content, Measurer};

use super::{BaseFiles, BaseSource, Comparison, Contents, Files, RepositoryBase, listed, listing};
use crate::Error;
use crate::baseline::{Baseline, Change};

/// Seconds of a week.
const WEEK: i64 = 7 * 24 * 60 * 60;

/// What the commits of a week did.
pub struct Week {
    /// The change from the start of the week to the base.
    pub change: Change,
    /// A note about it.
    pub note: Option<String>,
}

impl Comparison {
    /// What the commits of the last seven days on the base's first-parent line did; `None` if the base is
    /// not a commit.
    ///
    /// # Errors
    /// If the repository lacks a commit or content.
    pub fn week(&self, measurer: &Measurer, now: jiff::Timestamp) -> Result<Option<Week>, Error> {
        let BaseSource::Repository(repository) = &self.source else {
            return Ok(None);
        };
        let RepositoryBase { files, past } = &**repository;
        let Some((base, selection)) = past else {
            return Ok(None);
        };
        let reader = files.repo.reader();
        let since = now.as_second() - WEEK;
        let walk = reader.walk(*base, Line::FirstParent, Some(since))?;
        let note = walk.is_cut_off.then(|| {
            "the clone is shallow, so the week's budget counts only the commits that are there"
                .to_owned()
        });
        let oldest = walk.commits.first();
        let parent = oldest.and_then(|commit| commit.parents.first());
        let start = match (oldest, parent) {
            (None, _) => Some(reader.commit(*base)?.tree),
            (Some(oldest), _) if walk.is_cut_off => Some(oldest.tree),
            (Some(_), Some(parent)) => Some(reader.commit(*parent)?.tree),
            (Some(_), None) => None,
        };
        let mut start = listing(&reader, start, &|folder| selection.enters(folder))?;
        start.retain(|path, _| selection.choice(path) == Choice::Measured);
        let change = change(measurer, files, &start)?;
        Ok(Some(Week { change, note }))
    }
}

/// The change from some files to those of the base.
fn change(measurer: &Measurer, base: &BaseFiles, start: &Files) -> Result<Change, Error> {
    let end = base.contents(measurer, &|_| true)?;
    let start = base.read(measurer, listed(start), &|_| true)?;
    let gone = start.iter();
    let mut changes: Contents = gone
        .map(|(path, _)| (path.clone(), Content::Nothing))
        .collect();
    changes.extend(end);
    let mut baseline = Baseline::new(measurer, "a week ago", start);
    baseline.change("base", changes.into_iter().collect())
}
