//! `slope watch init`: the settings of a watch.

use std::path::Path;

use anyhow::bail;
use slope_bench::plan;
use slope_report::Format;
use slope_suite::track::TrackName;
use slope_watch::settings::{ArmSettings, FILE, Settings, new_settings, spread};
use slope_watch::{Error, Task, tick};

use crate::args::WatchInit;
use crate::commands::output;
use crate::exit::Done;
use crate::shipped;

/// Refactorings of a new watch at most, unless it asks for more.
const USUAL_REFACTORINGS: u32 = 4;

pub(crate) fn run(args: &WatchInit, format: Format) -> anyhow::Result<Done> {
    let path = args.folder.join(FILE);
    if path.exists() {
        return Err(Error::Exists(path).into());
    }
    let (steps, refactorings) = available()?;
    let tasks = chosen(args, &steps, &refactorings)?;
    std::fs::create_dir_all(&args.folder)?;
    let arm = ArmSettings {
        agent: args.agent.clone(),
        agent_config: args
            .agent_config
            .as_deref()
            .map(std::path::absolute)
            .transpose()?,
        model: args.model.clone().unwrap_or_default(),
        upstream: args.upstream.clone(),
        key_env: args.key_env.clone(),
        ..ArmSettings::default()
    };
    let text = new_settings(&tasks, &arm);
    slope_store::atomic::write(&path, text.as_bytes())?;
    let settings = Settings::read(&args.folder)?;
    let said = serde_json::json!({
        "settings": path, "tasks": settings.tasks.len(), "arms": settings.arms.keys().collect::<Vec<_>>(),
    });
    let words = format!(
        "created {} with {} tasks\nnext: `slope watch plan {}`, then `slope watch tick {}` every day",
        path.display(),
        tasks.len(),
        args.folder.display(),
        args.folder.display()
    );
    output::json_or_text(format, &said, &words)?;
    Ok(Done::Fine)
}

/// The tasks of a new watch: extension steps, then refactorings.
fn chosen<'a>(
    args: &WatchInit,
    steps: &'a [Task],
    refactorings: &'a [Task],
) -> anyhow::Result<Vec<&'a Task>> {
    let usual = (args.tasks / 10).min(USUAL_REFACTORINGS);
    let wanted = args.refactorings.unwrap_or(usual) as usize;
    let all = args.tasks as usize;
    let most = refactorings.len().min(all);
    if wanted > most {
        bail!(
            "{wanted} refactorings are too many: there are {}, and {all} tasks in all\n\
             help: choose at most --refactorings {most}, or more --tasks",
            refactorings.len()
        );
    }
    if all - wanted > steps.len() {
        let most = steps.len() + wanted;
        bail!("there are only {most} tasks\nhelp: choose at most --tasks {most}");
    }
    let mut tasks = spread(steps, all - wanted);
    tasks.extend(spread(refactorings, wanted));
    Ok(tasks)
}

/// All extension steps and all refactorings of the problems that ship with slope, in every language with reference
/// solutions.
fn available() -> anyhow::Result<(Vec<Task>, Vec<Task>)> {
    let (mut steps, mut refactorings) = (Vec::new(), Vec::new());
    for track in TrackName::ALL {
        let options = plan::load_options(track)?;
        for name in slope_problem::shipped() {
            let folder = shipped::folder(Path::new(&name))?;
            let problem = slope_problem::load(&folder, &options)?;
            let tasks = tick::tasks_of(&problem, track);
            if problem.is_refactoring() {
                refactorings.extend(tasks);
            } else {
                steps.extend(tasks);
            }
        }
    }
    Ok((steps, refactorings))
}
