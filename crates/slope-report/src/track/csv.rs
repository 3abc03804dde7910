//! One row for each point and part of the code base (RFC 4180).

use slope_model::assessment::{JudgeKind, ScoreName};
use slope_model::measurement::{Part, Totals};
use slope_model::metrics::HISTORY_COLUMNS;
use slope_model::series::Point;
use slope_model::track::Series;

use crate::format::clean;
use crate::table::{Table, guarded};

/// Columns before those of the metrics.
const BEFORE: [&str; 11] = [
    "series",
    "key",
    "time",
    "iteration",
    "commit",
    "person",
    "agent",
    "agent_version",
    "model",
    "session",
    "part",
];
/// Columns of scores, which are of all code.
const SCORES: [&str; 3] = ["score_verbosity", "score_erosion", "score_extensibility"];
/// Columns after those of the scores.
const AFTER: [&str; 2] = ["note", "definitions_hash"];

pub(super) fn render(series: &Series) -> String {
    let metrics = HISTORY_COLUMNS.iter().map(|metric| metric.column());
    let columns = BEFORE.into_iter().chain(metrics).chain(SCORES).chain(AFTER);
    let mut table = Table::new(columns);
    for point in &series.points {
        row(&mut table, point, "whole", &point.totals);
        for (part, totals) in &point.parts {
            let part = match part {
                Part::Product => "product",
                Part::Tests => "tests",
            };
            row(&mut table, point, part, totals);
        }
    }
    table.finish()
}

fn row(table: &mut Table, point: &Point, part: &str, totals: &Totals) {
    let text = |text: Option<&String>| guarded(clean(text.map_or("", String::as_str)));
    let author = &point.author;
    let mut fields = vec![
        guarded(clean(&point.series)),
        guarded(clean(&point.key().to_string())),
        guarded(clean(&point.time)),
        point.iteration.map(|it| it.to_string()).unwrap_or_default(),
        text(point.commit.as_ref().map(|commit| &commit.id)),
        text(author.person.as_ref()),
        text(author.agent.as_ref()),
        text(author.agent_version.as_ref()),
        text(author.model.as_ref()),
        text(author.session.as_ref()),
        part.to_owned(),
    ];
    let shown = |value: Option<f64>| value.map(|it| it.to_string()).unwrap_or_default();
    let metrics = HISTORY_COLUMNS.iter();
    fields.extend(metrics.map(|metric| shown(metric.of_totals(totals))));
    let scores = point.scores_of(JudgeKind::Static);
    let score = |name| scores.filter(|_| part == "whole")?.get(name);
    fields.extend(ScoreName::ALL.map(|name| shown(score(name))));
    fields.push(text(point.note.as_ref()));
    fields.push(guarded(clean(&point.definitions)));
    table.push(fields);
}
