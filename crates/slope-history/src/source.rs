//! Contents of commits, each distinct one measured once.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use slope_git::{Change, Id, Kind, Reader, Repo};
use slope_measure::{Choice, Content, LFS_POINTER, Measurer, Selection, is_lfs_pointer};

use crate::Error;
use crate::versions::Versions;

/// Number of contents measured in one batch: enough to keep the threads busy.
const BATCH: usize = 192;

/// Number of facts between two writes to the cache.
const KEEP_EVERY: usize = 512;

/// A content and the suffix that determines its language.
type Key = (Id, Arc<str>);

/// The paths that one step changes, with their new entries.
pub(crate) struct Changes {
    /// Path and content; `None` for a removed one.
    pub(crate) paths: Vec<(String, Option<Key>)>,
}

/// Reads the measured files of a repository's commits.
pub(crate) struct Source<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) measurer: &'a Measurer,
    pub(crate) selection: Selection,
    /// Contents of paths without a suffix, and whether they are code.
    scripts: Mutex<HashMap<Id, bool>>,
    versions: Versions,
}

impl<'a> Source<'a> {
    /// Measures as the ignore files of a tree want it.
    pub(crate) fn new(repo: &'a Repo, measurer: &'a Measurer, tree: Id) -> Result<Self, Error> {
        let reader = repo.reader();
        let files = reader.files(tree, &|_| true)?;
        let find = |path: &str| {
            let at = files
                .binary_search_by(|file| file.path.as_str().cmp(path))
                .ok()?;
            reader.blob(files[at].id, path).ok()
        };
        let paths = files
            .iter()
            .filter(|f| f.kind == Kind::File)
            .map(|f| f.path.as_str());
        Ok(Self {
            repo,
            measurer,
            selection: measurer.selection(paths, &find)?,
            scripts: Mutex::default(),
            versions: Versions::default(),
        })
    }

