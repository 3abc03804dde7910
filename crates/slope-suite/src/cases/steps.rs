//! Performs the steps of one case.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use slope_model::cases::{
    Action, Bytes, Case, Request, Service, Step, Stop, Together, TogetherExpect,
};
use slope_sandbox::CASE_VARIABLE;

use super::check;
use super::client::{self, NoResponse, Response};
use super::files::CaseFolder;
use super::fill::{Fill, Values};
use super::json::only;
use super::payload::Payload;
use super::program::{Ran, Start, run};
use super::runner::Fault;
use super::service::{Running, Setting};
use super::text::shown;

/// Record of a case's programs, for a judge of the whole case.
#[derive(Debug, Default)]
pub(super) struct StepRecords {
    /// Ended runs of the program, in order.
    pub(super) runs: Vec<Ran>,
    /// Responses, in order of the requests.
    pub(super) responses: Vec<Response>,
}

/// One case being carried out.
pub(super) struct Performance<'a> {
    payload: &'a Payload,
    /// Environment of every program.
    env: BTreeMap<String, String>,
    folder: &'a CaseFolder,
    limit: Duration,
    stretch: f64,
    service: Option<Service>,
    running: Option<Running>,
    values: Values,
    /// The record so far.
    pub(super) deeds: StepRecords,
}

impl<'a> Performance<'a> {
    /// Writes the case's files to `folder`. One step may take `limit`; other times are extended by
    /// `stretch`. Notes on its programs have the name `key`.
    pub(super) fn new(
        payload: &'a Payload,
        key: &str,
        case: &Case,
        folder: &'a CaseFolder,
        limit: Duration,
        stretch: f64,
    ) -> Result<Self, Fault> {
        let laid = lay(folder, &case.files, &case.bytes);
        laid.map_err(|why| Fault::error(format!("the case could not be run: {why}")))?;
        let mut env = payload.env.clone();
        env.insert(CASE_VARIABLE.to_owned(), key.to_owned());
        Ok(Self {
            payload,
            env,
            folder,
            limit,
            stretch,
            service: case.service.clone().filter(|_| case.needs_service()),
            running: None,
            values: Values::default(),
            deeds: StepRecords::default(),
        })
    }

    /// Starts the service, if there is one, and performs all of `steps`.
    pub(super) fn perform(&mut self, steps: &[Step]) -> Result<(), Fault> {
        if self.service.is_some() {
            self.start()?;
        }
        for (number, step) in (1..).zip(steps) {
            let done = self.step(step);
            done.map_err(|fault| fault.at(number, steps.len()))?;
        }
        Ok(())
    }

    /// Ends running processes.
    pub(super) fn close(self) -> StepRecords {
        drop(self.running);
        self.deeds
    }

    fn step(&mut self, step: &Step) -> Result<(), Fault> {
        // Without a service nothing is replaced: `${` is ordinary text then.
        let filled = match self.service {
            Some(_) => Some(step.filled(&self.values).map_err(Fault::error)?),
            None => None,
        };
        let step = filled.as_ref().unwrap_or(step);
        self.lay(step)?;
        match step.action() {
            Action::Run => self.run(step),
            Action::Lay => Ok(()),
            Action::Request(request) => self.request(request),
            Action::Together(together) => self.together(together),
            Action::Stop(stop) => self.stop(stop),
            Action::Start(start) => {
                if let Some(service) = &mut self.service {
                    service.args = start
                        .args
                        .clone()
                        .unwrap_or(std::mem::take(&mut service.args));
                    service.env = start
                        .env
                        .clone()
                        .unwrap_or(std::mem::take(&mut service.env));
                }
                self.start()
            }
            Action::Restart(stop) => {
                self.stop(stop)?;
                self.start()
            }
        }
    }

    fn lay(&self, step: &Step) -> Result<(), Fault> {
        for path in &step.remove {
            let removed = self.folder.remove(path);
            removed.map_err(|e| Fault::failed(format!("{path} cannot be removed: {e}")))?;
        }
        lay(self.folder, &step.write, &step.bytes).map_err(Fault::failed)
    }

    fn run(&mut self, step: &Step) -> Result<(), Fault> {
        let env: BTreeMap<&str, &str> = self
            .env
            .iter()
            .chain(&step.env)
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let ran = run(&Start {
            command: &self.payload.command,
            args: &step.args,
            env,
            folder: self.folder.path(),
            stdin: step.stdin.as_deref().unwrap_or(""),
            limit: self.limit,
        });
        let ran =
            ran.map_err(|why| Fault::error(format!("the program could not be started: {why}")))?;
        if ran.timed_out {
            return Err(Fault::timeout(format!(
                "no end within {} s",
                self.limit.as_secs_f64()
            )));
        }
        let checked = check::step(&step.expect, &ran, self.folder);
        self.deeds.runs.push(ran);
        checked.map_err(Fault::failed)
    }

    fn start(&mut self) -> Result<(), Fault> {
        let Some(service) = &self.service else {
            return Err(Fault::error("the case has no service to start".to_owned()));
        };
        if self.running.is_some() {
            return Err(Fault::error(
                "the service runs already; stop it first".to_owned(),
            ));
        }
        let setting = Setting {
            command: &self.payload.command,
            env: &self.env,
            folder: self.folder.path(),
            stretch: self.stretch,
        };
        self.running = Some(Running::start(&setting, service, &mut self.values)?);
        Ok(())
    }

