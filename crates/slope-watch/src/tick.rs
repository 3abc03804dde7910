//! One day: its plan, its runs, its results.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use slope_bench::assemble;
use slope_bench::plan::RunOptions;
use slope_failures::Rules;
use slope_model::detail::RunDetail;
use slope_model::run::RunReport;
use slope_model::schema;
use slope_model::watch::{ArmDay, Role, WatchDay};
use slope_suite::track::TrackName;

use crate::daily::counted;
use crate::monitor::monitor_measure;
use crate::settings::{ArmSettings, BudgetSettings, Settings, Task};
use crate::store::{DayPlan, WatchFolder};
use crate::{Error, Measure, State, collect};

/// A run of an arm in one language on one day.
#[derive(Debug, Clone)]
pub struct Job {
    /// Name of the arm.
    pub arm: String,
    /// Purpose of the arm.
    pub role: Role,
    /// Language.
    pub track: TrackName,
    /// Directory of the run.
    pub dir: PathBuf,
    /// Names of the problems.
    pub problems: Vec<String>,
    /// Options of the run.
    pub options: RunOptions,
    /// Runs of tasks.
    pub runs: u64,
}

/// Years that a day can have.
pub(crate) const YEARS: std::ops::RangeInclusive<i16> = 2000..=2200;

/// Result of a tick.
#[derive(Debug, Clone, PartialEq)]
pub enum Ticked {
    /// The day's results are kept now.
    Done(Box<WatchDay>),
    /// They were already.
    Before(Box<WatchDay>),
    /// The month's budget is used up.
    OverBudget {
        /// US dollars spent in the month.
        spent: f64,
        /// The budget.
        budget: f64,
    },
}

/// Works on the day `date`: makes its plan, has its runs made by `run`, and keeps its results.
///
/// The day continues where it was interrupted. A day that is over stays as it was. An earlier day that was
/// left unfinished is closed with what there is.
///
/// # Errors
/// If the day is before the last one, another process works on the watch, a file cannot be read or written,
/// or `run` fails.
pub fn tick<E: From<Error>>(
    folder: &WatchFolder,
    settings: &Settings,
    date: Date,
    mut run: impl FnMut(&Job) -> Result<(), E>,
) -> Result<Ticked, E> {
    let _lock = folder.lock()?;
    if !YEARS.contains(&date.year()) {
        return Err(Error::FarDate(date.to_string()).into());
    }
    if let Some(day) = folder.result(date)? {
        return Ok(Ticked::Before(Box::new(day)));
    }
    close_earlier(folder, settings, date)?;
    let results = folder.results()?;
    if let Some(over) = over_budget(settings, &results, date) {
        return Ok(over);
    }
    let plan = match folder.plan(date)? {
        Some(plan) => plan,
        None => {
            let plan = plan(settings, &results);
            folder.keep_plan(date, &plan)?;
            plan
        }
    };
    let jobs = jobs(folder, plan.of(settings), date, plan.replicates)?;
    for job in &jobs {
        run(job)?;
    }
    let day = results_of(date, &plan, &jobs)?;
    folder.keep(date, &day)?;
    Ok(Ticked::Done(Box::new(day)))
}

/// Refuses a date before the last one, and closes days that were left unfinished.
fn close_earlier(folder: &WatchFolder, settings: &Settings, date: Date) -> Result<(), Error> {
    let dates = folder.dates()?;
    if let Some(last) = dates.last().filter(|last| **last > date) {
        return Err(Error::Past {
            date: date.to_string(),
            last: last.to_string(),
        });
    }
    for earlier in dates.into_iter().filter(|earlier| *earlier < date) {
        if folder.result(earlier)?.is_some() {
            continue;
        }
        let Some(plan) = folder.plan(earlier)? else {
            continue;
        };
        let jobs = jobs(folder, plan.of(settings), earlier, plan.replicates)?;
        folder.keep(earlier, &results_of(earlier, &plan, &jobs)?)?;
    }
    Ok(())
}

fn over_budget(settings: &Settings, results: &[WatchDay], date: Date) -> Option<Ticked> {
    let budget = settings.budget.month_usd?;
    let month = format!("{}-{:02}-", date.year(), date.month());
    let in_month = results.iter().filter(|day| day.date.starts_with(&month));
    let arms = in_month.flat_map(|day| day.arms.values());
    let spent: f64 = arms.map(ArmDay::known_cost).sum();
    (spent >= budget).then_some(Ticked::OverBudget { spent, budget })
}

/// The plan of the day after `results`.
#[must_use]
pub fn plan(settings: &Settings, results: &[WatchDay]) -> DayPlan {
    let valid = counted(results).count();
    if valid < settings.baseline.days {
        return DayPlan {
            replicates: settings.baseline.replicates,
            why: format!(
                "day {} of {} of the baseline",
                valid + 1,
                settings.baseline.days
            ),
            settings: Some(settings.clone()),
        };
    }
    let targets = settings
        .arms
        .iter()
        .filter(|(_, arm)| arm.role == Role::Target);
    let mut monitored = targets.filter_map(|(name, _)| {
        monitor_measure(results, name, Measure::PassRate, settings.limits())
    });
    let is_high = |state: State| matches!(state, State::Watching | State::Suspected);
    let high = monitored.find(|one| is_high(one.state));
    match high {
        Some(one) => DayPlan {
            replicates: settings.alarms.replicates,
            why: format!("the {} of {} is {}", one.title, one.arm, one.state.name()),
            settings: Some(settings.clone()),
        },
        None => DayPlan {
            replicates: 1,
            why: "an ordinary day".to_owned(),
            settings: Some(settings.clone()),
        },
    }
}

