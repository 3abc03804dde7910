//! `slope watch acknowledge`: a note that somebody knows of an alarm.

use anyhow::bail;
use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use slope_model::watch_notes::{Acknowledgement, Note};
use slope_report::{Format, clean};
use slope_watch::WatchFolder;

use super::status::state;
use crate::args::WatchAcknowledge;
use crate::commands::output;
use crate::exit::Done;

/// Variables with the name of the user.
const USERS: [&str; 2] = ["USER", "LOGNAME"];

pub(crate) fn run(args: &WatchAcknowledge, format: Format) -> anyhow::Result<Done> {
    let status = state(&args.of.folder)?;
    if !status.alarms.iter().any(|report| report.id == args.alarm) {
        let known = status.alarms.iter().map(|report| clean(&report.id));
        let known = Vec::from_iter(known);
        let help = match known.is_empty() {
            true => "the watch has raised no alarm".to_owned(),
            false => format!("name one of {}", known.join(", ")),
        };
        bail!("there is no alarm {}\nhelp: {help}", clean(&args.alarm));
    }
    let folder = WatchFolder::at(&args.of.folder);
    let _lock = folder.lock()?;
    let mut notes = folder.notes()?;
    let note = note(args)?;
    let words = match &note.acknowledged {
        Some(_) => format!("{} is acknowledged", args.alarm),
        None => format!("{} is no longer acknowledged", args.alarm),
    };
    output::json_or_text(format, &note, &words)?;
    notes.alarms.insert(args.alarm.clone(), note);
    folder.keep_notes(&notes)?;
    Ok(Done::Fine)
}

fn note(args: &WatchAcknowledge) -> anyhow::Result<Note> {
    let seconds = TimestampRound::new()
        .smallest(Unit::Second)
        .mode(RoundMode::Trunc);
    let at = Timestamp::now().round(seconds)?.to_string();
    if args.take_back {
        return Ok(Note::taken_back(at));
    }
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(who) = args
        .by
        .clone()
        .or_else(|| USERS.into_iter().find_map(variable))
    else {
        bail!("nobody is named\nhelp: name the person with --by");
    };
    let acknowledged = Acknowledgement {
        who,
        why: args.why.clone().unwrap_or_default(),
        until: args.until.map(|day| day.to_string()),
        at,
    };
    if let Err(fault) = acknowledged.check() {
        bail!("--{fault}\nhelp: give --why TEXT, --by NAME and --until as in 2026-12-15");
    }
    Ok(Note::of(acknowledged))
}
