//! Sends what is in the outbox.

use serde::Serialize;
use slope_store::Error;

use crate::github;
use crate::http::{Client, Verb};
use crate::message::Message;
use crate::outbox::Outbox;
use crate::settings::Channel;
use crate::webhook;

/// Wait after the first failure in seconds. It doubles with each further one.
const FIRST_WAIT: i64 = 30;
/// Longest wait between two tries in seconds.
const LONGEST_WAIT: i64 = 6 * 3600;

/// Result of sending to a receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Delivery {
    /// Messages that it took now.
    pub sent: usize,
    /// Messages that wait for another try.
    pub waiting: usize,
    /// Reason of the last failure.
    pub fault: Option<String>,
    /// Damaged files of the outbox, which were set aside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damaged: Vec<String>,
}

/// Sends the messages of an outbox in their order, those that are due at `now` (seconds since 1970).
/// Stops at the first failure, so that the order is kept.
///
/// # Errors
/// If the outbox cannot be read or written. A failing receiver is part of the result.
pub fn deliver(outbox: &Outbox, channel: &Channel, now: i64) -> Result<Delivery, Error> {
    let client = Client::new();
    let mut delivery = Delivery::default();
    let mut stopped = false;
    let (entries, damaged) = outbox.entries()?;
    delivery.damaged = damaged
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    for mut entry in entries {
        if !entry.is_pending() {
            continue;
        }
        // A wait that is too long comes from a clock that was moved back.
        let is_due = entry.next <= now || entry.next > now + LONGEST_WAIT;
        if stopped || !is_due {
            stopped = true;
            delivery.waiting += 1;
            delivery.fault = delivery.fault.or(entry.fault);
            continue;
        }
        // The try is noted before it is made: a folder that cannot be written must not cause endless requests.
        let wait = FIRST_WAIT << entry.tries.min(20);
        entry.tries += 1;
        entry.next = now + wait.min(LONGEST_WAIT);
        outbox.keep(&entry)?;
        match send(&client, channel, &entry.message, now) {
            Ok(()) => {
                entry.sent = Some(now);
                entry.fault = None;
                delivery.sent += 1;
            }
            Err(fault) => {
                entry.fault = Some(fault.clone());
                delivery.fault = Some(fault);
                delivery.waiting += 1;
                stopped = true;
            }
        }
        outbox.keep(&entry)?;
    }
    Ok(delivery)
}

/// Sends a message at once, without the outbox.
///
/// # Errors
/// The fault of the receiver.
pub fn probe(channel: &Channel, message: &Message, now: i64) -> Result<(), String> {
    send(&Client::new(), channel, message, now)
}

fn send(client: &Client, channel: &Channel, message: &Message, now: i64) -> Result<(), String> {
    // A receiver may repeat what it was sent.
    try_to_send(client, channel, message, now).map_err(|fault| channel.without_secrets(&fault))
}

fn try_to_send(
    client: &Client,
    channel: &Channel,
    message: &Message,
    now: i64,
) -> Result<(), String> {
    match channel {
        Channel::Webhook { url, secret } => {
            let body = webhook::body(message).to_string();
            let id = format!("{}.{}", message.watch, message.id);
            let headers = webhook::headers(&id, now, &body, secret.as_deref());
            client.send(Verb::Post, url, &headers, Some(&body))?;
            Ok(())
        }
        Channel::Slack { url } => {
            let body = webhook::slack(message).to_string();
            client.send(Verb::Post, url, &[], Some(&body))?;
            Ok(())
        }
        Channel::Github { url, token } => github::send(client, url, token, message),
    }
}
