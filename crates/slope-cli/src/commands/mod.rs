//! Commands, one module each.

mod check;
mod completions;
mod control;
mod diff;
mod doctor;
mod eval;
mod explain;
mod failures;
mod gc;
mod grade;
mod history;
mod hook;
mod judge;
mod mcp;
mod measure;
pub(crate) mod output;
mod problem;
mod problem_list;
mod quickstart;
mod report;
pub(crate) mod research;
mod rules;
mod run;
mod serve;
mod track;
mod watch;
mod worker;

pub(crate) use output::safe;

use slope_bench::control::Wanted;

use crate::args::{Cli, Command};
use crate::display::Display;
use crate::exit::Done;

/// Carries out the command line.
pub(crate) fn dispatch(cli: &Cli) -> anyhow::Result<Done> {
    let display = Display::new(cli.quiet);
    let format = cli.format;
    match &cli.command {
        Command::Quickstart(args) => quickstart::run(args, format, &display),
        Command::Run(args) => run::run(args, format, &display),
        Command::Status(args) => control::status(args, format),
        Command::Pause(args) => control::order(args, Wanted::Pause, format),
        Command::Resume(args) => control::resume(args, format, &display),
        Command::Cancel(args) => control::order(args, Wanted::Cancel, format),
        Command::Worker(args) => worker::run(args),
        Command::Eval(args) => eval::run(args, format, &display),
        Command::Measure(args) => measure::run(args, format, cli.quiet),
        Command::History(args) => history::run(args, format, cli.quiet),
        Command::Diff(args) => diff::run(args, format, cli.quiet),
        Command::Check(args) => check::run(args, format, cli.quiet),
        Command::Judge(args) => judge::run(args, format, &display),
        Command::Track(args) => track::run(args, format, cli.quiet),
        Command::Watch(args) => watch::run(args, format, &display),
        Command::Grade(args) => grade::run(args, format, cli.quiet),
        Command::Serve(args) => serve::run(args, format, cli.quiet),
        Command::Hook(args) => hook::run(args, format),
        Command::Mcp(args) => mcp::run(args),
        Command::Rules(args) => rules::run(args, format),
        Command::Explain(args) => explain::run(args, format),
        Command::Report(args) => report::run(args, format),
        Command::Failures(args) => failures::run(args, format),
        Command::Research(args) => research::run(args, format, &display, cli.quiet),
        Command::Problem(args) => problem::run(args, format, &display),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => completions::man(args),
        Command::Doctor(args) => doctor::run(args, format),
        Command::Gc(args) => gc::run(args, format),
    }
}
