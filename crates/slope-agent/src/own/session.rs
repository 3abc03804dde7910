//! The loop: ask the model, run its tool calls, return the results, ask again.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value, json};
use slope_model::usage::Usage;

use super::hook::Hook;
use super::http::Client;
use super::wire::{self, Call, GO_ON, Reply, Stop, TOOL};
use super::{Payload, exit, shell};

/// Replies in a row that may be cut off at the length limit without a tool call.
const MAX_CUT_OFF: u32 = 3;

/// End of a loop: exit code, and the reason for a failure.
type End = (i32, Option<String>);

/// What a session leaves.
pub(super) struct Ended {
    /// Exit code.
    pub(super) code: i32,
    /// Reason for a failure.
    pub(super) reason: Option<String>,
    /// All messages.
    pub(super) history: Vec<Value>,
}

/// One conversation.
pub(super) struct Session<'a> {
    payload: &'a Payload,
    out: &'a mut dyn Write,
    history: Vec<Value>,
    usage: Usage,
    hook: Hook<'a>,
}

impl<'a> Session<'a> {
    /// A session that continues `earlier` messages.
    pub(super) fn new(payload: &'a Payload, earlier: Vec<Value>, out: &'a mut dyn Write) -> Self {
        let mut history = earlier;
        history.push(wire::user(payload.dialect, &payload.prompt));
        Self {
            payload,
            out,
            history,
            usage: Usage::default(),
            hook: Hook::new(payload),
        }
    }

    /// Runs to the end and writes the last event.
    pub(super) fn run(mut self) -> Ended {
        self.tell(&json!({
            "type": "start",
            "version": env!("CARGO_PKG_VERSION"),
            "dialect": self.payload.dialect.name(),
            "model": self.payload.model,
        }));
        let (code, reason) = self.converse();
        let state = match code {
            exit::DONE => "done",
            exit::TURNS => "turns",
            _ => "error",
        };
        self.tell(&json!({"type": "end", "state": state, "reason": reason, "usage": self.usage}));
        Ended {
            code,
            reason,
            history: self.history,
        }
    }

    fn converse(&mut self) -> End {
        let mut client = Client::new(self.payload);
        self.hook.start();
        let mut cut_off = 0;
        for turn in 1_u32.. {
            if let Some(most) = self.payload.max_turns.filter(|most| turn > *most) {
                return (
                    exit::TURNS,
                    Some(format!("the turn cap of {most} ended it")),
                );
            }
            let reply = match self.ask(&mut client, turn) {
                Ok(reply) => reply,
                Err(reason) => return (exit::REQUEST, Some(reason)),
            };
            self.history.push(reply.message.clone());
            if !reply.calls.is_empty() {
                cut_off = 0;
                self.answer(turn, &reply.calls);
            } else if reply.stop == Stop::Length {
                cut_off += 1;
                if cut_off == MAX_CUT_OFF {
                    let reason = format!("{cut_off} replies in a row reached the length limit");
                    return (exit::REQUEST, Some(reason));
                }
                self.history.push(wire::user(self.payload.dialect, GO_ON));
            } else if let Some(words) = self.hook.stop() {
                self.tell(&json!({"type": "hook", "turn": turn, "sent_on": words}));
                self.history.push(wire::user(self.payload.dialect, &words));
            } else {
                return (exit::DONE, None);
            }
        }
        (
            exit::TURNS,
            Some("there are no more numbers for turns".to_owned()),
        )
    }

    /// One reply of the model, with its events.
    fn ask(&mut self, client: &mut Client<'_>, turn: u32) -> Result<Reply, String> {
        let (out, usage) = (&mut *self.out, &mut self.usage);
        let asked = client.ask(&self.history, |failure, number| {
            usage.failed_requests += 1;
            let event = json!({
                "type": "retry", "turn": turn, "try": number, "status": failure.status,
                "message": failure.message,
            });
            write_line(out, &event);
        });
        let reply = asked.map_err(|failure| failure.message)?;
        self.usage.requests += 1;
        self.usage.tool_calls += reply.calls.len() as u64;
        match reply.tokens {
            Some(tokens) => self.usage.tokens += tokens,
            None => self.usage.unreported += 1,
        }
        if !reply.text.is_empty() {
            self.tell(&json!({"type": "text", "turn": turn, "text": reply.text}));
        }
        self.tell(&json!({"type": "usage", "turn": turn, "tokens": reply.tokens}));
        if let Stop::Other(words) = &reply.stop {
            self.tell(&json!({"type": "stop", "turn": turn, "reason": words}));
        }
        Ok(reply)
    }

    /// Runs the calls in order and appends their results to the history.
    fn answer(&mut self, turn: u32, calls: &[Call]) {
        let mut results = Vec::with_capacity(calls.len());
        let mut remarks = Vec::new();
        for call in calls {
            let (words, failed) = match self.run_call(turn, call) {
                Ok(words) => (words, false),
                Err(words) => {
                    self.tell(&json!({
                        "type": "tool_error", "turn": turn, "id": call.id, "name": call.name,
                        "message": words,
                    }));
                    (words, true)
                }
            };
            results.push((call.id.clone(), words, failed));
            remarks.extend(self.hook.ran(call));
        }
        self.history
            .extend(wire::results(self.payload.dialect, &results));
        for remark in remarks {
            self.tell(&json!({"type": "hook", "turn": turn, "remark": remark}));
            self.history.push(wire::user(self.payload.dialect, &remark));
        }
    }

    fn run_call(&mut self, turn: u32, call: &Call) -> Result<String, String> {
        if call.name != TOOL {
            return Err(format!(
                "there is no tool `{}`: the only tool is `{TOOL}`",
                call.name
            ));
        }
        let input = call.input.as_ref().map_err(Clone::clone)?;
        let command = input
            .get("command")
            .and_then(Value::as_str)
            .ok_or("the argument `command` must be a string")?;
        if command.contains('\0') {
            return Err("the argument `command` must not contain a NUL character".to_owned());
        }
        let limit = self.time_limit(input)?;
        self.tell(&json!({
            "type": "tool_call", "turn": turn, "id": call.id, "command": command,
            "timeout_s": limit,
        }));
        let limit = Duration::from_secs(limit);
        let ran = shell::run(command, &self.payload.workspace, limit)
            .map_err(|error| format!("the command could not be started: {error}"))?;
        self.tell(&json!({
            "type": "tool_result", "turn": turn, "id": call.id, "code": ran.code,
            "timed_out": ran.timed_out, "output": ran.output,
        }));
        Ok(format!("{}\n{}", ran.end, ran.output))
    }

    /// Seconds for a command; small models write numbers as strings.
    fn time_limit(&self, input: &Value) -> Result<u64, String> {
        let most = u64::from(self.payload.command_timeout_max_s);
        let seconds = match input.get("timeout_s") {
            None | Some(Value::Null) => return Ok(u64::from(self.payload.command_timeout_s)),
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        match seconds {
            Some(seconds) if seconds >= 1.0 => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "at least 1, and too large a value ends at the limit"
                )]
                let seconds = seconds as u64;
                Ok(seconds.min(most))
            }
            _ => Err("the argument `timeout_s` must be a number of at least 1".to_owned()),
        }
    }

    fn tell(&mut self, event: &Value) {
        write_line(self.out, event);
    }
}

/// Writes one event as one line. A missing reader does not stop the session.
fn write_line(out: &mut dyn Write, event: &Value) {
    let line = format!("{event}\n");
    drop(out.write_all(line.as_bytes()).and_then(|()| out.flush()));
}
