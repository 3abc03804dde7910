//! Export of an attempt's log as a trajectory in ATIF, the Agent Trajectory Interchange Format.
//!
//! Every request contains the whole conversation; steps are made of the new parts.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use slope_model::usage::{Tokens, Usage};

use crate::dialect::{Called, Dialect, Item, Said, ToolKind};
use crate::error::GatewayError;

/// Version of the format.
const SCHEMA: &str = "ATIF-v1.8";

/// Whose trajectory it is.
#[derive(Debug, Clone, Copy)]
pub struct TrajectoryOf<'a> {
    /// Name of the agent.
    pub agent: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Requested model.
    pub model: &'a str,
    /// Distinguishes the attempt from others of the run.
    pub id: &'a str,
}

/// Line of the log, limited to the needed fields.
#[derive(Debug, Deserialize)]
struct Line {
    seq: u64,
    trial: String,
    dialect: Dialect,
    #[serde(default)]
    model: String,
    request: Value,
    status: u16,
    response: Value,
    tokens: Option<Tokens>,
    cost_usd: Option<f64>,
    time: Time,
}

#[derive(Debug, Deserialize)]
struct Time {
    unix_ms: i64,
}

/// The trajectory of an attempt, from its log: JSON of the format ATIF v1.8.
///
/// Steps are the messages of system and user, and the model's answers with calls, results and
/// metrics; `prompt_tokens` includes cached input, as the format requires. Unanswered requests are
/// not steps. A model's reply that appears in a request but was never given, for example one that
/// the agent made up, is a step with `llm_call_count` 0.
///
/// # Errors
///
/// If the log cannot be read, or a line of it is invalid.
pub fn trajectory(log: &Path, of: &TrajectoryOf<'_>) -> Result<Value, GatewayError> {
    let mut file = open_log(log)?;
    let mut steps = Steps::default();
    // Lines are written as exchanges end; steps are sorted by start. Only one line at a time is in
    // memory, since each contains the whole conversation so far.
    for place in places(&mut file, log)? {
        let line: Line = place.read(&mut file, log)?;
        steps.exchange(&line);
    }
    Ok(steps.finish(of))
}

/// Usage from a log, for an attempt that did not end and so has no record.
///
/// # Errors
///
/// If the log cannot be read, or a line of it is invalid.
pub fn logged_usage(log: &Path) -> Result<Usage, GatewayError> {
    #[derive(Deserialize)]
    struct Used {
        status: u16,
        complete: bool,
        tokens: Option<Tokens>,
        cost_usd: Option<f64>,
        tool_calls: Vec<IgnoredAny>,
        failed_tries: u64,
    }
    let mut file = open_log(log)?;
    let mut usage = Usage::default();
    let mut cost = Some(0.0);
    for place in places(&mut file, log)? {
        let used: Used = place.read(&mut file, log)?;
        let reached = used.tokens.is_some() || (200..300).contains(&used.status);
        usage.requests += u64::from(reached);
        usage.failed_requests += used.failed_tries + u64::from(!reached);
        usage.unreported += u64::from(reached && !used.complete);
        usage.tool_calls += used.tool_calls.len() as u64;
        if let Some(tokens) = used.tokens {
            usage.tokens += tokens;
            cost = cost.zip(used.cost_usd).map(|(sum, cost)| sum + cost);
        }
    }
    usage.cost_usd = cost;
    Ok(usage)
}

/// Time from the first request of a log until the end of the last answer, by the host's wall clock.
/// 0 if the clock was set back in between.
///
/// # Errors
/// As for [`logged_usage`].
pub fn logged_time(log: &Path) -> Result<Duration, GatewayError> {
    #[derive(Deserialize)]
    struct Timed {
        time: Times,
    }
    #[derive(Deserialize)]
    struct Times {
        unix_ms: u64,
        duration_ms: u64,
    }
    let mut file = open_log(log)?;
    let mut span: Option<(u64, u64)> = None;
    for place in places(&mut file, log)? {
        let Timed { time } = place.read(&mut file, log)?;
        let end = time.unix_ms.saturating_add(time.duration_ms);
        let (first, last) = span.unwrap_or((time.unix_ms, end));
        span = Some((first.min(time.unix_ms), last.max(end)));
    }
    let milliseconds = span.map_or(0, |(first, last)| last - first);
    Ok(Duration::from_millis(milliseconds))
}

/// Opens a log for reading.
pub(crate) fn open_log(log: &Path) -> Result<File, GatewayError> {
    File::open(log).map_err(|source| GatewayError::Read {
        path: log.to_owned(),
        source,
    })
}

fn broken(log: &Path, line: usize, why: &dyn std::fmt::Display) -> GatewayError {
    GatewayError::LogLine {
        path: log.to_owned(),
        line,
        message: why.to_string(),
    }
}

