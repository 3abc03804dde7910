//! `slope status`, `pause`, `resume` and `cancel`: show and control runs from another terminal.

use std::path::Path;

use anyhow::bail;
use serde::Serialize;
use slope_bench::control::{self, Wanted};
use slope_report::Format;
use slope_store::run_dir::RunDir;

use super::{output, run};
use crate::args::{OfRun, Resume};
use crate::display::Display;
use crate::exit::Done;
use crate::{setup, table};

/// JSON output of a control command.
#[derive(Debug, Serialize)]
struct Asked<'a> {
    schema: &'static str,
    run: &'a Path,
    wanted: Wanted,
}

pub(crate) fn status(args: &OfRun, format: Format) -> anyhow::Result<Done> {
    let status = control::status(&args.run)?;
    match format {
        Format::Json => output::json(&status)?,
        _ => output::text(&table::status(&status, usize::MAX))?,
    }
    Ok(Done::Fine)
}

/// Asks something of a run that is going on.
pub(crate) fn order(args: &OfRun, wanted: Wanted, format: Format) -> anyhow::Result<Done> {
    control::ask_running(&args.run, wanted)?;
    if format == Format::Json {
        output::json(&Asked {
            schema: "slope.control/1",
            run: &args.run,
            wanted,
        })?;
        return Ok(Done::Fine);
    }
    let what = match wanted {
        Wanted::Run => "goes on",
        Wanted::Pause => "is being paused: running attempts end first; `slope resume` continues it",
        Wanted::Cancel => {
            "is being cancelled: running attempts are ended, and everything is kept; \
             `slope resume` goes on with it"
        }
    };
    output::text(&format!("the run in {} {what}", args.run.display()))?;
    Ok(Done::Fine)
}

pub(crate) fn resume(args: &Resume, format: Format, display: &Display) -> anyhow::Result<Done> {
    let dir = RunDir::at(&args.run);
    if dir.is_locked()? {
        if args.keep_paused || control::wanted(&dir) == Wanted::Run {
            bail!(
                "{} is running already\nhelp: see its progress with `slope status`",
                args.run.display()
            );
        }
        let run = args.run.clone();
        return order(&OfRun { run }, Wanted::Run, format);
    }
    setup::resumable_with(format!("slope resume {}", args.run.display()));
    slope_bench::read_config(&dir)?;
    if !args.keep_paused {
        control::ask(&dir, Wanted::Run)?;
    }
    run::pushed(&args.push, &args.run, || {
        run::resume(&args.run, &args.problems, args.workers, display)?;
        run::print_result(&args.run, format, display)
    })
}
