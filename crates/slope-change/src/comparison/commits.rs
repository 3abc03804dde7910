//! A commit, and the next commit.

use std::collections::BTreeMap;

use slope_git::{Content as IndexContent, Kind, Reader, Repo};
use slope_measure::Measurer;

use super::base::{base_of, checked_out, stopgap_notes};
use super::git::{ComparisonOptions, GitChange, listing, selection, side};
use super::links::Links;
use super::sides::Sides;
use crate::Error;
use crate::base_files::{Files, Place};

pub(super) fn of_commit(
    reader: &Reader,
    repo: &Repo,
    measurer: &Measurer,
    options: ComparisonOptions<'_>,
    revision: &str,
) -> Result<GitChange, Error> {
    let head = reader.resolve(revision)?;
    let (tree, base) = base_of(reader, options.base, head)?;
    let all = |_: &str| true;
    let new_tree = reader.commit(head)?.tree;
    let new = listing(reader, Some(new_tree), &all)?;
    let selection = selection(measurer, reader, &new, None)?;
    let sides = Sides::of(reader, tree, (new, Links::Tree(new_tree)), &selection)?;
    let (files, changes, scope) = sides.parted(reader, measurer, options.ratchet)?;
    let notes = stopgap_notes(reader, repo, (&base, revision), changes.is_empty())?;
    Ok(GitChange {
        base: base.side,
        head: side(revision, Some(head)),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        notes,
        scope,
        past: base.id.map(|id| (id, selection)),
    })
}

pub(super) fn of_index(
    reader: &Reader,
    measurer: &Measurer,
    options: ComparisonOptions<'_>,
) -> Result<GitChange, Error> {
    // Staged files are the next commit. Compare them with the last one.
    let (tree, base) =
        checked_out(reader, options.base.or(Some("HEAD"))).or_else(|error| match error {
            Error::Git(slope_git::Error::Empty { .. }) if options.base.is_none() => {
                checked_out(reader, None)
            }
            error => Err(error),
        })?;
    let staged = reader.staged()?.into_iter();
    let staged = staged.filter(|file| file.kind == Kind::File);
    let new: Files = staged
        .map(|file| match file.content {
            IndexContent::Blob(id) => (file.path, Place::Blob(id)),
            IndexContent::Disk(disk) => (file.path, Place::Disk(disk)),
        })
        .collect();
    let selection = selection(measurer, reader, &new, None)?;
    let sides = Sides::of(reader, tree, (new, Links::Index), &selection)?;
    let (files, changes, scope) = sides.parted(reader, measurer, options.ratchet)?;
    Ok(GitChange {
        base: base.side,
        head: side("index", None),
        chosen: base.chosen,
        files,
        setup: BTreeMap::new(),
        changes,
        notes: Vec::new(),
        scope,
        past: base.id.map(|id| (id, selection)),
    })
}
