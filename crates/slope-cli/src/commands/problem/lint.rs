//! `slope problem lint`.

use slope_model::plural;
use std::fmt::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use slope_problem::{Level, Lint};
use slope_report::Format;

use crate::args::problem::Lint as LintArgs;
use crate::commands::output;
use crate::exit::Done;

/// Version of the JSON form.
const SCHEMA: &str = "slope.lint/1";

#[derive(Serialize)]
struct Linted<'a> {
    schema: &'static str,
    problems: Vec<OfProblem<'a>>,
}

#[derive(Serialize)]
struct OfProblem<'a> {
    problem: &'a Path,
    lints: Vec<Lint>,
}

pub(super) fn run(args: &LintArgs, format: Format) -> anyhow::Result<Done> {
    let mut problems = Vec::new();
    for problem in &args.problems {
        let lints = slope_problem::lint(problem)?;
        problems.push(OfProblem { problem, lints });
    }
    let all = problems.iter().flat_map(|of| &of.lints);
    let errors = all.filter(|lint| lint.level == Level::Error).count();
    match format {
        Format::Json => output::json(&Linted {
            schema: SCHEMA,
            problems,
        })?,
        _ => output::text(&told(&problems, errors))?,
    }
    Ok(if errors == 0 { Done::Fine } else { Done::Unmet })
}

fn told(problems: &[OfProblem<'_>], errors: usize) -> String {
    let mut text = String::new();
    let bold = Style::new().bold();
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let mut notes = 0;
    for of in problems {
        for lint in &of.lints {
            let place = of.problem.join(&lint.path);
            let line = lint
                .line
                .map_or_else(String::new, |line| format!(":{line}"));
            let place = output::safe(&format!("{}{line}", place.display()));
            let level = match lint.level {
                Level::Error => format!("{red}error{red:#}"),
                Level::Note => {
                    notes += 1;
                    "note".to_owned()
                }
            };
            let what = output::safe(&lint.text);
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "{bold}{place}{bold:#}: {level}[{}]: {what}",
                lint.rule
            );
            let _ = writeln!(text, "    {}", lint.remedy);
        }
    }
    let sums = [plural(errors, "error"), plural(notes, "note")].join(", ");
    let _ = writeln!(text, "{}: {sums}", plural(problems.len(), "problem"));
    text
}
