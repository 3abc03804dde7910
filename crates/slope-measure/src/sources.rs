//! Text of the measured files of a folder, for other analyses.

use std::path::Path;

use rayon::prelude::*;
use slope_syntax::Language;

use crate::discover::{self, WalkOptions};
use crate::{Error, Measurer};

/// A file that is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Path relative to the folder, `/`-separated.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl Measurer {
    /// Calls `look` with each file of a folder that would be measured, on the measuring threads,
    /// and returns the results in path order. Unreadable files are skipped.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn each_source<T: Send>(
        &self,
        root: &Path,
        look: impl Fn(SourceFile) -> T + Sync + Send,
    ) -> Result<Vec<T>, Error> {
        let found = self.discover(root, WalkOptions::PLAIN)?;
        let limit = self.options.limits.max_bytes;
        let each = || {
            let files = found.files.into_par_iter().with_max_len(1);
            let looked = files.filter_map(|file| {
                let limit = file.language.max_bytes(limit);
                let bytes = discover::read(&file, limit).ok()?;
                Some(look(SourceFile {
                    path: file.path,
                    language: file.language,
                    bytes,
                }))
            });
            looked.collect()
        };
        Ok(self.pool.install(each))
    }
}
