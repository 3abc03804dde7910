//! `slope conformance`: this build held against what others have published, and against attacks.

pub(crate) mod cheats;
mod ledger;
mod metamorphic;
mod panel;
mod problems;
pub(crate) mod replay;
mod rules;
pub(crate) mod runs;
pub(crate) mod scb;
mod table7;

use crate::args::{Conformance, Format};
use crate::display::Display;
use crate::exit::Done;

pub(crate) fn run(
    args: &Conformance,
    format: Format,
    display: &Display,
    quiet: bool,
) -> anyhow::Result<Done> {
    match args {
        Conformance::Cheats(args) => cheats::run(args, format, quiet),
        Conformance::Ledger(args) => ledger::run(args, format, quiet),
        Conformance::Metamorphic(args) => metamorphic::run(args, format, quiet),
        Conformance::Panel(args) => panel::run(args, format, quiet),
        Conformance::Problems(args) => problems::run(args, format, display),
        Conformance::Replay(args) => replay::run(args, format, quiet),
        Conformance::Rules(args) => rules::run(args, format),
        Conformance::Runs(args) => runs::run(args, format, quiet),
        Conformance::Scb(args) => scb::run(args, format, quiet),
        Conformance::Table7(args) => table7::run(args, format, display),
    }
}
