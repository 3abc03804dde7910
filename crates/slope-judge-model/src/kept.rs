//! Answers by content, rubric and model, so that unchanged files are not paid for twice.

use std::path::PathBuf;

use crate::answer::FileAnswer;

/// Bytes of an answer that is read.
const LARGEST: u64 = 1 << 20;

/// A folder with answers.
pub(crate) struct Kept {
    folder: Option<PathBuf>,
}

impl Kept {
    /// Answers in a folder; none are kept without one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{key}.json")))
    }

    /// The answer of a key. A damaged one is asked for again.
    pub(crate) fn get(&self, key: &str) -> Option<FileAnswer> {
        let file = self.file(key)?;
        let about = std::fs::symlink_metadata(&file).ok()?;
        if !about.is_file() || about.len() > LARGEST {
            return None;
        }
        let answer: FileAnswer = slope_store::atomic::read_json(&file).ok()?;
        answer.is_valid().then_some(answer)
    }

    /// Keeps an answer. If it cannot be written, it is asked for again next time.
    pub(crate) fn put(&self, key: &str, answer: &FileAnswer) {
        let Some(file) = self.file(key) else { return };
        let made = file.parent().map(std::fs::create_dir_all);
        if made.is_some_and(|made| made.is_ok()) {
            drop(slope_store::atomic::write_json(&file, answer));
        }
    }
}
