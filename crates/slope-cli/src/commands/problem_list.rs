//! `slope problem list`: the problems that ship with slope.

use std::fmt::Write;

use anstyle::Style;
use serde::Serialize;
use slope_model::plural;
use slope_problem::LoadOptions;
use slope_report::Format;

use super::output;
use crate::exit::Done;
use crate::shipped;

/// Version of the JSON form.
const SCHEMA: &str = "slope.problems/1";

#[derive(Serialize)]
struct Listed {
    schema: &'static str,
    problems: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    category: Option<String>,
    difficulty: Option<String>,
    family: Option<String>,
    tags: Vec<String>,
    checkpoints: usize,
    /// Cases of all checkpoints, each counted once.
    cases: usize,
    description: String,
}

pub(crate) fn run(format: Format) -> anyhow::Result<Done> {
    let names = slope_problem::shipped();
    let problems = names.iter().map(|name| entry(name));
    let problems = problems.collect::<anyhow::Result<Vec<_>>>()?;
    match format {
        Format::Json => output::json(&Listed {
            schema: SCHEMA,
            problems,
        })?,
        _ => output::text(&told(&problems))?,
    }
    Ok(Done::Fine)
}

fn entry(name: &str) -> anyhow::Result<Entry> {
    let folder = shipped::folder(name.as_ref())?;
    let problem = slope_problem::load(&folder, &LoadOptions::default())?;
    let mut cases = 0;
    for checkpoint in &problem.checkpoints {
        cases += slope_problem::load_cases(&problem, &checkpoint.name)?
            .cases
            .len();
    }
    Ok(Entry {
        name: name.to_owned(),
        category: problem.category.clone(),
        difficulty: problem.difficulty.clone(),
        family: problem.family.clone(),
        tags: problem.tags.clone(),
        checkpoints: problem.checkpoints.len(),
        cases,
        description: problem.description.clone(),
    })
}

fn told(problems: &[Entry]) -> String {
    let bold = Style::new().bold();
    let mut text = String::new();
    for entry in problems {
        let kind = [&entry.category, &entry.family, &entry.difficulty];
        let kind: Vec<&str> = kind.into_iter().flatten().map(String::as_str).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{bold}{}{bold:#}: {}; {}, {}\n    {}",
            entry.name,
            kind.join(", "),
            plural(entry.checkpoints, "checkpoint"),
            plural(entry.cases, "case"),
            entry.description.trim().replace('\n', "\n    ")
        );
    }
    text.push_str("\nslope run NAME runs an agent on one of them.");
    text
}
