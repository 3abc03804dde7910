//! Notes of people on the alarms of a watch.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema;
use crate::series::check_name;

/// Longest reason or name, in characters.
const LONGEST: usize = 500;
/// Length of a day: `2026-11-30`.
const DAY: usize = 10;

/// A note that somebody knows of an alarm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Acknowledgement {
    /// The person.
    pub who: String,
    /// The reason.
    pub why: String,
    /// Last day on which it holds; `null` for as long as the alarm is open.
    #[serde(default)]
    pub until: Option<String>,
    /// When it was made, in UTC.
    pub at: String,
}

impl Acknowledgement {
    /// Checks what the types do not.
    ///
    /// # Errors
    /// The field and its fault, as text.
    pub fn check(&self) -> Result<(), String> {
        for (field, text) in [("who", &self.who), ("why", &self.why)] {
            let is_blank = text.trim().is_empty();
            if is_blank || text.chars().count() > LONGEST {
                return Err(format!("{field}: use 1 to {LONGEST} characters"));
            }
        }
        if self.until.as_deref().is_some_and(|day| !is_day(day)) {
            return Err("until: it is not a day such as 2026-11-30".to_owned());
        }
        Ok(())
    }
}

/// The note on an alarm: the acknowledgement, or that it was taken back. The latest one counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "AlarmNote")]
pub struct Note {
    /// When it was made, in UTC.
    pub at: String,
    /// The acknowledgement; `null` if it was taken back.
    pub acknowledged: Option<Acknowledgement>,
}

impl Note {
    /// A note that an alarm is acknowledged.
    #[must_use]
    pub fn of(acknowledged: Acknowledgement) -> Self {
        Self {
            at: acknowledged.at.clone(),
            acknowledged: Some(acknowledged),
        }
    }

    /// A note that an acknowledgement was taken back.
    #[must_use]
    pub fn taken_back(at: String) -> Self {
        Self {
            at,
            acknowledged: None,
        }
    }
}

/// Notes by the id of their alarm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notes {
    /// [`schema::WATCH_NOTES`].
    pub schema: String,
    /// The notes by the id of their alarm.
    pub alarms: BTreeMap<String, Note>,
}

impl Default for Notes {
    fn default() -> Self {
        Self {
            schema: schema::WATCH_NOTES.to_owned(),
            alarms: BTreeMap::new(),
        }
    }
}

impl Notes {
    /// The acknowledgement of an alarm that holds on a day.
    #[must_use]
    pub fn on(&self, alarm: &str, day: &str) -> Option<&Acknowledgement> {
        let acknowledged = self.alarms.get(alarm)?.acknowledged.as_ref()?;
        let is_over = acknowledged.until.as_deref().is_some_and(|last| last < day);
        (!is_over).then_some(acknowledged)
    }
}

/// Checks the id of an alarm: a name as those of projects.
///
/// # Errors
/// The fault, as text.
pub fn check_alarm_id(id: &str) -> Result<(), String> {
    check_name(id)
}

/// Whether a text is a day of a calendar as `2026-11-30`, from 2000 to 2200, so that texts sort like days.
#[must_use]
pub fn is_day(text: &str) -> bool {
    let form = "0000-00-00".chars();
    let fits = |(c, of): (char, char)| match of {
        '0' => c.is_ascii_digit(),
        _ => c == of,
    };
    if text.len() != DAY || !text.chars().zip(form).all(fits) {
        return false;
    }
    let part = |range: std::ops::Range<usize>| text[range].parse::<u32>().unwrap_or(0);
    let (year, month, day) = (part(0..4), part(5..7), part(8..10));
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => 0,
    };
    (2000..=2200).contains(&year) && (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_calendars() {
        for day in ["2026-11-30", "2024-02-29", "2000-01-01", "2200-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for text in [
            "2026-11-31",
            "2026-02-29",
            "1999-12-31",
            "2201-01-01",
            "2026-13-01",
            "2026-00-10",
            "2026-11-00",
            "2026-1-01",
            "",
            "2026-11-30T",
            "２026-11-3",
        ] {
            assert!(!is_day(text), "{text}");
        }
    }

    #[test]
    fn acknowledgements_hold_until_their_day() {
        let mut notes = Notes::default();
        let mut one = Acknowledgement {
            who: "Ann".to_owned(),
            why: "known".to_owned(),
            until: Some("2026-11-30".to_owned()),
            at: "2026-11-20T08:00:00Z".to_owned(),
        };
        notes.alarms.insert("a".to_owned(), Note::of(one.clone()));
        assert!(notes.on("a", "2026-11-30").is_some());
        assert!(notes.on("a", "2026-12-01").is_none());
        assert!(notes.on("b", "2026-11-30").is_none());
        one.until = None;
        notes.alarms.insert("a".to_owned(), Note::of(one));
        assert!(notes.on("a", "2199-01-01").is_some());
        let back = Note::taken_back("2026-11-21T08:00:00Z".to_owned());
        notes.alarms.insert("a".to_owned(), back);
        assert!(notes.on("a", "2026-11-22").is_none());
    }
}
