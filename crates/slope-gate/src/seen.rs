//! The effect of a change. A base that was read before is not read again: only the files that the
//! change concerns are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use slope_history::{Baseline, FullChange};
use slope_measure::{Content, KnownTree, Measurer, Resemblances};
use slope_model::ledger::Amounts;

use crate::Error;
use crate::judge::sum;
use crate::trees::Trees;

/// Times that files are added in which signals find something else, before all are looked at.
const MOST_ROUNDS: usize = 3;

/// What a change did.
pub(crate) struct Seen {
    /// The whole before it, if requested.
    pub(crate) before: Option<Amounts>,
    pub(crate) full: FullChange,
    /// Functions and tables of changed files that are like other ones.
    pub(crate) like: Resemblances,
}

/// The inputs of a change.
pub(crate) struct Subjects<'a> {
    pub(crate) measurer: &'a Measurer,
    pub(crate) trees: &'a Trees,
    /// Files put onto the base first.
    pub(crate) setup: &'a BTreeMap<String, Content>,
    pub(crate) after: &'a BTreeMap<String, Content>,
    /// Whether to report the whole; else files that the change does not concern are read in
    /// outline.
    pub(crate) tells_whole: bool,
}

impl Subjects<'_> {
    /// Finds what the change did.
    pub(crate) fn look(&self) -> Result<Seen, Error> {
        let mut seen = self.seen()?;
        // The report is the same whether the base was known or not.
        seen.before = seen.before.filter(|_| self.tells_whole);
        Ok(seen)
    }

    fn seen(&self) -> Result<Seen, Error> {
        if self.after.is_empty() {
            let mut nothing = Baseline::new(self.measurer, "base", Vec::new());
            return self.change(&mut nothing, None);
        }
        let place = self.trees.top().zip(self.trees.ids());
        if let Some((top, ids)) = &place {
            let files = ids.iter().map(|(path, id)| (path.as_str(), id.as_str()));
            if let Some(known) = self.measurer.known_tree(top, files)
                && let Some(seen) = self.look_at_some(&known)?
            {
                return Ok(seen);
            }
        }
        self.look_at_all(place)
    }

    /// Finds what the change did from all files, and keeps what is known of the base then.
    fn look_at_all(&self, place: Option<(&Path, BTreeMap<String, String>)>) -> Result<Seen, Error> {
        let Self {
            measurer, trees, ..
        } = self;
        let files = trees.files.iter();
        let files = files.map(|(path, place)| (path.as_str(), place)).collect();
        let is_whole = |path: &str| {
            self.tells_whole || self.setup.contains_key(path) || self.after.contains_key(path)
        };
        let contents = trees.contents(measurer, files, &is_whole)?;
        std::thread::scope(|scope| {
            // Findings are written while the rest, which is mostly done by one thread, goes on.
            scope.spawn(|| measurer.keep());
            let mut baseline = Baseline::new(measurer, "base", contents.clone());
            let before = baseline.whole().map(|whole| whole.rounded());
            if let Some((top, ids)) = place {
                let beside = serde_json::to_vec(&before).unwrap_or_default();
                let tracker = baseline.tracker();
                if let Some(tree) = measurer.tree_to_keep(top, &ids, &contents, tracker, beside) {
                    scope.spawn(|| tree.write());
                }
            }
            self.change(&mut baseline, before)
        })
    }

    /// Finds what the change did from the files that it concerns; `None` if what was kept is
    /// damaged or does not tell enough, or the change concerns ever more.
    fn look_at_some(&self, known: &KnownTree) -> Result<Option<Seen>, Error> {
        let Ok(before) = serde_json::from_slice::<Option<Amounts>>(known.beside()) else {
            return Ok(None);
        };
        if self.tells_whole && before.is_none() {
            return Ok(None);
        }
        let touched = self.setup.keys().chain(self.after.keys()).cloned();
        let mut touched: BTreeSet<String> = touched.collect();
        let contents: Vec<&Content> = self.setup.values().chain(self.after.values()).collect();
        for _ in 0..MOST_ROUNDS {
            let paths = touched.iter().map(String::as_str).collect();
            let Some(tracker) = known.tracker(self.measurer, &paths, &contents) else {
                return Ok(None);
            };
            let mut baseline = Baseline::of_tracker(self.measurer, "base", tracker);
            let seen = self.change(&mut baseline, before)?;
            let unseen = baseline.tracker().unseen();
            if unseen.is_empty() {
                return Ok(Some(seen));
            }
            touched.extend(unseen.iter().cloned());
        }
        Ok(None)
    }

    /// Puts the setup onto a baseline and finds what the change did.
    fn change(&self, base: &mut Baseline<'_>, mut before: Option<Amounts>) -> Result<Seen, Error> {
        let complete = |paths: Vec<String>| {
            let place = |path| self.trees.files.get_key_value(path);
            let places = paths.iter().filter_map(place);
            let places = places.map(|(path, place)| (path.as_str(), place)).collect();
            self.trees.contents(self.measurer, places, &|_| true)
        };
        if !self.setup.is_empty() {
            let laid = base.change_completing("setup", list(self.setup), complete)?;
            let change = (laid.change.after - laid.change.before).rounded();
            before = before.map(|before| sum(&before, &change));
        }
        let full = base.change_completing("head", list(self.after), complete)?;
        let like = base
            .tracker()
            .resemblances(&full.step, |path| self.after.contains_key(path));
        Ok(Seen { before, full, like })
    }
}

/// Finds what became of files when they were replaced.
pub(crate) fn replaced(
    measurer: &Measurer,
    before: Vec<(String, Content)>,
    after: &BTreeMap<String, Content>,
) -> Result<Seen, Error> {
    let mut baseline = Baseline::new(measurer, "base", before);
    let before = baseline.whole().map(|whole| whole.rounded());
    let full = baseline.change_in_full("head", list(after))?;
    let like = baseline
        .tracker()
        .resemblances(&full.step, |path| after.contains_key(path));
    Ok(Seen { before, full, like })
}

fn list(contents: &BTreeMap<String, Content>) -> Vec<(String, Content)> {
    let each = contents.iter();
    each.map(|(path, content)| (path.clone(), content.clone()))
        .collect()
}
