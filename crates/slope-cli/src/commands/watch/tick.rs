//! `slope watch plan` and `slope watch tick`: the runs of a day.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde::Serialize;
use slope_bench::plan;
use slope_model::watch::{ArmDay, WatchDay};
use slope_report::Format;
use slope_suite::track::TrackName;
use slope_watch::settings::Settings;
use slope_watch::{Job, Task, Ticked, WatchFolder, tick};

use super::notify;
use super::push::Target;
use crate::args::{OfWatch, RunWork, WatchTick};
use crate::commands::{output, run};
use crate::display::Display;
use crate::exit::Done;
use crate::{setup, shipped};

pub(crate) fn run(args: &WatchTick, format: Format, display: &Display) -> anyhow::Result<Done> {
    let settings = Settings::read(&args.of.folder)?;
    let folder = WatchFolder::at(&args.of.folder);
    let date = args.date.unwrap_or_else(today);
    check_tasks(&settings)?;
    // Before the work, so that a wrong option costs nothing.
    let target = args.push.then(|| Target::of(&args.target, &args.of.folder));
    let target = target.transpose()?;
    setup::resumable_with(format!("the same command with --date {date}"));
    let ticked = tick(&folder, &settings, date, |job| {
        work(&args.work, &settings, job, display)
    })?;
    display.finish();
    send(&settings, &folder)?;
    match &ticked {
        Ticked::Done(day) => said(format, day, &in_words(day))?,
        Ticked::Before(day) => said(format, day, &format!("{date} was done before"))?,
        Ticked::OverBudget { spent, budget } => anyhow::bail!(
            "the month's budget of {budget} US dollars is used up: {spent:.2} are spent\n\
             help: raise budget.month-usd, or wait for the next month"
        ),
    }
    match target {
        // Standard output has the day as JSON.
        Some(target) => Ok(target.send(&args.of.folder, format != Format::Json)?.1),
        None => Ok(Done::Fine),
    }
}

/// Sends messages about alarms. If a receiver fails, it gets them later, and the day still succeeds.
fn send(settings: &Settings, folder: &WatchFolder) -> anyhow::Result<()> {
    if settings.deliver.is_empty() {
        return Ok(());
    }
    let _lock = folder.lock()?;
    let deliveries = notify::send(settings, folder)?;
    if deliveries.values().any(|one| one.waiting > 0) {
        anstream::eprintln!(
            "warning: messages are kept for later\n{}\nhelp: send them with `slope watch notify {}`",
            notify::in_words(&deliveries),
            folder.root().display()
        );
    }
    Ok(())
}

fn said(format: Format, day: &WatchDay, words: &str) -> anyhow::Result<()> {
    output::json_or_text(format, &serde_json::to_value(day)?, words)
}

/// The day in UTC.
pub(super) fn today() -> Date {
    jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}

/// Makes the run of a job, or continues it.
pub(super) fn work(
    args: &RunWork,
    settings: &Settings,
    job: &Job,
    display: &Display,
) -> anyhow::Result<()> {
    if job.dir.join("run.json").exists() {
        return run::resume(&job.dir, &[], args.workers, display);
    }
    let mut options = job.options.clone();
    options.offline = args.offline;
    options.unconfined = args.isolation.no_sandbox;
    options.label = format!("{} {}", job.arm, job.track);
    run::environment(&mut options, &args.isolation)?;
    options.python = args
        .isolation
        .python
        .as_deref()
        .map(std::path::absolute)
        .transpose()?;
    let problems = problems(settings, job)?;
    run::create_and_execute(&job.dir, &problems, options, args.workers, display)
}

/// Refuses tasks that do not exist, before a day begins.
pub(super) fn check_tasks(settings: &Settings) -> anyhow::Result<()> {
    let tasks = settings.tasks().map_err(anyhow::Error::msg)?;
    let mut known: BTreeMap<(TrackName, &str), Vec<Task>> = BTreeMap::new();
    for task in &tasks {
        let entry = known.entry((task.track, &task.problem));
        let of_problem = match entry {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(free) => {
                let folder = folder(settings, &task.problem)?;
                let problem = slope_problem::load(&folder, &plan::load_options(task.track)?)?;
                free.insert(tick::tasks_of(&problem, task.track))
            }
        };
        if !of_problem.contains(task) {
            anyhow::bail!(
                "there is no task {task}\n\
                 help: name a refactoring or a checkpoint that follows another one, of a problem with reference solutions in {}",
                task.track
            );
        }
    }
    Ok(())
}

