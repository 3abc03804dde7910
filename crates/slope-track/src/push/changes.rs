//! Sends judged changes to a server.

use slope_model::sent_change::SentChange;

use super::client::{Client, Server, ServerError, Verb};

/// Sends what the gate says of a change, in place of an earlier judgement of it.
///
/// # Errors
/// [`ServerError`] if the server does not keep it.
pub fn push_change(server: &Server, key: &str, sent: &SentChange) -> Result<(), ServerError> {
    let client = Client::new(server);
    let body = serde_json::to_string(sent).map_err(|error| client.unfit(error.to_string()))?;
    client.request(Verb::Put, &format!("changes/{key}"), &body)?;
    Ok(())
}
