//! `slope problem next-edit`.

mod verify;

use slope_model::plural;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anstyle::Style;
use serde::Serialize;
use slope_author::next_edit::answers;
use slope_author::next_edit::cut::{self, Cuts};
use slope_author::next_edit::prompt::prompt;
use slope_author::next_edit::summary::{self, Group, Mean, Summary};
use slope_problem::LoadOptions;
use slope_problem::next_edit::{self, Language, Task, TaskSet};
use slope_report::Format;

use crate::args::next_edit::{Cut, NextEdit, Render, Score};
use crate::commands::output;
use crate::display::Display;
use crate::exit::Done;
use crate::shipped;
use verify::run_verify;

/// Version of the JSON form of `cut`.
const CUT: &str = "slope.next-edit-cut/1";
/// Version of the JSON form of `render`.
const PROMPTS: &str = "slope.next-edit-prompts/1";

#[derive(Serialize)]
struct Offered<'a> {
    schema: &'static str,
    tasks: &'a [Task],
    left_out: &'a BTreeMap<String, usize>,
}

#[derive(Serialize)]
struct Prompts<'a> {
    schema: &'static str,
    prompts: Vec<Asked<'a>>,
}

#[derive(Serialize)]
struct Asked<'a> {
    id: &'a str,
    language: Language,
    prompt: String,
}

pub(super) fn run(args: &NextEdit, format: Format, display: &Display) -> anyhow::Result<Done> {
    match args {
        NextEdit::Cut(args) => run_cut(args, format),
        NextEdit::Render(args) => run_render(args, format),
        NextEdit::Score(args) => run_score(args, format),
        NextEdit::Verify(args) => run_verify(args, format, display),
    }
}

fn run_cut(args: &Cut, format: Format) -> anyhow::Result<Done> {
    if let Some(path) = &args.out {
        super::must_be_new(path)?;
    }
    let mut cuts = all_cuts(args)?;
    if !args.picks.is_empty() {
        cuts.tasks = pick(cuts.tasks, &args.picks)?;
    }
    if let Some(path) = &args.out {
        let count = cuts.tasks.len();
        slope_store::atomic::write_to(path, next_edit::write(path, cuts.tasks)?.as_bytes())?;
        output::text(&format!(
            "{} written to {}",
            tasks(count),
            output::safe(&path.display().to_string())
        ))?;
        return Ok(Done::Fine);
    }
    match format {
        Format::Json => output::json(&Offered {
            schema: CUT,
            tasks: &cuts.tasks,
            left_out: &cuts.left_out,
        })?,
        _ => output::text(&offered(&cuts))?,
    }
    Ok(Done::Fine)
}

/// Tasks cut from the lineages of the problems.
fn all_cuts(args: &Cut) -> anyhow::Result<Cuts> {
    let mut all = Cuts::default();
    for folder in shipped::folders(&args.problems)? {
        let problem = slope_problem::load(&folder, &LoadOptions::default())?;
        let lineages = match &args.lineage {
            Some(lineage) => vec![lineage.clone()],
            None => cut::lineages(&problem)?,
        };
        for lineage in &lineages {
            let cuts = cut::cut(&problem, lineage, args.checkpoint)?;
            all.tasks.extend(cuts.tasks);
            for (why, count) in cuts.left_out {
                *all.left_out.entry(why).or_default() += count;
            }
        }
    }
    Ok(all)
}

/// The tasks of these ids, in this order.
fn pick(tasks: Vec<Task>, ids: &[String]) -> anyhow::Result<Vec<Task>> {
    let mut by_id: BTreeMap<String, Task> = tasks
        .into_iter()
        .map(|task| (task.id.clone(), task))
        .collect();
    let mut picked = Vec::new();
    for id in ids {
        let task = by_id.remove(id);
        picked.push(task.ok_or_else(|| {
            anyhow::anyhow!("{id}: no such task is offered, or it was picked before\nhelp: list the tasks by leaving out --pick")
        })?);
    }
    Ok(picked)
}

