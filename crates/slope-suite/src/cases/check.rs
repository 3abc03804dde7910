//! Whether what a program did is what a case expects.

use regex::RegexBuilder;
use serde_json::Value;
use slope_model::cases::{Case, Expect, FileExpect, TextExpect};
use slope_model::problem::Group;

use super::files::{CaseFolder, Found};
use super::program::{Captured, Ran};

/// Lines shown on either side of the first difference.
const CONTEXT: usize = 3;
/// Characters of one line that are shown.
const LINE_SHOWN: usize = 200;

/// What is wrong with a case itself.
pub(super) fn suite_mistakes(case: &Case) -> Result<(), String> {
    if case.id.is_empty() {
        return Err("the id is empty".to_owned());
    }
    if case.group == Group::Regression {
        return Err(
            "the group `regression` is never written; it follows from the checkpoint".to_owned(),
        );
    }
    if case.steps.is_empty() {
        return Err("it has no steps, so it can check nothing".to_owned());
    }
    let written = case.steps.iter().flat_map(|s| s.expect.files.keys());
    if let Some(bad) = case
        .files
        .keys()
        .chain(written)
        .find(|p| crate::archive::relative(p.as_ref()).is_none())
    {
        return Err(format!("the path `{bad}` leads out of the case's folder"));
    }
    for step in &case.steps {
        let of_files = step.expect.files.values().filter_map(|f| match f {
            FileExpect::Text(text) => Some(text),
            FileExpect::Absent => None,
        });
        let texts = step
            .expect
            .stdout
            .iter()
            .chain(&step.expect.stderr)
            .chain(of_files);
        for pattern in texts.filter_map(|t| t.matches.as_deref()) {
            compile(pattern).map_err(|e| format!("the pattern `{pattern}` is malformed: {e}"))?;
        }
    }
    Ok(())
}

fn compile(pattern: &str) -> Result<regex::Regex, regex::Error> {
    RegexBuilder::new(pattern).multi_line(true).build()
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
            said(&ran.stderr)
        ));
    }
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

/// The first line of what a program said of its failure.
fn said(stderr: &Captured) -> String {
    let text = String::from_utf8_lossy(&stderr.bytes);
    text.trim().lines().last().map_or_else(String::new, |line| {
        format!(" (stderr ends: {})", shown(line))
    })
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
        (FileExpect::Text(_), Found::Nothing) => Err(format!("{name}: expected, but not there")),
        (FileExpect::Text(_), Found::Other(what)) => {
            Err(format!("{name}: expected a regular file, found {what}"))
        }
        (FileExpect::Text(expected), Found::File(bytes)) => text(&name, expected, bytes),
    }
}

fn text(name: &str, expected: &TextExpect, got: &[u8]) -> Result<(), String> {
    let got = std::str::from_utf8(got).map_err(|_| format!("{name}: not UTF-8"))?;
    if let Some(equals) = &expected.equals {
        let (want, have) = (equals.trim_end(), got.trim_end());
        if want != have {
            return Err(format!("{name}: {}", difference(want, have)));
        }
    }
    if let Some(absent) = expected
        .contains
        .iter()
        .find(|part| !got.contains(part.as_str()))
    {
        return Err(format!(
            "{name}: does not contain {absent:?}; it is {}",
            shown(got.trim_end())
        ));
    }
    if let Some(pattern) = &expected.matches {
        let regex = compile(pattern)
            .map_err(|e| format!("{name}: the suite's pattern is malformed: {e}"))?;
        if !regex.is_match(got) {
            return Err(format!(
                "{name}: does not match {pattern:?}; it is {}",
                shown(got.trim_end())
            ));
        }
    }
    if let Some(json) = &expected.json {
        let have: Value = serde_json::from_str(got)
            .map_err(|e| format!("{name}: not JSON ({e}); it is {}", shown(got.trim_end())))?;
        if let Some(why) = json_difference("$", json, &have) {
            return Err(format!("{name}: {why}"));
        }
    }
    Ok(())
}

