//! `slope track plot`: charts of a series.

use anyhow::Context;
use slope_model::schema;
use slope_model::track::Series;
use slope_report::Format;
use slope_track::{Project, history};

use crate::args::TrackPlot;
use crate::commands::output;
use crate::exit::Done;

pub(crate) fn run(args: &TrackPlot, format: Format) -> anyhow::Result<Done> {
    let project = Project::find(&args.path, None)?;
    let series = Series {
        schema: schema::SERIES.to_owned(),
        series: args.series.0.clone(),
        points: project.points(&args.series.0)?,
    };
    let history = history(&series);
    if let Some(file) = &args.html {
        let page = slope_report::render_series_page(&series, &history)?;
        slope_store::atomic::write_to(file, page.as_bytes())
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let detail = output::list_detail(0);
    let text = || slope_report::render_series(format, &series, &history, &detail);
    match format {
        Format::Html => output::document(&slope_report::render_series_page(&series, &history)?)?,
        // The page was asked for, so nobody needs the charts a second time.
        Format::Human if args.html.is_some() => {}
        Format::Human => output::text(&text()?)?,
        Format::Json => output::json_text(&text()?)?,
        _ => output::document(&text()?)?,
    }
    Ok(Done::Fine)
}
