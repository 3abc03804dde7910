//! Per-file facts to a measurement of a snapshot.
//!
//! | module | what it holds |
//! |---|---|
//! | [`options`] | what can be chosen |
//! | `discover` | which files of a folder are measured |
//! | `file` | one file to facts: lines, callables, rule hits, clone units |
//! | `assemble` | facts of all files to a measurement |
//! | `definitions` | where the numbers come from, as a hash |
//! | `fingerprint` | names for findings that survive shifts of lines |
//! | `sum` | compensated summation |
//!
//! Files are measured in parallel and their trees dropped at once. The result
//! does not depend on the number of threads.

mod assemble;
mod definitions;
mod discover;
mod file;
mod fingerprint;
pub mod options;
mod sum;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use slope_model::measurement::{Measurement, Unmeasured};
use slope_rules::{RuleError, RuleSet};
use slope_syntax::{Language, ParseError};

pub use options::Options;
pub use slope_syntax::{Limits, Profile};

use discover::Found;
use file::FileFacts;

/// Stack of a measuring thread. Rules compare subtrees by recursion, as deep as
/// [`Limits::max_depth`] allows.
const STACK_BYTES: usize = 64 << 20;

/// Why nothing could be measured at all. What is wrong with a single file is
/// said in [`Measurement::unmeasured`] instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The root cannot be read.
    #[error("cannot measure {}: {source}", path.display())]
    Root {
        /// The root.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A rule pack cannot be used.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// The threads cannot be started.
    #[error("cannot start the measuring threads: {0}; ask for fewer")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Measures a folder, or a single file.
///
/// To measure many snapshots make a [`Measurer`] once.
///
/// # Errors
/// If the root cannot be read, or a rule pack cannot be used.
pub fn measure_dir(root: &Path, options: &Options) -> Result<Measurement, Error> {
    Measurer::new(options.clone())?.measure_dir(root)
}

/// Measures files that are not on disk: paths relative to a root that is not there, and bytes.
///
/// Files of unknown languages and files below excluded folders are passed over.
///
/// # Errors
/// If a rule pack cannot be used.
pub fn measure_files<P, B>(
    files: impl IntoIterator<Item = (P, B)>,
    options: &Options,
) -> Result<Measurement, Error>
where
    P: AsRef<Path>,
    B: AsRef<[u8]> + Send + Sync,
{
    Ok(Measurer::new(options.clone())?.measure_files(files))
}

/// Options with their rules compiled and their threads started, to be used many times.
pub struct Measurer {
    options: Options,
    rules: RuleSet,
    pool: rayon::ThreadPool,
}

impl Measurer {
    /// Compiles the rules and starts the threads.
    ///
    /// # Errors
    /// If a rule pack cannot be used, or the threads cannot be started.
    pub fn new(options: Options) -> Result<Self, Error> {
        let mut rules = RuleSet::embedded()?;
        for folder in &options.rule_folders {
            rules.add_folder(folder)?;
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .stack_size(STACK_BYTES)
            .build()?;
        Ok(Self {
            options,
            rules,
            pool,
        })
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Measures a folder, or a single file.
    ///
    /// # Errors
    /// If the root cannot be read.
    pub fn measure_dir(&self, root: &Path) -> Result<Measurement, Error> {
        let found = discover::discover(root, &self.options).map_err(|source| Error::Root {
            path: root.to_owned(),
            source,
        })?;
        let Found { files, unreadable } = found;
        let limit = self.options.limits.max_bytes;
        let results = self.each(&files, |file| {
            let bytes = discover::read(&file.location, limit)?;
            self.measure_one(&file.path, file.language, &bytes)
        });
        Ok(self.finish(results, unreadable))
    }

    /// Whether a file of this path is of a language that is measured.
    #[must_use]
    pub fn measures(&self, path: &Path) -> bool {
        Language::of_path(path).is_some() && !discover::is_below_excluded(path, &self.options)
    }

    /// Largest file that is measured, in bytes; larger ones are named as not measured.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.options.limits.max_bytes
    }

    /// Measures files that are not on disk; see [`measure_files`].
    #[must_use]
    pub fn measure_files<P, B>(&self, files: impl IntoIterator<Item = (P, B)>) -> Measurement
    where
        P: AsRef<Path>,
        B: AsRef<[u8]> + Send + Sync,
    {
        let files: Vec<_> = files
            .into_iter()
            .filter_map(|(path, bytes)| {
                let path = path.as_ref();
                let language = Language::of_path(path)?;
                let excluded = discover::is_below_excluded(path, &self.options);
                (!excluded).then(|| (discover::slashed(path), language, bytes))
            })
            .collect();
        let results = self.each(&files, |(path, language, bytes)| {
            self.measure_one(path, *language, bytes.as_ref())
        });
        self.finish(results, Vec::new())
    }

    fn measure_one(
        &self,
        path: &str,
        language: Language,
        bytes: &[u8],
    ) -> Result<FileFacts, Refused> {
        file::measure(path, language, bytes, &self.options, &self.rules).map_err(|reason| Refused {
            path: path.to_owned(),
            reason,
        })
    }

    fn each<T: Sync>(
        &self,
        items: &[T],
        measure: impl Fn(&T) -> Result<FileFacts, Refused> + Sync + Send,
    ) -> Vec<Result<FileFacts, Refused>> {
        // Small chunks: files differ in size by orders of magnitude.
        self.pool.install(|| {
            let each = items.par_iter().with_max_len(1);
            each.map(measure).collect()
        })
    }

    fn finish(
        &self,
        results: Vec<Result<FileFacts, Refused>>,
        unreadable: Vec<Unmeasured>,
    ) -> Measurement {
        let mut measured = Vec::with_capacity(results.len());
        let mut unmeasured = unreadable;
        for result in results {
            match result {
                Ok(facts) => measured.push(facts),
                Err(refused) => unmeasured.push(Unmeasured {
                    path: refused.path,
                    reason: refused.reason,
                }),
            }
        }
        measured.sort_by(|a, b| a.path.cmp(&b.path));
        unmeasured.sort_by(|a, b| (&a.path, &a.reason).cmp(&(&b.path, &b.reason)));
        let definitions = definitions::definitions(&self.options, &self.rules);
        assemble::assemble(measured, unmeasured, definitions, &self.options)
    }
}

/// A file without facts, and why.
pub(crate) struct Refused {
    path: String,
    reason: String,
}

/// The reason for a file that could not be parsed.
fn reason_of(error: &ParseError) -> Cow<'static, str> {
    Cow::Owned(error.to_string())
}
