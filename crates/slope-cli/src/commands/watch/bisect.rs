//! `slope watch bisect`: the first bad version of an agent.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use slope_model::watch::Role;
use slope_report::Format;
use slope_store::atomic;
use slope_store::run_dir::Lock;
use slope_suite::track::TrackName;
use slope_watch::bisect;
use slope_watch::bisect::{Bisection, Outcome, Step, Why};
use slope_watch::settings::{ArmSettings, Settings};
use slope_watch::tick::jobs_of;

use super::tick;
use crate::args::WatchBisect;
use crate::commands::{output, safe};
use crate::display::Display;
use crate::exit::Done;
use crate::setup;

/// A search as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    search: Bisection,
    /// Settings of the agent for a version, as of `--agent-config`.
    agent_config: Option<String>,
    /// The step that is not over yet.
    step: Option<KeptStep>,
    /// Steps that are over.
    steps: u32,
}

#[derive(Serialize, Deserialize)]
struct KeptStep {
    version: usize,
    tasks: Vec<usize>,
    runs: u32,
}

impl Kept {
    fn check(&self) -> Result<(), String> {
        self.search.check()?;
        let is_known = |step: &KeptStep| {
            let mut tasks = step.tasks.iter();
            step.version < self.search.versions.len()
                && tasks.all(|task| *task < self.search.tasks.len())
        };
        match &self.step {
            Some(step) if !is_known(step) => Err("its step does not fit".to_owned()),
            _ => Ok(()),
        }
    }
}

/// Where a search keeps its state and its runs.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn state(&self) -> PathBuf {
        self.folder.join("state.json")
    }

    fn keep(&self, kept: &Kept) -> anyhow::Result<()> {
        Ok(atomic::write_json(&self.state(), kept)?)
    }
}

pub(crate) fn run(args: &WatchBisect, format: Format, display: &Display) -> anyhow::Result<Done> {
    let settings = Settings::read(&args.of.folder)?;
    tick::check_tasks(&settings)?;
    let Some(arm) = settings.arms.get(&args.arm) else {
        let known = Vec::from_iter(settings.arms.keys().map(String::as_str));
        bail!(
            "there is no arm {:?}\nhelp: name one of: {}",
            args.arm,
            known.join(", ")
        );
    };
    check_ends(args)?;
    let ends = format!("{}-{}-{}", args.arm, args.good, args.bad);
    let place = Place {
        folder: args.of.folder.join("bisect").join(ends),
    };
    std::fs::create_dir_all(&place.folder)
        .with_context(|| format!("cannot create {}", place.folder.display()))?;
    let _lock = Lock::of(&place.folder)?;
    let mut kept = if place.state().exists() {
        continued(args, &settings, &place)?
    } else {
        begun(args, arm, &settings)?
    };
    setup::resumable_with("the same command".to_owned());
    let outcome = search(args, &settings, arm, &place, &mut kept, display)?;
    display.finish();
    output::json_or_text(format, &outcome, &in_words(&outcome, &kept.search))?;
    Ok(match outcome.why {
        Why::Found => Done::Fine,
        _ => Done::Incomparable,
    })
}

/// Refuses versions that are no versions, or equal. Their names are those of files.
fn check_ends(args: &WatchBisect) -> anyhow::Result<()> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let ends = [&args.good, &args.bad];
    let all = ends.into_iter().chain(&args.versions);
    for version in all {
        let is_version = version.chars().all(is_plain) && version.len() <= 100;
        if !is_version || version.starts_with('.') {
            bail!("{version:?} is not a version\nhelp: use letters, digits, `.`, `-`, `_` and `+`");
        }
    }
    if args.good == args.bad {
        bail!(
            "--good and --bad are both {}\nhelp: name two versions",
            args.good
        );
    }
    Ok(())
}

fn begun(args: &WatchBisect, arm: &ArmSettings, settings: &Settings) -> anyhow::Result<Kept> {
    let versions = if args.versions.is_empty() {
        published(args, arm)?
    } else {
        args.versions.clone()
    };
    let kept = Kept {
        search: Bisection {
            versions: between(&versions, &args.good, &args.bad)?,
            tasks: settings.tasks.clone(),
            end_runs: args.end_runs,
            most_runs: args.most_runs,
            certainty: args.certainty,
            results: std::collections::BTreeMap::new(),
        },
        agent_config: args.agent_config.clone(),
        step: None,
        steps: 0,
    };
    check_config(args, arm)?;
    let ends = kept.search.runs_of_ends();
    if args.most_runs < ends {
        bail!(
            "both ends take {ends} runs, and --most-runs allows {}\nhelp: raise it, or lower --end-runs",
            args.most_runs
        );
    }
    Ok(kept)
}