    fn stop(&mut self, stop: &Stop) -> Result<(), Fault> {
        let ran = self.take()?.stop(stop.by, self.limit)?;
        // The exit code of a service is only checked if the case expects one.
        let checked = match stop.expect.exit {
            Some(_) => check::step(&stop.expect, &ran, self.folder),
            None => check::ended(&stop.expect, &ran, self.folder),
        };
        self.deeds.runs.push(ran);
        checked.map_err(Fault::failed)
    }

    fn take(&mut self) -> Result<Running, Fault> {
        let none = || Fault::error("the service does not run; start it first".to_owned());
        self.running.take().ok_or_else(none)
    }

    fn service(&mut self) -> Result<&mut Running, Fault> {
        let none = || Fault::error("the service does not run; start it first".to_owned());
        self.running.as_mut().ok_or_else(none)
    }

    fn request(&mut self, request: &Request) -> Result<(), Fault> {
        let limit = self.limit;
        let service = self.service()?;
        service.alive("the request")?;
        let response = client::send(service.port, request, limit)
            .map_err(|failure| service.unanswered(failure))?;
        let asked = String::from(request.send.clone());
        let checked = client::check(&request.expect, &response, false);
        let captured = checked.and_then(|()| {
            let one = |(name, what)| Ok((name, client::captured(what, &response)?));
            request
                .capture
                .iter()
                .map(one)
                .collect::<Result<Vec<_>, String>>()
        });
        self.deeds.responses.push(response);
        let captured = captured.map_err(|why| Fault::failed(format!("{asked}: {why}")))?;
        for (name, value) in captured {
            self.values.set(name, value);
        }
        Ok(())
    }

    fn together(&mut self, together: &Together) -> Result<(), Fault> {
        let mut requests = Vec::with_capacity(together.count());
        for number in 0..together.repeat {
            let values = self.values.with("n", number.into());
            for request in &together.requests {
                requests.push(request.filled(&values).map_err(Fault::error)?);
            }
        }
        let limit = self.limit;
        let service = self.service()?;
        service.alive("the request")?;
        let answers = at_once(service.port, &requests, limit);
        let mut responses = Vec::with_capacity(answers.len());
        for answer in answers {
            responses.push(answer.map_err(|failure| service.unanswered(failure))?);
        }
        let any_status = together.expect.settles_statuses();
        let each = requests
            .iter()
            .zip(&responses)
            .try_for_each(|(request, response)| {
                client::check(&request.expect, response, any_status)
                    .map_err(|why| format!("{}: {why}", String::from(request.send.clone())))
            });
        let all = each.and_then(|()| as_a_whole(&together.expect, &responses));
        self.deeds.responses.extend(responses);
        all.map_err(Fault::failed)
    }
}

/// Writes texts and other files.
fn lay(
    folder: &CaseFolder,
    texts: &BTreeMap<String, String>,
    bytes: &BTreeMap<String, Bytes>,
) -> Result<(), String> {
    let texts = texts.iter().map(|(path, text)| (path, text.as_bytes()));
    let bytes = bytes.iter().map(|(path, bytes)| (path, bytes.0.as_slice()));
    texts.chain(bytes).try_for_each(|(path, content)| {
        let written = folder.write(path, content);
        written.map_err(|e| format!("cannot write {path}: {e}"))
    })
}

/// Sends all requests at once, each from a thread of its own that waits for all others.
fn at_once(port: u16, requests: &[Request], limit: Duration) -> Vec<Result<Response, NoResponse>> {
    let barrier = Barrier::new(requests.len());
    thread::scope(|scope| {
        let send = |request| {
            let barrier = &barrier;
            scope.spawn(move || {
                barrier.wait();
                client::send(port, request, limit)
            })
        };
        let threads: Vec<_> = requests.iter().map(send).collect();
        let lost = || NoResponse {
            late: false,
            why: "the client broke".to_owned(),
        };
        let joined = threads
            .into_iter()
            .map(|t| t.join().unwrap_or_else(|_| Err(lost())));
        joined.collect()
    })
}

/// Whether all responses together are as expected.
fn as_a_whole(expect: &TogetherExpect, responses: &[Response]) -> Result<(), String> {
    if let Some(wanted) = &expect.statuses {
        let mut got: BTreeMap<u16, usize> = BTreeMap::new();
        for response in responses {
            *got.entry(response.status).or_default() += 1;
        }
        let wanted: BTreeMap<u16, usize> = wanted
            .iter()
            .filter(|(_, n)| **n > 0)
            .map(|(s, n)| (*s, *n))
            .collect();
        if got != wanted {
            return Err(format!("statuses: expected {wanted:?}, got {got:?}"));
        }
    }
    for kind in &expect.counts {
        let outcome: Vec<_> = responses
            .iter()
            .map(|r| client::check(&kind.expect, r, true))
            .collect();
        let fitting = outcome.iter().filter(|o| o.is_ok()).count();
        if fitting != kind.count {
            let why = outcome.into_iter().find_map(Result::err);
            let why = why.map_or_else(String::new, |why| {
                format!("; of the others the first: {why}")
            });
            let (wanted, all) = (kind.count, responses.len());
            return Err(format!(
                "{fitting} of {all} responses are as expected, not {wanted}{why}"
            ));
        }
    }
    expect.distinct.iter().try_for_each(|path| {
        let served = responses.iter().filter(|r| (200..300).contains(&r.status));
        let mut seen: Vec<Value> = Vec::new();
        for response in served {
            let body: Value = serde_json::from_slice(&response.body)
                .map_err(|e| format!("body: not JSON ({e})"))?;
            let value = only(path, &body)?.1.clone();
            if seen.contains(&value) {
                let value = shown(&value.to_string());
                return Err(format!("{path} is {value} in more than one response"));
            }
            seen.push(value);
        }
        Ok(())
    })
}
