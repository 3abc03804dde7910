//! How an assistant works, from the log of an attempt: faults of its answers, its reading before it edits, the time of
//! its tools, and what its requests have in common.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::atif::{open_log, places};
use crate::dialect::{Dialect, Item, ToolKind};
use crate::error::GatewayError;

mod calls;
mod hashes;
mod scripts;

pub use hashes::RequestHashes;
use scripts::Scripts;

/// Observations of an attempt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conduct {
    /// Answers of the model.
    pub answers: u64,
    /// Seconds between the first request and the last answer in which no request was out: those of tools, and of the
    /// agent itself.
    pub tool_s: f64,
    /// Calls that read before the first one that edits; `None` if no call edits.
    pub reads_before_edit: Option<u64>,
    /// Calls with arguments that are not JSON, or of a tool that was not on offer.
    pub malformed_calls: u64,
    /// Answers that reached their length limit.
    pub cut_answers: u64,
    /// Answers that the model, or a filter of its provider, refused.
    pub refusals: u64,
    /// Characters of the model in scripts (such as Thai) that nothing it was sent contains, and replacement characters.
    pub foreign_characters: u64,
    /// Models that the answers name.
    pub served: BTreeSet<String>,
    /// Hashes of what the requests have in common, from the first one with tools.
    pub hashes: RequestHashes,
}

/// A line of the log, limited to the needed fields.
#[derive(Deserialize)]
struct Line {
    dialect: Dialect,
    request: Value,
    status: u16,
    response: Value,
    #[serde(default)]
    tool_calls: Vec<Call>,
    time: Time,
}

#[derive(Deserialize)]
struct Call {
    name: String,
    input: Value,
}

#[derive(Deserialize)]
struct Time {
    unix_ms: u64,
    duration_ms: u64,
}

/// Observations of an attempt in its log.
///
/// # Errors
/// If the log cannot be read, or a line of it is invalid.
pub fn conduct(log: &Path) -> Result<Conduct, GatewayError> {
    let mut file = open_log(log)?;
    let mut observer = Observer::default();
    for place in places(&mut file, log)? {
        let line: Line = place.read(&mut file, log)?;
        observer.add(&line);
    }
    Ok(observer.found)
}

#[derive(Default)]
struct Observer {
    found: Conduct,
    /// End of the exchanges so far, in milliseconds.
    end_ms: Option<u64>,
    /// Scripts of what the model was sent.
    sent: Scripts,
    reads: u64,
    has_tools: bool,
}

impl Observer {
    fn add(&mut self, line: &Line) {
        let start = line.time.unix_ms;
        let end = start.saturating_add(line.time.duration_ms);
        if let Some(before) = self.end_ms {
            let gap = start.saturating_sub(before);
            self.found.tool_s += std::time::Duration::from_millis(gap).as_secs_f64();
        }
        self.end_ms = self.end_ms.max(Some(end));
        if !(200..300).contains(&line.status) {
            return;
        }
        self.found.answers += 1;
        self.answer(line);
        self.calls(line);
        self.common(line);
    }

    /// Notes what the requests have in common. Those without tools, for example for a title, count only if there are no
    /// others.
    fn common(&mut self, line: &Line) {
        let has_tools = !line.dialect.view(&line.request).tools.is_empty();
        let is_first = has_tools && !self.has_tools;
        if is_first || self.found.answers == 1 {
            self.found.hashes = RequestHashes::of(line.dialect, &line.request);
        }
        if is_first {
            self.found.served.clear();
        }
        self.has_tools |= has_tools;
        if has_tools == self.has_tools {
            let served = ["model", "modelVersion"].map(|field| line.response[field].as_str());
            let served = served.into_iter().flatten().filter(|name| !name.is_empty());
            self.found.served.extend(served.map(str::to_owned));
        }
    }

    fn answer(&mut self, line: &Line) {
        let refused = line.dialect.refusal_reason(&line.response).is_some();
        self.found.refusals += u64::from(refused);
        self.found.cut_answers += u64::from(is_cut(&line.response));
        // The model's own words in the request are no reason to use a script again.
        for item in line.dialect.conversation(&line.request) {
            match item {
                Item::System(text) | Item::User(text) | Item::Result { output: text, .. } => {
                    self.sent.add(&text);
                }
                Item::Agent(_) => {}
            }
        }
        let said = line.dialect.said(&line.response);
        let mut texts = vec![said.text];
        texts.extend(line.tool_calls.iter().map(|call| call.input.to_string()));
        let foreign = texts.iter().map(|text| self.sent.foreign(text));
        self.found.foreign_characters += foreign.sum::<u64>();
    }

    fn calls(&mut self, line: &Line) {
        let tools = line.dialect.view(&line.request).tools;
        for call in &line.tool_calls {
            let mut named = tools.iter();
            let tool = named.find(|tool| tool.name == call.name || tool.full_name() == call.name);
            let is_malformed = match tool.map(|tool| &tool.kind) {
                Some(ToolKind::Function(_)) => !call.input.is_object(),
                Some(_) => false,
                None => !tools.is_empty(),
            };
            self.found.malformed_calls += u64::from(is_malformed);
            match calls::purpose(&call.name, &call.input) {
                _ if self.found.reads_before_edit.is_some() => {}
                calls::Purpose::Edit => self.found.reads_before_edit = Some(self.reads),
                calls::Purpose::Read => self.reads += 1,
                calls::Purpose::Other => {}
            }
        }
    }
}

