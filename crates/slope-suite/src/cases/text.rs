//! Compares a text with a case's expectation.

use regex::RegexBuilder;
use serde_json::Value;
use slope_model::cases::TextExpect;

use super::json::{Comparison, only};

/// Lines shown on either side of the first difference.
const CONTEXT: usize = 3;
/// Maximum number of characters shown of one line.
const LINE_SHOWN: usize = 200;
/// Complaints of a schema that are shown.
const COMPLAINTS_SHOWN: usize = 3;

/// A pattern of a suite, compiled.
pub(super) fn compile(pattern: &str) -> Result<regex::Regex, regex::Error> {
    RegexBuilder::new(pattern).multi_line(true).build()
}

/// Fails if an expectation itself is malformed.
pub(super) fn mistakes(expected: &TextExpect) -> Result<(), String> {
    let patterns = expected.matches.iter().chain(&expected.not_matches);
    // One with a placeholder is no pattern before that is filled in.
    for pattern in patterns.filter(|p| !p.contains("${")) {
        compile(pattern).map_err(|e| format!("the pattern `{pattern}` is malformed: {e}"))?;
    }
    if let Some(schema) = &expected.schema {
        jsonschema::validator_for(schema).map_err(|e| format!("the schema is malformed: {e}"))?;
    }
    Ok(())
}

/// Compares `got` with its expectation; the error gives the difference and calls the text `name`.
pub(super) fn text(name: &str, expected: &TextExpect, got: &[u8]) -> Result<(), String> {
    let got = std::str::from_utf8(got).map_err(|_| "not UTF-8".to_owned());
    got.and_then(|got| {
        plain(expected, got)?;
        patterns(expected, got)?;
        json(expected, got)
    })
    .map_err(|why| format!("{name}: {why}"))
}

fn plain(expected: &TextExpect, got: &str) -> Result<(), String> {
    let it_is = || shown(got.trim_end());
    if let Some(equals) = &expected.equals {
        let (want, have) = (equals.trim_end(), got.trim_end());
        if want != have {
            return Err(difference(want, have));
        }
    }
    let lacks = |part: &&String| !got.contains(part.as_str());
    if let Some(part) = expected.contains.iter().find(lacks) {
        return Err(format!("does not contain {part:?}; it is {}", it_is()));
    }
    if let Some(part) = expected.not_contains.iter().find(|part| !lacks(part)) {
        return Err(format!("contains {part:?}; it is {}", it_is()));
    }
    Ok(())
}

fn patterns(expected: &TextExpect, got: &str) -> Result<(), String> {
    let found = |pattern: &String| {
        compile(pattern)
            .map(|regex| regex.is_match(got))
            .map_err(|e| format!("the suite's pattern is malformed: {e}"))
    };
    let it_is = || shown(got.trim_end());
    if let Some(pattern) = &expected.matches
        && !found(pattern)?
    {
        return Err(format!("does not match {pattern:?}; it is {}", it_is()));
    }
    if let Some(pattern) = &expected.not_matches
        && found(pattern)?
    {
        return Err(format!("matches {pattern:?}; it is {}", it_is()));
    }
    Ok(())
}

fn json(expected: &TextExpect, got: &str) -> Result<(), String> {
    let comparison = Comparison::new(&expected.compare);
    if let Some(lines) = &expected.json_lines {
        let have = comparison.normalised(Value::Array(parse_lines(got)?));
        let want = comparison.normalised(Value::Array(lines.clone()));
        comparison.difference(&want, &have).map_or(Ok(()), Err)?;
    }
    let of_whole = expected.json.is_some() || expected.schema.is_some();
    let of_parts = !(expected.json_at.is_empty()
        && expected.json_length.is_empty()
        && expected.json_includes.is_empty());
    if !(of_whole || of_parts) {
        return Ok(());
    }
    let have: Value = serde_json::from_str(got)
        .map_err(|e| format!("not JSON ({e}); it is {}", shown(got.trim_end())))?;
    if let Some(schema) = &expected.schema {
        valid(schema, &have)?;
    }
    let have = comparison.normalised(have);
    if let Some(want) = &expected.json {
        let want = comparison.normalised(want.clone());
        comparison.difference(&want, &have).map_or(Ok(()), Err)?;
    }
    parts(expected, &comparison, &have)
}

