//! `slope research problems`: compares results of reference solutions with expectations.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use slope_bench::conformance::{self, Comparison, Expectations};
use slope_bench::plan::RunOptions;
use slope_model::problem::Group;
use slope_report::Format;

use crate::args::{ResearchProblems, Stability};
use crate::commands::{output, run};
use crate::display::Display;
use crate::exit::Done;
use crate::setup;

/// The result of a conformance check.
#[derive(Debug, Serialize)]
struct Result {
    /// Whether everything was as expected.
    conforms: bool,
    /// Reference solutions.
    oracle: Vec<Comparison>,
    /// Results of an agent that does nothing, if requested.
    nop: Option<Vec<Comparison>>,
    /// Folder of the runs.
    out: PathBuf,
}

pub(crate) fn run(
    args: &ResearchProblems,
    format: Format,
    display: &Display,
) -> anyhow::Result<Done> {
    let problems = problems(&args.dir, &args.only)?;
    let mut expectations = match &args.expect {
        Some(path) => Expectations::read(path)?,
        None => Expectations::default(),
    };
    check_expected(&expectations, &problems, args)?;
    expectations.all_repeated = args.grading.stability == Some(Stability::All);
    let out = match &args.out {
        Some(out) => out.clone(),
        None => setup::cache_dir()?.join(run::default_dir("research")),
    };
    setup::resumable_with(format!("the same command with --out {}", out.display()));
    let oracle = execute("oracle", &out, &problems, args, display)?;
    let oracle = conformance::compare(&output::reports(&[oracle])?[0], &expectations);
    let nop = if args.nop {
        let dir = execute("nop", &out, &problems, args, display)?;
        Some(conformance::compare_nop(&output::reports(&[dir])?[0]))
    } else {
        None
    };
    display.finish();
    let conforms = oracle
        .iter()
        .chain(nop.iter().flatten())
        .all(|c| c.differences.is_empty());
    let result = Result {
        conforms,
        oracle,
        nop,
        out,
    };
    match format {
        Format::Json => output::json(&result)?,
        _ => output::text(&describe(&result))?,
    }
    Ok(if conforms { Done::Fine } else { Done::Unmet })
}

/// Problem folders below `dir`, or only the named ones.
fn problems(dir: &Path, only: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)
        .with_context(|| format!("cannot list the problems in {}", dir.display()))?
    {
        let path = entry?.path();
        let name = path
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        if path.join("config.yaml").is_file() && (only.is_empty() || only.contains(&name)) {
            found.push(path);
        }
    }
    found.sort();
    if let Some(missing) = only
        .iter()
        .find(|name| !found.iter().any(|p| p.ends_with(name)))
    {
        bail!("{} has no problem folder {missing}", dir.display());
    }
    if found.is_empty() {
        bail!(
            "{} contains no problem, which is a folder with a config.yaml",
            dir.display()
        );
    }
    Ok(found)
}

/// Refuses expectations for problems that do not exist, because they would pass unchecked.
fn check_expected(
    expectations: &Expectations,
    problems: &[PathBuf],
    args: &ResearchProblems,
) -> anyhow::Result<()> {
    let there = |name: &&str| problems.iter().any(|folder| folder.ends_with(name));
    let asked = |name: &&str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let missing: Vec<&str> = expectations
        .problems()
        .filter(|name| asked(name) && !there(name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    bail!(
        "{} has expectations of {}, which {} does not contain\nhelp: select the problems to check with --only",
        args.expect.as_deref().unwrap_or(Path::new("-")).display(),
        missing.join(", "),
        args.dir.display()
    )
}

fn execute(
    agent: &str,
    out: &Path,
    problems: &[PathBuf],
    args: &ResearchProblems,
    display: &Display,
) -> anyhow::Result<PathBuf> {
    let dir = out.join(agent);
    if dir.join("run.json").exists() {
        run::resume(&dir, &[], args.workers, display)?;
        return Ok(dir);
    }
    let mut options = RunOptions {
        agent: agent.to_owned(),
        label: agent.to_owned(),
        ..RunOptions::default()
    };
    run::apply(&mut options, &args.isolation, &args.grading)?;
    run::create_and_execute(&dir, problems, options, args.workers, display)?;
    Ok(dir)
}

fn describe(result: &Result) -> String {
    let mut text = String::new();
    section(&mut text, "reference solutions", &result.oracle);
    if let Some(nop) = &result.nop {
        section(&mut text, "no solution", nop);
    }
    text.push_str(&format!("\nruns: {}\n", result.out.display()));
    text.push_str(if result.conforms {
        "conforms\n"
    } else {
        "does not conform\n"
    });
    text
}

fn section(text: &mut String, title: &str, comparisons: &[Comparison]) {
    text.push_str(&format!("{title}\n"));
    for comparison in comparisons {
        let counts: Vec<String> = Group::ALL
            .into_iter()
            .filter_map(|group| {
                let count = comparison.counts.get(&group)?;
                let unstable = if count.unstable > 0 {
                    format!(" ({} unstable)", count.unstable)
                } else {
                    String::new()
                };
                Some(format!(
                    "{} {}/{}{unstable}",
                    group.name(),
                    count.passed,
                    count.total
                ))
            })
            .collect();
        let mark = if comparison.differences.is_empty() {
            "ok  "
        } else {
            "FAIL"
        };
        let place = format!("{}/{}", comparison.problem, comparison.checkpoint);
        text.push_str(&format!("  {mark} {place:<40} {}\n", counts.join(", ")));
        for id in &comparison.unstable {
            text.push_str(&format!("         unstable: {id}\n"));
        }
        for difference in &comparison.differences {
            text.push_str(&format!("         {difference}\n"));
        }
    }
}
