//! One file a command.

pub(crate) mod conformance;
mod doctor;
mod eval;
mod measure;
mod output;
mod quickstart;
mod report;
mod run;

use crate::args::{Cli, Command};
use crate::display::Display;
use crate::exit::Done;

/// Carries out the command line.
pub(crate) fn dispatch(cli: &Cli) -> anyhow::Result<Done> {
    let display = Display::new(cli.quiet);
    match &cli.command {
        Command::Quickstart(args) => quickstart::run(args, cli.format, &display),
        Command::Run(args) => run::run(args, cli.format, &display),
        Command::Eval(args) => eval::run(args, cli.format, &display),
        Command::Measure(args) => measure::run(args, cli.format),
        Command::Report(args) => report::run(args, cli.format),
        Command::Conformance(args) => conformance::run(args, cli.format, &display),
        Command::Doctor(args) => doctor::run(args, cli.format),
    }
}
