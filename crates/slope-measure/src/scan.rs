//! Finds the files of a folder and analyses those that are not cached.

use std::path::Path;

use slope_model::measurement::{Skipped, Unmeasured};
use slope_signals::FileSignals;

use crate::cache::TreeCache;
use crate::discover::{self, Found, FoundFile, WalkOptions};
use crate::early::Early;
use crate::error::Error;
use crate::events;
use crate::measured_file::MeasuredFile;
use crate::measurer::{Measurer, Watch};
use crate::refused::Refused;

/// Facts of a folder before its files are combined.
pub(crate) struct ScanResult {
    /// In no order.
    pub(crate) files: Vec<Result<MeasuredFile, Refused>>,
    pub(crate) unreadable: Vec<Unmeasured>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) others: Vec<String>,
}

impl Measurer {
    /// Signal facts of the files of a base of `root`, by path.
    pub(crate) fn signals_of(
        &self,
        base: &Path,
        root: &Path,
    ) -> Result<Vec<(String, FileSignals)>, Error> {
        let Found { files, .. } = self.discover(base, WalkOptions::PLAIN)?;
        // Nearly all of its files are of the tree itself as well.
        let tree = self.cache.as_ref().map(|cache| cache.tree(root));
        let results = self.analyse_each(files, tree.as_ref(), &|| {});
        if let Some(tree) = tree {
            tree.keep_values();
        }
        let leave_out = self.options.leave_out;
        let measured = results.into_iter().flatten();
        let kept = measured.filter(|file| !leave_out || file.facts.generated.is_none());
        let mut known: Vec<_> = kept
            .filter_map(|file| Some((file.path, file.facts.signals?)))
            .collect();
        known.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(known)
    }

    /// Reads and analyses each file whose content is not in the cache.
    pub(crate) fn analyse_each(
        &self,
        files: Vec<FoundFile>,
        tree: Option<&TreeCache<'_>>,
        watch: &(dyn Fn() + Sync),
    ) -> Vec<Result<MeasuredFile, Refused>> {
        self.each(files, |file| {
            let result = self.read_and_analyse(file, tree);
            watch();
            result
        })
    }

    /// Finds the files of a folder and analyses those that are not cached.
    pub(crate) fn look(
        &self,
        root: &Path,
        tree: Option<&TreeCache<'_>>,
        watch: Watch<'_>,
    ) -> Result<ScanResult, Error> {
        let ahead = tree.map(TreeCache::ahead);
        let known = tree.zip(ahead.as_ref());
        let early = Early::new(watch);
        // Kept facts are decoded, and new files analysed, during the walk, which mostly waits for
        // the system.
        let (mut looked, known_files) = self.pool.install(|| {
            rayon::scope(|scope| {
                let analyse_next = || {
                    let file = early.next();
                    file.is_some_and(|file| {
                        early.add(self.read_and_analyse(file, tree));
                        true
                    })
                };
                if let Some((tree, ahead)) = known {
                    tree.decode(ahead, scope, analyse_next);
                }
                let take = |file| match tree {
                    Some(tree) if tree.is_news(&file) => {
                        early.wait(file);
                        scope.spawn(move |_| {
                            analyse_next();
                        });
                        None
                    }
                    _ => Some(file),
                };
                let manner = WalkOptions {
                    take: &take,
                    folders: tree.and_then(TreeCache::folders),
                };
                let found = self.discover(root, manner)?;
                let kept = match tree {
                    Some(tree) => tree.by_stamp(&found.files),
                    None => found.files.iter().map(|_| None).collect(),
                };
                events::discovered(root, &found, early.started());
                let (known_files, fresh) = discover::parted(found.files, kept);
                early.know(known_files.len(), fresh.len());
                self.prepare(fresh.iter().map(|file| file.language));
                let looked = ScanResult {
                    files: self.analyse_each(fresh, tree, &|| early.one_more()),
                    unreadable: found.unreadable,
                    skipped: found.skipped,
                    others: found.others,
                };
                Ok::<_, Error>((looked, known_files))
            })
        })?;
        looked.files.extend(early.files());
        looked.files.extend(self.each(known_files, |(file, kept)| {
            let decoded = known.and_then(|(tree, ahead)| tree.decoded(kept, ahead));
            match decoded {
                Some(facts) => Ok(MeasuredFile::of(file, facts, &self.options)),
                None => self.read_and_analyse(file, tree),
            }
        }));
        Ok(looked)
    }

    pub(crate) fn discover(&self, root: &Path, manner: WalkOptions<'_>) -> Result<Found, Error> {
        self.pool
            .install(|| discover::discover(root, &self.options, manner))
    }

    pub(crate) fn read_and_analyse(
        &self,
        file: FoundFile,
        tree: Option<&TreeCache<'_>>,
    ) -> Result<MeasuredFile, Refused> {
        let limit = file.language.max_bytes(self.options.limits.max_bytes);
        let bytes = discover::read(&file, limit)?;
        let analyse = || self.analyse(&file.path, file.language, &bytes);
        let facts = match tree {
            Some(tree) => tree.facts(&file, &bytes, analyse),
            None => analyse(),
        };
        Ok(MeasuredFile::of(file, facts?, &self.options))
    }
}
