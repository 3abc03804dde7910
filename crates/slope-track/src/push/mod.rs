//! Sends points to a server, each once.
//!
//! | module | contents |
//! |---|---|
//! | `client` | requests, with time limits, a few tries, and no redirects |
//! | `changes` | judged changes |
//! | `runs` | runs of the benchmark |
//! | `watches` | watches with their days and notes |
//! | `outbox` | which points a server has accepted |
//!
//! A point is pending until a server has answered it. If slope ends between the answer and the note, the point is sent
//! again, and the server answers that it has it.

mod changes;
mod client;
mod outbox;
mod runs;
mod watches;

use std::collections::VecDeque;

use slope_model::series::Point;
use slope_store::series::SeriesFolder;

pub use changes::push_change;
pub use client::{Server, ServerError};
pub use runs::{RunAnswer, RunSender};
pub use watches::{PushedWatch, push_watch};

use crate::Error;
use client::{Client, Outcome, PointResult};
use outbox::Outbox;

/// Points of one request.
const MAX_POINTS: usize = 500;
/// Bytes of one request.
const MAX_BYTES: usize = 8 << 20;

/// Result of sending points.
#[derive(Debug, Default)]
pub struct Pushed {
    /// Points that the server stored.
    pub stored: u32,
    /// Points that the server already had.
    pub same: u32,
    /// Points that the server has with other numbers. They are sent again with the next push.
    pub conflicts: Vec<Conflict>,
    /// Points that are still pending.
    pub pending: u32,
    /// The reason that points are pending.
    pub failure: Option<ServerError>,
}

/// A point that the server has with other numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The series.
    pub series: String,
    /// The key of the point.
    pub key: String,
    /// Message of the server.
    pub message: Option<String>,
}

/// A point to send, as JSON.
struct Message {
    series: String,
    key: String,
    json: String,
}

impl Message {
    fn new(point: &Point) -> Result<Self, Error> {
        let json = serde_json::to_string(point).map_err(|error| {
            let failed = slope_store::Error::io("cannot serialise", point.key().to_string());
            Error::Store(failed(error.into()))
        })?;
        Ok(Self {
            series: point.series.clone(),
            key: point.key().to_string(),
            json,
        })
    }
}

/// Number of points that a server does not have yet.
///
/// # Errors
/// If a point or the notes about the server cannot be read.
pub fn unsent(series: &SeriesFolder, server: &Server) -> Result<u32, Error> {
    let outbox = Outbox::open(series, server)?;
    Ok(count(pending(series, &outbox)?.len()))
}

/// Sends all points of a project that a server does not have yet, in order.
///
/// A failure of the server is part of the result: points stay pending.
///
/// # Errors
/// If a point cannot be read, or the notes about the server cannot be read or written.
pub fn push(series: &SeriesFolder, server: &Server) -> Result<Pushed, Error> {
    let mut outbox = Outbox::open(series, server)?;
    let messages = pending(series, &outbox)?;
    let mut pushed = Pushed::default();
    if messages.is_empty() {
        return Ok(pushed);
    }
    let client = Client::new(server);
    let mut batches = batches(messages);
    while let Some(mut batch) = batches.pop_front() {
        match client.send(&batch) {
            Ok(results) => {
                for (message, result) in batch.iter().zip(&results) {
                    pushed.add(message, result);
                    outbox.note(message, result);
                }
                outbox.write()?;
            }
            // One of the points is the reason, so the others can be sent.
            Err(error) if error.may_be_one_point() && batch.len() > 1 => {
                let rest = batch.split_off(batch.len() / 2);
                batches.push_front(rest);
                batches.push_front(batch);
            }
            Err(error) => {
                let goes_on = error.may_be_one_point();
                pushed.pending += count(batch.len());
                pushed.failure.get_or_insert(error);
                if !goes_on {
                    break;
                }
            }
        }
    }
    pushed.pending += count(batches.iter().map(Vec::len).sum());
    Ok(pushed)
}

impl Pushed {
    fn add(&mut self, message: &Message, result: &PointResult) {
        match result.outcome {
            Outcome::Stored => self.stored += 1,
            Outcome::Same => self.same += 1,
            Outcome::Conflict => self.conflicts.push(Conflict {
                series: message.series.clone(),
                key: message.key.clone(),
                message: result.message.clone(),
            }),
        }
    }
}

/// Asks a server once whether it works. It answers after a query of its database.
///
/// # Errors
/// If it does not answer in five seconds, or says that it does not work.
pub fn check_health(url: &str) -> Result<(), ServerError> {
    let server = Server {
        url: url.trim_end_matches('/').to_owned(),
        project: String::new(),
        token: None,
    };
    Client::new(&server).health()
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The points of all series that a server has not answered, in order of series and points.
fn pending(series: &SeriesFolder, outbox: &Outbox) -> Result<Vec<Message>, Error> {
    let mut messages = Vec::new();
    for name in series.names()? {
        for point in series.points(&name)? {
            let message = Message::new(&point)?;
            if !outbox.has(&message) {
                messages.push(message);
            }
        }
    }
    Ok(messages)
}

/// Messages in batches that a server accepts.
fn batches(messages: Vec<Message>) -> VecDeque<Vec<Message>> {
    let mut batches: VecDeque<Vec<Message>> = VecDeque::new();
    let mut bytes = 0;
    for message in messages {
        let size = message.json.len() + 1;
        bytes += size;
        match batches.back_mut() {
            Some(batch) if batch.len() < MAX_POINTS && bytes < MAX_BYTES - 100 => {
                batch.push(message);
            }
            _ => {
                bytes = size;
                batches.push_back(vec![message]);
            }
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: usize) -> Message {
        Message {
            series: "main".to_owned(),
            key: "iteration-1".to_owned(),
            json: "x".repeat(bytes),
        }
    }

    #[test]
    fn batches_have_limits_of_points_and_bytes() {
        let sizes = |messages: Vec<Message>| -> Vec<usize> {
            batches(messages).iter().map(Vec::len).collect()
        };
        assert_eq!(
            sizes((0..1001).map(|_| message(10)).collect()),
            [500, 500, 1]
        );
        assert_eq!(sizes((0..5).map(|_| message(3 << 20)).collect()), [2, 2, 1]);
        assert_eq!(sizes(vec![message(9 << 20), message(1)]), [1, 1]);
        assert!(sizes(Vec::new()).is_empty());
    }
}