/// Refuses settings with which all versions would be one program.
fn check_config(args: &WatchBisect, arm: &ArmSettings) -> anyhow::Result<()> {
    let is_right = match &args.agent_config {
        Some(pattern) => pattern.contains("{version}"),
        None => slope_agent::npm_package(&arm.agent).is_some(),
    };
    if is_right {
        return Ok(());
    }
    bail!(
        "each version of {} needs settings of its own\nhelp: name them with --agent-config, with {{version}} in the path",
        arm.agent
    )
}

/// A search that was interrupted, or whose limits are other ones now.
fn continued(args: &WatchBisect, settings: &Settings, place: &Place) -> anyhow::Result<Kept> {
    let mut kept: Kept = atomic::read_json(&place.state())?;
    let remedy = format!("help: remove {} to begin again", place.folder.display());
    if let Err(fault) = kept.check() {
        bail!("{}: {fault}\n{remedy}", place.state().display());
    }
    let is_other = !args.versions.is_empty()
        && between(&args.versions, &args.good, &args.bad)? != kept.search.versions;
    let has_config = args.agent_config.is_none() || args.agent_config == kept.agent_config;
    if is_other || !has_config || kept.search.end_runs != args.end_runs {
        bail!(
            "{} is a search with other --versions, --agent-config or --end-runs\n{remedy}",
            place.folder.display()
        );
    }
    if kept.search.tasks != settings.tasks {
        bail!(
            "{} is a search with other tasks\nhelp: remove it to begin again, or restore the tasks of watch.toml",
            place.folder.display()
        );
    }
    kept.search.most_runs = args.most_runs;
    kept.search.certainty = args.certainty;
    Ok(kept)
}

/// The versions from the good one to the bad one.
fn between(versions: &[String], good: &str, bad: &str) -> anyhow::Result<Vec<String>> {
    let place = |version: &str| {
        let place = versions.iter().position(|one| one == version);
        place.with_context(|| {
            format!(
                "{version} is not among the versions\nhelp: they are {}",
                list(versions)
            )
        })
    };
    let (first, last) = (place(good)?, place(bad)?);
    if first >= last {
        bail!(
            "{bad} is not after {good}\nhelp: exchange --good and --bad, or list --versions in order"
        );
    }
    Ok(versions[first..=last].to_vec())
}

/// The first and the last of some versions.
fn list(versions: &[String]) -> String {
    match versions {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [first, .., last] => format!("{first} to {last}"),
    }
}

/// The versions of the agent's npm package in their order, without pre-releases.
fn published(args: &WatchBisect, arm: &ArmSettings) -> anyhow::Result<Vec<String>> {
    let package = args.package.clone();
    let package = package.or_else(|| slope_agent::npm_package(&arm.agent));
    let Some(package) = package else {
        bail!(
            "the agent {} does not come from npm\nhelp: list --versions, and name --agent-config with {{version}}",
            arm.agent
        );
    };
    let mut npm = Command::new("npm");
    npm.args(["view", "--json", &package, "versions"]);
    let out = npm
        .output()
        .context("cannot run npm\nhelp: install it, or list --versions")?;
    if !out.status.success() {
        let said = String::from_utf8_lossy(&out.stderr);
        bail!(
            "npm does not know the versions of {package}: {}\nhelp: list --versions",
            said.trim()
        );
    }
    let all: Vec<String> = serde_json::from_slice(&out.stdout)
        .with_context(|| format!("npm listed no versions of {package}"))?;
    Ok(all
        .into_iter()
        .filter(|version| !version.contains('-'))
        .collect())
}