fn offered(cuts: &Cuts) -> String {
    let bold = Style::new().bold();
    let mut text = String::new();
    for task in &cuts.tasks {
        let asked = match &task.expected {
            Some(edit) => {
                let added = edit.replacement.lines().count();
                format!("line {}, -{} +{added}", edit.line, edit.lines)
            }
            None => format!("line {}, no edit", task.cursor.line),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{bold}{}{bold:#}: {asked}, after {}",
            output::safe(&task.id),
            edits(task.recent.len())
        );
        for reason in &task.reasons {
            let _ = writeln!(text, "    {}", output::safe(reason));
        }
    }
    let _ = writeln!(text, "{} offered", tasks(cuts.tasks.len()));
    for (why, count) in &cuts.left_out {
        let _ = writeln!(text, "{count:>4} left out: {}", output::safe(why));
    }
    text
}

fn tasks(count: usize) -> String {
    plural(count, "task")
}

fn edits(count: usize) -> String {
    plural(count, "edit")
}

/// Task set at `path`, or the one included in slope.
fn set(path: Option<&Path>) -> anyhow::Result<TaskSet> {
    Ok(match path {
        Some(path) => next_edit::load(path)?,
        None => next_edit::shipped()?,
    })
}

fn run_render(args: &Render, format: Format) -> anyhow::Result<Done> {
    let set = set(args.tasks.as_deref())?;
    let chosen: Vec<&Task> = match &args.id {
        Some(id) => set.tasks.iter().filter(|task| &task.id == id).collect(),
        None => set.tasks.iter().collect(),
    };
    if let (Some(id), true) = (&args.id, chosen.is_empty()) {
        let known: Vec<&str> = set.tasks.iter().map(|task| task.id.as_str()).collect();
        anyhow::bail!("the set has no task {id}: it has\n  {}", known.join("\n  "));
    }
    let asked = chosen.into_iter().map(|task| Asked {
        id: &task.id,
        language: task.language,
        prompt: prompt(task),
    });
    let prompts: Vec<Asked<'_>> = asked.collect();
    match format {
        Format::Json => output::json(&Prompts {
            schema: PROMPTS,
            prompts,
        })?,
        _ => {
            let texts: Vec<&str> = prompts.iter().map(|asked| asked.prompt.as_str()).collect();
            output::verbatim(&texts.join("\n----\n\n"))?;
        }
    }
    Ok(Done::Fine)
}

fn run_score(args: &Score, format: Format) -> anyhow::Result<Done> {
    let set = set(args.tasks.as_deref())?;
    let answers = answers::read(&args.answers, &set)?;
    let summary = summary::summarise(&set, &answers);
    match format {
        Format::Json => output::json(&summary)?,
        _ => output::text(&scored(&summary))?,
    }
    Ok(Done::Fine)
}

fn scored(summary: &Summary) -> String {
    let bold = Style::new().bold();
    let mut text = format!(
        "{bold}{:<12} {:>5} {:>8} {:>7} {:>5}  {:<22} {:<22} {:>7}  {:<22}{bold:#}\n",
        "language",
        "tasks",
        "answered",
        "missing",
        "files",
        "exact",
        "edit F",
        "no edit",
        "specificity"
    );
    let languages = summary.languages.iter();
    let groups = languages.map(|(language, group)| (language.to_string(), group));
    for (name, group) in groups.chain([("all".to_owned(), &summary.all)]) {
        text.push_str(&row(&name, group));
    }
    for task in &summary.tasks {
        if let (Some(_), Some(note)) = (task.score, &task.note) {
            let _ = writeln!(
                text,
                "wrong: {}: {}",
                output::safe(&task.id),
                output::safe(note)
            );
        }
    }
    let _ = write!(
        text,
        "Means are over answered tasks, with 95 % intervals over resampled files; {}. Specificity is the share \
         of complete changes that the answer leaves alone.",
        summary.definition
    );
    text
}

fn row(name: &str, group: &Group) -> String {
    let row = format!(
        "{name:<12} {:>5} {:>8} {:>7} {:>5}  {:<22} {:<22} {:>7}  {:<22}",
        group.tasks,
        group.answered,
        group.missing,
        group.files,
        told(&group.exact),
        told(&group.f),
        format!("{}/{}", group.no_edit.answered, group.no_edit.tasks),
        told(&group.no_edit.specificity)
    );
    format!("{}\n", row.trim_end())
}

/// A mean and its interval.
fn told(mean: &Mean) -> String {
    match (mean.mean, mean.interval) {
        (None, _) => "-".to_owned(),
        (Some(mean), None) => format!("{mean:.3}"),
        (Some(mean), Some(interval)) => {
            format!("{mean:.3} [{:.3}, {:.3}]", interval.low, interval.high)
        }
    }
}