/// Position of a line in the log.
pub(crate) struct Place {
    seq: u64,
    number: usize,
    at: u64,
    length: usize,
}

impl Place {
    pub(crate) fn read<T: serde::de::DeserializeOwned>(
        &self,
        file: &mut File,
        log: &Path,
    ) -> Result<T, GatewayError> {
        let mut text = vec![0; self.length];
        file.seek(SeekFrom::Start(self.at))
            .and_then(|_| file.read_exact(&mut text))
            .map_err(|source| GatewayError::Read {
                path: log.to_owned(),
                source,
            })?;
        serde_json::from_slice(&text).map_err(|why| broken(log, self.number, &why))
    }
}

/// The lines of a log, in the order of their exchanges.
pub(crate) fn places(file: &mut File, log: &Path) -> Result<Vec<Place>, GatewayError> {
    #[derive(Deserialize)]
    struct Seq {
        seq: u64,
    }
    let mut reader = BufReader::new(file);
    let mut places = Vec::new();
    let (mut at, mut number) = (0, 0);
    let mut text = Vec::new();
    loop {
        number += 1;
        text.clear();
        let length = reader
            .read_until(b'\n', &mut text)
            .map_err(|why| broken(log, number, &why))?;
        // A line that a kill cut short has no end, and no exchange.
        if length == 0 || text.last() != Some(&b'\n') {
            break;
        }
        let seq: Seq = serde_json::from_slice(&text).map_err(|why| broken(log, number, &why))?;
        places.push(Place {
            seq: seq.seq,
            number,
            at,
            length,
        });
        at += length as u64;
    }
    places.sort_by_key(|place| place.seq);
    Ok(places)
}

/// Steps in the making.
#[derive(Debug, Default)]
struct Steps {
    session: String,
    steps: Vec<Value>,
    /// Number of steps made of each instruction and each user message.
    told: HashMap<(bool, String), usize>,
    /// Texts and calls of the model that have been made steps.
    said: HashSet<String>,
    /// Calls without a result: id, name, and the index of their step.
    waiting: Vec<(String, String, usize)>,
    results: HashSet<String>,
    tools: Map<String, Value>,
    tokens: Tokens,
    cost: Option<f64>,
    unpriced: bool,
    failed: u64,
}

impl Steps {
    fn exchange(&mut self, line: &Line) {
        self.session.clone_from(&line.trial);
        if !(200..300).contains(&line.status) {
            self.failed += 1;
            return;
        }
        for tool in line.dialect.view(&line.request).tools {
            let parameters = match &tool.kind {
                ToolKind::Function(schema) => schema.clone(),
                _ => Value::Null,
            };
            let name = tool.full_name();
            let function = json!({ "name": name, "parameters": parameters });
            let tool = json!({ "type": "function", "function": function });
            self.tools.insert(name, tool);
        }
        let mut seen = HashMap::new();
        for item in line.dialect.conversation(&line.request) {
            self.item(item, &mut seen, line);
        }
        let said = line.dialect.said(&line.response);
        let mut step = self.agent_step(&said, line);
        step["llm_call_count"] = json!(1);
        step["metrics"] = self.metrics(line);
        step["extra"] = json!({ "request": line.seq });
        self.push(step, &said);
    }

    /// Takes a part of a request's conversation, if it is new.
    fn item(&mut self, item: Item, seen: &mut HashMap<(bool, String), usize>, line: &Line) {
        match item {
            Item::System(text) => self.tell(true, text, seen, line),
            Item::User(text) => self.tell(false, text, seen, line),
            Item::Agent(said) if self.is_known(&said) => {}
            Item::Agent(said) => {
                let mut step = self.agent_step(
                    &Said {
                        reasoning: String::new(),
                        ..said.clone()
                    },
                    line,
                );
                step["llm_call_count"] = json!(0);
                self.push(step, &said);
            }
            Item::Result { id, name, output } => self.result(&id, &name, output),
        }
    }

    fn tell(
        &mut self,
        system: bool,
        text: String,
        seen: &mut HashMap<(bool, String), usize>,
        line: &Line,
    ) {
        let key = (system, text);
        let count = seen.entry(key.clone()).or_default();
        *count += 1;
        let told = self.told.entry(key.clone()).or_default();
        if *count <= *told {
            return;
        }
        *told += 1;
        let source = if system { "system" } else { "user" };
        let step = json!({
            "step_id": self.steps.len() + 1, "timestamp": timestamp(line),
            "source": source, "message": key.1,
        });
        self.steps.push(step);
    }

    /// Whether the model's reply is already a step.
    fn is_known(&self, said: &Said) -> bool {
        let text = said.text.trim();
        let nothing = text.is_empty() && said.calls.is_empty();
        let text_known = text.is_empty() || self.said.contains(text);
        let calls = &said.calls;
        nothing || (text_known && calls.iter().all(|call| call_known(&self.said, call)))
    }

