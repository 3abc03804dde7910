//! A code base in memory, and the effects of successive changes on it.

use std::collections::BTreeSet;

use slope_measure::{Content, Measurer, Step, Tracker, Wanted};

use crate::Error;
use crate::amounts::ExactAmounts;
use crate::impact::Impact;
use crate::ledger::{Change, Followed, account_and_follow, whole, whole_of_step};

/// A tree that changes are compared with.
pub struct Baseline<'m> {
    measurer: &'m Measurer,
    tracker: Tracker<'m>,
    name: String,
    /// Totals; `None` if some files are in outline.
    whole: Option<ExactAmounts>,
}

impl<'m> Baseline<'m> {
    /// A baseline with these contents, by path.
    #[must_use]
    pub fn new(measurer: &'m Measurer, name: &str, contents: Vec<(String, Content)>) -> Self {
        let mut tracker = measurer.tracker();
        tracker.step(contents);
        Self::of_tracker(measurer, name, tracker)
    }

    /// A baseline with the files of a tracker.
    #[must_use]
    pub fn of_tracker(measurer: &'m Measurer, name: &str, tracker: Tracker<'m>) -> Self {
        let whole = (!tracker.is_in_outline()).then(|| whole(&tracker));
        Self {
            measurer,
            tracker,
            name: name.to_owned(),
            whole,
        }
    }

    /// Totals; `None` if some files are in outline.
    #[must_use]
    pub fn whole(&self) -> Option<ExactAmounts> {
        self.whole
    }

    /// Changes paths (each once, [`Content::Nothing`] for removed ones) and returns the ledger. The baseline is the
    /// changed tree afterwards.
    ///
    /// # Errors
    /// If the entries do not sum to the change, which is a bug in slope.
    pub fn change(
        &mut self,
        name: &str,
        contents: Vec<(String, Content)>,
    ) -> Result<Change, Error> {
        let (change, ..) = self.advance(name, contents, |_| Ok(Vec::new()))?;
        Ok(change)
    }

    /// Changes paths as [`Self::change`] does, and returns the whole effect. Searches the changed paths for copies.
    ///
    /// `complete` gets the paths of files in outline that need a report. It returns their whole contents.
    ///
    /// # Errors
    /// As for [`Self::change`], and the errors of `complete`.
    pub fn impact(
        &mut self,
        name: &str,
        contents: Vec<(String, Content)>,
        complete: impl Fn(Vec<String>) -> Result<Vec<(String, Content)>, Error>,
    ) -> Result<Impact, Error> {
        let mut paths: Vec<String> = contents.iter().map(|(path, _)| path.clone()).collect();
        paths.sort_unstable();
        let (change, step, followed) = self.advance(name, contents, complete)?;
        let is_changed = |path: &str| paths.binary_search_by(|own| own.as_str().cmp(path)).is_ok();
        let new = new_functions(&step, &followed);
        let is_new = |path: &str, name: &str, line: u32| {
            let mut same = new.range((path, name, 0)..=(path, name, line));
            same.next_back().is_some()
        };
        let wanted = Wanted {
            paths: &is_changed,
            functions: &is_new,
        };
        let like = self.tracker.resemblances(&step, &wanted);
        Ok(Impact {
            before: None,
            change,
            step,
            followed,
            like,
        })
    }

    /// Changes paths. Returns the ledger, the step and the outcome of each unit.
    pub(crate) fn advance(
        &mut self,
        name: &str,
        contents: Vec<(String, Content)>,
        complete: impl Fn(Vec<String>) -> Result<Vec<(String, Content)>, Error>,
    ) -> Result<(Change, Step, Vec<Followed>), Error> {
        let step = self.tracker.step_completing(contents, complete)?;
        let (accounts, followed) = account_and_follow(&step);
        let (before, after) = match self.whole {
            Some(before) => (before, whole(&self.tracker)),
            None => whole_of_step(&step),
        };
        accounts.check_sum(name, after - before)?;
        self.whole = self.whole.map(|_| after);
        let base = std::mem::replace(&mut self.name, name.to_owned());
        let change = Change {
            base,
            head: name.to_owned(),
            before,
            after,
            accounts,
            definitions: self.measurer.definitions(),
        };
        Ok((change, step, followed))
    }

    /// The files in their current state.
    #[must_use]
    pub fn tracker(&self) -> &Tracker<'m> {
        &self.tracker
    }
}

/// Functions that a step adds: path, dotted name, first line.
fn new_functions<'s>(step: &'s Step, followed: &[Followed]) -> BTreeSet<(&'s str, &'s str, u32)> {
    let added = followed.iter().filter(|followed| followed.from.is_empty());
    let functions = added.flat_map(|followed| &followed.to).filter_map(|at| {
        let view = step.files.get(at.file)?.after.as_ref()?;
        let callable = view.callables().get(at.callable?)?;
        Some((
            view.path(),
            callable.name.as_str(),
            callable.span.start_line,
        ))
    });
    functions.collect()
}
