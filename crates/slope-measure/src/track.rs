//! Incremental measurement of a changing set of files.
//!
//! Histories, differences and gates measure trees that differ from the one before in a few files.
//! The facts of a file are computed once per content, clones are kept up to date by
//! [`slope_clones::Index`], and only signals, which depend on names in all files, are computed
//! again. Totals equal those of [`Measurer::measure_dir`], except that near-miss clones are not
//! searched.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

use slope_clones::{Cover, FileClones, HasClones, Index, Update};
use slope_model::finding::Finding;
use slope_model::measurement::{Callable, FileMeasurement, Part, PublishedTotals, Totals};
use slope_model::time_limit;
use slope_signals::{FileSignals, Resemblances, Wanted};
use slope_syntax::LineSet;

use crate::clone_place::ClonePlace;
use crate::contents::{Content, Facts};
use crate::facts::FileFacts;
use crate::options::{Options, Tests};
use crate::others::{OtherFile, Others, Signals, facts_with};
use crate::view::{DeadCodeAt, FileView};
use crate::{Measurer, discover, fold, published, totals};

impl HasClones for FileFacts {
    fn clones(&self) -> &FileClones {
        &self.clones
    }
}

/// A file before and after a step.
#[derive(Clone)]
pub struct FileStep {
    /// Before the step. `None` if it was not measured.
    pub before: Option<FileView>,
    /// After the step.
    pub after: Option<FileView>,
}

/// Changes of a step.
#[derive(Clone, Default)]
pub struct Step {
    /// Files whose content changed, files whose measurement changed without their content, and for
    /// each new clone class one of the other files. In path order.
    pub files: Vec<FileStep>,
    /// Clone classes that are new or have other members than before.
    pub added: Vec<Vec<ClonePlace>>,
    /// Clone classes that disappeared, or their former members.
    pub removed: Vec<Vec<ClonePlace>>,
}

/// Counts of a tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TreeTotals {
    /// Totals of all files.
    pub whole: Totals,
    /// Totals by part, if parts are separate.
    pub parts: BTreeMap<Part, Totals>,
    /// The published headline, if there is Python code.
    pub published: Option<PublishedTotals>,
    /// Findings of rules and signals by category, those that comments silence left out.
    pub findings: BTreeMap<String, u64>,
}

struct Tracked {
    slot: u32,
    path: Arc<str>,
    facts: Facts,
    measurement: FileMeasurement,
    cloned: Arc<LineSet>,
    /// Its findings by signals, before comments silence any.
    signals: Arc<Vec<Finding>>,
    findings: BTreeMap<String, u64>,
    dead: Arc<Vec<DeadCodeAt>>,
}

/// Files that change from step to step.
pub struct Tracker<'m> {
    measurer: &'m Measurer,
    files: BTreeMap<String, Tracked>,
    unmeasured: BTreeMap<String, String>,
    clones: Index<Arc<FileFacts>>,
    slots: Vec<Option<Arc<str>>>,
    free: Vec<u32>,
    /// Files of a stored tree that are not tracked.
    pub(crate) others: Others,
    /// Those of them whose signal findings have changed.
    unseen: Vec<String>,
    /// Paths that steps have touched.
    altered: BTreeSet<String>,
}

impl Measurer {
    /// Runs `work` in the measuring threads, so that its parallel work uses them.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Definitions behind the numbers.
    #[must_use]
    pub fn definitions(&self) -> slope_model::measurement::Definitions {
        crate::definitions::definitions(&self.options, &self.rules)
    }

    /// Writes new facts to the cache, if there is one.
    pub fn keep(&self) {
        if let Some(cache) = &self.cache {
            cache.write();
            cache.keep_rules(&self.rules);
        }
    }

