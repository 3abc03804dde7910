//! Growth since the last point of a series.

use slope_change::{Change, Comparison, Impact};
use slope_model::gate::Judgement;
use slope_model::ledger::Amounts;
use slope_store::series::SeriesFolder;

use crate::rules::budget;
use crate::{Error, Gate};

/// Change from the last point to the base of a comparison, or a note about why there is none.
pub(crate) enum Growth {
    /// The change from the point to the base.
    Since(Box<Change>),
    /// The reason that the growth is not judged.
    Unknown(String),
}

impl Gate<'_> {
    /// The change from the last point to the base; `None` without limits of growth, or if nothing changes.
    ///
    /// Only points whose commit the base has count. So a change cannot reset its own growth by adding a point.
    pub(crate) fn growth_before(&self, comparison: &Comparison) -> Result<Option<Growth>, Error> {
        let check = &self.check;
        if check.growth.is_empty() || check.over_growth.is_none() || comparison.files == 0 {
            return Ok(None);
        }
        let root = self.folder.as_deref().unwrap_or(&comparison.top);
        let points = match (&self.policy, points(&SeriesFolder::of_project(root))) {
            (Some(policy), _) => policy.points.clone(),
            (None, Ok(points)) => points,
            (None, Err(error)) => {
                let message = error.to_string().replace("\nhelp: ", "; ");
                return Ok(Some(unknown(&message)));
            }
        };
        let commits: Vec<&str> = points.iter().map(String::as_str).collect();
        Ok(Some(match comparison.since(self.measurer, &commits)? {
            Some(change) => Growth::Since(Box::new(change)),
            None => unknown(
                "no point has a commit that the base descends from; add one with `slope track add`",
            ),
        }))
    }

    /// Judges the sum of the growth before and of the change. A change violates only the limits of amounts to which it
    /// adds something.
    pub(crate) fn apply_growth(&self, judgement: &mut Judgement, growth: Growth, impact: &Impact) {
        let earlier = match growth {
            Growth::Since(change) => budget::of_product(&change.accounts, "").rounded(),
            Growth::Unknown(note) => return judgement.notes.push(note),
        };
        let change = budget::of_product(&impact.change.accounts, "").rounded();
        let sum: Amounts = earlier + change;
        judgement.growth = Some(sum);
        if let Some(level) = self.check.over_growth {
            let over = budget::over(budget::Span::Track, &self.check.growth, &sum);
            let over = over.filter(|over| over.grows(&change));
            let violations = over.map(|over| over.violation(level));
            judgement.violations.extend(violations);
        }
    }
}

fn unknown(reason: &str) -> Growth {
    Growth::Unknown(format!(
        "the growth since the last point of a series is not judged: {reason}"
    ))
}

/// Ids of the commits of the points of all series.
fn points(folder: &SeriesFolder) -> Result<Vec<String>, slope_store::Error> {
    let mut commits = Vec::new();
    for name in folder.names()? {
        let points = folder.points(&name)?.into_iter();
        commits.extend(
            points
                .filter_map(|point| point.commit)
                .map(|commit| commit.id),
        );
    }
    Ok(commits)
}
