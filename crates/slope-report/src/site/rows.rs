//! Tables of pages as CSV (RFC 4180).

use std::collections::BTreeSet;

use slope_model::summary::Summary;

use super::runs::RunLine;
use crate::format::clean;
use crate::leaderboard::RunCard;
use crate::table::{Table, guarded};

/// Columns of points before those of values.
const OF_POINTS: [&str; 9] = [
    "key",
    "time",
    "iteration",
    "commit",
    "person",
    "agent",
    "agent_version",
    "model",
    "definitions",
];
/// Columns of runs before those of rates and slopes.
const OF_RUNS: [&str; 18] = [
    "project", "run", "label", "agent", "model", "arm", "track", "phase", "started", "problems",
    "trials", "expected", "graded", "lost", "missing", "cost_usd", "tokens", "agent_s",
];

fn text(text: Option<&str>) -> String {
    guarded(clean(text.unwrap_or_default()))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The header of [`point_rows`] with values of these names.
#[must_use]
pub fn point_head(names: &BTreeSet<String>) -> String {
    let columns = OF_POINTS
        .into_iter()
        .chain(names.iter().map(String::as_str));
    Table::new(columns).finish()
}

/// Points as rows without a header: one row per point, one column per value of these names.
#[must_use]
pub fn point_rows(points: &[Summary], names: &BTreeSet<String>) -> String {
    let mut table = Table::without_head();
    for point in points {
        let author = &point.author;
        let commit = point.commit.as_ref().map(|commit| commit.id.as_str());
        let iteration = point.iteration.map(|number| number.to_string());
        let known = [
            text(Some(&point.key)),
            text(Some(&point.time)),
            iteration.unwrap_or_default(),
            text(commit),
            text(author.person.as_deref()),
            text(author.agent.as_deref()),
            text(author.agent_version.as_deref()),
            text(author.model.as_deref()),
            text(Some(&point.definitions)),
        ];
        let values = names
            .iter()
            .map(|name| number(point.values.get(name).copied()));
        table.push(known.into_iter().chain(values));
    }
    table.finish()
}

/// Runs: a header, and one row per run.
#[must_use]
pub fn run_rows(runs: &[RunLine]) -> String {
    let rates = RunCard::RATES.iter().map(|rate| format!("{rate}_rate"));
    let slopes = RunCard::slope_names().map(|name| format!("{name}_slope"));
    let further: Vec<String> = rates.chain(slopes).collect();
    let mut table = Table::new(
        OF_RUNS
            .into_iter()
            .chain(further.iter().map(String::as_str)),
    );
    for run in runs {
        let card = &run.card;
        let (problems, trials) = card.size();
        let known = [
            text(Some(&run.project)),
            text(Some(&run.run)),
            text(Some(&card.label)),
            text(Some(&card.agent)),
            text(Some(&card.model)),
            text(Some(&card.arm)),
            text(Some(&card.track)),
            run.phase.name().to_owned(),
            text(run.started.as_deref()),
            problems.to_string(),
            trials.to_string(),
            card.coverage.expected.to_string(),
            card.coverage.graded.to_string(),
            card.coverage.lost.to_string(),
            card.coverage.missing().to_string(),
            number(card.spent.cost_usd),
            number(card.spent.tokens),
            number(card.spent.agent_s),
        ];
        let values = card.rate_values().into_iter().chain(card.slope_values());
        table.push(known.into_iter().chain(values.map(number)));
    }
    table.finish()
}
