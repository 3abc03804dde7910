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

pub(crate) fn run(args: &WatchInit, format: Format) -> anyhow::Result<Done> {
    let path = args.folder.join(FILE);
    if path.exists() {
        return Err(Error::Exists(path).into());
    }
    let all = available()?;
    let wanted = args.tasks as usize;
    if wanted > all.len() {
        bail!(
            "there are only {} tasks\nhelp: choose at most --tasks {}",
            all.len(),
            all.len()
        );
    }
    let tasks = spread(&all, wanted);
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

/// All tasks of the problems that ship with slope, in every language with reference solutions.
fn available() -> anyhow::Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for track in TrackName::ALL {
        let options = plan::load_options(track)?;
        for name in slope_problem::shipped() {
            let folder = shipped::folder(Path::new(&name))?;
            let problem = slope_problem::load(&folder, &options)?;
            tasks.extend(tick::tasks_of(&problem, track));
        }
    }
    Ok(tasks)
}
