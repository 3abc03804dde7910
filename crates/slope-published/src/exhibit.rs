//! A checkpoint's folder of the published harness, beyond the numbers.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use slope_model::error_text::one_line;
use slope_model::exhibit::{Actor, Call, Excerpt, FindingLine, Held, Step, TestLine};
use slope_model::verdict::Outcome;

use super::checkpoint::group_called;
use super::details;
use super::files::{self, Evaluation};
use super::stored::StoredTest;

/// Largest size of a failure message, in bytes.
const MAX_MESSAGE: usize = 1500;

/// The agent's spec at the checkpoint.
///
/// # Errors
/// The reason that it is missing, as text.
pub fn spec(folder: &Path) -> Held<String> {
    files::text(&folder.join("prompt.txt")).map_err(told)
}

/// Results of the tests, with messages if pytest's own report exists.
///
/// # Errors
/// The reason that they are missing, as text.
pub fn tests(folder: &Path) -> Held<Vec<TestLine>> {
    let evaluation: Evaluation = files::json(&folder.join("evaluation.json")).map_err(told)?;
    let messages = details::messages(folder);
    let line = |test: &StoredTest| {
        let id = format!("{}::{}", test.checkpoint, test.id);
        let outcome = test.outcome();
        let message = messages
            .get(&id)
            .filter(|_| outcome != Outcome::Passed)
            .map(|text| Excerpt::of(text, MAX_MESSAGE).text);
        TestLine {
            id,
            group: group_called(&test.group),
            outcome,
            message,
        }
    };
    let mut lines: Vec<TestLine> = evaluation.tests.each().iter().map(line).collect();
    // Failures first: if not all fit, they matter most.
    lines.sort_by(|a, b| {
        let key = |t: &TestLine| (t.outcome == Outcome::Passed, t.id.clone());
        key(a).cmp(&key(b))
    });
    Ok(lines)
}

/// A line of `quality_analysis/ast_grep.jsonl`; its lines count from 0.
#[derive(Deserialize)]
struct Match {
    rule_id: String,
    #[serde(default)]
    file_path: String,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    category: String,
}

/// Matches of the harness's rules.
///
/// # Errors
/// The reason that they are missing, as text.
pub fn findings(folder: &Path) -> Held<Vec<FindingLine>> {
    let path = folder.join("quality_analysis/ast_grep.jsonl");
    let matches: Vec<Match> = files::lines(&path).map_err(told)?;
    // The harness writes an empty file if its rule engine did not run, too.
    if matches.is_empty() {
        return Err("the harness's rule engine is not known to have run".to_owned());
    }
    let line = |found: Match| FindingLine {
        rule: found.rule_id,
        severity: None,
        path: found.file_path,
        line: found.line.saturating_add(1),
        message: found.category,
    };
    Ok(matches.into_iter().map(line).collect())
}

/// Event of an agent that prints JSON, limited to the fields of a step.
#[derive(Deserialize)]
struct AgentEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    /// Id that all parts of one message share.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    content: Value,
}

/// The agent's steps, for agents with the output format of Claude Code.
///
/// # Errors
/// The reason that they are missing, as text.
pub fn steps(folder: &Path, most: usize) -> Held<Vec<Step>> {
    let path = folder.join("agent/stdout.jsonl");
    if !path.is_file() {
        return Err("the agent's steps are not stored in a form that is read".to_owned());
    }
    let events: Vec<AgentEvent> = files::lines(&path).map_err(told)?;
    let mut steps: Vec<Step> = Vec::new();
    let mut last_id = None;
    for event in events {
        let Some(message) = event.message else {
            continue;
        };
        let step = step(&event.kind, &message.content, most);
        match steps.last_mut() {
            // Results belong to the calls before them.
            Some(last) if step.is_only_results() => last.results.extend(step.results),
            Some(last) if message.id.is_some() && message.id == last_id => {
                if last.message.text.is_empty() {
                    last.message = step.message;
                }
                last.calls.extend(step.calls);
            }
            _ if step.size() > 0 => steps.push(step),
            _ => {}
        }
        last_id = message.id.or(last_id);
    }
    Ok(steps)
}

