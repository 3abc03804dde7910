//! Files of an indexed tree outside a tracker, and the signal findings of both together.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use slope_model::finding::Finding;
use slope_signals::{Background, ChangedTree, FileSignals, Likenesses};

use crate::facts::FileFacts;
use crate::{Measurer, signals};

/// A file outside a tracker.
pub(crate) struct OtherFile {
    pub(crate) path: String,
    pub(crate) facts: SignalFacts,
    /// Its signal findings.
    pub(crate) found: Vec<Finding>,
}

/// The facts that signals need of a file.
pub(crate) enum SignalFacts {
    /// As an index stores them.
    Stored(Box<FileSignals>),
    /// Those of a file in memory.
    Shared(Arc<FileFacts>),
}

impl OtherFile {
    /// The facts that signals need.
    pub(crate) fn facts(&self) -> Option<&FileSignals> {
        match &self.facts {
            SignalFacts::Stored(facts) => Some(facts),
            SignalFacts::Shared(facts) => facts.signals.as_ref(),
        }
    }
}

/// Files outside a tracker.
#[derive(Default)]
pub(crate) struct Others {
    /// Files of a tree in order of path.
    pub(crate) files: Arc<[OtherFile]>,
    /// Paths of those that the tracker has.
    pub(crate) inside: HashSet<String>,
    /// Tables of all files, with those that the tracker has.
    pub(crate) background: Option<Arc<(Background, Likenesses)>>,
}

impl Others {
    /// The files outside, in order of path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &OtherFile> {
        let files = self.files.iter();
        files.filter(|file| !self.inside.contains(&file.path))
    }

    /// The file outside with a path.
    pub(crate) fn get(&self, path: &str) -> Option<&OtherFile> {
        let found = file_of(&self.files, path);
        found.filter(|_| !self.inside.contains(path))
    }

    /// The tree after changes of it: paths, each once, with their new facts. `None` without tables of the tree.
    pub(crate) fn changed<'a>(
        &'a self,
        changes: &[(&'a str, Option<&'a FileSignals>)],
    ) -> Option<ChangedTree<'a>> {
        let (background, _) = self.background.as_deref()?;
        Some(ChangedTree::new(
            background,
            &files_of(&self.files),
            changes,
        ))
    }

    /// Functions and tables of all files by their content.
    pub(crate) fn likenesses(&self) -> Option<&Likenesses> {
        Some(&self.background.as_deref()?.1)
    }
}

/// The file of a path, among files in order of path.
pub(crate) fn file_of<'f>(files: &'f [OtherFile], path: &str) -> Option<&'f OtherFile> {
    let at = files.binary_search_by(|file| file.path.as_str().cmp(path));
    files.get(at.ok()?)
}

/// The paths of files with their facts.
pub(crate) fn files_of(files: &[OtherFile]) -> Vec<(&str, &FileSignals)> {
    let files = files.iter();
    let with_facts = files.filter_map(|file| Some((file.path.as_str(), file.facts()?)));
    with_facts.collect()
}

/// Signal facts of tracked files and of others, in path order. Tracked files are in path order.
pub(crate) fn facts_with<'a>(
    here: impl Iterator<Item = (&'a str, &'a FileSignals)>,
    others: &'a Others,
) -> Vec<(&'a str, &'a FileSignals)> {
    let others = others.iter();
    let others = others.filter_map(|file| Some((file.path.as_str(), file.facts()?)));
    let mut facts: Vec<_> = here.chain(others).collect();
    facts.sort_by_key(|(path, _)| *path);
    facts
}

/// Signal findings by path. Files that are missing have none, or those that they had if only a part is known.
pub(crate) struct Signals {
    pub(crate) by_path: BTreeMap<String, Vec<Finding>>,
    /// Whether only the files are known that a change can affect.
    pub(crate) is_part: bool,
}

impl Signals {
    /// Those of files with these facts, which are in path order.
    pub(crate) fn of(facts: &[(&str, &FileSignals)], measurer: &Measurer) -> Self {
        let found = signals::find_in(facts, &measurer.options);
        let paths = facts.iter().map(|(path, _)| (*path).to_owned());
        let all = paths.zip(found).filter(|(_, found)| !found.is_empty());
        Self {
            by_path: all.collect(),
            is_part: false,
        }
    }

    /// Those of a changed tree.
    pub(crate) fn of_changed(tree: &ChangedTree<'_>, measurer: &Measurer) -> Self {
        let options = &measurer.options;
        let found = tree.findings(&signals::wanted(options)).into_iter();
        let by_path = found
            .map(|(path, found)| (path.to_owned(), signals::findings_of(path, found, options)));
        Self {
            by_path: by_path.collect(),
            is_part: true,
        }
    }

    /// The findings of a path; `None` if they are those that it had.
    pub(crate) fn get(&self, path: &str) -> Option<&[Finding]> {
        match self.by_path.get(path) {
            None if self.is_part => None,
            found => Some(found.map_or(&[], Vec::as_slice)),
        }
    }
}