/// The first lines that differ, with what is around them.
fn difference(want: &str, have: &str) -> String {
    let (want, have): (Vec<_>, Vec<_>) = (want.lines().collect(), have.lines().collect());
    let same = want.iter().zip(&have).take_while(|(a, b)| a == b).count();
    let mut text = format!("line {} differs", same + 1);
    for line in &want[same.saturating_sub(CONTEXT)..same] {
        text += &format!("\n  {}", shown(line));
    }
    for (sign, lines) in [('-', &want), ('+', &have)] {
        for line in lines.iter().skip(same).take(CONTEXT) {
            text += &format!("\n{sign} {}", shown(line));
        }
        if lines.len() <= same {
            text += &format!("\n{sign} (the end)");
        }
    }
    text
}

/// A text cut to what is worth showing.
fn shown(text: &str) -> String {
    let mut cut: String = text.chars().take(LINE_SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// Where two JSON values first differ; numbers are equal when their values are, whatever the notation.
fn json_difference(at: &str, want: &Value, have: &Value) -> Option<String> {
    match (want, have) {
        (Value::Object(a), Value::Object(b)) => {
            if let Some(key) = a.keys().find(|k| !b.contains_key(*k)) {
                return Some(format!("{at}.{key} is missing"));
            }
            if let Some(key) = b.keys().find(|k| !a.contains_key(*k)) {
                return Some(format!("{at}.{key} is not expected"));
            }
            a.iter()
                .find_map(|(k, v)| json_difference(&format!("{at}.{k}"), v, &b[k]))
        }
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                return Some(format!("{at} has {} items, expected {}", b.len(), a.len()));
            }
            a.iter()
                .zip(b)
                .enumerate()
                .find_map(|(i, (x, y))| json_difference(&format!("{at}[{i}]"), x, y))
        }
        (Value::Number(a), Value::Number(b)) if a == b || a.as_f64() == b.as_f64() => None,
        _ if want == have => None,
        _ => Some(format!(
            "{at} is {}, expected {}",
            shown(&have.to_string()),
            shown(&want.to_string())
        )),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn expecting(change: impl FnOnce(&mut TextExpect)) -> TextExpect {
        let mut expect = TextExpect::default();
        change(&mut expect);
        expect
    }

    #[test]
    fn texts_are_equal_but_for_the_white_space_at_their_end() {
        let expect = expecting(|e| e.equals = Some("a\nb\n".into()));
        assert_eq!(text("stdout", &expect, b"a\nb"), Ok(()));
        let why = text("stdout", &expect, b"a\nc\n").unwrap_err();
        assert_eq!(why, "stdout: line 2 differs\n  a\n- b\n+ c");
        assert!(
            text("stdout", &expect, b"a")
                .unwrap_err()
                .ends_with("+ (the end)")
        );
        assert!(
            text("stdout", &expect, b"\xff")
                .unwrap_err()
                .contains("UTF-8")
        );
    }

    #[test]
    fn parts_and_patterns_are_looked_for_anywhere() {
        let expect = expecting(|e| {
            e.contains = vec!["two".into()];
            e.matches = Some("^t.o$".into());
        });
        assert_eq!(text("x", &expect, b"one\ntwo\n"), Ok(()));
        assert!(
            text("x", &expect, b"one two\n")
                .unwrap_err()
                .contains("match")
        );
        assert!(
            text("x", &expect, b"one\n")
                .unwrap_err()
                .contains("contain")
        );
    }

    #[test]
    fn json_is_compared_by_value() {
        let expect = expecting(|e| e.json = Some(json!({"a": [1, 2.5], "b": null})));
        assert_eq!(
            text("x", &expect, br#"{"b": null, "a": [1.0, 2.5]}"#),
            Ok(())
        );
        for (bad, at) in [
            (r#"{"a": [1, 2.5]}"#, "$.b is missing"),
            (r#"{"a": [1], "b": null}"#, "$.a has 1 items"),
            (r#"{"a": [1, 3], "b": null}"#, "$.a[1] is 3"),
            (
                r#"{"a": [1, 2.5], "b": null, "c": 0}"#,
                "$.c is not expected",
            ),
            ("nope", "not JSON"),
        ] {
            let why = text("x", &expect, bad.as_bytes()).unwrap_err();
            assert!(why.contains(at), "{why}");
        }
    }

    #[test]
    fn cases_that_cannot_check_anything_are_mistakes() {
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