    fn agent_step(&self, said: &Said, line: &Line) -> Value {
        let number = self.steps.len() + 1;
        let mut step = json!({
            "step_id": number, "timestamp": timestamp(line), "source": "agent",
            "model_name": line.model, "message": said.text,
        });
        if !said.reasoning.is_empty() {
            step["reasoning_content"] = json!(said.reasoning);
        }
        let calls = said.calls.iter().enumerate().map(|(at, call)| {
            let arguments = match &call.input {
                Value::Object(_) => call.input.clone(),
                other => json!({ "input": other }),
            };
            json!({
                "tool_call_id": call_id(call, number, at),
                "function_name": call.name, "arguments": arguments,
            })
        });
        let calls: Vec<Value> = calls.collect();
        if !calls.is_empty() {
            step["tool_calls"] = json!(calls);
        }
        step
    }

    fn push(&mut self, step: Value, said: &Said) {
        let number = self.steps.len() + 1;
        for part in said.text.split('\n').chain([said.text.as_str()]) {
            self.said.insert(part.trim().to_owned());
        }
        for (at, call) in said.calls.iter().enumerate() {
            self.said.insert(format!("id {}", call.id));
            self.said
                .insert(format!("call {} {}", call.name, call.input));
            let id = call_id(call, number, at);
            self.waiting.push((id, call.name.clone(), number - 1));
        }
        self.steps.push(step);
    }

    /// Adds a result to its call, by the call's id or else by the tool's name.
    fn result(&mut self, id: &str, name: &str, output: String) {
        if !id.is_empty() && self.results.contains(id) {
            return;
        }
        let by_id = self
            .waiting
            .iter()
            .position(|(of, ..)| !id.is_empty() && of == id);
        let by_name = || self.waiting.iter().position(|(_, of, _)| of == name);
        let Some(at) = by_id.or_else(by_name) else {
            return;
        };
        let (id, _, step) = self.waiting.remove(at);
        let result = json!({ "source_call_id": id, "content": output });
        self.results.insert(id);
        let observation = &mut self.steps[step]["observation"];
        if let Some(results) = observation["results"].as_array_mut() {
            results.push(result);
        } else {
            *observation = json!({ "results": [result] });
        }
    }

    fn metrics(&mut self, line: &Line) -> Value {
        let Some(tokens) = line.tokens else {
            self.unpriced = true;
            return json!({ "extra": { "unreported": true } });
        };
        self.tokens += tokens;
        match line.cost_usd {
            Some(cost) => self.cost = Some(self.cost.unwrap_or_default() + cost),
            None => self.unpriced = true,
        }
        let mut metrics = json!({
            "prompt_tokens": prompt(&tokens), "completion_tokens": tokens.output,
            "cached_tokens": tokens.cache_read,
            "extra": { "cache_write_tokens": tokens.cache_write, "reasoning_tokens": tokens.reasoning },
        });
        if let Some(cost) = line.cost_usd {
            metrics["cost_usd"] = json!(cost);
        }
        metrics
    }

    fn finish(self, of: &TrajectoryOf<'_>) -> Value {
        let mut metrics = json!({
            "total_prompt_tokens": prompt(&self.tokens),
            "total_completion_tokens": self.tokens.output,
            "total_cached_tokens": self.tokens.cache_read,
            "total_steps": self.steps.len(),
            "extra": {
                "cache_write_tokens": self.tokens.cache_write,
                "reasoning_tokens": self.tokens.reasoning,
                "failed_requests": self.failed,
            },
        });
        if let (Some(cost), false) = (self.cost, self.unpriced) {
            metrics["total_cost_usd"] = json!(cost);
        }
        json!({
            "schema_version": SCHEMA,
            "session_id": self.session,
            "trajectory_id": of.id,
            "agent": {
                "name": of.agent, "version": of.version, "model_name": of.model,
                "tool_definitions": self.tools.into_iter().map(|(_, tool)| tool).collect::<Vec<_>>(),
            },
            "steps": self.steps,
            "final_metrics": metrics,
        })
    }
}

fn call_known(said: &HashSet<String>, call: &Called) -> bool {
    let id = !call.id.is_empty() && said.contains(&format!("id {}", call.id));
    id || said.contains(&format!("call {} {}", call.name, call.input))
}

/// The id of a call; generated if the dialect has none.
fn call_id(call: &Called, step: usize, at: usize) -> String {
    if call.id.is_empty() {
        format!("step_{step}_call_{}", at + 1)
    } else {
        call.id.clone()
    }
}

fn prompt(tokens: &Tokens) -> u64 {
    [tokens.input, tokens.cache_read, tokens.cache_write]
        .into_iter()
        .fold(0, u64::saturating_add)
}

fn timestamp(line: &Line) -> String {
    let time = Timestamp::from_millisecond(line.time.unix_ms).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{time:.3}")
}
