//! `slope track add`: a new point.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::json;
use slope_hook::log_point;
use slope_model::assessment::Assessment;
use slope_model::error_text::one_line;
use slope_model::series::{Author, Origin, Point};
use slope_report::{Format, clean, clean_path};
use slope_track::{Added, Project, Request, make, make_if_changed};

use super::push::push;
use super::server::server;
use crate::args::{AuthorArgs, TrackAdd};
use crate::commands::{hook, output};
use crate::exit::Done;
use crate::folders;

/// Variables in which CI systems name the branch, for pull requests before others.
const BRANCHES: [&str; 4] = [
    "GITHUB_HEAD_REF",
    "GITHUB_REF_NAME",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
    "CI_COMMIT_REF_NAME",
];

/// Priority of the process that adds a point for a hook, below that of the agent.
const NICENESS: i32 = 10;

pub(crate) fn run(args: &TrackAdd, format: Format) -> anyhow::Result<Done> {
    if args.from_hook.is_some() {
        return of_hook(args);
    }
    let project = Project::find(&args.path, folders::cache())?;
    // Before the work, so that a wrong option costs nothing.
    let server = args.push.then(|| server(&args.server, &project));
    let server = server.transpose()?;
    match point(&project, args)? {
        Some(point) => add(&project, args, &point, format)?,
        None => {
            let unchanged = json!({"outcome": "unchanged", "file": null, "point": null});
            let text = "unchanged: no measured code differs from the last point";
            output::json_or_text(format, &unchanged, text)?;
        }
    }
    match server {
        // Standard output has the point as JSON.
        Some(server) => push(&project, &server, format != Format::Json),
        None => Ok(Done::Fine),
    }
}

/// The point that the arguments describe. `None` if measured code did not change, and only a change is wanted.
fn point(project: &Project, args: &TrackAdd) -> anyhow::Result<Option<Point>> {
    let is_ci = variable("GITHUB_ACTIONS").is_some() || variable("GITLAB_CI").is_some();
    let branch = BRANCHES.into_iter().find_map(variable);
    let request = Request {
        series: args.series.0.clone(),
        iteration: args.iteration,
        commit: args.commit.clone(),
        author: author(&args.author),
        branch: branch.filter(|_| is_ci),
        origin: match (&args.from_hook, is_ci) {
            (Some(_), _) => Origin::Hook,
            (None, true) => Origin::Ci,
            (None, false) => Origin::Folder,
        },
        note: args.note.clone(),
        judged: judged(&args.judged)?,
    };
    if !args.if_changed {
        return Ok(Some(make(project, &request)?));
    }
    let since = args.from_hook.as_deref().filter(|since| !since.is_empty());
    Ok(make_if_changed(project, &request, since)?)
}

/// Keeps a point, and says what happened.
fn add(project: &Project, args: &TrackAdd, point: &Point, format: Format) -> anyhow::Result<()> {
    let added = project.series.add(point, args.replace)?;
    let file = project.series.file(point);
    let (outcome, verb) = match added {
        Added::New => ("new", "added"),
        Added::Same => ("same", "unchanged, the same point exists:"),
        Added::Replaced => ("replaced", "replaced"),
    };
    let file = file.display().to_string();
    match format {
        Format::Json => output::json(&json!({"outcome": outcome, "file": file, "point": point})),
        _ => output::text(&format!(
            "{verb} {} of series {}\n{}\n",
            clean(&point.key().to_string()),
            point.series,
            clean_path(&file)
        )),
    }
}

/// Adds a point for a hook, in the background. Nobody reads what this prints, so the log of hooks has the result.
fn of_hook(args: &TrackAdd) -> anyhow::Result<Done> {
    let begun = Instant::now();
    let state = hook::state()?;
    let _as_before = rustix::process::nice(NICENESS);
    let result = locked(&state.points_lock(&args.path)).and_then(|_lock| {
        let project = Project::find(&args.path, folders::cache())?;
        let Some(point) = point(&project, args)? else {
            return Ok(None);
        };
        project.series.add(&point, false)?;
        Ok(Some(format!("{} of series {}", point.key(), point.series)))
    });
    let text = |name: &Option<String>| name.clone().unwrap_or_default();
    let of = (&*text(&args.author.agent), &*text(&args.author.session));
    let result = result.map_err(|error| one_line(error.as_ref()));
    log_point(&state, of, begun.elapsed(), result);
    Ok(Done::Fine)
}

/// Waits until no other process adds points for hooks to the same project.
fn locked(path: &Path) -> anyhow::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    lock.lock()?;
    Ok(lock)
}

/// The assessments in files.
fn judged(files: &[PathBuf]) -> anyhow::Result<Vec<Assessment>> {
    let read = |file: &PathBuf| Ok(slope_store::atomic::read_json(file)?);
    files.iter().map(read).collect()
}

/// The author by options, otherwise by variables that a hook or CI job sets for slope.
fn author(args: &AuthorArgs) -> Author {
    let or = |said: &Option<String>, name: &str| said.clone().or_else(|| variable(name));
    Author {
        person: args.person.clone(),
        agent: or(&args.agent, "SLOPE_AGENT"),
        agent_version: or(&args.agent_version, "SLOPE_AGENT_VERSION"),
        model: or(&args.model, "SLOPE_MODEL"),
        session: or(&args.session, "SLOPE_SESSION"),
    }
}

/// A variable of the environment that is text and not empty.
fn variable(name: &str) -> Option<String> {
    folders::variable(name)?.into_os_string().into_string().ok()
}
