//! Checks that the entries of a ledger add up to the change of the totals, on every commit.

use slope_change::ExactAmounts;
use slope_change::ledger::{account, whole};
use slope_git::{Line, Repo};
use slope_measure::Measurer;
use slope_model::measurement::Totals;
use slope_stats::Exact;

use crate::Error;
use crate::source::{Changes, Source};
use crate::trajectory::Watch;

/// Results of checking a history.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verified {
    /// Commits of the first-parent line.
    pub commits: usize,
    /// Commits that change measured files.
    pub touching: usize,
    /// Commits with entries.
    pub entered: usize,
    /// Entries.
    pub entries: usize,
    /// Entries for reformatting.
    pub layout: usize,
    /// Commits whose changed files have the same code as before, apart from names, places and
    /// layout, so that there is no entry.
    pub empty: usize,
}

/// Checks every commit of the first-parent line of `HEAD`: the entries of its ledger must add up,
/// without any rounding, to the change of the totals recomputed from all files, and these must
/// equal the measurement's totals.
///
/// # Errors
/// If a sum differs, or the repository cannot be read.
pub fn verify(repo: &Repo, measurer: &Measurer, watch: Watch<'_>) -> Result<Verified, Error> {
    let reader = repo.reader();
    let walk = reader.walk(reader.head()?, Line::FirstParent, None)?;
    let Some(last) = walk.commits.last() else {
        return Err(Error::Empty("no commits found".to_owned()));
    };
    let source = Source::new(repo, measurer, last.tree)?;
    let mut steps: Vec<Changes> = Vec::with_capacity(walk.commits.len());
    let mut old = None;
    for commit in &walk.commits {
        steps.push(source.changes(&reader, old, commit.tree, &|_| true)?);
        old = Some(commit.tree);
    }
    let mut tracker = measurer.tracker();
    let mut before = ExactAmounts::default();
    let mut verified = Verified {
        commits: steps.len(),
        ..Verified::default()
    };
    source.play(&steps, |index, contents| {
        let id = walk.commits[index].id.to_string();
        let touches = !contents.is_empty();
        let step = tracker.step(contents);
        let accounts = account(&step);
        let after = whole(&tracker);
        accounts.check_sum(&id, after - before)?;
        agree(&id, after, &tracker.totals().whole)?;
        verified.touching += usize::from(touches);
        verified.entered += usize::from(!accounts.entries.is_empty());
        verified.empty += usize::from(touches && accounts.entries.is_empty());
        verified.entries += accounts.entries.len();
        verified.layout += accounts.layout.len();
        before = after;
        watch("checking commits", index + 1, steps.len());
        Ok(())
    })?;
    Ok(verified)
}

/// Refuses totals that differ from the measurement's. Their mass is a sum of rounded numbers, which
/// may differ from the exact one in the last place.
fn agree(commit: &str, whole: ExactAmounts, totals: &Totals) -> Result<(), Error> {
    let lines = |lines: Option<u64>| lines.and_then(|n| i64::try_from(n).ok()).unwrap_or(0);
    let mass = totals.mass.unwrap_or(0.0);
    let off = Exact::new(mass).map(|mass| (mass - whole.mass).to_f64().abs());
    let is_same_mass = off.is_some_and(|off| off <= mass * f64::EPSILON);
    let same = is_same_mass
        && lines(totals.clone_lines) == whole.clone_lines
        && lines(totals.flagged_lines) == whole.flagged_lines
        && lines(totals.verbose_lines) == whole.verbose_lines
        && lines(Some(totals.sloc)) == whole.sloc;
    if same {
        return Ok(());
    }
    let error = slope_change::Error::Sum {
        commit: commit.to_owned(),
        entries: format!("{:?}", whole.rounded()),
        whole: format!("{totals:?}"),
    };
    Err(error.into())
}
