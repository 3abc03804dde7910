//! A series as one self-contained HTML page: that of a history, with scores, changes and points.

use minijinja::{Value, context};
use slope_model::assessment::{JudgeKind, ScoreName};
use slope_model::history::{History, HistoryEvidence};
use slope_model::series::Point;
use slope_model::track::Series;

use super::{Ends, facts, scores};
use crate::format::Kind;
use crate::format::MISSING;
use crate::history::page::{Heading, amount_columns, changed, page};
use crate::history::plot::score_plot;
use crate::html::HtmlError;
use crate::sheet::{Table, code, number, text};

/// Renders a series as one self-contained HTML file, as [`crate::render_history_page`]. `history` is the same series as
/// a history.
///
/// # Errors
/// [`HtmlError`], which never depends on the content of the series.
pub fn render_series_page(series: &Series, history: &History) -> Result<String, HtmlError> {
    let heading = Heading {
        kind: "track",
        facts: facts(series),
    };
    let mut plots = Vec::new();
    for name in ScoreName::ALL {
        let values = scores(series, name);
        let description = format!(
            "The score for {} over time, from 0 to 10. The table of points has the values.",
            name.name()
        );
        let svg = score_plot(history, (name.name(), &description), &values)?;
        let ends = Ends::of(&values);
        plots.push(context! {
            name => name.name(),
            last => ends.last,
            change => (values.len() > 1 && ends.change != MISSING).then_some(ends.change),
            svg => svg.map(Value::from_safe_string),
        });
    }
    let own = context! {
        scores => plots,
        steps => steps(series),
        points => points(series),
    };
    page(history, &HistoryEvidence::default(), &heading, Some(own))
}

fn day(point: &Point) -> Value {
    text(
        point
            .time
            .get(..16)
            .unwrap_or(&point.time)
            .replace('T', " "),
    )
}

/// A key with the first digits of its commit, if it has one.
fn short(key: &str) -> &str {
    match key.strip_prefix("commit-") {
        Some(_) => key.get(..17).unwrap_or(key),
        None => key,
    }
}

/// What changed at each point, newest first.
fn steps(series: &Series) -> Value {
    let mut columns = amount_columns();
    columns.extend(["point", "since", "agent", "place"].map(str::to_owned));
    let mut table = Table::new("steps", "Changes", &columns);
    for point in series.points.iter().rev() {
        let Some(change) = &point.change else {
            continue;
        };
        table.push(|| {
            let mut row = changed(&change.amounts);
            let place = change.places.first().map(|place| match &place.function {
                Some(function) => format!("{}:{} {function}", place.path, place.line),
                None => place.path.clone(),
            });
            row.extend([
                text(short(&point.key().to_string())),
                text(short(&change.since)),
                text(point.author.agent.as_deref().unwrap_or_default()),
                code(place.unwrap_or_default()),
            ]);
            row
        });
    }
    table.value()
}

/// Every point, newest first.
fn points(series: &Series) -> Value {
    let mut columns: Vec<String> = ["date", "point", "commit"].map(str::to_owned).into();
    columns.extend(ScoreName::ALL.map(|name| format!("> {} score", name.name())));
    columns.extend(["person", "agent", "model", "session", "note"].map(str::to_owned));
    let mut table = Table::new("points", "Points", &columns);
    for point in series.points.iter().rev() {
        table.push(|| {
            let id = point.commit.as_ref().map(|commit| commit.id.as_str());
            let id = id.map(|id| id.get(..10).unwrap_or(id)).unwrap_or_default();
            let mut row = vec![day(point), text(short(&point.key().to_string())), code(id)];
            let scores = point.scores_of(JudgeKind::Static);
            row.extend(ScoreName::ALL.map(|name| {
                let value = scores.and_then(|scores| scores.get(name));
                value.map_or_else(|| text(MISSING), |value| number(Kind::Real, value))
            }));
            let author = &point.author;
            let texts = [
                &author.person,
                &author.agent,
                &author.model,
                &author.session,
                &point.note,
            ];
            row.extend(texts.map(|it| text(it.as_deref().unwrap_or_default())));
            row
        });
    }
    table.value()
}