/// Whether an answer reached its length limit, in any dialect.
fn is_cut(response: &Value) -> bool {
    let listed = |list: &str, field: &str, wanted: &str| {
        let items = response[list].as_array();
        let mut reasons = items.into_iter().flatten().map(|item| &item[field]);
        reasons.any(|reason| reason == wanted)
    };
    listed("choices", "finish_reason", "length")
        || listed("candidates", "finishReason", "MAX_TOKENS")
        || response["stop_reason"] == "max_tokens"
        || response["incomplete_details"]["reason"] == "max_output_tokens"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn log(lines: &[Value]) -> Conduct {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("requests.jsonl");
        let text = lines.iter().map(|line| format!("{line}\n"));
        std::fs::write(&path, text.collect::<String>()).unwrap();
        conduct(&path).unwrap()
    }

    /// An exchange of Chat Completions that begins at `ms` and takes 100 ms.
    fn exchange(ms: u64, heard: &str, choice: &Value, calls: &Value) -> Value {
        json!({
            "seq": ms, "trial": "t", "checkpoint": 1, "dialect": "chat-completions", "model": "m",
            "request": {
                "model": "m", "temperature": 0.5,
                "messages": [{"role": "system", "content": "Today is 2026-11-30."}, {"role": "user", "content": heard}],
                "tools": [{"type": "function", "function": {"name": "bash", "parameters": {"type": "object"}}}],
            },
            "status": 200, "response": {"model": "served-1", "choices": [choice]}, "complete": true,
            "tool_calls": calls, "time": {"unix_ms": ms, "duration_ms": 100, "waited_ms": 0},
        })
    }

    fn said(text: &str, finish: &str) -> Value {
        json!({"finish_reason": finish, "message": {"role": "assistant", "content": text}})
    }

    fn bash(command: &str) -> Value {
        json!({"name": "bash", "input": {"command": command}})
    }

    #[test]
    fn reads_count_until_first_edit() {
        let found = log(&[
            exchange(
                0,
                "a",
                &said("", "tool_calls"),
                &json!([bash("cat a.py"), bash("grep -n x a.py")]),
            ),
            exchange(
                1100,
                "a",
                &said("", "tool_calls"),
                &json!([bash("python3 -m pytest"), bash("sed -i s/a/b/ a.py")]),
            ),
            exchange(1700, "a", &said("done", "stop"), &json!([bash("cat a.py")])),
        ]);
        assert_eq!(found.reads_before_edit, Some(2));
        assert!((found.tool_s - 1.5).abs() < 1e-9, "{}", found.tool_s);
        assert_eq!(found.answers, 3);
        assert!(found.served.contains("served-1"));
        let none = log(&[exchange(0, "a", &said("no", "stop"), &json!([bash("ls")]))]);
        assert_eq!(none.reads_before_edit, None, "nothing was edited");
    }

    #[test]
    fn faulty_answers_are_counted() {
        let found = log(&[
            exchange(0, "a", &said("so", "length"), &json!([])),
            exchange(200, "a", &said("", "content_filter"), &json!([])),
            exchange(
                400,
                "a",
                &said("", "tool_calls"),
                &json!([{"name": "bash", "input": "{\"command"}, {"name": "none", "input": {}}]),
            ),
        ]);
        assert_eq!(
            (found.cut_answers, found.refusals, found.malformed_calls),
            (1, 1, 2)
        );
        let fine = log(&[exchange(0, "a", &said("so", "stop"), &json!([bash("ls")]))]);
        assert_eq!(
            (fine.cut_answers, fine.refusals, fine.malformed_calls),
            (0, 0, 0)
        );
    }

    #[test]
    fn scripts_of_requests_are_not_foreign() {
        let stray = json!([bash("echo 'x = 1 # ชั่ว'")]);
        let found = log(&[exchange(0, "Write it.", &said("", "tool_calls"), &stray)]);
        assert_eq!(found.foreign_characters, 4);
        let asked = log(&[exchange(0, "Write ไทย", &said("", "tool_calls"), &stray)]);
        assert_eq!(asked.foreign_characters, 0, "Thai was asked for");
        let usual = log(&[exchange(
            0,
            "a",
            &said("naïve − 3 µm → α ✓ “so”", "stop"),
            &json!([]),
        )]);
        assert_eq!(usual.foreign_characters, 0, "typography is not foreign");
        let broken = log(&[exchange(0, "a", &said("a\u{fffd}b", "stop"), &json!([]))]);
        assert_eq!(broken.foreign_characters, 1);
    }

    #[test]
    fn hashes_survive_another_day() {
        let one = exchange(0, "a", &said("", "stop"), &json!([]));
        let text = one.to_string();
        let hashes = |text: &str| log(&[serde_json::from_str(text).unwrap()]).hashes;
        let first = hashes(&text);
        assert!(first.system.is_some() && first.parameters.is_some() && first.tools.is_some());
        assert_eq!(first, hashes(&text.replace("2026-11-30", "2027-01-02")));
        let shorter = hashes(&text.replace("Today is", "Use 25 words. Today is"));
        assert_ne!(first.system, shorter.system);
        assert_eq!(first.parameters, shorter.parameters);
        let cooler = hashes(&text.replace("0.5", "0.2"));
        assert_ne!(first.parameters, cooler.parameters);
        let other = hashes(&text.replace("\"bash\"", "\"shell\""));
        assert_ne!(first.tools, other.tools);
    }
}
