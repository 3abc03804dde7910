//! `slope track push`: points for a server.

use anstream::eprintln;
use serde_json::json;
use slope_model::error_text::{ErrorText, one_line};
use slope_model::plural;
use slope_report::{Format, clean};
use slope_track::{Project, Pushed, Server};

use super::server::server;
use crate::args::TrackPush;
use crate::commands::output;
use crate::exit::{self, Done};

pub(crate) fn run(args: &TrackPush, format: Format, quiet: bool) -> anyhow::Result<Done> {
    let project = Project::find(&args.path, None)?;
    let server = server(&args.server, &project)?;
    if !args.run.is_empty() {
        return super::runs::push(args, &server, format, quiet);
    }
    if format != Format::Json {
        return push(&project, &server, true);
    }
    let pushed = slope_track::push(&project.series, &server)?;
    let conflicts = pushed.conflicts.iter();
    let conflicts = conflicts
        .map(|it| json!({"series": it.series, "key": it.key, "message": it.message}))
        .collect::<Vec<_>>();
    output::json(&json!({
        "stored": pushed.stored,
        "same": pushed.same,
        "conflicts": conflicts,
        "pending": pushed.pending,
        "error": pushed.failure.as_ref().map(|error| one_line(error)),
    }))?;
    report(&pushed);
    Ok(done(&pushed))
}

/// Sends the points of a project, and reports what happened.
pub(super) fn push(project: &Project, server: &Server, prints: bool) -> anyhow::Result<Done> {
    let pushed = slope_track::push(&project.series, server)?;
    if prints {
        let same = match pushed.same {
            0 => String::new(),
            same => format!(", {same} already there"),
        };
        let is_all = pushed.stored == 0 && pushed.failure.is_none() && pushed.conflicts.is_empty();
        let sent = match is_all {
            true => format!("{} has all points", clean(&server.url)),
            false => format!(
                "{} sent to {}",
                plural(pushed.stored, "point"),
                clean(&server.url)
            ),
        };
        output::text(&format!("{sent}{same}\n"))?;
    }
    report(&pushed);
    Ok(done(&pushed))
}

/// Reports conflicts and failures on standard error.
fn report(pushed: &Pushed) {
    for conflict in &pushed.conflicts {
        let message = conflict.message.as_deref().map(clean);
        let message = message.map_or(String::new(), |message| format!(": {message}"));
        let (series, key) = (&conflict.series, clean(&conflict.key));
        eprintln!("conflict: the server has other numbers for {key} of series {series}{message}");
    }
    if !pushed.conflicts.is_empty() {
        eprintln!(
            "help: if the server's point is wrong, remove it there; if yours is, remove its file below .slope/track"
        );
    }
    if let Some(failure) = &pushed.failure {
        exit::print(&ErrorText::of(failure));
        let pending = plural(pushed.pending, "point");
        eprintln!("{pending} kept and not sent; `slope track push` tries again");
    }
}

fn done(pushed: &Pushed) -> Done {
    Done::sending(pushed.failure.is_some(), !pushed.conflicts.is_empty())
}