fn step(kind: &str, content: &Value, most: usize) -> Step {
    let mut step = Step {
        actor: match kind {
            "assistant" => Actor::Agent,
            _ => Actor::User,
        },
        message: Excerpt::default(),
        calls: Vec::new(),
        results: Vec::new(),
        took_s: None,
    };
    let text = |value: Option<&Value>| match value {
        Some(Value::String(text)) => Excerpt::of(text, most),
        Some(other) => Excerpt::of(&other.to_string(), most),
        None => Excerpt::default(),
    };
    if content.is_string() {
        step.message = text(Some(content));
    }
    for block in content.as_array().into_iter().flatten() {
        match block.get("type").and_then(Value::as_str) {
            Some("text") => step.message = text(block.get("text")),
            Some("tool_use") => {
                let tool = block.get("name").and_then(Value::as_str).unwrap_or("tool");
                let input = block.get("input").unwrap_or(&Value::Null);
                step.calls.push(Call::new(tool, input, most));
            }
            Some("tool_result") => step.results.push(text(block.get("content"))),
            _ => {}
        }
    }
    step
}

fn told(error: super::error::ImportError) -> String {
    one_line(&error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let at = dir.path().join(path);
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            std::fs::write(at, text).unwrap();
        }
        dir
    }

    #[test]
    fn failures_come_first_with_pytest_message() {
        let evaluation = r#"{"tests": {
            "checkpoint_1-Regression": {"passed": ["test_a"], "failed": ["test_b"]},
            "checkpoint_2-Core": {"passed": ["test_c"], "failed": [], "skipped": ["test_d"]}}}"#;
        let report = r#"{"tests": [
            {"nodeid": ".x/test_checkpoint_1.py::test_b", "call": {"crash": {"message": "1 != 2"}}},
            {"nodeid": "odd", "call": null}]}"#;
        let dir = folder(&[
            ("evaluation.json", evaluation),
            ("evaluation/report.json", report),
        ]);
        let lines = super::tests(dir.path()).unwrap();
        let told: Vec<(&str, &str, Option<&str>)> = lines
            .iter()
            .map(|t| (t.id.as_str(), t.outcome.name(), t.message.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                ("checkpoint_1::test_b", "failed", Some("1 != 2")),
                ("checkpoint_2::test_d", "skipped", None),
                ("checkpoint_1::test_a", "passed", None),
                ("checkpoint_2::test_c", "passed", None),
            ]
        );
    }

    #[test]
    fn results_belong_to_the_calls_before_them() {
        let log = concat!(
            r#"{"type": "system", "subtype": "init"}"#,
            "\n",
            r#"{"type": "assistant", "message": {"content": [{"type": "text", "text": "I look."}]}}"#,
            "\n",
            r#"{"type": "assistant", "message": {"id": "m", "content": [{"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}]}}"#,
            "\n",
            r#"{"type": "assistant", "message": {"id": "m", "content": [{"type": "tool_use", "name": "Read", "input": {"path": "b"}}]}}"#,
            "\n",
            r#"{"type": "user", "message": {"content": [{"type": "tool_result", "content": "a.py"}]}}"#,
            "\n",
        );
        let dir = folder(&[("agent/stdout.jsonl", log)]);
        let steps = super::steps(dir.path(), 2000).unwrap();
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[0].message.text, "I look.");
        let calls = steps[1]
            .calls
            .iter()
            .map(|call| call.arguments.text.as_str());
        assert_eq!(calls.collect::<Vec<_>>(), ["ls", "b"]);
        assert_eq!(steps[1].results[0].text, "a.py");
    }

    #[test]
    fn missing_stored_files_are_named() {
        let dir = folder(&[]);
        let named = |why: String| why.contains("prompt.txt") || why.contains("evaluation.json");
        assert!(named(spec(dir.path()).unwrap_err()));
        assert!(named(super::tests(dir.path()).unwrap_err()));
        assert!(findings(dir.path()).is_err() && super::steps(dir.path(), 2000).is_err());
    }
}