    /// Tracker without files.
    ///
    /// # Panics
    /// If the option `follow` is off.
    #[must_use]
    pub fn tracker(&self) -> Tracker<'_> {
        assert!(self.options.follow, "a tracker needs `Options::follow`");
        Tracker {
            measurer: self,
            files: BTreeMap::new(),
            unmeasured: BTreeMap::new(),
            clones: Index::new(self.options.profile.definitions()),
            slots: Vec::new(),
            free: Vec::new(),
            others: Others::default(),
            unseen: Vec::new(),
            altered: BTreeSet::new(),
        }
    }
}

/// Minimum number of files of a tracker that is freed in the background.
const MANY_FILES: usize = 64;

impl Drop for Tracker<'_> {
    /// Frees the data of many files in the background, because this takes a noticeable time.
    fn drop(&mut self) {
        if self.files.len() < MANY_FILES {
            return;
        }
        let files = std::mem::take(&mut self.files);
        let empty = Index::new(self.measurer.options.profile.definitions());
        let clones = std::mem::replace(&mut self.clones, empty);
        drop(std::thread::Builder::new().spawn(move || drop((files, clones))));
    }
}

impl Tracker<'_> {
    /// Changes files and returns the effects. Each path may occur once.
    pub fn step(&mut self, changes: Vec<(String, Content)>) -> Step {
        let none = |_| Ok::<_, Infallible>(Vec::new());
        let Ok(step) = self.step_completing(changes, none);
        step
    }

    /// As [`Self::step`] if files are tracked in [outline](Measurer::outline): `complete` gets the
    /// paths of the files that need complete facts, and returns their contents.
    ///
    /// # Errors
    /// The error of `complete`. The tracker is then no longer valid.
    pub fn step_completing<E>(
        &mut self,
        changes: Vec<(String, Content)>,
        complete: impl Fn(Vec<String>) -> Result<Vec<(String, Content)>, E>,
    ) -> Result<Step, E> {
        let mut before: BTreeMap<String, Option<FileView>> = BTreeMap::new();
        self.complete(changes.iter().map(|(path, _)| path.as_str()), &complete)?;
        let mut clone_changes = Vec::with_capacity(changes.len());
        let mut freed = Vec::new();
        for (path, content) in changes {
            before.insert(path.clone(), self.view(&path));
            self.replace(path, content, &mut clone_changes, &mut freed);
        }
        let touched: BTreeSet<String> = before.keys().cloned().collect();
        let (update, mut signals) = self.clones_and_signals(clone_changes, &touched);
        self.altered.extend(touched.iter().cloned());
        let mut step = Step {
            added: self.places(&update.added),
            removed: self.places(&update.removed),
            ..Step::default()
        };
        let recloned = update
            .changed
            .iter()
            .filter_map(|&slot| self.slots[slot as usize].clone());
        let recloned: Vec<Arc<str>> = recloned.collect();
        for slot in freed {
            self.slots[slot as usize] = None;
            self.free.push(slot);
        }
        self.look_at_others(&signals);
        let resignalled = self.resignalled(&touched, &signals);
        let originals = originals(&step.added, |path| {
            touched.contains(path) || recloned.iter().any(|other| &**other == path)
        });
        let others = recloned.iter().map(|path| &**path);
        let others = others.chain(resignalled.iter().map(String::as_str));
        let others = others.chain(originals.iter().map(|path| &**path));
        let others: Vec<&str> = others.filter(|path| !touched.contains(*path)).collect();
        self.complete(others.iter().copied(), &complete)?;
        for path in others {
            if !before.contains_key(path) {
                before.insert(path.to_owned(), self.view(path));
            }
        }
        for path in recloned
            .iter()
            .map(|path| &**path)
            .chain(touched.iter().map(String::as_str))
        {
            self.take_clones(path);
        }
        for path in &resignalled {
            self.take_signals(path, signals.by_path.remove(path).unwrap_or_default());
        }
        for (path, before) in before {
            let after = self.view(&path);
            if before.is_some() || after.is_some() {
                step.files.push(FileStep { before, after });
            }
        }
        Ok(step)
    }

    /// Files that were touched, and those whose signal findings have changed.
    fn resignalled(&self, touched: &BTreeSet<String>, signals: &Signals) -> Vec<String> {
        let differs = |(path, file): &(&String, &Tracked)| {
            let now = signals.get(path);
            touched.contains(*path) || now.is_some_and(|now| now != file.signals.as_slice())
        };
        let files = self.files.iter().filter(differs);
        files.map(|(path, _)| path.clone()).collect()
    }

    /// Replaces outlines by complete facts.
    fn complete<'p, E>(
        &mut self,
        paths: impl Iterator<Item = &'p str>,
        complete: impl Fn(Vec<String>) -> Result<Vec<(String, Content)>, E>,
    ) -> Result<(), E> {
        let is_outline = |path: &&str| {
            let file = self.files.get(*path);
            file.is_some_and(|file| file.facts.facts.is_outline)
        };
        let outlines: BTreeSet<String> = paths.filter(is_outline).map(str::to_owned).collect();
        if outlines.is_empty() {
            return Ok(());
        }
        for (path, content) in complete(outlines.into_iter().collect())? {
            let (Some(file), Content::Code(facts)) = (self.files.get_mut(&path), content) else {
                continue;
            };
            let part = file.measurement.part;
            file.measurement = fold::file_measurement(&path, facts.language, part, &facts.facts);
            fold::add_clones(&mut file.measurement, &facts.facts, &file.cloned);
            file.facts = facts;
            let found = (*file.signals).clone();
            self.take_signals(&path, found);
        }
        Ok(())
    }

    /// Whether some files are in outline only, so totals are unknown.
    #[must_use]
    pub fn is_in_outline(&self) -> bool {
        let mut files = self.files.values();
        files.any(|file| file.facts.facts.is_outline)
    }

    /// Updates clones, and computes signal findings in parallel.
    fn clones_and_signals(
        &mut self,
        changes: Vec<(u32, Option<Arc<FileFacts>>)>,
        touched: &BTreeSet<String>,
    ) -> (Update, Signals) {
        let (measurer, files, others) = (self.measurer, &self.files, &self.others);
        // A later change could take back what an earlier one did to the findings of other files.
        let changed = self
            .altered
            .is_empty()
            .then(|| others.changed(&facts_of(files, touched)));
        let signals = || match changed.flatten() {
            Some(tree) => Signals::of_changed(&tree, measurer),
            None => Signals::of(&facts_with(signal_facts(files), others), measurer),
        };
        let clones = &mut self.clones;
        let until = time_limit::current();
        let update = || time_limit::carry(until, || clones.update(changes));
        let signals = || time_limit::carry(until, signals);
        measurer.install(|| rayon::join(update, signals))
    }

    /// How files are measured.
    pub(crate) fn options(&self) -> &Options {
        &self.measurer.options
    }

    /// Wanted functions that nearly equal another function of any file, or do the same as another, and tables of
    /// wanted files that a step copied. The wanted files are among those that steps changed.
    #[must_use]
    pub fn resemblances(&self, step: &Step, wanted: &Wanted<'_>) -> Resemblances {
        let before = step.files.iter().filter_map(|file| file.before.as_ref());
        let before = before.filter(|view| (wanted.paths)(view.path()));
        let before: Vec<&FileSignals> = before.filter_map(FileView::signal_facts).collect();
        let changes = facts_of(&self.files, &self.altered);
        if let Some((tree, likenesses)) =
            self.others.changed(&changes).zip(self.others.likenesses())
        {
            return tree.resemblances(likenesses, &before, wanted);
        }
        let facts = facts_with(signal_facts(&self.files), &self.others);
        slope_signals::resemblances(&facts, &before, wanted)
    }

    /// Paths of untracked files of a stored tree whose signal findings changed in some step.
    #[must_use]
    pub fn unseen(&self) -> &[String] {
        &self.unseen
    }

    /// Records the untracked files whose signal findings have changed.
    fn look_at_others(&mut self, signals: &Signals) {
        let differs = |file: &&OtherFile| {
            let now = signals.get(&file.path);
            now.is_some_and(|now| now != file.found.as_slice())
        };
        let others = &self.others;
        if signals.is_part {
            let paths = signals.by_path.keys();
            let looked_at = paths.filter_map(|path| others.get(path)).filter(differs);
            self.unseen.extend(looked_at.map(|file| file.path.clone()));
        } else {
            let all = others.iter().filter(differs);
            self.unseen.extend(all.map(|file| file.path.clone()));
        }
    }

    /// Adds files of a stored tree, with the number of places of the complete tree that cover each
    /// of their rows, and their signal findings.
    pub(crate) fn take_known(&mut self, known: Vec<(String, Content, &[Cover], &Vec<Finding>)>) {
        let mut changes = Vec::with_capacity(known.len());
        let mut freed = Vec::new();
        let mut said = Vec::with_capacity(known.len());
        for (path, content, covers, found) in known {
            said.push((path.clone(), covers, found));
            self.replace(path, content, &mut changes, &mut freed);
        }
        self.clones.update(changes);
        for (path, covers, found) in said {
            if let Some(file) = self.files.get(&path) {
                self.clones.cover(file.slot, covers);
                self.take_clones(&path);
                self.take_signals(&path, found.clone());
            }
        }
    }

    /// Number of places that cover each row of a file, and its signal findings.
    pub(crate) fn told(&self, path: &str) -> (Vec<Cover>, Vec<Finding>) {
        let Some(file) = self.files.get(path) else {
            return (Vec::new(), Vec::new());
        };
        (self.clones.covers(file.slot), (*file.signals).clone())
    }

    /// Whether a path is measured.
    pub(crate) fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Notes the clones of a file.
    fn take_clones(&mut self, path: &str) {
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        let rows = self.clones.rows(file.slot).cloned().unwrap_or_default();
        fold::add_clones(&mut file.measurement, &file.facts.facts, &rows);
        file.cloned = Arc::new(rows);
    }

    /// Sets the signal findings of a file.
    fn take_signals(&mut self, path: &str, found: Vec<Finding>) {
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        file.signals = Arc::new(found.clone());
        let (rules, options) = (&self.measurer.rules, &self.measurer.options);
        let folded = fold::findings(path, &file.facts.facts, found, rules, options);
        file.findings = folded.counts;
        if *file.dead != folded.dead {
            file.dead = Arc::new(folded.dead);
        }
    }

    /// Sets or removes the content of a path.
    fn replace(
        &mut self,
        path: String,
        content: Content,
        changes: &mut Vec<(u32, Option<Arc<FileFacts>>)>,
        freed: &mut Vec<u32>,
    ) {
        self.unmeasured.remove(&path);
        let options = &self.measurer.options;
        let left_out = |facts: &Facts| {
            options.leave_out && facts.facts.generated.is_some()
                || options.tests == Tests::Exclude
                    && discover::part_of(&path, facts.language.id(), facts.facts.holds_tests)
                        == Part::Tests
        };
        let facts = match content {
            Content::Code(facts) if !left_out(&facts) => facts,
            other => {
                if let Content::Unmeasured(reason) = other {
                    self.unmeasured.insert(path.clone(), reason);
                }
                if let Some(old) = self.files.remove(&path) {
                    changes.push((old.slot, None));
                    freed.push(old.slot);
                }
                return;
            }
        };
        let known = self
            .files
            .get(&path)
            .map(|old| (old.slot, old.path.clone()));
        let (slot, name) = known.unwrap_or_else(|| {
            let name: Arc<str> = path.as_str().into();
            let slot = self.free.pop().unwrap_or_else(|| {
                self.slots.push(None);
                u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
            });
            self.slots[slot as usize] = Some(name.clone());
            (slot, name)
        });
        changes.push((slot, Some(facts.facts.clone())));
        let part = discover::part_of(&path, facts.language.id(), facts.facts.holds_tests);
        let tracked = Tracked {
            slot,
            measurement: fold::file_measurement(&path, facts.language, part, &facts.facts),
            path: name,
            cloned: Arc::default(),
            signals: Arc::default(),
            findings: BTreeMap::new(),
            dead: Arc::default(),
            facts,
        };
        self.files.insert(path, tracked);
    }

    fn places(&self, classes: &[Vec<slope_clones::Place>]) -> Vec<Vec<ClonePlace>> {
        let place = |place: &slope_clones::Place| {
            let path = self.slots.get(place.file as usize)?.clone()?;
            Some(ClonePlace::of(path, place))
        };
        let class = |class: &Vec<slope_clones::Place>| class.iter().filter_map(place).collect();
        classes.iter().map(class).collect()
    }

    /// Current version of a file.
    #[must_use]
    pub fn view(&self, path: &str) -> Option<FileView> {
        let file = self.files.get(path)?;
        Some(FileView {
            path: file.path.clone(),
            part: file.measurement.part,
            facts: file.facts.clone(),
            cloned: file.cloned.clone(),
            signals: file.signals.clone(),
            dead: file.dead.clone(),
        })
    }

    /// Files that could not be measured, by path, each with the reason.
    #[must_use]
    pub fn unmeasured(&self) -> &BTreeMap<String, String> {
        &self.unmeasured
    }

    /// Totals of the files as they are now.
    #[must_use]
    pub fn totals(&self) -> TreeTotals {
        debug_assert!(!self.is_in_outline());
        let options = &self.measurer.options;
        let files = || self.files.values().map(|file| &file.measurement);
        let split = options.tests == Tests::Split;
        let parts = split.then(|| totals::by_part(files(), options));
        let published = self.files.iter().filter_map(|(path, file)| {
            let facts = &file.facts.facts;
            Some((path.as_str(), facts.lines, facts.published.as_ref()?))
        });
        let mut findings = BTreeMap::new();
        for (category, count) in self.files.values().flat_map(|file| &file.findings) {
            match findings.get_mut(category) {
                Some(sum) => *sum += count,
                None => drop(findings.insert(category.clone(), *count)),
            }
        }
        TreeTotals {
            whole: totals::totals(files(), self.unmeasured.len(), options),
            parts: parts.unwrap_or_default(),
            published: published::headline(published),
            findings,
        }
    }

    /// Paths of the files that are measured, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The callables of all files, in order of path and position.
    pub fn callables(&self) -> impl Iterator<Item = &Callable> {
        self.files
            .values()
            .flat_map(|file| &file.measurement.callables)
    }
}

/// Signal facts of some paths, `None` for paths without a file.
fn facts_of<'a>(
    files: &'a BTreeMap<String, Tracked>,
    paths: &'a BTreeSet<String>,
) -> Vec<(&'a str, Option<&'a FileSignals>)> {
    let facts = |path: &'a String| {
        let file = files.get(path);
        (
            path.as_str(),
            file.and_then(|file| file.facts.facts.signals.as_ref()),
        )
    };
    paths.iter().map(facts).collect()
}

/// Signal facts of each file.
fn signal_facts(files: &BTreeMap<String, Tracked>) -> impl Iterator<Item = (&str, &FileSignals)> {
    let files = files.iter();
    files.filter_map(|(path, file)| Some((path.as_str(), file.facts.facts.signals.as_ref()?)))
}

/// For each class the first file that is not read for another reason: its code was a clone before
/// it was copied again.
fn originals(
    classes: &[Vec<ClonePlace>],
    is_looked_at: impl Fn(&str) -> bool,
) -> BTreeSet<Arc<str>> {
    let original = |class: &Vec<ClonePlace>| {
        let mut paths = class.iter().map(|place| &place.path);
        paths.find(|path| !is_looked_at(path)).cloned()
    };
    classes.iter().filter_map(original).collect()
}
