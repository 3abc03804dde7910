//! `slope track status`: the last point.

use jiff::Timestamp;
use slope_report::Format;
use slope_track::{Project, status, unsent};

use super::server::configured;
use crate::args::TrackStatus;
use crate::commands::output;
use crate::exit::Done;

pub(crate) fn run(args: &TrackStatus, format: Format) -> anyhow::Result<Done> {
    let project = Project::find(&args.path, None)?;
    let mut found = status(&project, &args.series.0, Timestamp::now())?;
    if let Some(server) = configured(&project) {
        found.unsent = Some(unsent(&project.series, &server)?);
    }
    let detail = output::list_detail(0);
    match format {
        Format::Json => output::json(&found)?,
        _ => output::text(&slope_report::render_track_status(&found, &detail))?,
    }
    let is_within = found.exceeded.is_empty();
    Ok(if is_within { Done::Fine } else { Done::Unmet })
}
