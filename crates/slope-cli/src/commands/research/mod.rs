//! `slope research`: compares this build with published results, and attacks it.

pub(crate) mod cheats;
mod ledger;
mod metamorphic;
mod panel;
mod problems;
pub(crate) mod reference;
pub(crate) mod replay;
mod rewards;
mod rules;
pub(crate) mod runs;
pub(crate) mod scb;
mod table7;

use slope_report::Format;

use crate::args::Research;
use crate::display::Display;
use crate::exit::Done;

pub(crate) fn run(
    args: &Research,
    format: Format,
    display: &Display,
    quiet: bool,
) -> anyhow::Result<Done> {
    match args {
        Research::Cheats(args) => cheats::run(args, format, quiet),
        Research::Ledger(args) => ledger::run(args, format, quiet),
        Research::Metamorphic(args) => metamorphic::run(args, format, quiet),
        Research::Panel(args) => panel::run(args, format, quiet),
        Research::Problems(args) => problems::run(args, format, display),
        Research::Reference(args) => reference::run(args, format, display),
        Research::Replay(args) => replay::run(args, format, quiet),
        Research::Rewards(args) => rewards::run(args, format, quiet),
        Research::Rules(args) => rules::run(args, format),
        Research::Runs(args) => runs::run(args, format, quiet),
        Research::Scb(args) => scb::run(args, format, quiet),
        Research::Table7(args) => table7::run(args, format, display),
    }
}
