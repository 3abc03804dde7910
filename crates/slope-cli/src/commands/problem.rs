//! `slope problem`: tools for problem authors.

mod export;
mod gate;
mod lint;
mod mutate;
mod new;
mod next_edit;
mod setting;
mod trial;
mod variants;

use std::path::Path;

use super::problem_list;
use slope_report::Format;

use crate::args::problem::Problem;
use crate::display::Display;
use crate::exit::Done;

pub(crate) fn run(args: &Problem, format: Format, display: &Display) -> anyhow::Result<Done> {
    match args {
        Problem::List => problem_list::run(format),
        Problem::Lint(args) => lint::run(args, format),
        Problem::New(args) => new::run(args, format),
        Problem::Try(args) => trial::run(args, format),
        Problem::Mutate(args) => mutate::run(args, format, display),
        Problem::Gate(args) => gate::run(args, format, display),
        Problem::Render(args) => variants::render(args, format),
        Problem::Variants(args) => variants::run(args, format),
        Problem::Export(args) => export::run(args),
        Problem::NextEdit(args) => next_edit::run(args, format, display),
    }
}

/// Refuses to overwrite `path`, even if it is a dangling link.
fn must_be_new(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        path.symlink_metadata().is_err(),
        "{} already exists\nhelp: remove it, or choose another path",
        path.display()
    );
    Ok(())
}
