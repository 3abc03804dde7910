//! The sandbox in which authors' tools run solutions, and how their tables are set.

use std::path::Path;

use anyhow::Context;
use slope_author::stage::Stage;
use slope_bench::machine::Machine;
use slope_bench::plan::RunOptions;
use slope_model::error_text::one_line;
use slope_suite::track::TrackName;

use crate::args::Isolation;
use crate::commands::run::environment;
use crate::setup;

/// Machine with the given isolation.
pub(super) fn machine(isolation: &Isolation, problem: &Path) -> anyhow::Result<Machine> {
    machine_for(TrackName::Python, isolation, problem)
}

/// The same for programs in the language of `track`.
pub(super) fn machine_for(
    track: TrackName,
    isolation: &Isolation,
    problem: &Path,
) -> anyhow::Result<Machine> {
    let mut options = RunOptions {
        track,
        unconfined: isolation.no_sandbox,
        ..RunOptions::default()
    };
    environment(&mut options, isolation)?;
    if let Some(python) = &isolation.python {
        let python = std::path::absolute(python)
            .with_context(|| format!("--python {}", python.display()))?;
        options.python = Some(python);
    }
    setup::machine(&options, problem)
}

/// Languages besides Python in which a problem has reference solutions.
pub(super) fn other_tracks(problem: &Path) -> impl Iterator<Item = TrackName> {
    let others = TrackName::ALL
        .into_iter()
        .filter(|t| *t != TrackName::Python);
    others.filter(|track| problem.join(track.solutions()).is_dir())
}

/// The missing toolchain of a language, if that is the error.
pub(super) fn missing(why: anyhow::Error) -> anyhow::Result<String> {
    match why.downcast_ref::<slope_suite::Error>() {
        Some(slope_suite::Error::Toolchain { .. }) => Ok(one_line(why.as_ref())),
        _ => Err(why),
    }
}

/// Part of the machine used by the author tools.
pub(super) fn stage(machine: &Machine) -> Stage<'_> {
    Stage {
        runtime: machine.runtime.as_ref(),
        options: &machine.grade,
    }
}

/// Rows as columns of equal width: the first left-aligned, the others right-aligned.
pub(super) fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(at, (cell, width))| {
                if at == 0 {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
        let line = cells.collect::<Vec<_>>().join("  ");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Processors of this machine.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
