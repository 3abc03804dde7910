//! Findings of a tree after a change, from those before it.

use crate::background::Background;
use crate::facts::FileSignals;
use crate::findings::Search;
use crate::keys::{Dependents, Key};
use crate::signal_finding::{Options, SignalFinding};
use crate::snapshot::{File, Snapshot};

impl Background {
    /// The tables of these files, which are in path order, with what the findings of each depend on.
    #[must_use]
    pub fn for_changes(files: &[(&str, &FileSignals)], options: &Options) -> Self {
        let mut this = Self::new(files);
        this.dependents = dependents(&this, files, options);
        this
    }
}

/// The files of a background by what their findings depend on.
fn dependents(background: &Background, files: &[File<'_>], options: &Options) -> Dependents {
    let snapshot = Snapshot::noting(background, files);
    let mut search = Search::new(&snapshot, options);
    let mut reads: Vec<(Key, u32)> = Vec::new();
    for (number, file) in (0..).zip(0..files.len()) {
        search.of_file(file, Vec::new());
        let keys = snapshot.take_reads().into_iter();
        reads.extend(keys.map(|key| (key, number)));
    }
    Dependents::of(reads)
}

/// A tree after a change.
pub struct ChangedTree<'a> {
    pub(crate) snapshot: Snapshot<'a>,
    pub(crate) background: &'a Background,
    /// Files of the background that the change replaces or removes, with their old facts.
    pub(crate) old: Vec<(usize, File<'a>)>,
    /// Whether the change is not known.
    is_whole: bool,
}

impl<'a> ChangedTree<'a> {
    /// The files of a background [for changes](Background::for_changes) after a change: paths, each once, with
    /// their new facts. `None` is for files that are gone.
    #[must_use]
    pub fn new(
        background: &'a Background,
        files: &[(&'a str, &'a FileSignals)],
        changes: &[(&'a str, Option<&'a FileSignals>)],
    ) -> Self {
        let find = |path: &str| files.binary_search_by(|(own, _)| (*own).cmp(path)).ok();
        let old = changes.iter().filter_map(|(path, _)| find(path));
        Self {
            old: old.map(|index| (index, files[index])).collect(),
            snapshot: Snapshot::changed(background, files, changes),
            background,
            is_whole: false,
        }
    }

    /// The files of a background.
    #[must_use]
    pub fn whole(background: &'a Background, files: &'a [(&'a str, &'a FileSignals)]) -> Self {
        Self {
            old: Vec::new(),
            snapshot: Snapshot::whole(background, files),
            background,
            is_whole: true,
        }
    }

    /// Files that may be changed, in path order: all of them if the change is not known.
    pub(crate) fn candidates(&self) -> Vec<usize> {
        let mut files = match self.is_whole {
            true => (0..self.snapshot.files.len()).collect(),
            false => self.snapshot.new_files().to_vec(),
        };
        files.sort_unstable_by_key(|&file| self.snapshot.files[file].0);
        files
    }

    /// Findings of the changed files, and of those whose findings the change can affect, by path. All other files
    /// have the findings that they had before.
    ///
    /// Functions are not compared by their behaviour.
    #[must_use]
    pub fn findings(&self, options: &Options) -> Vec<(&'a str, Vec<SignalFinding>)> {
        let changed = self.snapshot.changed_keys().into_iter();
        let affected = changed.flat_map(|key| self.background.dependents.of_key(key));
        let affected = affected.map(|&file| file as usize);
        let affected = affected.filter(|&file| !self.snapshot.is_replaced(file));
        let new = self.snapshot.new_files().iter().copied();
        let mut files: Vec<usize> = affected.chain(new).collect();
        files.sort_unstable_by_key(|&file| self.snapshot.files[file].0);
        files.dedup();
        let mut search = Search::new(&self.snapshot, options);
        let found = files.into_iter().map(|file| {
            let path = self.snapshot.files[file].0;
            (path, search.of_file(file, Vec::new()))
        });
        found.collect()
    }
}
