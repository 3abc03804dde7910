//! Issues of a repository: one for each alarm, with a comment for each further message.
//!
//! Texts carry a mark with the id of their message. A message that was sent, but not noted as sent, is found by it.

use serde_json::{Value, json};

use crate::http::{Client, Verb};
use crate::message::{Kind, Message};

/// Label of the issues.
const LABEL: &str = "slope-watch";

/// Sends a message to the repository at `url`.
pub(crate) fn send(
    client: &Client,
    url: &str,
    token: &str,
    message: &Message,
) -> Result<(), String> {
    let ask = |verb, path: &str, body: Option<&Value>| {
        client.json(verb, &format!("{url}{path}"), token, body)
    };
    let about = format!(
        "{}/{}",
        message.watch,
        message.alarm.as_ref().unwrap_or(&message.id)
    );
    let topic = mark("topic", &about);
    let own = mark("message", &format!("{}/{}", message.watch, message.id));
    let text = format!("{}\n\n{topic}\n{own}", body(message));
    let issues =
        format!("/issues?labels={LABEL}&state=all&per_page=100&sort=created&direction=desc");
    let issues = ask(Verb::Get, &issues, None)?;
    let found = list(&issues).find(|issue| field(issue, "body").contains(&topic));
    let Some(issue) = found else {
        let new = json!({"title": message.title, "body": text, "labels": [LABEL]});
        let issue = ask(Verb::Post, "/issues", Some(&new))?;
        return close_if_over(message, number(&issue)?, &ask);
    };
    let number = number(issue)?;
    if !field(issue, "body").contains(&own) {
        let comments = format!("/issues/{number}/comments");
        let there = ask(Verb::Get, &format!("{comments}?per_page=100"), None)?;
        if !list(&there).any(|comment| field(comment, "body").contains(&own)) {
            ask(Verb::Post, &comments, Some(&json!({"body": text})))?;
        }
    }
    close_if_over(message, number, &ask)
}

fn close_if_over(
    message: &Message,
    number: u64,
    ask: &impl Fn(Verb, &str, Option<&Value>) -> Result<Value, String>,
) -> Result<(), String> {
    if message.kind == Kind::Recovered {
        let closed = json!({"state": "closed"});
        ask(Verb::Patch, &format!("/issues/{number}"), Some(&closed))?;
    }
    Ok(())
}

/// A mark that readers do not see.
fn mark(name: &str, id: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    let id: String = id
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    format!("<!-- slope-watch-{name}: {id} -->")
}

/// The message as a list. Names in it cannot become markup.
fn body(message: &Message) -> String {
    let lines = message.lines.iter().map(|line| {
        let line = line
            .replace('\\', "\\\\")
            .replace('&', "&amp;")
            .replace('<', "&lt;");
        let mut text = "- ".to_owned();
        for c in line.chars() {
            if "`*_[]#@!|".contains(c) {
                text.push('\\');
            }
            text.push(c);
        }
        text
    });
    Vec::from_iter(lines).join("\n")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn field<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn number(issue: &Value) -> Result<u64, String> {
    issue["number"]
        .as_u64()
        .ok_or_else(|| "the answer has no number of an issue".to_owned())
}
