//! Alarms of watches, and notes on them.

use std::cmp::Reverse;
use std::sync::Arc;

use aide::axum::routing::{delete_with, get_with, put_with};
use axum::extract::State;
use axum::http::StatusCode;
use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use slope_database::Scope;
use slope_model::watch_notes::{Acknowledgement, Note, check_alarm_id};
use slope_model::watch_status::AlarmReport;

use super::describe::{
    Answer, Done, Page, Routes, TEXT, gone, operation, reading, repeatable, sending,
};
use super::projects::{OfProject, known_limit};
use crate::app::App;
use crate::event::Event;
use crate::extract::{Given, Json, Path, Query};
use crate::problem::Problem;
use crate::watch_state::today;

/// Watches of a project whose alarms are listed.
const MOST_WATCHES: u32 = 1000;

/// The alarm of a path.
#[derive(Debug, Deserialize, JsonSchema)]
struct OfAlarm {
    /// Name of the project.
    project: String,
    /// Name of the watch.
    watch: String,
    /// Id of the alarm: `ARM.MEASURE.RAISED`.
    alarm: String,
}

/// Which alarms of a project.
#[derive(Debug, Deserialize, JsonSchema)]
struct WhichAlarms {
    /// Number of alarms, from 1 to 1,000.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<u32>,
}

/// An alarm of a project.
#[derive(Debug, Serialize, JsonSchema)]
struct ListedAlarm {
    /// Name of the watch.
    watch: String,
    /// The alarm with what explains it.
    #[serde(flatten)]
    report: AlarmReport,
}

/// A note that somebody knows of an alarm.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewAcknowledgement {
    /// The person.
    #[schemars(length(min = 1, max = 500), regex(pattern = TEXT))]
    who: String,
    /// The reason.
    #[schemars(length(min = 1, max = 500), regex(pattern = TEXT))]
    why: String,
    /// Last day on which it holds, as `2026-11-30`; as long as the alarm is open without one.
    #[serde(default)]
    until: Option<String>,
    /// When it was made, as `2026-11-30T08:15:00Z`; now without a time.
    #[serde(default)]
    at: Option<String>,
}

impl Given for NewAcknowledgement {
    fn check(&self) -> Result<(), String> {
        self.made(String::new()).check()?;
        let at = self.at.as_deref().map(str::parse::<Timestamp>);
        match at.transpose() {
            Ok(_) => Ok(()),
            Err(error) => Err(format!("at: {error}")),
        }
    }
}

impl NewAcknowledgement {
    fn made(&self, at: String) -> Acknowledgement {
        Acknowledgement {
            who: self.who.clone(),
            why: self.why.clone(),
            until: self.until.clone(),
            at,
        }
    }
}

/// Path of a note on an alarm.
const NOTE: &str = "/api/v1/projects/{project}/watches/{watch}/alarms/{alarm}/acknowledgement";

pub(super) fn read() -> Routes {
    let what = (
        "listAlarms",
        "List the alarms of all watches of a project: open ones first, then the newest",
    );
    Routes::new().api_route(
        "/api/v1/projects/{project}/alarms",
        get_with(list, |it| reading(it, what)),
    )
}

pub(super) fn push() -> Routes {
    let put = (
        "acknowledgeAlarm",
        "Acknowledge an alarm. It stays open, and is shown as acknowledged",
    );
    let back = (
        "takeBackAcknowledgement",
        "Take back that somebody knows of an alarm",
    );
    Routes::new()
        .api_route(NOTE, put_with(acknowledge, |it| sending(it, put)))
        .api_route(
            NOTE,
            delete_with(take_back, |it| {
                let it = operation(it, back, Some(Scope::Push), &[400, 404, 507]);
                repeatable(gone(it))
            }),
        )
}

async fn list(
    State(app): State<Arc<App>>,
    Path(of): Path<OfProject>,
    Query(which): Query<WhichAlarms>,
) -> Answer<Page<ListedAlarm>> {
    let limit = known_limit(&app, &of, which.limit).await?;
    let mut items = Vec::new();
    for kept in app
        .database
        .watches(Some(&of.project), MOST_WATCHES)
        .await?
    {
        let watch = kept.info.watch;
        let status = app.watch_status((&of.project, &watch)).await?;
        let reports = status.alarms.into_iter();
        items.extend(reports.map(|report| ListedAlarm {
            watch: watch.clone(),
            report,
        }));
    }
    items.sort_by_key(|item| {
        let is_over = item.report.alarm.recovered.is_some();
        (is_over, Reverse(item.report.alarm.raised.clone()))
    });
    items.truncate(limit as usize);
    Ok(Json(Page::whole(items)))
}

async fn acknowledge(
    State(app): State<Arc<App>>,
    Path(of): Path<OfAlarm>,
    Json(new): Json<NewAcknowledgement>,
) -> Answer<Note> {
    check_alarm_id(&of.alarm).map_err(|fault| Problem::path(&fault))?;
    let place = (of.project.as_str(), of.watch.as_str());
    let status = app.watch_status(place).await?;
    if !status.alarms.iter().any(|report| report.id == of.alarm) {
        return Err(unknown("alarm", &of.alarm));
    }
    let given = new.at.as_ref().and_then(|at| at.parse().ok());
    let note = Note::of(new.made(time(given)));
    let kept = app.database.put_note(place, &of.alarm, &note).await?;
    app.tell(Event::watch(place));
    Ok(Json(kept))
}

async fn take_back(State(app): State<Arc<App>>, Path(of): Path<OfAlarm>) -> Done {
    let place = (of.project.as_str(), of.watch.as_str());
    app.database.watch(place).await?;
    let notes = app.database.notes(place).await?;
    if notes.on(&of.alarm, &today()).is_none() {
        return Err(unknown("acknowledgement of", &of.alarm));
    }
    let note = Note::taken_back(time(None));
    app.database.put_note(place, &of.alarm, &note).await?;
    app.tell(Event::watch(place));
    Ok(StatusCode::NO_CONTENT)
}

fn unknown(kind: &'static str, name: &str) -> Problem {
    let name = name.chars().take(100).collect();
    slope_database::Error::Unknown { kind, name }.into()
}

/// A time in whole seconds, so that texts sort like times; now without one, or for one in the future.
fn time(given: Option<Timestamp>) -> String {
    let now = Timestamp::now();
    let time = given.map_or(now, |given| given.min(now));
    let seconds = TimestampRound::new()
        .smallest(Unit::Second)
        .mode(RoundMode::Trunc);
    time.round(seconds).unwrap_or(time).to_string()
}
