//! `slope watch status` and `slope watch report`.

use anyhow::Context;
use slope_report::Format;
use slope_watch::settings::Settings;
use slope_watch::{Error, Status, WatchFolder, status};

use super::tick::today;
use crate::args::{OfWatch, WatchReport};
use crate::commands::output;
use crate::exit::Done;

pub(crate) fn run(args: &OfWatch, format: Format) -> anyhow::Result<Done> {
    let found = state(&args.folder)?;
    match format {
        Format::Json => output::json(&found)?,
        _ => output::text(&slope_report::render_watch_status(
            &found,
            &output::list_detail(0),
        ))?,
    }
    Ok(if found.needs_attention() {
        Done::Unmet
    } else {
        Done::Fine
    })
}

pub(crate) fn report(args: &WatchReport) -> anyhow::Result<Done> {
    let found = state(&args.of.folder)?;
    write_page(&args.html, &WatchFolder::at(&args.of.folder).name(), &found)?;
    output::text(&format!(
        "{}\nwrote {}",
        found.sentence,
        args.html.display()
    ))?;
    Ok(Done::Fine)
}

/// Writes the page of a watch.
pub(super) fn write_page(
    file: &std::path::Path,
    title: &str,
    found: &Status,
) -> anyhow::Result<()> {
    let page = slope_report::render_watch_page(title, found)?;
    slope_store::atomic::write_to(file, page.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))
}

pub(super) fn state(folder: &std::path::Path) -> anyhow::Result<Status> {
    let settings = Settings::read(folder)?;
    let kept = WatchFolder::at(folder);
    let days = kept.results()?;
    if days.is_empty() {
        return Err(Error::NoResults(folder.to_owned()).into());
    }
    let mut found = status(&days, settings.limits());
    found.acknowledge(&kept.notes()?, &today().to_string());
    Ok(found)
}
