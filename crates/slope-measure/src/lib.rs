//! Measurement of a tree: facts per file, combined into a snapshot.
//!
//! | module | contents |
//! |---|---|
//! | [`options`] | options of a measurement |
//! | [`config`] | configuration file of a project |
//! | `discover` | selection of the files of a folder, with reasons for the others |
//! | `early` | analysis of files while others are still being found, and its progress |
//! | `events` | log events |
//! | `facts` | facts of one file: lines, callables, rule hits, clone units |
//! | `findings` | findings of one file that depend only on its tree |
//! | `cache` | cache of facts between runs |
//! | `clones` | clones of a snapshot, as classes, lines and findings |
//! | `signals` | signals beyond the paper's, as findings |
//! | `assemble` | combines the facts of all files into a measurement |
//! | `totals` | totals of files |
//! | `in_force` | selection of the rules that are matched, and of the findings that are shown |
//! | `inline_tests` | tests in a file of production code |
//! | `portion` | share of a file in one part of the code base |
//! | `listing` | selection of the paths of a tree that is not on disk |
//! | `contents` | facts of contents, from which trees are assembled |
//! | `track`, `fold` | incremental measurement of trees that differ in a few files |
//! | `view` | file at one step of a comparison |
//! | [`BaseIndex`] | an index of a tree, for changes of it |
//! | `published` | measurement of Python by the definitions behind the paper's table |
//! | [`panel`] | rank of a tree among published repositories |
//! | [`table7`] | new measurement of the published table of repositories |
//! | `sources` | text of the measured files, for other analyses |
//! | `suppress` | comments that silence findings |
//! | `linters` | comments that silence the same findings of other linters |
//! | `doubts` | matches in code that the grammar may have misread |
//! | `levels` | oldest language versions that a project supports |
//! | `admit` | selection of the findings reported for a file, by its path and project |
//! | [`base`] | tree that a measurement is compared with |
//! | `definitions` | hash of everything that determines the numbers |
//! | `forms` | hashes of callables apart from name and layout, to follow them |
//! | `fingerprint` | ids of findings that survive shifts of lines |
//! | `places` | callable around a position |
//! | `sum` | compensated summation |
//!
//! Files are measured in parallel and their trees dropped immediately. The result does not depend
//! on the number of threads or on the content of the cache.

mod admit;
mod assemble;
pub mod base;
mod base_index;
mod cache;
mod clone_place;
mod clones;
pub mod config;
mod contents;
mod csv_file;
mod definitions;
mod discover;
mod doubts;
mod early;
mod events;
mod facts;
mod findings;
mod fingerprint;
mod fold;
mod forms;
mod headlines;
mod in_force;
mod inline_tests;
pub mod levels;
mod linters;
mod listing;
pub mod options;
pub mod panel;
pub mod panel_list;
mod places;
mod portion;
mod published;
mod shadows;
mod signals;
mod sources;
mod sum;
mod suppress;
pub mod table7;
mod totals;
mod track;
mod view;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;
use slope_model::gate::GateRule;
use slope_model::measurement::{Measurement, Part, Skipped, Unmeasured};
use slope_rules::{RuleError, RuleSet};
use slope_signals::FileSignals;
use slope_syntax::{Language, LineSet};

pub use base_index::{BaseIndex, PendingBaseIndex};
pub use clone_place::{ClonePlace, MIN_COPY_LINES};
pub use config::{Config, ConfigError, FoundConfig};
pub use contents::{Content, Facts, FolderContents};
pub use discover::{LFS_POINTER, is_lfs_pointer};
pub use facts::Parsed;
pub use levels::Levels;
pub use listing::{Choice, Selection};
pub use options::{Options, Profile, SizeTerm, Tests};
pub use slope_signals::{CopiedTable, Resemblance};
pub use slope_syntax::Limits;
pub use sources::SourceFile;
pub use track::{FileStep, Resemblances, Step, Tracker, TreeTotals};
pub use view::{DeadCodeAt, FileView};

pub use base::{Base, BaseError};

use assemble::{AssemblyInputs, MeasuredFile, Parts, Refused};
use cache::{Cache, TreeCache};
use discover::{Found, FoundFile, WalkOptions};
use early::Early;
pub use in_force::BUILT_IN;
use in_force::{choose, reported};
use signals::BaseFacts;

/// Stack of a measuring thread. Rules compare subtrees by recursion, as deep as
/// [`Limits::max_depth`] allows.
const STACK_BYTES: usize = 64 << 20;