/// Folder of a problem: of the settings, or that ships with slope.
fn folder(settings: &Settings, name: &str) -> anyhow::Result<PathBuf> {
    let is_named = |path: &&PathBuf| path.file_name().is_some_and(|file| file == name);
    match settings.problems.iter().find(is_named) {
        Some(path) => Ok(path.clone()),
        None => shipped::folder(Path::new(name)),
    }
}

/// Folders of a job's problems.
fn problems(settings: &Settings, job: &Job) -> anyhow::Result<Vec<PathBuf>> {
    job.problems
        .iter()
        .map(|name| folder(settings, name))
        .collect()
}

fn in_words(day: &WatchDay) -> String {
    let mut text = match &day.invalid {
        Some(why) => format!("{} does not count: {why}\n", day.date),
        None => format!("{} is done\n", day.date),
    };
    for (name, arm) in &day.arms {
        let passed = arm
            .tasks
            .iter()
            .filter(|run| run.outcome == slope_model::watch::TaskOutcome::Passed);
        let (valid, all) = arm.valid();
        let lost = match all - valid {
            0 => String::new(),
            lost => format!(", {lost} without a result"),
        };
        let _ = writeln!(
            text,
            "  {name}: {} of {valid} runs passed{lost}",
            passed.count()
        );
    }
    text.trim_end().to_owned()
}

/// What a day will run.
#[derive(Serialize)]
struct Planned {
    date: String,
    replicates: u32,
    why: String,
    arms: BTreeMap<String, PlannedArm>,
    cost_usd: Option<f64>,
}

#[derive(Serialize)]
struct PlannedArm {
    role: String,
    runs: u64,
    /// US dollars, from the mean of the last 14 days with a known cost.
    cost_usd: Option<f64>,
}

pub(crate) fn plan(args: &OfWatch, format: Format) -> anyhow::Result<Done> {
    let settings = Settings::read(&args.folder)?;
    check_tasks(&settings)?;
    let folder = WatchFolder::at(&args.folder);
    let results = folder.results()?;
    let last = results.last().and_then(|day| day.date.parse::<Date>().ok());
    let date = match last {
        Some(last) if last >= today() => last.tomorrow()?,
        _ => today(),
    };
    let plan = match folder.plan(date)? {
        Some(plan) => plan,
        None => tick::plan(&settings, &results),
    };
    let mut arms: BTreeMap<String, PlannedArm> = BTreeMap::new();
    for job in tick::jobs(&folder, &settings, date, plan.replicates)? {
        let arm = arms.entry(job.arm.clone()).or_insert_with(|| PlannedArm {
            role: job.role.name().to_owned(),
            runs: 0,
            cost_usd: None,
        });
        arm.runs += job.runs;
    }
    for (name, arm) in &mut arms {
        arm.cost_usd = match arm.role.as_str() {
            "oracle" | "empty" => Some(0.0),
            _ => cost_of_run(&results, name).map(|cost| cost * runs(arm.runs)),
        };
    }
    let planned = Planned {
        date: date.to_string(),
        replicates: plan.replicates,
        why: plan.why,
        cost_usd: arms.values().map(|arm| arm.cost_usd).sum(),
        arms,
    };
    output::json_or_text(format, &serde_json::to_value(&planned)?, &words(&planned))?;
    Ok(Done::Fine)
}

#[expect(clippy::cast_precision_loss, reason = "counts of runs are small")]
fn runs(count: u64) -> f64 {
    count as f64
}

/// Mean cost of a run of an arm on its last 14 days with a known cost.
fn cost_of_run(results: &[WatchDay], name: &str) -> Option<f64> {
    let known = results.iter().rev().filter_map(|day| {
        let arm: &ArmDay = day.arms.get(name)?;
        Some((arm.cost()?, arm.tasks.len() as u64))
    });
    let (cost, count) = known
        .take(14)
        .fold((0.0, 0), |(cost, count), (one, tasks)| {
            (cost + one, count + tasks)
        });
    (count > 0).then(|| cost / runs(count))
}

fn words(planned: &Planned) -> String {
    let mut text = format!(
        "{}: {} of each task ({})\n",
        planned.date,
        slope_model::plural(u64::from(planned.replicates), "run"),
        planned.why
    );
    let dollars = |cost: Option<f64>| match cost {
        Some(cost) => format!("about {cost:.2} US dollars"),
        None => "cost not known yet".to_owned(),
    };
    for (name, arm) in &planned.arms {
        let _ = writeln!(
            text,
            "  {name} ({}): {}, {}",
            arm.role,
            slope_model::plural(arm.runs, "run"),
            dollars(arm.cost_usd)
        );
    }
    let _ = write!(text, "in all: {}", dollars(planned.cost_usd));
    text
}