/// Whether the parts of the value that `expected` names are as they should be.
fn parts(expected: &TextExpect, comparison: &Comparison<'_>, have: &Value) -> Result<(), String> {
    for (path, want) in &expected.json_at {
        let (location, there) = only(path, have)?;
        let difference = comparison.difference_at(location, want, there);
        difference.map_or(Ok(()), Err)?;
    }
    for (path, &want) in &expected.json_length {
        let (_, there) = only(path, have)?;
        let length = match there {
            Value::Array(items) => items.len(),
            Value::Object(map) => map.len(),
            other => {
                return Err(format!(
                    "{path} is {}, expected a list",
                    shown(&other.to_string())
                ));
            }
        };
        if length != want {
            return Err(format!(
                "{path} has {}, expected {want}",
                slope_model::plural(length, "entry")
            ));
        }
    }
    for (path, wanted) in &expected.json_includes {
        let (location, there) = only(path, have)?;
        let Value::Array(items) = there else {
            return Err(format!(
                "{path} is {}, expected a list",
                shown(&there.to_string())
            ));
        };
        if let Some(missing) = comparison.not_among(&location, wanted, items) {
            return Err(format!(
                "{path} has no item {}",
                shown(&missing.to_string())
            ));
        }
    }
    Ok(())
}

fn parse_lines(got: &str) -> Result<Vec<Value>, String> {
    let lines = (1..).zip(got.lines()).filter(|(_, l)| !l.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|e| format!("line {number} is not JSON ({e}); it is {}", shown(line)))
        })
        .collect()
}

fn valid(schema: &Value, have: &Value) -> Result<(), String> {
    let validator = jsonschema::validator_for(schema)
        .map_err(|e| format!("the suite's schema is malformed: {e}"))?;
    let complaints: Vec<String> = validator
        .iter_errors(have)
        .take(COMPLAINTS_SHOWN)
        .map(|e| shown(&format!("${}: {e}", e.instance_path())))
        .collect();
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(format!("not valid: {}", complaints.join("; ")))
    }
}

/// The first differing lines, with context.
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

/// A text cut to the length that is shown.
pub(super) fn shown(text: &str) -> String {
    let mut cut: String = text.chars().take(LINE_SHOWN).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
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
    fn texts_compare_ignoring_trailing_white_space() {
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
    fn contains_and_matches_search_anywhere() {
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
            (r#"{"a": [1], "b": null}"#, "$.a has 1 item"),
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
    fn forbidden_text_is_found() {
        let expect = expecting(|e| e.not_contains = vec!["Traceback".into()]);
        assert_eq!(text("x", &expect, b"fine"), Ok(()));
        let why = text("x", &expect, b"Traceback (most").unwrap_err();
        assert!(why.starts_with("x: contains \"Traceback\""), "{why}");
        let expect = expecting(|e| e.not_matches = Some("^b$".into()));
        assert!(text("x", &expect, b"ab").is_ok() && text("x", &expect, b"a\nb\n").is_err());
    }

    #[test]
    fn json_paths_lines_schemas_are_checked() {
        let expect = |json: Value| serde_json::from_value::<TextExpect>(json).unwrap();
        let have = br#"{"id": 3, "tags": ["b", "a"], "made": "2030-01-01"}"#;
        for (right, wrong, said) in [
            (
                json!({"json_at": {"$.id": 3, "$.tags[0]": "b"}}),
                json!({"json_at": {"$.id": 4}}),
                "$.id is 3",
            ),
            (
                json!({"json_at": {"$.tags": ["b", "a"]}}),
                json!({"json_at": {"$.tags": ["a", "b"]}}),
                "$.tags[0]",
            ),
            (
                json!({"json_at": {"$.tags": ["a", "b"]}, "compare": {"unordered": ["$.tags"]}}),
                json!({"json_at": {"$.tags[*]": "a"}}),
                "2 values",
            ),
            (
                json!({"json_length": {"$.tags": 2}}),
                json!({"json_length": {"$.tags": 3}}),
                "2 entries",
            ),
            (
                json!({"json_includes": {"$.tags": ["a"]}}),
                json!({"json_includes": {"$.tags": ["a", "a"]}}),
                "no item",
            ),
            (
                json!({"schema": {"required": ["id"], "properties": {"id": {"type": "integer"}}}}),
                json!({"schema": {"properties": {"id": {"type": "string"}}}}),
                "$/id",
            ),
        ] {
            assert_eq!(text("x", &expect(right), have), Ok(()));
            let why = text("x", &expect(wrong), have).unwrap_err();
            assert!(why.contains(said), "{why}");
        }
        let lines =
            expect(json!({"json_lines": [{"a": 1}, {"a": 2}], "compare": {"unordered": ["$"]}}));
        assert_eq!(text("x", &lines, b"{\"a\": 2}\n\n{\"a\": 1}\n"), Ok(()));
        assert!(
            text("x", &lines, b"{\"a\": 2}\n{")
                .unwrap_err()
                .contains("line 2")
        );
        let bad = expect(json!({"schema": {"type": "nothing"}}));
        assert!(mistakes(&bad).unwrap_err().contains("schema"));
    }
}