/// The runs of a day, the controls first.
///
/// # Errors
/// If a task is malformed, which reading the settings excludes.
pub fn jobs(
    folder: &WatchFolder,
    settings: &Settings,
    date: Date,
    replicates: u32,
) -> Result<Vec<Job>, Error> {
    let tasks = settings.tasks().map_err(|message| Error::Settings {
        path: folder.root().join(crate::settings::FILE),
        message,
    })?;
    let controls = [Role::Oracle, Role::Empty]
        .map(|role| (role.name().to_owned(), ArmSettings::control(role), 1));
    let arms = settings.arms.iter();
    let arms = arms.map(|(name, arm)| (name.clone(), arm.clone(), replicates));
    let jobs = controls
        .into_iter()
        .chain(arms)
        .flat_map(|(name, arm, runs)| {
            let some = arm.tasks.unwrap_or(tasks.len()).min(tasks.len());
            let some = Vec::from_iter(&tasks[..some]);
            let dir = |track: TrackName| folder.run(date, &name, track.name());
            jobs_of((&name, &arm), &some, runs, &settings.budget, dir)
        });
    Ok(jobs.collect())
}

/// The runs of an arm with some tasks, one for each language, with their directories.
#[must_use]
pub fn jobs_of(
    (name, arm): (&str, &ArmSettings),
    tasks: &[&Task],
    replicates: u32,
    budget: &BudgetSettings,
    dir: impl Fn(TrackName) -> PathBuf,
) -> Vec<Job> {
    let tracks: BTreeSet<TrackName> = tasks.iter().map(|task| task.track).collect();
    let job = |track: TrackName| {
        let of_track = Vec::from_iter(tasks.iter().copied().filter(|task| task.track == track));
        let problems: BTreeSet<&str> = of_track.iter().map(|t| t.problem.as_str()).collect();
        Job {
            arm: name.to_owned(),
            role: arm.role,
            track,
            dir: dir(track),
            problems: problems.into_iter().map(str::to_owned).collect(),
            options: arm.options(&of_track, replicates, budget),
            runs: of_track.len() as u64 * u64::from(replicates),
        }
    };
    tracks.into_iter().map(job).collect()
}

/// The results of a day's runs. A run that is not there leaves the day without validity.
fn results_of(date: Date, plan: &DayPlan, jobs: &[Job]) -> Result<WatchDay, Error> {
    let mut arms: BTreeMap<String, ArmDay> = BTreeMap::new();
    let mut problems: BTreeMap<String, String> = BTreeMap::new();
    let mut missing = None;
    let rules = Rules::shipped();
    for job in jobs {
        let arm = arms.entry(job.arm.clone()).or_default();
        arm.role = job.role;
        let Some((report, detail)) = report(&job.dir)? else {
            missing.get_or_insert_with(|| format!("{}: the run did not begin", job.arm));
            continue;
        };
        collect::add(arm, &report, &detail, job.track.name(), &rules);
        for (name, problem) in &report.config.problems {
            problems.insert(format!("{}/{name}", job.track), problem.hash.clone());
        }
    }
    // All tasks of the day, which the reference solutions run, with what the problems contain.
    let oracle = jobs.iter().filter(|job| job.role == Role::Oracle);
    let steps = oracle.map(|job| (job.track.name(), &job.options.steps));
    let suite = serde_json::to_string(&(Vec::from_iter(steps), problems)).unwrap_or_default();
    let suite = blake3::hash(suite.as_bytes());
    let invalid = missing.or_else(|| collect::invalid(&arms));
    Ok(WatchDay {
        schema: schema::WATCH_DAY.to_owned(),
        date: date.to_string(),
        suite: suite.to_hex()[..32].to_owned(),
        replicates: plan.replicates,
        class_rules: Some(rules.version),
        arms,
        invalid,
        simulated: false,
    })
}

fn report(dir: &Path) -> Result<Option<(RunReport, RunDetail)>, Error> {
    if !dir.join("run.json").exists() {
        return Ok(None);
    }
    Ok(Some(assemble::read(dir)?))
}

/// Tasks that a problem's steps can be, if its reference solutions in a language are complete.
#[must_use]
pub fn tasks_of(problem: &slope_model::problem::Problem, track: TrackName) -> Vec<Task> {
    let solutions = track.solutions();
    let has = |name: &str| slope_problem::solution_in(problem, &solutions, name).is_some();
    if !problem
        .checkpoints
        .iter()
        .all(|checkpoint| has(&checkpoint.name))
    {
        return Vec::new();
    }
    // A step extends the checkpoint before it, and a refactoring starts from legacy code.
    let has_start = |one: &&slope_model::problem::Checkpoint| match one.goals {
        Some(_) => slope_problem::solution_in(problem, &track.legacy(), &one.name).is_some(),
        None => one.index > 1,
    };
    let tasks = problem.checkpoints.iter().filter(has_start);
    tasks
        .map(|checkpoint| Task {
            track,
            problem: problem.name.clone(),
            checkpoint: checkpoint.name.clone(),
        })
        .collect()
}
