//! Finds the effect of a change.
//!
//! If the cache has an index of the base, slope reads only the files that the change concerns. Otherwise it reads all
//! files of the base and writes an index.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use slope_measure::{BaseIndex, Content, Measurer};
use slope_model::ledger::Amounts;

use crate::Error;
use crate::base_files::BaseFiles;
use crate::baseline::Baseline;
use crate::contents::Contents;
use crate::impact::Impact;

/// Maximum rounds that add files whose signals the change affects. After that, all files are read.
const MAX_ROUNDS: usize = 3;

/// A change to a base in a repository.
pub(crate) struct Analysis<'a> {
    pub(crate) measurer: &'a Measurer,
    pub(crate) base: &'a BaseFiles,
    /// Files applied to the base before the change.
    pub(crate) setup: &'a Contents,
    /// Files that differ, in their later state.
    pub(crate) after: &'a Contents,
    /// Whether to report totals. Without totals, files that the change does not concern are read in
    /// outline, which saves a sixth of the time.
    pub(crate) with_whole: bool,
}

impl Analysis<'_> {
    /// The effect of the change. It does not depend on an index of the base.
    pub(crate) fn run(&self) -> Result<Impact, Error> {
        let mut impact = self.with_index_or_files()?;
        impact.before = impact.before.filter(|_| self.with_whole);
        Ok(impact)
    }

    fn with_index_or_files(&self) -> Result<Impact, Error> {
        if self.after.is_empty() {
            let mut nothing = Baseline::new(self.measurer, "base", Vec::new());
            return self.apply(&mut nothing, None);
        }
        let place = self.base.ids().map(|ids| (self.base.top(), ids));
        if let Some((top, ids)) = &place {
            let files = ids.iter().map(|(path, id)| (path.as_str(), id.as_str()));
            if let Some(index) = self.measurer.base_index(top, files)
                && let Some(impact) = self.with_index(&index)?
            {
                return Ok(impact);
            }
        }
        self.with_all_files(place)
    }

    /// Reads all files of the base, and writes an index.
    fn with_all_files(
        &self,
        place: Option<(&Path, BTreeMap<String, String>)>,
    ) -> Result<Impact, Error> {
        let measurer = self.measurer;
        let is_whole = |path: &str| {
            self.with_whole || self.setup.contains_key(path) || self.after.contains_key(path)
        };
        let contents = self.base.contents(measurer, &is_whole)?;
        std::thread::scope(|scope| {
            // Write the cache in parallel: the rest uses mostly one thread.
            scope.spawn(|| measurer.keep());
            let mut baseline = Baseline::new(measurer, "base", contents.clone());
            let before = baseline.whole().map(|whole| whole.rounded());
            if let Some((top, ids)) = place {
                let extra = serde_json::to_vec(&before).unwrap_or_default();
                let tracker = baseline.tracker();
                let index = measurer.pending_base_index(top, &ids, &contents, tracker, extra);
                if let Some(index) = index {
                    scope.spawn(|| index.write());
                }
            }
            self.apply(&mut baseline, before)
        })
    }

    /// Reads only the files that the change concerns. Returns `None` if the index is damaged or has no totals, or if
    /// every round adds files.
    fn with_index(&self, index: &BaseIndex) -> Result<Option<Impact>, Error> {
        let Ok(before) = serde_json::from_slice::<Option<Amounts>>(index.extra()) else {
            return Ok(None);
        };
        if self.with_whole && before.is_none() {
            return Ok(None);
        }
        let touched = self.setup.keys().chain(self.after.keys()).cloned();
        let contents: Vec<&Content> = self.setup.values().chain(self.after.values()).collect();
        through_index(
            self.measurer,
            index,
            touched.collect(),
            &contents,
            |baseline| self.apply(baseline, before),
        )
    }

    /// Applies the setup to a baseline, and then the change.
    fn apply(&self, base: &mut Baseline<'_>, before: Option<Amounts>) -> Result<Impact, Error> {
        let complete = |paths: Vec<String>| self.base.contents_of(self.measurer, &paths);
        let mut before = before;
        if !self.setup.is_empty() {
            let (setup, ..) = base.advance("setup", list(self.setup), complete)?;
            before = before.map(|before| before + (setup.after - setup.before).rounded());
        }
        let impact = base.impact("head", list(self.after), complete)?;
        Ok(Impact { before, ..impact })
    }
}

/// The effect that `apply` finds with the files that a change concerns: the touched paths, which will get one
/// of `contents`, and those around them. `None` if the index is damaged, or if more files are concerned in
/// every round.
pub(crate) fn through_index(
    measurer: &Measurer,
    index: &BaseIndex,
    mut touched: BTreeSet<String>,
    contents: &[&Content],
    apply: impl Fn(&mut Baseline<'_>) -> Result<Impact, Error>,
) -> Result<Option<Impact>, Error> {
    for _ in 0..MAX_ROUNDS {
        let paths = touched.iter().map(String::as_str).collect();
        let Some(tracker) = index.tracker(measurer, &paths, contents) else {
            return Ok(None);
        };
        let mut baseline = Baseline::of_tracker(measurer, "base", tracker);
        let impact = apply(&mut baseline)?;
        let unseen = baseline.tracker().unseen();
        if unseen.is_empty() {
            return Ok(Some(impact));
        }
        touched.extend(unseen.iter().cloned());
    }
    Ok(None)
}

/// The effect of replacing files of a base that is in memory.
pub(crate) fn replaced(
    measurer: &Measurer,
    before: Vec<(String, Content)>,
    after: &Contents,
) -> Result<Impact, Error> {
    let mut baseline = Baseline::new(measurer, "base", before);
    let before = baseline.whole().map(|whole| whole.rounded());
    let impact = baseline.impact("head", list(after), |_| Ok(Vec::new()))?;
    Ok(Impact { before, ..impact })
}

fn list(contents: &Contents) -> Vec<(String, Content)> {
    let each = contents.iter();
    each.map(|(path, content)| (path.clone(), content.clone()))
        .collect()
}