fn search(
    args: &WatchBisect,
    settings: &Settings,
    arm: &ArmSettings,
    place: &Place,
    kept: &mut Kept,
    display: &Display,
) -> anyhow::Result<Outcome> {
    loop {
        let step = match kept.step.take() {
            Some(step) => step,
            None => match kept.search.next() {
                Step::Over(outcome) => return Ok(outcome),
                Step::Run {
                    version,
                    tasks,
                    runs,
                } => KeptStep {
                    version,
                    tasks,
                    runs,
                },
            },
        };
        let at = kept.steps;
        kept.step = Some(step);
        place.keep(kept)?;
        let Some(step) = kept.step.take() else {
            continue;
        };
        let results = results_of(args, settings, arm, place, (&*kept, &step, at), display)?;
        let is_empty = results.is_empty();
        kept.search.add(step.version, results);
        kept.steps += 1;
        place.keep(kept)?;
        if is_empty && let Step::Over(outcome) = kept.search.over(Why::NoResults) {
            return Ok(outcome);
        }
    }
}

/// Makes the runs of a step, or continues them.
fn results_of(
    args: &WatchBisect,
    settings: &Settings,
    arm: &ArmSettings,
    place: &Place,
    (kept, step, at): (&Kept, &KeptStep, u32),
    display: &Display,
) -> anyhow::Result<Vec<(usize, bisect::Tally)>> {
    let search = &kept.search;
    let version = &search.versions[step.version];
    let mut arm = arm.clone();
    arm.role = Role::Target;
    arm.agent_config = Some(config_of(kept, &arm, place, version)?);
    let all = settings.tasks().map_err(anyhow::Error::msg)?;
    let tasks = Vec::from_iter(step.tasks.iter().map(|task| &all[*task]));
    let mut results = Vec::new();
    let runs = place.folder.join("runs").join(at.to_string());
    let dir = |track: TrackName| runs.join(track.name());
    for job in jobs_of(("bisect", &arm), &tasks, step.runs, &settings.budget, dir) {
        tick::work(&args.work, settings, &job, display)
            .with_context(|| format!("version {version}"))?;
        let found = bisect::tallies(&job.dir, job.track.name())?;
        results.extend(found.into_iter().filter_map(|(task, tally)| {
            let place = search.tasks.iter().position(|one| *one == task)?;
            Some((place, tally))
        }));
    }
    Ok(results)
}

/// Settings of the agent for a version.
fn config_of(
    kept: &Kept,
    arm: &ArmSettings,
    place: &Place,
    version: &str,
) -> anyhow::Result<PathBuf> {
    if let Some(pattern) = &kept.agent_config {
        let path = PathBuf::from(pattern.replace("{version}", version));
        return std::path::absolute(&path)
            .with_context(|| format!("cannot use {}", path.display()));
    }
    let mut config = match &arm.agent_config {
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            text.parse::<toml::Table>()
                .with_context(|| format!("{}: not TOML", path.display()))?
        }
        None => toml::Table::new(),
    };
    config.insert("version".to_owned(), version.into());
    let path = place.folder.join(format!("agent-{version}.toml"));
    atomic::write_to(&path, config.to_string().as_bytes())?;
    Ok(std::path::absolute(&path)?)
}

fn in_words(outcome: &Outcome, search: &Bisection) -> String {
    let (first, last) = (
        &search.versions[0],
        &search.versions[search.versions.len() - 1],
    );
    let mut text = match outcome.why {
        Why::Found => {
            let found = outcome.first_bad.as_deref().unwrap_or_default();
            format!("{} is the first bad version\n", safe(found))
        }
        Why::NoDifference => format!(
            "{} is not clearly worse than {}: z is {:.1}, and a search needs at least 2\n\
             help: for more runs, remove the search below bisect/ and begin again with a larger --end-runs\n",
            safe(last),
            safe(first),
            outcome.difference_z
        ),
        Why::RunsUsedUp => "the runs are used up before the answer is certain\n\
             help: continue with a larger --most-runs\n"
            .to_owned(),
        Why::NoResults => {
            "the last runs have no results: see `slope status` of their folders\n".to_owned()
        }
    };
    if outcome.why != Why::NoDifference {
        for (version, probability) in &outcome.candidates {
            let _ = writeln!(text, "  {}: {:.1} %", safe(version), 100.0 * probability);
        }
    }
    let versions = slope_model::plural(search.versions.len() as u64, "version");
    let runs = slope_model::plural(outcome.runs, "run");
    let _ = write!(
        text,
        "{runs} of {versions} from {} to {}",
        safe(first),
        safe(last)
    );
    text
}
