//! `slope problem mutate`.

use std::fmt::Write;

use anstyle::Style;
use slope_author::Error;
use slope_author::mutate::{self, Asked, Control, Mutated, Step, Survivor, THRESHOLD};
use slope_author::stage;
use slope_model::plural;
use slope_report::Format;

use super::setting;
use crate::args::problem::Mutate;
use crate::commands::output;
use crate::display::Display;
use crate::exit::Done;
use crate::setup;

/// Mutants between two lines of progress.
const EVERY: usize = 5;

pub(super) fn run(args: &Mutate, format: Format, display: &Display) -> anyhow::Result<Done> {
    let problem = stage::load(&args.problem)?;
    let machine = setting::machine(&args.isolation, &args.problem)?;
    let count = u32::try_from(problem.checkpoints.len()).unwrap_or(u32::MAX);
    let chosen = stage::checkpoints(&problem, Some(args.checkpoint.unwrap_or(count)))?;
    let [checkpoint] = chosen[..] else {
        return Err(Error::Request(format!("{} has no checkpoint", problem.name)).into());
    };
    let asked = Asked {
        sample: (!args.all).then_some(args.sample),
        seed: args.seed,
        jobs: args.jobs.unwrap_or_else(setting::processors),
        performance: args.performance,
    };
    let control = Control {
        progress: &|step| tell(display, step),
        stop: setup::stop_gently("stopping; the results so far follow"),
    };
    let mutated = mutate::run(
        &setting::stage(&machine),
        &problem,
        checkpoint,
        &asked,
        &control,
    )?;
    display.finish();
    match format {
        Format::Json => output::json(&mutated)?,
        _ => output::text(&told(&mutated))?,
    }
    Ok(match (mutated.interrupted, mutated.is_enough()) {
        (true, _) => Done::Interrupted,
        (false, true) => Done::Fine,
        (false, false) => Done::Unmet,
    })
}

/// Prints the progress after every few mutants.
pub(super) fn tell(display: &Display, step: Step) {
    if step.done.is_multiple_of(EVERY) || step.done == step.total {
        display.note(&format!(
            "{} of {}, {} survived",
            step.done,
            plural(step.total, "mutant"),
            step.survived
        ));
    }
}

fn told(mutated: &Mutated) -> String {
    let mut text = String::new();
    for survivor in &mutated.survivors {
        told_survivor(&mut text, mutated, survivor);
    }
    text.push_str(&summary(mutated));
    text.push('\n');
    text
}

/// Summary line of the mutants of a checkpoint.
pub(super) fn summary(mutated: &Mutated) -> String {
    let mut line = format!(
        "{}, {}: killed {} of {}",
        output::safe(&mutated.problem),
        mutated.checkpoint,
        mutated.killed,
        plural(mutated.total, "mutant")
    );
    if let (Some(score), Some(interval)) = (mutated.score, mutated.interval) {
        // Writing to a String cannot fail.
        let _ = write!(
            line,
            " ({:.0} %, 95 % interval {:.0} to {:.0} %; wanted {:.0} %)",
            score * 100.0,
            interval.low * 100.0,
            interval.high * 100.0,
            THRESHOLD * 100.0
        );
    }
    let _ = write!(line, ", drawn of {}", plural(mutated.sites, "site"));
    if mutated.waived > 0 {
        let _ = write!(line, ", {} waived", mutated.waived);
    }
    if mutated.interrupted {
        line.push_str(", interrupted");
    }
    line
}

fn told_survivor(text: &mut String, mutated: &Mutated, survivor: &Survivor) {
    let bold = Style::new().bold();
    let place = format!(
        "solutions/{}/{}:{}",
        mutated.checkpoint,
        survivor.file.display(),
        survivor.line
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{bold}{}{bold:#}: {} survived [{}]",
        output::safe(&place),
        survivor.operator.name(),
        survivor.fingerprint
    );
    for line in &survivor.diff {
        let _ = writeln!(text, "    {}", output::safe(line));
    }
    let _ = writeln!(text, "    {}\n", survivor.hint);
}
