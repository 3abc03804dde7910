//! The ledger of one change: two commits, two folders, or a baseline and its modification.

use std::collections::BTreeMap;
use std::path::Path;

use slope_git::{Id, Repo};
use slope_measure::{Content, Measurer, Step, Tracker};
use slope_model::ledger::Ledger;

use crate::Error;
use crate::amounts::ExactAmounts;
use crate::ledger::{Accounts, Followed, account_and_follow, whole, whole_of_step};
use crate::source::Source;
use crate::trajectory::{Wanted, check};

/// A tree to compare changes with.
pub struct Baseline<'m> {
    measurer: &'m Measurer,
    tracker: Tracker<'m>,
    name: String,
    /// Totals; `None` if some files are outlines only.
    whole: Option<ExactAmounts>,
}

impl<'m> Baseline<'m> {
    /// A baseline of contents, by path.
    #[must_use]
    pub fn new(measurer: &'m Measurer, name: &str, contents: Vec<(String, Content)>) -> Self {
        let mut tracker = measurer.tracker();
        tracker.step(contents);
        Self::of_tracker(measurer, name, tracker)
    }

    /// A baseline of a tracker's files.
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

    /// Totals; `None` if some files are outlines only.
    #[must_use]
    pub fn whole(&self) -> Option<ExactAmounts> {
        self.whole
    }

    /// Changes paths (each once, [`Content::Nothing`] for removed ones). Returns the effects. The
    /// baseline is the changed tree from then on.
    ///
    /// # Errors
    /// If the entries do not add up to the change, which is a bug in slope.
    pub fn change(
        &mut self,
        name: &str,
        contents: Vec<(String, Content)>,
    ) -> Result<Change, Error> {
        self.change_in_full(name, contents).map(|full| full.change)
    }

    /// As [`Self::change`], with the step and the matched units of its files.
    ///
    /// # Errors
    /// As for [`Self::change`].
    pub fn change_in_full(
        &mut self,
        name: &str,
        contents: Vec<(String, Content)>,
    ) -> Result<FullChange, Error> {
        let none = |_| Ok::<_, Error>(Vec::new());
        self.change_completing(name, contents, none)
    }

    /// As [`Self::change_in_full`], for a baseline with outlines: `complete` gets the paths of
    /// files that need a report, and returns their full contents.
    ///
    /// # Errors
    /// As for [`Self::change`], and those of `complete`.
    pub fn change_completing<E: From<Error>>(
        &mut self,
        name: &str,
        contents: Vec<(String, Content)>,
        complete: impl Fn(Vec<String>) -> Result<Vec<(String, Content)>, E>,
    ) -> Result<FullChange, E> {
        let step = self.tracker.step_completing(contents, complete)?;
        let (accounts, followed) = account_and_follow(&step);
        let (before, after) = match self.whole {
            Some(before) => (before, whole(&self.tracker)),
            None => whole_of_step(&step),
        };
        check(name, &accounts, after - before)?;
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
        Ok(FullChange {
            change,
            step,
            followed,
        })
    }

    /// The files as they are now.
    #[must_use]
    pub fn tracker(&self) -> &Tracker<'m> {
        &self.tracker
    }
}

/// Effects of a change of a baseline.
#[derive(Debug, Clone)]
pub struct Change {
    base: String,
    head: String,
    /// Totals before the change; with outlines, only of the step's files.
    pub before: ExactAmounts,
    /// The same after.
    pub after: ExactAmounts,
    /// The entries.
    pub accounts: Accounts,
    definitions: slope_model::measurement::Definitions,
}

/// The effect of a change of a baseline, and its inputs.
#[derive(Clone)]
pub struct FullChange {
    /// Its effect.
    pub change: Change,
    /// The files before and after.
    pub step: Step,
    /// The outcome of each of their callables.
    pub followed: Vec<Followed>,
}

impl Change {
    /// The change as a ledger.
    #[must_use]
    pub fn into_ledger(self) -> Ledger {
        let names = (self.base.as_str(), self.head.as_str());
        self.accounts
            .into_ledger(names, (self.before, self.after), self.definitions)
    }
}

/// The ledger between two commits. The ignore files of the later one apply to both.
///
/// # Errors
/// If the repository lacks a commit.
pub fn diff_commits(
    repo: &Repo,
    measurer: &Measurer,
    base: (&str, Id),
    head: (&str, Id),
    paths: &[String],
) -> Result<Ledger, Error> {
    let reader = repo.reader();
    let (old, new) = (reader.commit(base.1)?.tree, reader.commit(head.1)?.tree);
    let source = Source::new(repo, measurer, new)?;
    let wanted = Wanted::new(paths)?;
    let wanted = |path: &str| wanted.has(path);
    let steps = [
        source.changes(&reader, None, old, &wanted)?,
        source.changes(&reader, Some(old), new, &wanted)?,
    ];
    let files = || steps.iter().flat_map(|step| &step.paths);
    for pattern in paths {
        let named = Wanted::new(std::slice::from_ref(pattern))?;
        if !files().any(|(path, _)| named.has(path)) {
            return Err(Error::Empty(format!(
                "--paths {pattern}: no file that is measured is there, neither in {} nor in {}",
                base.0, head.0
            )));
        }
    }
    let mut baseline = None;
    let mut change = None;
    source.play(&steps, |_, contents| {
        match &mut baseline {
            None => baseline = Some(Baseline::new(measurer, base.0, contents)),
            Some(baseline) => change = Some(baseline.change(head.0, contents)?),
        }
        Ok(())
    })?;
    let nothing = || Error::Empty("nothing was compared".to_owned());
    Ok(change.ok_or_else(nothing)?.into_ledger())
}

/// The ledger between two folders.
///
/// # Errors
/// If one of them cannot be read.
pub fn diff_dirs(measurer: &Measurer, base: &Path, head: &Path) -> Result<Ledger, Error> {
    let old = measurer.contents_of_dir(base)?.files;
    let new = measurer.contents_of_dir(head)?.files;
    let mut changes: BTreeMap<String, Content> = old
        .iter()
        .map(|(path, _)| (path.clone(), Content::Nothing))
        .collect();
    changes.extend(new);
    let name = |path: &Path| path.display().to_string();
    let mut baseline = Baseline::new(measurer, &name(base), old);
    let change = baseline.change(&name(head), changes.into_iter().collect())?;
    Ok(change.into_ledger())
}
