//! `slope watch`: a daily benchmark of an assistant.

mod acknowledge;
mod bisect;
mod demo;
mod export;
mod init;
mod notify;
mod push;
mod simulate;
mod status;
mod tick;

use slope_report::Format;

use crate::args::Watch;
use crate::display::Display;
use crate::exit::Done;

pub(crate) fn run(args: &Watch, format: Format, display: &Display) -> anyhow::Result<Done> {
    match args {
        Watch::Init(args) => init::run(args, format),
        Watch::Plan(args) => tick::plan(args, format),
        Watch::Tick(args) => tick::run(args, format, display),
        Watch::Status(args) => status::run(args, format),
        Watch::Export(args) => export::run(args, format),
        Watch::Bisect(args) => bisect::run(args, format, display),
        Watch::Notify(args) => notify::run(args, format),
        Watch::Acknowledge(args) => acknowledge::run(args, format),
        Watch::Push(args) => push::run(args, format),
        Watch::Report(args) => status::report(args),
        Watch::Simulate(args) => simulate::run(args, format),
        Watch::Demo(args) => demo::run(args, format),
    }
}
