//! `slope problem next-edit verify`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use serde::Serialize;
use slope_author::next_edit::verify::{self, SCHEMA, Verified};
use slope_author::stage;
use slope_bench::plan::load_options;
use slope_problem::next_edit::{Language, Task};
use slope_report::Format;
use slope_suite::track::TrackName;

use super::set;
use crate::args::next_edit::Verify;
use crate::commands::output;
use crate::commands::problem::setting;
use crate::display::Display;
use crate::exit::Done;
use crate::shipped;

/// All results.
#[derive(Serialize)]
struct Results {
    schema: &'static str,
    /// Number of verified tasks by language, right or wrong.
    languages: BTreeMap<Language, usize>,
    tasks: Vec<Verified>,
    /// Reasons that tasks were not verified on this machine.
    left_out: Vec<String>,
}

pub(super) fn run_verify(args: &Verify, format: Format, display: &Display) -> anyhow::Result<Done> {
    let set = set(args.tasks.as_deref())?;
    let tasks = picked(&set.tasks, &args.picks)?;
    let mut groups: BTreeMap<(&str, TrackName), Vec<&Task>> = BTreeMap::new();
    for task in &tasks {
        let track = verify::track_of(&task.source.lineage);
        let group = groups.entry((&task.source.problem, track)).or_default();
        group.push(task);
    }
    let mut results = Results {
        schema: SCHEMA,
        languages: BTreeMap::new(),
        tasks: Vec::new(),
        left_out: Vec::new(),
    };
    for ((problem, track), tasks) in groups {
        let folder = folder(problem, &args.problems)?;
        match of_track(args, &folder, track, &tasks, display) {
            Ok(verified) => {
                results.tasks.extend(verified);
                for task in tasks {
                    *results.languages.entry(task.language).or_default() += 1;
                }
            }
            Err(why) => results.left_out.push(setting::missing(why)?),
        }
    }
    display.finish();
    match format {
        Format::Json => output::json(&results)?,
        _ => output::text(&told(&results))?,
    }
    let is_right = results.tasks.iter().all(|task| task.fault.is_none());
    Ok(if is_right { Done::Fine } else { Done::Unmet })
}

/// The tasks of these ids, or all.
fn picked<'a>(tasks: &'a [Task], ids: &[String]) -> anyhow::Result<Vec<&'a Task>> {
    if let Some(unknown) = ids.iter().find(|id| !tasks.iter().any(|t| &&t.id == id)) {
        bail!(
            "the set has no task {unknown}\nhelp: list them with `slope problem next-edit render --all --format json`"
        );
    }
    let tasks = tasks.iter();
    Ok(tasks
        .filter(|task| ids.is_empty() || ids.contains(&task.id))
        .collect())
}

/// The folder of the problem with this name.
fn folder(name: &str, given: &[PathBuf]) -> anyhow::Result<PathBuf> {
    for path in given {
        let problem = stage::load(path)?;
        if problem.name == name {
            return Ok(path.clone());
        }
    }
    shipped::folder(Path::new(name))
}

fn of_track(
    args: &Verify,
    folder: &Path,
    track: TrackName,
    tasks: &[&Task],
    display: &Display,
) -> anyhow::Result<Vec<Verified>> {
    let problem = stage::load_as(folder, &load_options(track)?)?;
    let machine = setting::machine_for(track, &args.isolation, folder)?;
    let observer = |what: &str| display.note(what);
    Ok(verify::verify(
        &setting::stage(&machine),
        &problem,
        tasks,
        &observer,
    )?)
}

fn told(results: &Results) -> String {
    let mut text = String::new();
    let faults = results.tasks.iter().filter_map(|task| {
        let fault = task.fault.as_ref()?;
        Some((&task.id, fault))
    });
    // Writing to a String cannot fail.
    for (id, fault) in faults {
        let _ = writeln!(text, "wrong: {}: {}", output::safe(id), output::safe(fault));
    }
    for why in &results.left_out {
        let _ = writeln!(text, "left out: {}", output::safe(why));
    }
    let counts = results.languages.iter();
    let counts: Vec<String> = counts.map(|(name, n)| format!("{name} {n}")).collect();
    let wrong = results.tasks.iter().filter(|task| task.fault.is_some());
    let _ = writeln!(
        text,
        "{} verified, {} wrong ({})",
        super::tasks(results.tasks.len()),
        wrong.count(),
        counts.join(", ")
    );
    text
}
