//! `slope report`: render runs again.

use super::output;
use crate::args::{Format, Report};
use crate::exit::Done;

pub(crate) fn run(args: &Report, format: Format) -> anyhow::Result<Done> {
    output::check_html(args.html.as_deref())?;
    let reports = output::reports(&args.runs)?;
    output::print_reports(&reports, format, args.html.as_deref())?;
    Ok(Done::Fine)
}
