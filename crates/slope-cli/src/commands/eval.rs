//! `slope eval`: grades existing snapshots again.

use anyhow::bail;
use slope_bench::evaluate;
use slope_bench::plan::{self, RunOptions};
use slope_report::Format;

use super::{output, run};
use crate::args::Eval;
use crate::display::Display;
use crate::exit::Done;
use crate::{setup, shipped};

pub(crate) fn run(args: &Eval, format: Format, display: &Display) -> anyhow::Result<Done> {
    if !args.target.is_dir() {
        bail!("{} is not a directory", args.target.display());
    }
    let is_run = args.target.join("run.json").exists();
    match (args.problem.as_slice(), args.checkpoint) {
        (_, Some(_)) if format == Format::Markdown => {
            bail!(
                "the verdict of one solution has no Markdown format\nhelp: use --format human or json"
            )
        }
        ([problem], Some(index)) => directory(args, problem, index, format),
        (_, None) if is_run => whole_run(args, format, display),
        _ if is_run => bail!(
            "{} is a run, and slope grades all its checkpoints\nhelp: remove --checkpoint",
            args.target.display()
        ),
        _ => bail!(
            "{} is not a run directory\n\
             help: to grade a solution, add --problem DIR --checkpoint N",
            args.target.display()
        ),
    }
}

fn whole_run(args: &Eval, format: Format, display: &Display) -> anyhow::Result<Done> {
    let mut plan = plan::open(&args.target, &args.problem)?;
    run::apply(&mut plan.options, &args.isolation, &args.grading)?;
    let machine = setup::machine(&plan.options, &args.target)?;
    let observer = |progress| display.show(&plan.config.label, &progress);
    evaluate::regrade(&plan, &machine, &observer)?;
    display.finish();
    output::print_reports(&output::reports(&[&args.target])?, format, None)?;
    Ok(Done::Fine)
}

fn directory(
    args: &Eval,
    problem: &std::path::Path,
    index: u32,
    format: Format,
) -> anyhow::Result<Done> {
    let mut options = RunOptions {
        track: args.track,
        ..RunOptions::default()
    };
    run::apply(&mut options, &args.isolation, &args.grading)?;
    let machine = setup::machine(&options, &args.target)?;
    let said = plan::load_options(args.track)?;
    let problem = slope_problem::load(&shipped::folder(problem)?, &said)?;
    let evaluation = evaluate::evaluate_dir(&args.target, &problem, index, &machine)?;
    match format {
        Format::Json => output::json(&evaluation)?,
        _ => output::text(&slope_report::render_evaluation(
            &evaluation.verdict,
            &evaluation.measurement,
        ))?,
    }
    Ok(Done::Fine)
}
