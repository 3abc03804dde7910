//! Options with their rules compiled and their threads started.

use std::collections::HashSet;
use std::path::Path;

use rayon::prelude::*;
use slope_model::gate::GateRule;
use slope_rules::RuleSet;
use slope_syntax::Language;

use crate::cache::{self, Cache, TreeCache};
use crate::error::Error;
use crate::in_force::{choose, reported};
use crate::measured_file::MeasuredFile;
use crate::options::Options;
use crate::refused::Refused;
use crate::{discover, findings};

/// Stack of a measuring thread. Rules compare subtrees by recursion, as deep as
/// [`Limits::max_depth`] allows.
const STACK_BYTES: usize = 64 << 20;

/// Options with their rules compiled and their threads started, to be used many times.
pub struct Measurer {
    pub(crate) options: Options,
    pub(crate) rules: RuleSet,
    pub(crate) reported: Vec<bool>,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) cache: Option<Cache>,
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
            rules.add_path(path).map_err(|source| {
                let place = options.place_of(&path.to_string_lossy());
                match place.is_empty() {
                    true => Error::Rules(source),
                    false => Error::ConfiguredRules { place, source },
                }
            })?;
        }
        refuse_taken_ids(&rules)?;
        let reported = reported(&rules, &options)?;
        choose(&mut rules, &reported, &options);
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

    /// Writes new facts to the cache, if there is one.
    pub(crate) fn write(&self, tree: Option<&TreeCache<'_>>) {
        if let Some(tree) = tree {
            tree.write();
        }
        if let Some(cache) = &self.cache {
            cache.keep_rules(&self.rules);
        }
    }

    /// Prepares the rules of the languages of the files.
    pub(crate) fn prepare(&self, languages: impl Iterator<Item = Language>) {
        let mut met: Vec<Language> = Vec::new();
        for language in languages {
            if !met.contains(&language) {
                met.push(language);
            }
        }
        self.pool
            .install(|| met.into_iter().for_each(|l| self.rules.prepare(l)));
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

    pub(crate) fn each<T: Send>(
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
}
