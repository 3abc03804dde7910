//! What there is to say about a watch.

use serde::{Deserialize, Serialize};
use slope_model::watch_status::{AlarmReport, Status};

/// Kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An alarm was raised.
    Raised,
    /// An alarm was confirmed.
    Confirmed,
    /// An alarm is over.
    Recovered,
    /// A day does not count.
    InvalidDay,
    /// A message to try a receiver.
    Test,
}

/// Names of the kinds, in their order.
const KINDS: [&str; 5] = [
    "alarm.raised",
    "alarm.confirmed",
    "alarm.recovered",
    "day.invalid",
    "test",
];

impl Kind {
    /// The name in messages: `alarm.raised`.
    #[must_use]
    pub fn name(self) -> &'static str {
        KINDS[self as usize]
    }
}

/// A message about a watch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Id, the same whenever the message is made: `main.pass-rate.2026-11-30.raised`.
    pub id: String,
    /// Kind.
    pub kind: Kind,
    /// The day that it is about, in UTC.
    pub date: String,
    /// Name of the watch.
    pub watch: String,
    /// The alarm, the same in all messages about it; `None` for a day.
    pub alarm: Option<String>,
    /// One line.
    pub title: String,
    /// Further sentences, one in each line.
    pub lines: Vec<String>,
    /// The numbers.
    pub details: Option<Details>,
}

/// Numbers of an alarm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Details {
    /// The arm.
    pub arm: String,
    /// The measure.
    pub measure: String,
    /// Day on which the change began, as it fits best.
    pub began: String,
    /// First and last day on which it may have begun, at 95 %.
    pub began_between: (String, String),
    /// Difference since then. A logarithm of the ratio for amounts.
    pub effect: f64,
    /// Its standard error.
    pub effect_se: f64,
    /// The layer.
    pub layer: String,
    /// Share of quiet years with a false alarm in anything that is watched.
    pub false_alarms_per_year: f64,
}

/// All messages about a watch so far, the oldest day first.
#[must_use]
pub fn messages(watch: &str, status: &Status) -> Vec<Message> {
    let of_alarms = status
        .alarms
        .iter()
        .flat_map(|one| of_alarm(watch, one, status));
    let of_days = status.invalid_days.iter().map(|day| Message {
        id: format!("day.{}.invalid", day.date),
        kind: Kind::InvalidDay,
        date: day.date.clone(),
        watch: watch.to_owned(),
        alarm: None,
        title: format!("{watch}: {} does not count", day.date),
        lines: vec![day.reason.clone()],
        details: None,
    });
    let mut all = Vec::from_iter(of_alarms.chain(of_days));
    all.sort_by(|a, b| a.place().cmp(&b.place()));
    all
}

fn of_alarm(watch: &str, report: &AlarmReport, status: &Status) -> Vec<Message> {
    let alarm = &report.alarm;
    let key = &report.id;
    let mut lines = vec![report.sentence.clone()];
    lines.extend(report.attribution.evidence.iter().cloned());
    let rate = 100.0 * status.false_alarms_per_year;
    let rate = match rate {
        ..1.0 => format!("{rate:.1}"),
        _ => format!("{rate:.0}"),
    };
    lines.push(format!("False alarms: at most {rate} % of quiet years."));
    let dates = [
        (Kind::Raised, Some(&alarm.raised), "raised", "alarm"),
        (
            Kind::Confirmed,
            alarm.confirmed.as_ref(),
            "confirmed",
            "alarm confirmed",
        ),
        (
            Kind::Recovered,
            alarm.recovered.as_ref(),
            "recovered",
            "recovered",
        ),
    ];
    let direction = if alarm.is_fall { "fell" } else { "rose" };
    let mut series = status.series.iter();
    let series = series.find(|one| one.arm == alarm.arm && one.measure == alarm.measure);
    let measure = series.map_or(alarm.measure.as_str(), |one| one.title.as_str());
    let message = |(kind, date, end, words): (Kind, Option<&String>, &str, &str)| {
        Some(Message {
            id: format!("{key}.{end}"),
            kind,
            date: date?.clone(),
            watch: watch.to_owned(),
            alarm: Some(key.clone()),
            title: format!("{watch}: {words}: {measure} of {} {direction}", alarm.arm),
            lines: lines.clone(),
            details: Some(details(report, status)),
        })
    };
    dates.into_iter().filter_map(message).collect()
}

fn details(report: &AlarmReport, status: &Status) -> Details {
    let alarm = &report.alarm;
    Details {
        arm: alarm.arm.clone(),
        measure: alarm.measure.clone(),
        began: alarm.began.clone(),
        began_between: alarm.began_between.clone(),
        effect: alarm.effect,
        effect_se: alarm.effect_se,
        layer: report.attribution.layer.title().to_owned(),
        false_alarms_per_year: status.false_alarms_per_year,
    }
}

impl Message {
    /// Its place among others: by day, and what happened first on a day comes first.
    pub(crate) fn place(&self) -> (&str, Kind, &str) {
        (&self.date, self.kind, &self.id)
    }

    /// A message to try a receiver.
    #[must_use]
    pub fn test(watch: &str, date: &str, id: &str) -> Self {
        Self {
            id: format!("test.{id}"),
            kind: Kind::Test,
            date: date.to_owned(),
            watch: watch.to_owned(),
            alarm: None,
            title: format!("{watch}: a test message"),
            lines: vec!["Messages of this watch arrive here.".to_owned()],
            details: None,
        }
    }

    /// The message as plain text.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = [self.title.clone()]
            .into_iter()
            .chain(self.lines.iter().cloned());
        Vec::from_iter(lines).join("\n")
    }
}