/// Reason that nothing could be measured. Problems with a single file are in
/// [`Measurement::unmeasured`] instead.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The root cannot be read.
    #[error("cannot measure {}", path.display())]
    Root {
        /// The root.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// A rule pack cannot be used.
    #[error(transparent)]
    Rules(#[from] RuleError),
    /// A rule is enabled or disabled that is not there.
    #[error("unknown rule or signal `{0}`\nhelp: list them with `slope rules`")]
    UnknownRule(String),
    /// A rule of the user has the id of a signal or a rule of the gate.
    #[error("{}:{line}: the id `{id}` belongs to a rule or signal of slope\nhelp: give the rule another id", path.display())]
    TakenId {
        /// The file.
        path: PathBuf,
        /// Line of the rule's begin.
        line: usize,
        /// The id.
        id: String,
    },
    /// Invalid glob.
    #[error("invalid glob `{pattern}`: {message}")]
    Glob {
        /// The pattern.
        pattern: String,
        /// Error message.
        message: String,
    },
    /// The threads cannot be started.
    #[error("cannot start the measuring threads\nhelp: use fewer threads with --threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

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

/// Options with their rules compiled and their threads started, to be used many times.
pub struct Measurer {
    options: Options,
    rules: RuleSet,
    reported: Vec<bool>,
    pool: rayon::ThreadPool,
    cache: Option<Cache>,
}

/// Refuses a rule with the id of a signal or other finding: settings for one would apply to both.
fn refuse_taken_ids(rules: &RuleSet) -> Result<(), Error> {
    let signals = slope_signals::SIGNALS.iter().map(|signal| signal.id);
    let of_gate = GateRule::all().map(|rule| rule.id());
    let taken: HashSet<&str> = signals.chain(of_gate).chain(findings::IDS).collect();
    let is_taken = |id: &str| taken.contains(id);
    match rules.rules().iter().find(|rule| is_taken(&rule.id)) {
        None => Ok(()),
        Some(rule) => Err(Error::TakenId {
            path: rule.path.clone(),
            line: rule.line,
            id: rule.id.clone(),
        }),
    }
}

/// Gets how many of how many files are done, from several threads.
pub type Watch<'a> = &'a (dyn Fn(usize, usize) + Sync);

impl Measurer {
    /// Compiles the rules, starts the threads and opens the cache.
    ///
    /// # Errors
    /// If a rule pack cannot be used, a rule that is named is not there, or the
    /// threads cannot be started.
    pub fn new(options: Options) -> Result<Self, Error> {
        let store = cache::open(&options);
        let mut rules = if options.own_rules {
            cache::embedded_rules(store.as_ref())?
        } else {
            RuleSet::empty()
        };
        for path in &options.rule_paths {
            rules.add_path(path)?;
        }
        refuse_taken_ids(&rules)?;
        let reported = reported(&rules, &options)?;
        choose(&mut rules, &reported);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .stack_size(STACK_BYTES)
            .build()?;
        let cache = store.map(|store| Cache::new(store, &options, &rules));
        Ok(Self {
            options,
            rules,
            reported,
            pool,
            cache,
        })
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Size in bytes of the cached facts of a folder, which are read when it is measured again. 0
    /// without a cache.
    #[must_use]
    pub fn kept_bytes(&self, root: &Path) -> u64 {
        let cache = self.cache.as_ref();
        cache.map_or(0, |cache| cache.packed_bytes(root))
    }

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

    /// Signal facts of the files of a base of `root`, by path.
    fn signals_of(&self, base: &Path, root: &Path) -> Result<Vec<(String, FileSignals)>, Error> {
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
    fn analyse_each(
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

    /// Writes new facts to the cache, if there is one.
    fn write(&self, tree: Option<&TreeCache<'_>>) {
        if let Some(tree) = tree {
            tree.write();
        }
        if let Some(cache) = &self.cache {
            cache.keep_rules(&self.rules);
        }
    }

    /// Finds the files of a folder and analyses those that are not cached.
    fn look(
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
                Some(facts) => Ok(MeasuredFile::of(file, facts)),
                None => self.read_and_analyse(file, tree),
            }
        }));
        Ok(looked)
    }

    /// Prepares the rules of the languages of the files.
    fn prepare(&self, languages: impl Iterator<Item = Language>) {
        let mut met: Vec<Language> = Vec::new();
        for language in languages {
            if !met.contains(&language) {
                met.push(language);
            }
        }
        self.pool
            .install(|| met.into_iter().for_each(|l| self.rules.prepare(l)));
    }

    fn discover(&self, root: &Path, manner: WalkOptions<'_>) -> Result<Found, Error> {
        self.pool
            .install(|| discover::discover(root, &self.options, manner))
    }

    fn read_and_analyse(
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
        Ok(MeasuredFile::of(file, facts?))
    }

    /// Whether a file of this path may be of a language that is measured.
    #[must_use]
    pub fn measures(&self, path: &Path) -> bool {
        // A file without a suffix may be a script, which only its text shows.
        let may_be = Language::of_path(path).is_some() || path.extension().is_none();
        may_be && !discover::is_below_excluded(path, &self.options)
    }

    /// Size limit of measured files in bytes, in any language. Larger files are listed as unmeasured.
    #[must_use]
    pub fn largest(&self) -> usize {
        Language::largest_file(self.options.limits.max_bytes)
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

    fn each<T: Send>(
        &self,
        items: Vec<T>,
        measure: impl Fn(T) -> Result<MeasuredFile, Refused> + Sync + Send,
    ) -> Vec<Result<MeasuredFile, Refused>> {
        // Small chunks: files differ in size by orders of magnitude.
        self.pool.install(|| {
            let each = items.into_par_iter().with_max_len(1);
            each.map(measure).collect()
        })
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

/// Facts of a folder before its files are combined.
struct ScanResult {
    /// In no order.
    files: Vec<Result<MeasuredFile, Refused>>,
    unreadable: Vec<Unmeasured>,
    skipped: Vec<Skipped>,
    others: Vec<String>,
}
