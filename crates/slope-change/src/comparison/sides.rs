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
use super::moved::{Move, moves};
use super::scope::{CONFIGS, Rewritten, ScopeChanges, last_of};
use super::steering::Steered;
use crate::Error;
use crate::base_files::{Files, Place, bytes};

/// Both sides of a change, by path.
pub(super) struct Sides<'a> {
    /// The tree of the earlier side, if it is one.
    pub(super) old_tree: Option<Id>,
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
            old_tree: tree,
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
            old_tree: _,
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
        let steered = Steered::of(reader, measurer, (self.old_tree, ratchet))?;
        let differing: Vec<&String> = self.differing(reader).collect();
        for path in &differing {
            self.add_path((reader, measurer), &steered, path, &mut scope)?;
        }
        if differing
            .iter()
            .any(|path| self.selection.is_steering(path))
        {
            let before = selection(measurer, reader, &self.old, None)?;
            scope.hidden.extend(self.hidden(reader, measurer, &before)?);
        }
        if !scope.left_out.is_empty() {
            // Do not report files that are excluded on request.
            let by_names = selection(measurer, reader, &self.new, None)?.whatever_its_name();
            let is_named = |path: &String| by_names.choice(path) == Choice::Measured;
            scope.left_out.retain(is_named);
        }
        let sides = (&self.old, &self.new);
        let linked = self.links.hidden(reader, sides, self.selection)?;
        scope.hidden.extend(linked);
        self.add_moves((reader, measurer), differing, &mut scope)?;
        scope.hidden.sort();
        scope.hidden.dedup_by(|later, first| later.0 == first.0);
        Ok(scope)
    }

    /// Adds what a path that differs says about the judged files and the settings.
    fn add_path(
        &self,
        (reader, measurer): (&Reader, &Measurer),
        steered: &Steered<'_>,
        path: &str,
        scope: &mut ScopeChanges,
    ) -> Result<(), Error> {
        if let Some(steering) = steered.steering(path) {
            scope.rewritten.push(Rewritten {
                path: path.to_owned(),
                steering,
                before: content(reader, &self.old, path)?,
                after: content(reader, &self.new, path)?,
            });
        }
        self.add_configs(reader, path, &mut scope.configs)?;
        let choice = |path| self.selection.choice_in_any_language(path);
        let is_other = other_language(path).is_some() || self.is_other_script(reader, path)?;
        if is_other && choice(path) == Choice::Measured {
            scope.others.push(path.to_owned());
        }
        if self.is_left_out(measurer, path) {
            scope.left_out.push(path.to_owned());
        }
        if self.loses_language(reader, measurer, path)? {
            let reason = "its first line no longer says which language it is in";
            scope.hidden.push((path.to_owned(), reason.to_owned()));
        }
        Ok(())
    }

    /// Adds files that are new or not judged, and whose new lines were judged in other files.
    fn add_moves(
        &self,
        (reader, measurer): (&Reader, &Measurer),
        mut paths: Vec<&String>,
        scope: &mut ScopeChanges,
    ) -> Result<(), Error> {
        paths.retain(|path| {
            let is_new = !self.old.contains_key(*path);
            self.new.contains_key(*path) && (is_new || !self.judges(path))
        });
        let sides = (&self.old, &self.new);
        for found in moves(reader, sides, (measurer, self.selection), &paths) {
            if self.judges(&found.to) && self.is_code(reader, measurer, &found.to)? {
                scope.moves.push(found);
            } else if let Some(reason) = self.unjudged(measurer, scope, &found) {
                scope.hidden.push((found.to, reason));
            }
        }
        Ok(())
    }

    fn judges(&self, path: &str) -> bool {
        self.selection.choice(path) == Choice::Measured
    }

    /// Whether a file is code, by its name or its first line.
    fn is_code(&self, reader: &Reader, measurer: &Measurer, path: &str) -> Result<bool, Error> {
        if last_of(path).contains('.') {
            return Ok(true);
        }
        let text = content(reader, &self.new, path)?.unwrap_or_default();
        Ok(measurer.is_code(path, &text))
    }

    /// Reason that code is not judged at its new path. `None` if it is a text that has some lines of code.
    fn unjudged(&self, measurer: &Measurer, scope: &ScopeChanges, found: &Move) -> Option<String> {
        let was = if found.is_whole {
            format!("it was {}, and", found.from)
        } else {
            format!("most of its new lines were in {}, and it", found.from)
        };
        if scope.left_out.contains(&found.to) {
            return Some(format!("{was} is skipped because of its new name"));
        }
        if let Choice::Skipped(reason) = self.selection.choice(&found.to) {
            return Some(format!("{was} is {reason}"));
        }
        if measurer.is_code(&found.to, b"") {
            return Some(format!("{was} is in a folder that is skipped"));
        }
        found
            .is_whole
            .then(|| format!("{was} has a name that slope does not measure"))
    }

    /// Whether a script without a suffix was code by its first line, and is not any more.
    fn loses_language(
        &self,
        reader: &Reader,
        measurer: &Measurer,
        path: &str,
    ) -> Result<bool, Error> {
        if last_of(path).contains('.') || !self.judges(path) {
            return Ok(false);
        }
        let (Some(before), Some(after)) = (
            content(reader, &self.old, path)?,
            content(reader, &self.new, path)?,
        ) else {
            return Ok(false);
        };
        Ok(measurer.is_code(path, &before) && !measurer.is_code(path, &after))
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
