//! A series as a history, for the charts of histories.

use jiff::Timestamp;
use slope_history::{months_between, trends};
use slope_model::history::{CommitInfo, History, HistoryPoint};
use slope_model::measurement::Definitions;
use slope_model::schema;
use slope_model::series::Point;
use slope_model::track::Series;

/// The points of a series as a history. Points with other definitions than the last one are left out, with a note.
#[must_use]
pub fn history(series: &Series) -> History {
    let comparable: Vec<&Point> = series.comparable().collect();
    let definitions = comparable.first().map(|point| point.definitions.clone());
    let start = comparable.first().map_or(0, |point| seconds(point));
    let found: Vec<HistoryPoint> = (0..)
        .zip(&comparable)
        .map(|(position, point)| HistoryPoint {
            position,
            commit: commit(point),
            months: months_between(start, seconds(point)),
            changed_files: 0,
            totals: point.totals.clone(),
            parts: point.parts.clone(),
            published: None,
            findings: point.findings.clone(),
        })
        .collect();
    let left_out = series.points.len() - found.len();
    let count = u32::try_from(found.len()).unwrap_or(u32::MAX);
    History {
        schema: schema::HISTORY.to_owned(),
        definitions: Definitions {
            hash: definitions.unwrap_or_default(),
            ..Definitions::default()
        },
        repository: "series".to_owned(),
        revision: series.series.clone(),
        commits: count,
        touching: count,
        trends: trends(&found),
        points: found,
        notes: (left_out > 0)
            .then(|| {
                let left_out = slope_model::plural(left_out as u64, "earlier point");
                format!("{left_out} with other definitions cannot be compared and left out")
            })
            .into_iter()
            .collect(),
        ledger: None,
    }
}

fn seconds(point: &Point) -> i64 {
    let time = point.time.parse::<Timestamp>();
    time.map_or(0, Timestamp::as_second)
}

/// A point as charts of histories name it.
fn commit(point: &Point) -> CommitInfo {
    let commit = point.commit.as_ref();
    let subject = point.note.clone();
    let subject = subject.or_else(|| Some(commit?.subject.clone()));
    let iteration = point.iteration.map(|number| format!("iteration {number}"));
    let words = iteration.into_iter().chain(subject);
    CommitInfo {
        id: commit.map_or_else(|| point.tree.clone(), |commit| commit.id.clone()),
        time: point.time.clone(),
        author: point.author.person.clone().unwrap_or_default(),
        email: String::new(),
        agents: point.author.agent.iter().cloned().collect(),
        subject: words.collect::<Vec<_>>().join(": "),
        is_merge: false,
    }
}
