//! Analysis of files while others are still being found, with the progress of all of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Watch;
use crate::discover::FoundFile;
use crate::measured_file::MeasuredFile;
use crate::refused::Refused;

type Analysed = Result<MeasuredFile, Refused>;

/// Files analysed before the number of files is known.
pub(crate) struct Early<'w> {
    watch: Watch<'w>,
    waiting: Mutex<Vec<FoundFile>>,
    started: AtomicUsize,
    done: AtomicUsize,
    /// Number of files, 0 until all are found.
    all: AtomicUsize,
    files: Mutex<Vec<Analysed>>,
}

impl<'w> Early<'w> {
    /// Starts without files. Until the number of files is known, `watch` gets the number of files
    /// found so far that need analysis.
    pub(crate) fn new(watch: Watch<'w>) -> Self {
        Self {
            watch,
            waiting: Mutex::default(),
            started: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            all: AtomicUsize::new(0),
            files: Mutex::default(),
        }
    }

    /// Number of files that waited so far.
    pub(crate) fn started(&self) -> usize {
        self.started.load(Ordering::Relaxed)
    }

    /// Queues a file for analysis.
    pub(crate) fn wait(&self, file: FoundFile) {
        self.started.fetch_add(1, Ordering::Relaxed);
        locked(&self.waiting).push(file);
    }

    /// A file that waits, for the caller to analyse and add.
    pub(crate) fn next(&self) -> Option<FoundFile> {
        locked(&self.waiting).pop()
    }

    /// Adds a file that waited.
    pub(crate) fn add(&self, file: Analysed) {
        locked(&self.files).push(file);
        self.one_more();
    }

    /// Called when all files are found. Besides the queued files, `known` files need no analysis
    /// and `fresh` files do.
    pub(crate) fn know(&self, known: usize, fresh: usize) {
        let all = self.started() + known + fresh;
        self.done.fetch_add(known, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }

    /// One file more is done.
    pub(crate) fn one_more(&self) {
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        let all = match self.all.load(Ordering::Relaxed) {
            0 => self.started.load(Ordering::Relaxed),
            all => all,
        };
        (self.watch)(done, all);
    }

    /// The files that were added, in no order.
    pub(crate) fn files(self) -> Vec<Analysed> {
        self.files
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_progress_counts_known_files() {
        let told = Mutex::new(Vec::new());
        let watch = |done, all| told.lock().unwrap().push((done, all));
        let early = Early::new(&watch);
        let refused = || {
            Err(Refused {
                path: "a.py".to_owned(),
                reason: "r".to_owned(),
            })
        };
        for name in ["a.py", "b.py"] {
            early.wait(FoundFile {
                path: name.to_owned(),
                language: slope_syntax::Language::by_id("python").unwrap(),
                absolute: name.into(),
                stamp: None,
            });
        }
        assert!(early.next().is_some() && early.next().is_some() && early.next().is_none());
        early.add(refused());
        early.know(5, 1);
        early.add(refused());
        early.one_more();
        assert_eq!(early.files().len(), 2);
        assert_eq!(*told.lock().unwrap(), [(1, 2), (7, 8), (8, 8)]);
    }
}
