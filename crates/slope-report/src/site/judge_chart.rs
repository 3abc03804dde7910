//! Charts of the scores of several judges over the points of a series.

use charts_rs::{Color, Series};
use minijinja::{Value, context};
use slope_model::assessment::ScoreName;
use slope_model::summary::{Summary, score_value};

use super::courses::look;
use super::judge::ModelSeries;
use super::lines::{self, Dot};
use crate::charts::{self, Axis, mark};
use crate::format::{Kind, capitalised};
use crate::html::HtmlError;

/// Models with a line.
const MOST_MODELS: usize = 4;
/// Maximum points of a line. Readers cannot tell more apart.
const MOST_POINTS: usize = 60;
/// The best score.
const BEST: f64 = 10.0;

pub(super) fn legend(models: &[ModelSeries<'_>]) -> Vec<Value> {
    let names = models.iter().take(MOST_MODELS).map(|model| &*model.name);
    let named = ["static"].into_iter().chain(names).enumerate();
    named
        .map(|(place, name)| {
            let look = look(place);
            context! { name, color => look.color, glyph => look.glyph().to_string() }
        })
        .collect()
}

/// One chart for each score that has two values of a judge.
pub(super) fn charts(
    points: &[Summary],
    models: &[ModelSeries<'_>],
) -> Result<Vec<Value>, HtmlError> {
    let mut all = Vec::new();
    for score in ScoreName::ALL {
        let by_models: Vec<Vec<Summary>> = models
            .iter()
            .take(MOST_MODELS)
            .map(|model| of_model(model, score))
            .collect();
        all.extend(chart(points, &by_models, score)?);
    }
    Ok(all)
}

/// The points that a model judged, with this score of it alone.
fn of_model(model: &ModelSeries<'_>, score: ScoreName) -> Vec<Summary> {
    let entries = model.entries.iter();
    let points = entries.map(|(point, entry)| {
        let value = entry.scores.get(score);
        let values = value.map(|value| (score_value(score), value));
        Summary {
            values: values.into_iter().collect(),
            ..Summary::of(point)
        }
    });
    points.collect()
}

fn chart(
    points: &[Summary],
    by_models: &[Vec<Summary>],
    score: ScoreName,
) -> Result<Option<Value>, HtmlError> {
    let id = score_value(score);
    let counted = lines::is_counted(points);
    let all = [points]
        .into_iter()
        .chain(by_models.iter().map(Vec::as_slice));
    let dots: Vec<Vec<(usize, Dot<'_>)>> = all
        .map(|of| charts::thinned(lines::dots(of, &id, counted), MOST_POINTS, |_| false))
        .collect();
    if dots.iter().all(|dots| dots.len() < 2) {
        return Ok(None);
    }
    let axis = Axis::up_to(BEST, false);
    let groups: Vec<Vec<&Dot<'_>>> = dots
        .iter()
        .map(|dots| dots.iter().map(|(_, dot)| dot).collect())
        .collect();
    let drawn = groups
        .iter()
        .enumerate()
        .filter(|(_, dots)| !dots.is_empty());
    let series = drawn.map(|(place, dots)| line(place, dots, &axis));
    let svg = charts::draw(
        series.collect(),
        &axis,
        Kind::Real,
        lines::positions(counted),
    )?;
    let title = format!("{} score", score.name());
    let about = format!("The static score, and {} of models.", groups.len() - 1);
    let tip = lines::tip(&groups, Kind::Real, BEST);
    let svg = charts::finish(&svg, &axis, Kind::Real, &title, &about, &tip);
    Ok(Some(context! {
        id => score.name(),
        title => capitalised(&title),
        about => "From 0 to 10, 10 is best.",
        svg => Value::from_safe_string(svg),
    }))
}

fn line(place: usize, dots: &[&Dot<'_>], axis: &Axis) -> Series {
    let look = look(place);
    let color: Color = mark::series(look.color).into();
    let mut series = lines::base(place, dots, axis);
    series.index = Some(look.color);
    series.symbol = Some(charts::symbol(look, color));
    series
}
