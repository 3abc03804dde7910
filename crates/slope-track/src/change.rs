//! What changed since the point before.

use slope_change::{Comparison, ComparisonOptions, ExactAmounts, Head, Subject, is_below};
use slope_measure::Measurer;
use slope_model::ledger::{Amounts, LedgerEntry};
use slope_model::series::{ChangedPlace, Point, PointChange};

use crate::Project;
use crate::diffs::Diffs;

/// Places of a change that a point lists.
const MAX_PLACES: usize = 50;

/// The change from a point to another one; `None` if they cannot be compared.
///
/// With the earlier code at hand, this is a ledger, which follows functions through renames and moves. Otherwise it is
/// the difference of the totals.
pub(crate) fn since(
    project: &Project,
    measurer: &Measurer,
    (before, point): (&Point, &Point),
) -> Option<PointChange> {
    let since = before.key().to_string();
    let is_comparable = before.definitions == point.definitions;
    if is_comparable && before.tree == point.tree {
        return Some(PointChange {
            since,
            amounts: Amounts::default(),
            places: Vec::new(),
        });
    }
    if let Some((amounts, places)) = by_ledger(project, measurer, before, point) {
        return Some(PointChange {
            since,
            amounts,
            places,
        });
    }
    let difference = || Some(point.amounts()? - before.amounts()?);
    Some(PointChange {
        since,
        amounts: difference().filter(|_| is_comparable)?,
        places: Vec::new(),
    })
}

fn by_ledger(
    project: &Project,
    measurer: &Measurer,
    before: &Point,
    point: &Point,
) -> Option<(Amounts, Vec<ChangedPlace>)> {
    project.repo.as_ref()?;
    // The files of the commit, whatever the history.
    let base = format!("{}^{{tree}}", before.commit.as_ref()?.id);
    let head = match &point.commit {
        Some(commit) => Head::Commit(commit.id.clone()),
        None => Head::Worktree,
    };
    let subject = Subject::git(&project.path, Some(&base), head);
    // The clone may lack the commit or some of its files. Then the totals have to do.
    let comparison = Comparison::new(measurer, &subject, ComparisonOptions::default()).ok()?;
    let impact = comparison.impact(measurer, false).ok()?;
    let accounts = &impact.change.accounts;
    let below = project.below.as_str();
    let amounts = if below.is_empty() {
        accounts.sum()
    } else {
        let all = accounts.entries.iter().chain(&accounts.layout);
        let inside = all.filter(|booked| is_below(below, &booked.entry.path));
        inside.map(|booked| booked.change).sum::<ExactAmounts>()
    };
    let entries = accounts.entries.iter().map(|booked| &booked.entry);
    let entries = entries.filter(|entry| is_below(below, &entry.path));
    let mut diffs = Diffs::new(project, (before, point), &comparison.top);
    let places = entries
        .take(MAX_PLACES)
        .map(|entry| place(entry, &mut diffs));
    Some((amounts.rounded(), places.collect()))
}

fn place(entry: &LedgerEntry, diffs: &mut Diffs) -> ChangedPlace {
    ChangedPlace {
        diff: diffs.of(entry),
        path: entry.path.clone(),
        function: entry.function.clone(),
        line: entry.line,
        amounts: entry.change,
    }
}