    /// Differences of two trees in measured and `wanted` paths.
    pub(crate) fn changes(
        &self,
        reader: &Reader,
        old: Option<Id>,
        new: Id,
        wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Changes, Error> {
        let mut paths = Vec::new();
        for change in self.measured(reader, old, new, wanted)? {
            let old = self.code(reader, &change.path, change.old)?;
            let new = self.code(reader, &change.path, change.new)?;
            if old.is_some() || new.is_some() {
                let key = new.map(|id| (id, suffix(&change.path)));
                paths.push((change.path, key));
            }
        }
        Ok(Changes { paths })
    }

    /// Whether two trees differ in measured and `wanted` paths.
    pub(crate) fn differ(
        &self,
        reader: &Reader,
        old: Option<Id>,
        new: Id,
        wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<bool, Error> {
        let mut found = self.measured(reader, old, new, wanted)?;
        // Files whose content must be read come last: mostly another difference is found before.
        found.sort_by_key(|change| Path::new(&change.path).extension().is_none());
        for change in &found {
            if self.code(reader, &change.path, change.old)?.is_some()
                || self.code(reader, &change.path, change.new)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Differences of two trees in `wanted` paths that are measured if they contain code.
    fn measured(
        &self,
        reader: &Reader,
        old: Option<Id>,
        new: Id,
        wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<Change>, Error> {
        let mut found = reader.changes(old, new, &|folder| self.selection.enters(folder))?;
        found.retain(|change| {
            self.selection.choice(&change.path) == Choice::Measured && wanted(&change.path)
        });
        Ok(found)
    }

    /// The content of a path if it is code. Links and submodules do not count; files without a
    /// suffix are read.
    fn code(
        &self,
        reader: &Reader,
        path: &str,
        entry: Option<(Kind, Id)>,
    ) -> Result<Option<Id>, Error> {
        let Some((Kind::File, id)) = entry else {
            return Ok(None);
        };
        if Path::new(path).extension().is_some() {
            return Ok(Some(id));
        }
        let known = self
            .scripts
            .lock()
            .ok()
            .and_then(|known| known.get(&id).copied());
        let is_code = match known {
            Some(is_code) => is_code,
            None => self.measurer.is_code(path, &reader.blob(id, path)?),
        };
        if let Ok(mut known) = self.scripts.lock() {
            known.insert(id, is_code);
        }
        Ok(is_code.then_some(id))
    }

    /// Processes steps in order with the contents of each. Each distinct content is read and
    /// measured once, and dropped when no later step needs it.
    pub(crate) fn play(
        &self,
        steps: &[Changes],
        mut each: impl FnMut(usize, Vec<(String, Content)>) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let mut last_use: HashMap<&Key, usize> = HashMap::new();
        for (index, step) in steps.iter().enumerate() {
            for key in step.paths.iter().filter_map(|(_, key)| key.as_ref()) {
                last_use.insert(key, index);
            }
        }
        let batches = batches(steps);
        let mut known: HashMap<&Key, Content> = HashMap::new();
        let mut found = 0;
        let mut ready = match batches.first() {
            Some(batch) => self.load(&batch.new)?,
            None => return Ok(()),
        };
        for (index, batch) in batches.iter().enumerate() {
            found += ready.len();
            known.extend(
                batch
                    .new
                    .iter()
                    .map(|(key, _)| *key)
                    .zip(std::mem::take(&mut ready)),
            );
            let next = batches.get(index + 1);
            let mut apply = || -> Result<(), Error> {
                for (at, step) in steps.iter().enumerate().take(batch.end).skip(batch.first) {
                    let contents = step.paths.iter().map(|(path, key)| {
                        let content = key.as_ref().and_then(|key| known.get(key));
                        (path.clone(), content.cloned().unwrap_or(Content::Nothing))
                    });
                    each(at, contents.collect())?;
                    for key in step.paths.iter().filter_map(|(_, key)| key.as_ref()) {
                        if last_use.get(key) == Some(&at) {
                            known.remove(key);
                        }
                    }
                }
                Ok(())
            };
            // The next contents are loaded while these are applied.
            let (done, loaded) = self.measurer.install(|| {
                rayon::join(&mut apply, || {
                    next.map(|next| self.load(&next.new)).transpose()
                })
            });
            done?;
            ready = loaded?.unwrap_or_default();
            if found >= KEEP_EVERY {
                self.measurer.keep();
                found = 0;
            }
        }
        self.measurer.keep();
        Ok(())
    }

    /// The contents of keys, in their order.
    fn load(&self, keys: &[(&Key, &str)]) -> Result<Vec<Content>, Error> {
        // By id, which is how packs are sorted, too.
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&index| keys[index].0);
        let read = |reader: &mut Reader, &index: &usize| {
            let (key, path) = keys[index];
            let bytes = reader.blob(key.0, path)?;
            let content = if is_lfs_pointer(&bytes) {
                Content::Unmeasured(LFS_POINTER.to_owned())
            } else {
                let before = self.versions.of(path);
                let (content, parsed) =
                    self.measurer.content_after(path, &bytes, before.as_deref());
                if let Some(parsed) = parsed {
                    self.versions.keep(path, parsed);
                }
                content
            };
            Ok((index, content))
        };
        let each = order.par_iter().with_max_len(4);
        let found: Result<Vec<(usize, Content)>, Error> =
            each.map_init(|| self.repo.reader(), read).collect();
        let mut found = found?;
        found.sort_by_key(|(index, _)| *index);
        Ok(found.into_iter().map(|(_, content)| content).collect())
    }
}

/// Steps that are played together, and the contents that are new to them.
struct Batch<'s> {
    first: usize,
    end: usize,
    new: Vec<(&'s Key, &'s str)>,
}

fn batches(steps: &[Changes]) -> Vec<Batch<'_>> {
    let mut seen: std::collections::HashSet<&Key> = std::collections::HashSet::new();
    let mut batches = Vec::new();
    let mut open = Batch {
        first: 0,
        end: 0,
        new: Vec::new(),
    };
    for (index, step) in steps.iter().enumerate() {
        for (path, key) in &step.paths {
            if let Some(key) = key
                && seen.insert(key)
            {
                open.new.push((key, path));
            }
        }
        open.end = index + 1;
        if open.new.len() >= BATCH {
            let next = Batch {
                first: open.end,
                end: open.end,
                new: Vec::new(),
            };
            batches.push(std::mem::replace(&mut open, next));
        }
    }
    batches.push(open);
    batches
}

/// Key for the language of a path: its suffix, or its name if it has none.
fn suffix(path: &str) -> Arc<str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .map_or(name, |(_, suffix)| suffix)
        .into()
}
