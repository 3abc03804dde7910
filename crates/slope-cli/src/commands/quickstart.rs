//! `slope quickstart`: two trajectories of the built-in problem, side by side.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use slope_bench::plan::{RunOptions, UpstreamPlan};
use slope_report::Format;

use super::{output, run};
use crate::args::Quickstart;
use crate::display::Display;
use crate::exit::Done;
use crate::setup;

/// Labels of the two runs, each with a script next to the problem. In the order of `slope report
/// FOLDER`, so that differences have the same sign in both.
const SCRIPTS: [&str; 2] = ["sloppy", "tidy"];

pub(crate) fn run(args: &Quickstart, format: Format, display: &Display) -> anyhow::Result<Done> {
    output::check_html(args.html.as_deref())?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| run::default_dir("quickstart"));
    setup::resumable_with(format!("slope quickstart --out {}", out.display()));
    let problem = slope_problem::materialize_builtin(&out.join("problem"))?;
    both(&out, &problem, args, display)?;
    display.finish();
    let dirs: Vec<PathBuf> = SCRIPTS.iter().map(|name| out.join(name)).collect();
    let html = args.html.clone().unwrap_or_else(|| out.join("report.html"));
    output::print_reports(&output::reports(&dirs)?, format, Some(&html))?;
    if format == Format::Human {
        output::text(&format!(
            "Report with plots: {}\nRun directories:   {}",
            html.display(),
            out.display()
        ))?;
    }
    Ok(Done::Fine)
}

/// Runs both scripts at the same time.
fn both(out: &Path, problem: &Path, args: &Quickstart, display: &Display) -> anyhow::Result<()> {
    std::thread::scope(|scope| {
        let runs = SCRIPTS.map(|name| scope.spawn(move || one(name, out, problem, args, display)));
        runs.into_iter().try_for_each(|run| {
            run.join()
                .unwrap_or_else(|_| Err(anyhow!("a run stopped unexpectedly")))
        })
    })
}

fn one(
    name: &str,
    out: &Path,
    problem: &Path,
    args: &Quickstart,
    display: &Display,
) -> anyhow::Result<()> {
    let dir = out.join(name);
    if dir.join("run.json").exists() {
        return run::resume(&dir, &[], Some(1), display);
    }
    let script = problem.join("scripts").join(format!("{name}.yaml"));
    let mut options = RunOptions {
        agent: "slope".to_owned(),
        model: format!("scripted-{name}"),
        label: name.to_owned(),
        upstream: UpstreamPlan::Script(std::path::absolute(script)?),
        timeout_s: 120,
        unconfined: args.isolation.no_sandbox,
        python: args.isolation.python.clone(),
        offline: true,
        ..RunOptions::default()
    };
    run::environment(&mut options, &args.isolation)?;
    run::create_and_execute(&dir, &[problem.to_owned()], options, Some(1), display)
}
