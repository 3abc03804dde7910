//! `slope track add`: a new point.

use std::path::PathBuf;

use serde_json::json;
use slope_model::assessment::Assessment;
use slope_model::series::Author;
use slope_report::{Format, clean, clean_path};
use slope_track::{Added, Project, Request, make};

use super::push::push;
use super::server::server;
use crate::args::{AuthorArgs, TrackAdd};
use crate::commands::output;
use crate::exit::Done;
use crate::folders;

/// Variables in which CI systems name the branch, for pull requests before others.
const BRANCHES: [&str; 4] = [
    "GITHUB_HEAD_REF",
    "GITHUB_REF_NAME",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
    "CI_COMMIT_REF_NAME",
];

pub(crate) fn run(args: &TrackAdd, format: Format) -> anyhow::Result<Done> {
    let project = Project::find(&args.path, folders::cache())?;
    // Before the work, so that a wrong option costs nothing.
    let server = args.push.then(|| server(&args.server, &project));
    let server = server.transpose()?;
    let is_ci = variable("GITHUB_ACTIONS").is_some() || variable("GITLAB_CI").is_some();
    let branch = BRANCHES.into_iter().find_map(variable);
    let point = make(
        &project,
        &Request {
            series: args.series.0.clone(),
            iteration: args.iteration,
            commit: args.commit.clone(),
            author: author(&args.author),
            branch: branch.filter(|_| is_ci),
            is_ci,
            note: args.note.clone(),
            judged: judged(&args.judged)?,
        },
    )?;
    let added = project.series.add(&point, args.replace)?;
    let file = project.series.file(&point);
    let (outcome, verb) = match added {
        Added::New => ("new", "added"),
        Added::Same => ("same", "unchanged, the same point exists:"),
        Added::Replaced => ("replaced", "replaced"),
    };
    let file = file.display().to_string();
    match format {
        Format::Json => output::json(&json!({"outcome": outcome, "file": file, "point": point}))?,
        _ => output::text(&format!(
            "{verb} {} of series {}\n{}\n",
            clean(&point.key().to_string()),
            point.series,
            clean_path(&file)
        ))?,
    }
    match server {
        // Standard output has the point as JSON.
        Some(server) => push(&project, &server, format != Format::Json),
        None => Ok(Done::Fine),
    }
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
