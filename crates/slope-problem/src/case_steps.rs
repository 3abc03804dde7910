//! Checks the steps of a case.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use slope_model::cases::{
    Action, Case, Expect, FileExpect, Request, ResponseExpect, Service, Step, Together,
};

use crate::case_check::{Fault, check_paths, check_text, check_timeout, fault};

/// `${name}`, with a dollar sign before it where it is literal.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    // A fixed pattern, which every test compiles.
    Regex::new(r"(\$?)\$\{([^}]*)\}").unwrap_or_else(|why| unreachable!("{why}"))
});

/// Checks all steps of `case`, which talks to `service`.
pub(crate) fn check(case: &Case, service: Option<&Service>) -> Result<(), Fault> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut runs = case.needs_service();
    if runs {
        let Some(service) = service else {
            let remedy = "add the start of the service in the case or for the file: `service: {args: [...]}`";
            return Err(fault(
                "a step needs a service, and the case has none",
                remedy,
            ));
        };
        check_timeout(Some(service.ready.within_s))?;
        names.insert("port".to_owned());
        known(&(&service.args, &service.env), &names)?;
    }
    for step in &case.steps {
        one_step(step)?;
        if !case.needs_service() {
            continue;
        }
        runs = order(step.action(), runs)?;
        let mut here = names.clone();
        if step.together.is_some() {
            here.insert("n".to_owned());
        }
        known(step, &here)?;
        if let Some(request) = &step.request {
            names.extend(request.capture.keys().cloned());
        }
    }
    Ok(())
}

/// Whether the service runs after a step, given whether it ran before.
fn order(action: Action<'_>, runs: bool) -> Result<bool, Fault> {
    match action {
        Action::Start(_) if runs => Err(fault(
            "a step starts the service while it runs",
            "stop it first, or use restart",
        )),
        Action::Start(_) => Ok(true),
        Action::Run | Action::Lay => Ok(runs),
        _ if !runs => Err(fault(
            "a step needs the service after it was stopped",
            "start it first",
        )),
        Action::Stop(_) => Ok(false),
        _ => Ok(true),
    }
}

/// Checks that every placeholder in `what` has a value.
fn known(what: &impl serde::Serialize, names: &BTreeSet<String>) -> Result<(), Fault> {
    let text = serde_json::to_string(what).unwrap_or_default();
    for found in PLACEHOLDER.captures_iter(&text) {
        if found[1].is_empty() && !names.contains(&found[2]) {
            let what = format!("`${{{}}}` has no value at this step", &found[2]);
            let remedy = "capture it in an earlier step, or write `$${` for the text itself";
            return Err(fault(what, remedy));
        }
    }
    Ok(())
}

fn one_step(step: &Step) -> Result<(), Fault> {
    let actions = step.actions();
    if actions.len() > 1 || (!actions.is_empty() && step.says_run()) {
        let what = "a step does more than one thing";
        return Err(fault(what, "make it several steps"));
    }
    check_paths(step.write.keys().chain(step.bytes.keys()))?;
    check_paths(step.remove.iter())?;
    let stops = step.stop.iter().chain(&step.restart);
    for expect in stops.map(|s| &s.expect).chain([&step.expect]) {
        check_end(expect)?;
    }
    if let Some(request) = &step.request {
        check_request(request)?;
    }
    step.together.as_ref().map_or(Ok(()), check_together)
}

fn check_end(expect: &Expect) -> Result<(), Fault> {
    check_paths(expect.files.keys())?;
    let streams = expect.stdout.iter().chain(&expect.stderr);
    let files = expect.files.values().filter_map(|file| match file {
        FileExpect::Text(text) => Some(text.as_ref()),
        FileExpect::Absent | FileExpect::Bytes(_) => None,
    });
    streams.chain(files).try_for_each(check_text)
}

fn check_request(request: &Request) -> Result<(), Fault> {
    let bodies = [
        request.json.is_some(),
        request.text.is_some(),
        request.base64.is_some(),
    ];
    if bodies.into_iter().filter(|given| *given).count() > 1 {
        let what = "a request has more than one body";
        return Err(fault(what, "give json, text or base64"));
    }
    check_response(&request.expect)
}

fn check_response(expect: &ResponseExpect) -> Result<(), Fault> {
    let texts = expect.headers.values().chain(&expect.body);
    texts.into_iter().try_for_each(check_text)
}

fn check_together(together: &Together) -> Result<(), Fault> {
    let most = Together::MOST;
    if !(1..=most).contains(&together.count()) {
        let what = format!("{} requests are sent at once", together.count());
        return Err(fault(what, &format!("send from 1 to {most}")));
    }
    for request in &together.requests {
        check_request(request)?;
        if !request.capture.is_empty() {
            let what = "a request among several at once captures a value";
            return Err(fault(what, "capture it from a request of its own"));
        }
    }
    let counts = together.expect.counts.iter();
    counts.map(|c| &c.expect).try_for_each(check_response)
}
