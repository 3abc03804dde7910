//! Compares a program's behaviour with a case's expectations.

use slope_model::cases::{Case, Expect, FileExpect, Step, TextExpect};
use slope_model::problem::Group;

use super::files::{CaseFolder, Found};
use super::program::{Captured, Ran};
use super::text::{mistakes, text};

/// Faults of a case itself.
pub(super) fn suite_mistakes(case: &Case) -> Result<(), String> {
    if case.id.is_empty() {
        return Err("the id is empty".to_owned());
    }
    if case.group == Group::Regression {
        return Err(
            "the group `regression` is never written; it follows from the checkpoint".to_owned(),
        );
    }
    if case.steps.is_empty() && case.generate.is_none() {
        return Err("it has no steps, so it can check nothing".to_owned());
    }
    let laid = case.files.keys().chain(case.bytes.keys());
    let by_steps = case.steps.iter().flat_map(paths);
    if let Some(bad) = laid
        .chain(by_steps)
        .find(|p| crate::archive::relative(p.as_ref()).is_none())
    {
        return Err(format!("the path `{bad}` leads out of the case's folder"));
    }
    for step in &case.steps {
        if step.actions().len() > 1 {
            return Err("a step does more than one thing".to_owned());
        }
        texts(step).into_iter().try_for_each(mistakes)?;
    }
    Ok(())
}

/// All paths that a step names.
fn paths(step: &Step) -> Vec<&String> {
    let laid = step.write.keys().chain(step.bytes.keys());
    let ended = ends(step).into_iter().flat_map(|e| e.files.keys());
    laid.chain(&step.remove).chain(ended).collect()
}

/// Expectations of a step about programs that have ended.
fn ends(step: &Step) -> Vec<&Expect> {
    let stops = step.stop.iter().chain(&step.restart);
    stops.map(|s| &s.expect).chain([&step.expect]).collect()
}

/// Every expectation on a text after a program's end.
fn texts_of_end(expect: &Expect) -> impl Iterator<Item = &TextExpect> {
    let of_files = expect.files.values().filter_map(|f| match f {
        FileExpect::Text(text) => Some(text.as_ref()),
        FileExpect::Absent | FileExpect::Bytes(_) => None,
    });
    let streams = expect.stdout.iter().chain(&expect.stderr);
    streams.chain(of_files)
}

/// Every expectation on a text in a step.
fn texts(step: &Step) -> Vec<&TextExpect> {
    let together = step.together.iter();
    let counted = together.clone().flat_map(|t| &t.expect.counts);
    let requests = step
        .request
        .iter()
        .chain(together.flat_map(|t| &t.requests));
    let responses = requests
        .map(|r| &r.expect)
        .chain(counted.map(|c| &c.expect));
    let of_responses = responses.flat_map(|r| r.headers.values().chain(&r.body));
    let of_ends = ends(step).into_iter().flat_map(texts_of_end);
    of_ends.chain(of_responses).collect()
}

/// Whether a finished step is as expected; otherwise why not.
pub(super) fn step(expect: &Expect, ran: &Ran, folder: &CaseFolder) -> Result<(), String> {
    let wanted = expect.exit.unwrap_or(0);
    if ran.exit != Some(wanted) {
        let got = ran
            .exit
            .map_or_else(|| "a signal".to_owned(), |code| code.to_string());
        return Err(format!(
            "exit code: expected {wanted}, got {got}{}",
            ran.stderr.last_words()
        ));
    }
    ended(expect, ran, folder)
}

/// The same without the exit code.
pub(super) fn ended(expect: &Expect, ran: &Ran, folder: &CaseFolder) -> Result<(), String> {
    for (name, expected, got) in [
        ("stdout", &expect.stdout, &ran.stdout),
        ("stderr", &expect.stderr, &ran.stderr),
    ] {
        if let Some(expected) = expected {
            stream(name, expected, got)?;
        }
    }
    for (path, expected) in &expect.files {
        file(path, expected, &folder.read(path))?;
    }
    Ok(())
}

fn stream(name: &str, expected: &TextExpect, got: &Captured) -> Result<(), String> {
    if got.cut {
        return Err(format!("{name}: more than {} bytes", got.bytes.len()));
    }
    text(name, expected, &got.bytes)
}

fn file(path: &str, expected: &FileExpect, found: &Found) -> Result<(), String> {
    let name = format!("file {path}");
    match (expected, found) {
        (FileExpect::Absent, Found::Nothing) => Ok(()),
        (FileExpect::Absent, _) => Err(format!("{name}: expected no such file, there is one")),
        (FileExpect::Text(_) | FileExpect::Bytes(_), Found::Nothing) => {
            Err(format!("{name}: expected, but not there"))
        }
        (FileExpect::Text(_) | FileExpect::Bytes(_), Found::Other(what)) => {
            Err(format!("{name}: expected a regular file, found {what}"))
        }
        (FileExpect::Text(expected), Found::File(bytes)) => text(&name, expected, bytes),
        (FileExpect::Bytes(expected), Found::File(bytes)) => same_bytes(&name, &expected.0, bytes),
    }
}

fn same_bytes(name: &str, want: &[u8], have: &[u8]) -> Result<(), String> {
    if want == have {
        return Ok(());
    }
    let same = want.iter().zip(have).take_while(|(a, b)| a == b).count();
    Err(format!(
        "{name}: byte {same} (from 0) differs; it has {} bytes, expected {}",
        have.len(),
        want.len()
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn cases_without_checks_are_mistakes() {
        let case = |json: Value| serde_json::from_value::<Case>(json).unwrap();
        let good = case(json!({"id": "a", "group": "core", "steps": [{}]}));
        assert_eq!(suite_mistakes(&good), Ok(()));
        for (bad, why) in [
            (json!({"id": "a", "group": "core", "steps": []}), "no steps"),
            (
                json!({"id": "a", "group": "regression", "steps": [{}]}),
                "never written",
            ),
            (
                json!({"id": "a", "group": "core", "files": {"../x": ""}, "steps": [{}]}),
                "leads out",
            ),
            (
                json!({"id": "a", "group": "core", "steps": [{"expect": {"stdout": {"matches": "("}}}]}),
                "malformed",
            ),
        ] {
            let said = suite_mistakes(&case(bad)).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
