//! Measures folders and files.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use slope_model::measurement::{Measurement, Part, Skipped, Unmeasured};
use slope_syntax::{Language, LineSet};

use crate::assemble::{self, AssemblyInputs, Parts};
use crate::base::Base;
use crate::cache::TreeCache;
use crate::discover::{self, Found, WalkOptions};
use crate::error::Error;
use crate::measured_file::MeasuredFile;
use crate::measurer::{Measurer, Watch};
use crate::options::{Options, Tests};
use crate::refused::Refused;
use crate::scan::ScanResult;
use crate::signals::BaseFacts;
use crate::{definitions, events};

/// Measures a folder, or a single file.
///
/// To measure many snapshots, create a [`Measurer`] once.
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

impl Measurer {
    /// Measures a folder, or a single file.
    ///
    /// # Errors
    /// If the root cannot be read.
    pub fn measure_dir(&self, root: &Path) -> Result<Measurement, Error> {
        self.measure_dir_watched(root, &|_, _| {})
    }

    /// Measures a folder, or a single file, and reports progress.
    ///
    /// # Errors
    /// If the root cannot be read.
    pub fn measure_dir_watched(&self, root: &Path, watch: Watch<'_>) -> Result<Measurement, Error> {
        self.measure_dir_beside(root, None, watch)
    }

    /// Measures a folder, or a single file, with the origin of its dead code relative to a base:
    /// [`Measurement::dead_code`]. Everything else is the same.
    ///
    /// # Errors
    /// If the root or the base cannot be read.
    pub fn measure_dir_since(
        &self,
        root: &Path,
        base: &Base,
        watch: Watch<'_>,
    ) -> Result<Measurement, Error> {
        let facts = self.signals_of(base.root(), root)?;
        self.measure_dir_beside(root, Some((base, &facts)), watch)
    }

    fn measure_dir_beside(
        &self,
        root: &Path,
        base: Option<(&Base, &BaseFacts)>,
        watch: Watch<'_>,
    ) -> Result<Measurement, Error> {
        let began = Instant::now();
        let tree = self.cache.as_ref().map(|cache| cache.tree(root));
        let tree = tree.as_ref();
        let (looked, memo) = std::thread::scope(|scope| {
            let memo = scope.spawn(|| tree.map(TreeCache::memo));
            (self.look(root, tree, watch), memo.join().ok().flatten())
        });
        let ScanResult {
            files,
            unreadable,
            skipped,
            others,
        } = looked?;
        let memo = memo.filter(|_| TreeCache::is_worth_a_memo(files.len()));
        let beside = AssemblyInputs {
            memo: memo.as_ref(),
            base,
        };
        // Writing is waiting for the disk, for which the threads that measure have no time.
        let measurement = std::thread::scope(|scope| {
            scope.spawn(|| self.write(tree));
            self.finish(files, unreadable, (skipped, others), beside)
        });
        if let Some((tree, memo)) = tree.zip(memo) {
            tree.keep_memo(&memo);
        }
        events::measured(began, measurement.files.len());
        Ok(measurement)
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
                let language = Language::of_file(path, discover::head(bytes.as_ref()))?;
                let excluded = discover::is_below_excluded(path, &self.options);
                (!excluded).then(|| (slope_model::path::slashed(path), language, bytes))
            })
            .collect();
        let results = self.each(files, |(path, language, bytes)| {
            let facts = self.analyse(&path, language, bytes.as_ref())?;
            let language = facts.language(language);
            Ok(MeasuredFile {
                part: discover::part_of(&path, language.id(), facts.holds_tests),
                path,
                language,
                facts,
            })
        });
        let nothing = (Vec::new(), Vec::new());
        self.finish(results, Vec::new(), nothing, AssemblyInputs::default())
    }

    /// Source lines that rules flag in each file of a folder, by path. Unmeasured files are left
    /// out.
    ///
    /// # Errors
    /// If the root cannot be read.
    pub fn flagged(&self, root: &Path) -> Result<BTreeMap<String, LineSet>, Error> {
        let Found { files, .. } = self.discover(root, WalkOptions::PLAIN)?;
        let tree = self.cache.as_ref().map(|cache| cache.tree(root));
        let results = self.analyse_each(files, tree.as_ref(), &|| {});
        self.write(tree.as_ref());
        let measured = results.into_iter().flatten();
        Ok(measured.map(|f| (f.path, f.facts.flagged)).collect())
    }

    fn finish(
        &self,
        results: Vec<Result<MeasuredFile, Refused>>,
        mut unmeasured: Vec<Unmeasured>,
        (mut skipped, others): (Vec<Skipped>, Vec<String>),
        beside: AssemblyInputs<'_>,
    ) -> Measurement {
        let mut files = Vec::with_capacity(results.len());
        for result in results {
            match result {
                Ok(file) => match file.facts.generated.as_ref() {
                    Some(reason) if self.options.leave_out => skipped.push(Skipped {
                        reason: reason.clone(),
                        path: file.path,
                    }),
                    _ if self.options.tests == Tests::Exclude && file.part == Part::Tests => {
                        skipped.push(Skipped {
                            reason: "tests are excluded".to_owned(),
                            path: file.path,
                        });
                    }
                    _ => files.push(file),
                },
                Err(refused) => unmeasured.push(Unmeasured {
                    path: refused.path,
                    reason: refused.reason,
                }),
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        unmeasured.sort_by(|a, b| (&a.path, &a.reason).cmp(&(&b.path, &b.reason)));
        skipped.sort_by(|a, b| (&a.path, &a.reason).cmp(&(&b.path, &b.reason)));
        let parts = Parts {
            files,
            unmeasured,
            skipped,
            others,
            definitions: definitions::definitions(&self.options, &self.rules),
        };
        self.pool
            .install(|| assemble::assemble(parts, &self.options, &self.rules, beside))
    }
}
