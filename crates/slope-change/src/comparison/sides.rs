//! Both sides of a change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use slope_git::{Id, Reader};
use slope_measure::config::has_table;
use slope_measure::{Choice, Measurer, Selection};
use slope_syntax::Language;
use slope_syntax::paths::other_language;

use super::git::{listing, selection};
use super::links::Links;
use super::moved::moved;
use super::scope::{CONFIGS, Rewritten, ScopeChanges, is_config, last_of};
use crate::Error;
use crate::base_files::{Files, Place, bytes};

/// Both sides of a change, by path.
pub(super) struct Sides<'a> {
    pub(super) old: Files,
    pub(super) new: Files,
    pub(super) links: Links<'a>,
    /// Selection of the measured paths of the later side.
    pub(super) selection: &'a Selection,
}

/// All files of a commit's tree.
pub(super) fn all_files(reader: &Reader, tree: Option<Id>) -> Result<Files, Error> {
    listing(reader, tree, &|_| true)
}

/// Measured files of the earlier side, changed files in their later state, and the effect on the judged files.
pub(super) type Parted = (Files, BTreeMap<String, Option<Place>>, ScopeChanges);

impl<'a> Sides<'a> {
    /// Both sides, with a commit's tree as the earlier one.
    pub(super) fn of(
        reader: &Reader,
        tree: Option<Id>,
        (new, links): (Files, Links<'a>),
        selection: &'a Selection,
    ) -> Result<Self, Error> {
        Ok(Self {
            old: all_files(reader, tree)?,
            new,
            links,
            selection,
        })
    }

    /// Separates the files of the base from those that differ. `ratchet` is the file name of the ratchet.
    pub(super) fn parted(
        self,
        reader: &Reader,
        measurer: &Measurer,
        ratchet: Option<&str>,
    ) -> Result<Parted, Error> {
        let scope = self.scope_changes(reader, measurer, ratchet)?;
        let (files, changes) = self.compared();
        Ok((files, changes, scope))
    }

    /// Measured files of the earlier side, and measured files that differ.
    pub(super) fn compared(self) -> (Files, BTreeMap<String, Option<Place>>) {
        let Self {
            old,
            new,
            links: _,
            selection,
        } = self;
        let is_measured = |path: &str| selection.choice(path) == Choice::Measured;
        let mut changes: BTreeMap<String, Option<Place>> = BTreeMap::new();
        for path in old.keys().filter(|path| !new.contains_key(*path)) {
            if is_measured(path) {
                changes.insert(path.clone(), None);
            }
        }
        for (path, place) in new {
            if old.get(&path) != Some(&place) && is_measured(&path) {
                changes.insert(path, Some(place));
            }
        }
        let files = old.into_iter().filter(|(path, _)| is_measured(path));
        (files.collect(), changes)
    }

    /// Finds the effect on the judged files and the settings.
    fn scope_changes(
        &self,
        reader: &Reader,
        measurer: &Measurer,
        ratchet: Option<&str>,
    ) -> Result<ScopeChanges, Error> {
        let mut scope = ScopeChanges::default();
        // Without a base, everything is new.
        if self.old.is_empty() {
            return Ok(scope);
        }
        let mut selection_changes = false;
        for path in self.differing(reader) {
            if is_config(path) || ratchet == Some(last_of(path)) {
                scope.rewritten.push(Rewritten {
                    path: path.clone(),
                    before: content(reader, &self.old, path)?,
                    after: content(reader, &self.new, path)?,
                });
            }
            selection_changes |= self.selection.is_steering(path);
            self.add_configs(reader, path, &mut scope.configs)?;
            let choice = |path| self.selection.choice_in_any_language(path);
            let is_other = other_language(path).is_some() || self.is_other_script(reader, path)?;
            if is_other && choice(path) == Choice::Measured {
                scope.others.push(path.clone());
            }
            if self.is_left_out(measurer, path) {
                scope.left_out.push(path.clone());
            }
        }
        let sides = (&self.old, &self.new);
        let linked = self.links.hidden(reader, sides, self.selection)?;
        if selection_changes {
            let before = selection(measurer, reader, &self.old, None)?;
            scope.hidden = self.hidden(reader, measurer, &before)?;
        }
        if !scope.left_out.is_empty() {
            // Do not report files that are excluded on request.
            let by_names = selection(measurer, reader, &self.new, None)?.whatever_its_name();
            let is_named = |path: &String| by_names.choice(path) == Choice::Measured;
            scope.left_out.retain(is_named);
            let moved = moved(reader, sides, self.selection, &scope.left_out);
            scope.hidden.extend(moved);
        }
        scope.hidden.extend(linked);
        Ok(scope)
    }

    /// Adds the configurations in the folders of a path.
    fn add_configs(
        &self,
        reader: &Reader,
        path: &str,
        configs: &mut BTreeSet<String>,
    ) -> Result<(), Error> {
        let folders = path.rmatch_indices('/').map(|(end, _)| &path[..end]);
        let paths = folders.flat_map(|folder| CONFIGS.map(|name| format!("{folder}/{name}")));
        for path in paths.filter(|path| self.new.contains_key(path)) {
            if !configs.contains(&path) && self.is_ours(reader, &path)? {
                configs.insert(path);
            }
        }
        Ok(())
    }

    /// Whether a file with the name of a configuration has settings for slope.
    fn is_ours(&self, reader: &Reader, path: &str) -> Result<bool, Error> {
        if last_of(path) == "slope.toml" {
            return Ok(true);
        }
        let text = content(reader, &self.new, path)?.unwrap_or_default();
        Ok(has_table(&text))
    }

    /// Paths whose content differs, sorted.
    fn differing<'s>(&'s self, reader: &'s Reader) -> impl Iterator<Item = &'s String> {
        let gone = self.old.keys().filter(|path| !self.new.contains_key(*path));
        let there = self.new.iter();
        let there = there.filter(|&(path, place)| !is_same(reader, self.old.get(path), place));
        let mut paths: Vec<&String> = gone.chain(there.map(|(path, _)| path)).collect();
        paths.sort();
        paths.into_iter()
    }

    /// Whether a path is a script in an unsupported language.
    fn is_other_script(&self, reader: &Reader, path: &str) -> Result<bool, Error> {
        if last_of(path).contains('.') {
            return Ok(false);
        }
        let sides = [&self.new, &self.old];
        let side = sides.into_iter().find(|side| side.contains_key(path));
        let text = side
            .map(|side| content(reader, side, path))
            .transpose()?
            .flatten();
        let text = text.unwrap_or_default();
        Ok(Language::is_other_script(
            Path::new(path),
            &text[..text.len().min(512)],
        ))
    }

    /// Whether a path has code that slope skips.
    fn is_left_out(&self, measurer: &Measurer, path: &str) -> bool {
        self.new.contains_key(path)
            && measurer.is_code(path, b"")
            && self.selection.choice(path) != Choice::Measured
    }

    /// Code that the earlier settings would judge.
    fn hidden(
        &self,
        reader: &Reader,
        measurer: &Measurer,
        before: &Selection,
    ) -> Result<Vec<(String, String)>, Error> {
        let mut hidden = Vec::new();
        for path in self.new.keys() {
            if before.choice(path) != Choice::Measured {
                continue;
            }
            let reason = match self.selection.choice(path) {
                Choice::Measured => continue,
                Choice::Skipped(reason) => reason,
                Choice::Passed => "its folder is skipped".to_owned(),
            };
            let text = content(reader, &self.new, path)?.unwrap_or_default();
            if measurer.is_code(path, &text[..text.len().min(512)]) {
                hidden.push((path.clone(), reason));
            }
        }
        Ok(hidden)
    }
}

fn is_same(reader: &Reader, old: Option<&Place>, new: &Place) -> bool {
    match (old, new) {
        (Some(Place::Blob(id)), Place::Disk(disk)) => {
            std::fs::read(disk).is_ok_and(|new| reader.is_content(*id, &new))
        }
        (old, new) => old == Some(new),
    }
}

fn content(reader: &Reader, files: &Files, path: &str) -> Result<Option<Vec<u8>>, Error> {
    let place = files.get(path);
    place.map(|place| bytes(reader, path, place)).transpose()
}
