//! `slope track`: a project's own series.

mod add;
mod plot;
mod push;
mod runs;
mod server;
mod status;

pub(crate) use runs::{page, send};
pub(crate) use server::server;
use slope_report::Format;

use crate::args::Track;
use crate::exit::Done;

pub(crate) fn run(args: &Track, format: Format, quiet: bool) -> anyhow::Result<Done> {
    match args {
        Track::Add(args) => add::run(args, format),
        Track::Status(args) => status::run(args, format),
        Track::Plot(args) => plot::run(args, format),
        Track::Push(args) => push::run(args, format, quiet),
    }
}
