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
use crate::setup::variable;

/// Variables with the name of the user.
const USERS: [&str; 2] = ["USER", "LOGNAME"];

pub(crate) fn run(args: &WatchAcknowledge, format: Format) -> anyhow::Result<Done> {
    let status = state(&args.of.folder)?;
    if !status.alarms.iter().any(|report| report.id == args.alarm) {
        let known = status.alarms.iter().map(|report| clean(&report.id));
        let known = Vec::from_iter(known);
        let help = if known.is_empty() {
            "the watch has raised no alarm".to_owned()
        } else {
            format!("name one of {}", known.join(", "))
        };
        bail!("there is no alarm {}\nhelp: {help}", clean(&args.alarm));
    }
    let folder = WatchFolder::at(&args.of.folder);
    let _lock = folder.lock()?;
    let mut notes = folder.notes()?;
    let mut kept = notes.alarms.get(&args.alarm).into_iter();
    if args.take_back && !kept.any(|note| note.acknowledged.is_some()) {
        bail!(
            "{} is not acknowledged\nhelp: leave out --take-back to acknowledge it",
            clean(&args.alarm)
        );
    }
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
    let Some(who) = args.by.clone().or_else(user) else {
        bail!("the name of this system's user is not known\nhelp: name the person with --by");
    };
    let today = Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    if let Some(until) = args.until.filter(|until| *until < today) {
        bail!("--until {until} is over\nhelp: name today or a later day");
    }
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

/// Name of this system's user. Timers and containers often have no variable with it.
fn user() -> Option<String> {
    let of_system = || {
        let out = std::process::Command::new("id").arg("-un").output().ok()?;
        let name = String::from_utf8_lossy(&out.stdout).trim().to_owned();
        Some(name).filter(|name| !name.is_empty())
    };
    USERS.into_iter().find_map(variable).or_else(of_system)
}
