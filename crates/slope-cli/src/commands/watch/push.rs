//! `slope watch push`: a watch for a server.

use std::path::Path;

use anstream::eprintln;
use anyhow::bail;
use serde_json::json;
use slope_model::error_text::{ErrorText, one_line};
use slope_model::plural;
use slope_model::sent_watch::check_watch_name;
use slope_report::{Format, clean, watch_address};
use slope_track::{Project, PushedWatch, Server, push_watch};
use slope_watch::WatchFolder;
use slope_watch::settings::Settings;

use crate::args::{WatchPush, WatchTarget};
use crate::commands::output;
use crate::commands::track::server;
use crate::exit::{self, Done};

/// A server, and the name of a watch on it.
pub(super) struct Target {
    server: Server,
    name: String,
}

impl Target {
    /// The server and name that options, variables or the configuration give.
    pub(super) fn of(args: &WatchTarget, folder: &Path) -> anyhow::Result<Self> {
        let project = Project::find(Path::new("."), None)?;
        let server = server(&args.server, &project)?;
        let name = match &args.name {
            Some(name) => name.0.clone(),
            None => WatchFolder::at(folder).name(),
        };
        if let Err(fault) = check_watch_name(&name) {
            bail!("{fault}\nhelp: name the watch with --name");
        }
        Ok(Self { server, name })
    }

    /// Sends a watch. `prints` is for text on standard output.
    pub(super) fn send(&self, folder: &Path, prints: bool) -> anyhow::Result<(PushedWatch, Done)> {
        let settings = Settings::read(folder)?;
        let kept = WatchFolder::at(folder);
        let (days, notes) = (kept.results()?, kept.notes()?);
        let pushed = push_watch(&self.server, &self.name, &settings.sent(), &days, &notes);
        if prints {
            self.tell(&pushed)?;
        }
        self.report(&pushed);
        let done = Done::sending(pushed.failure.is_some(), !pushed.conflicts.is_empty());
        Ok((pushed, done))
    }

    fn tell(&self, pushed: &PushedWatch) -> anyhow::Result<()> {
        let page = watch_address(&self.server.project, &self.name);
        let page = format!("{}{page}", clean(&self.server.url));
        let notes = match pushed.notes {
            0 => String::new(),
            notes => format!(", {}", plural(notes, "note")),
        };
        let sent = plural(pushed.stored, "day");
        output::text(&format!("{sent} sent{notes}: {page}\n"))
    }

    /// Reports conflicts and failures on standard error.
    fn report(&self, pushed: &PushedWatch) {
        conflicts(&pushed.conflicts);
        for alarm in &pushed.unknown_alarms {
            let alarm = clean(alarm);
            eprintln!("the server has no alarm {alarm}, so its note was not sent");
        }
        if let Some(failure) = &pushed.failure {
            exit::print(&ErrorText::of(failure));
            let pending = plural(pushed.pending, "day");
            let name = clean(&self.name);
            eprintln!("{pending} of {name} kept and not sent; `slope watch push` tries again");
        }
    }
}

fn conflicts(dates: &[String]) {
    for date in dates {
        eprintln!("conflict: the server has other results of {}", clean(date));
    }
    if !dates.is_empty() {
        eprintln!(
            "help: a day is written once; if the server's is wrong, remove the watch there and push again, or use another --name"
        );
    }
}

pub(crate) fn run(args: &WatchPush, format: Format) -> anyhow::Result<Done> {
    let target = Target::of(&args.target, &args.of.folder)?;
    let (pushed, done) = target.send(&args.of.folder, format != Format::Json)?;
    if format == Format::Json {
        output::json(&json!({
            "stored": pushed.stored,
            "same": pushed.same,
            "conflicts": pushed.conflicts,
            "notes": pushed.notes,
            "unknown_alarms": pushed.unknown_alarms,
            "pending": pushed.pending,
            "error": pushed.failure.as_ref().map(|error| one_line(error)),
        }))?;
    }
    Ok(done)
}
