//! Sends watches to a server: settings, the days that the server does not have, and notes on alarms.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slope_model::sent_watch::{SentWatch, WatchKept};
use slope_model::watch::WatchDay;
use slope_model::watch_notes::{Note, Notes};

use super::client::{Client, Outcome, Server, ServerError, Verb};
use super::{MAX_BYTES, count};

/// Days of one request.
const MAX_DAYS: usize = 100;

/// Result of sending a watch.
#[derive(Debug, Default)]
pub struct PushedWatch {
    /// Days that the server stored.
    pub stored: u32,
    /// Days that the server already had.
    pub same: u32,
    /// Days that the server has with other results. They are sent again with the next push.
    pub conflicts: Vec<String>,
    /// Notes on alarms that the server has now.
    pub notes: u32,
    /// Ids of alarms with a note that the server does not know.
    pub unknown_alarms: Vec<String>,
    /// Days that are still to be sent.
    pub pending: u32,
    /// The reason for that.
    pub failure: Option<ServerError>,
}

/// The answer about a day.
#[derive(Debug, Deserialize)]
struct DayResult {
    date: String,
    outcome: Outcome,
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<DayResult>,
}

/// A note as the server takes it.
#[derive(Serialize)]
struct NewNote<'a> {
    who: &'a str,
    why: &'a str,
    until: Option<&'a str>,
    at: &'a str,
}

/// A day to send, as JSON.
struct DayMessage<'a> {
    date: &'a str,
    json: String,
}

/// Sends a watch: its settings, the days that the server does not have, in order, and notes that are later than the
/// server's. The server answers with what it has, so that nothing is sent twice, and an interrupted push goes on.
#[must_use]
pub fn push_watch(
    server: &Server,
    name: &str,
    sent: &SentWatch,
    days: &[WatchDay],
    notes: &Notes,
) -> PushedWatch {
    let mut pushed = PushedWatch::default();
    let client = Client::new(server);
    let path = format!("watches/{name}");
    if let Err(failure) = send(&client, &path, (sent, days, notes), &mut pushed) {
        pushed.failure = Some(failure);
    }
    pushed
}

fn send(
    client: &Client<'_>,
    path: &str,
    (sent, days, notes): (&SentWatch, &[WatchDay], &Notes),
    pushed: &mut PushedWatch,
) -> Result<(), ServerError> {
    pushed.pending = count(days.len());
    let kept: WatchKept = read(client, &put(client, path, sent)?)?;
    let known: BTreeMap<&str, &str> = kept
        .days
        .iter()
        .map(|day| (day.date.as_str(), day.digest.as_str()))
        .collect();
    let mut messages = Vec::new();
    for day in days {
        let json = serde_json::to_string(day).map_err(|error| client.unfit(error.to_string()))?;
        let digest = blake3::hash(json.as_bytes()).to_hex();
        if known.get(day.date.as_str()) != Some(&digest.as_str()) {
            messages.push(DayMessage {
                date: &day.date,
                json,
            });
        }
    }
    pushed.pending = count(messages.len());
    for batch in batches(&messages) {
        send_days(client, path, batch, pushed)?;
    }
    for (alarm, note) in &notes.alarms {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if !alarm.chars().all(is_plain) {
            // A person wrote it into the file: no alarm has such an id.
            pushed.unknown_alarms.push(alarm.clone());
            continue;
        }
        let is_known = kept
            .notes
            .get(alarm)
            .is_some_and(|there| there.at >= note.at);
        if !is_known {
            send_note(
                client,
                &format!("{path}/alarms/{alarm}"),
                alarm,
                note,
                pushed,
            )?;
        }
    }
    Ok(())
}

/// Days in groups that a server accepts.
fn batches<'a, 'd>(messages: &'a [DayMessage<'d>]) -> Vec<&'a [DayMessage<'d>]> {
    let mut batches = Vec::new();
    let (mut first, mut bytes) = (0, 0);
    for (at, message) in messages.iter().enumerate() {
        let size = message.json.len() + 1;
        let is_full = bytes + size > MAX_BYTES - 100 || at - first >= MAX_DAYS;
        if is_full && at > first {
            batches.push(&messages[first..at]);
            (first, bytes) = (at, 0);
        }
        bytes += size;
    }
    if first < messages.len() {
        batches.push(&messages[first..]);
    }
    batches
}

fn send_days(
    client: &Client<'_>,
    path: &str,
    batch: &[DayMessage<'_>],
    pushed: &mut PushedWatch,
) -> Result<(), ServerError> {
    let texts = Vec::from_iter(batch.iter().map(|message| message.json.as_str()));
    let body = format!("{{\"days\":[{}]}}", texts.join(","));
    let text = client.request(Verb::Post, &format!("{path}/days"), &body)?;
    let answer: Answer = read(client, &text)?;
    let dates = answer.results.iter().map(|result| result.date.as_str());
    if !dates.eq(batch.iter().map(|message| message.date)) {
        return Err(client.unfit("it answers other days than those that were sent".to_owned()));
    }
    for result in answer.results {
        pushed.pending -= 1;
        match result.outcome {
            Outcome::Stored => pushed.stored += 1,
            Outcome::Same => pushed.same += 1,
            Outcome::Conflict => pushed.conflicts.push(result.date),
        }
    }
    Ok(())
}

fn send_note(
    client: &Client<'_>,
    path: &str,
    alarm: &str,
    note: &Note,
    pushed: &mut PushedWatch,
) -> Result<(), ServerError> {
    let path = format!("{path}/acknowledgement");
    let answer = match &note.acknowledged {
        Some(known) => {
            let new = NewNote {
                who: &known.who,
                why: &known.why,
                until: known.until.as_deref(),
                at: &known.at,
            };
            put(client, &path, &new)
        }
        None => client.request(Verb::Delete, &path, ""),
    };
    match answer {
        Ok(_) => pushed.notes += 1,
        // Nothing is there to take back.
        Err(ServerError::Refused { status: 404, .. }) if note.acknowledged.is_none() => {}
        Err(ServerError::Refused { status: 404, .. }) => {
            pushed.unknown_alarms.push(alarm.to_owned());
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

fn put(client: &Client<'_>, path: &str, body: &impl Serialize) -> Result<Vec<u8>, ServerError> {
    let body = serde_json::to_string(body).map_err(|error| client.unfit(error.to_string()))?;
    client.request(Verb::Put, path, &body)
}

fn read<T: serde::de::DeserializeOwned>(
    client: &Client<'_>,
    text: &[u8],
) -> Result<T, ServerError> {
    serde_json::from_slice(text)
        .map_err(|error| client.unfit(slope_model::data_words::of_json(&error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_of_days_have_limits() {
        let sizes = |bytes: &[usize]| -> Vec<usize> {
            let message = |bytes: &usize| DayMessage {
                date: "2026-01-01",
                json: "x".repeat(*bytes),
            };
            let messages = Vec::from_iter(bytes.iter().map(message));
            batches(&messages).into_iter().map(<[_]>::len).collect()
        };
        assert_eq!(sizes(&[10; 201]), [100, 100, 1]);
        assert_eq!(sizes(&[3 << 20; 5]), [2, 2, 1]);
        assert_eq!(sizes(&[9 << 20, 1]), [1, 1], "one day is always sent");
        assert!(sizes(&[]).is_empty());
    }
}
