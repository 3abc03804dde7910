//! Errors about TOML, JSON and YAML in everyday words.
//!
//! The library that reads data names values by the types of Rust: `invalid type: string "a", expected u32`. Here that
//! becomes `expected a whole number of at least 0, found the text "a"`.

use crate::near_names;

/// The text of an error, with values named in everyday words. Other text stays.
#[must_use]
pub fn in_words(message: &str) -> String {
    let lines: Vec<String> = message.split('\n').map(line_in_words).collect();
    lines.join("\n")
}

/// The same for a value of a file that the user writes, with a remedy.
#[must_use]
pub fn with_remedy(message: &str) -> String {
    let message = in_words(message.trim());
    if message.contains("\nhelp: ") {
        return message;
    }
    let remedy = if let Some(wanted) = message.strip_prefix("expected ") {
        let wanted = wanted
            .split_once(", found ")
            .map_or(wanted, |(wanted, _)| wanted);
        format!("change the value to {wanted}")
    } else if let Some(key) = message.strip_prefix("missing key ") {
        format!("add {key}")
    } else if message.starts_with("unknown ") {
        let name = message.split('`').nth(1).unwrap_or_default();
        let known = message.split_once("expected ");
        let known = known.map(|(_, known)| {
            known
                .split([',', '`', ' '])
                .filter(|name| !["", "one", "of", "or"].contains(name))
        });
        let near = known.map(|known| near_names(known, name));
        match near.as_deref() {
            Some([near, ..]) => format!("use `{near}` instead"),
            _ => "use one of the expected names, or remove it".to_owned(),
        }
    } else if message.starts_with("duplicate ") {
        "remove one of the two".to_owned()
    } else {
        "correct the syntax of the file".to_owned()
    };
    format!("{message}\nhelp: {remedy}")
}

/// The text of an error about JSON in everyday words, without the place that its reader adds.
#[must_use]
pub fn of_json(message: &str) -> String {
    in_words(message.split(" at line ").next().unwrap_or_default())
}

/// The line and the text of an error about YAML, whose reader writes `error: line 4 column 12: TEXT` and an excerpt.
#[must_use]
pub fn of_yaml(message: &str) -> (Option<usize>, String) {
    let first = message.lines().next().unwrap_or_default();
    let first = first.trim_start_matches("error: ");
    let place = first
        .strip_prefix("line ")
        .and_then(|rest| rest.split_once(": "));
    let (line, text) = match place {
        Some((place, text)) => (
            place.split(' ').next().and_then(|line| line.parse().ok()),
            text,
        ),
        None => (None, first),
    };
    if let Some(key) = text.strip_prefix("duplicate mapping key: ") {
        let key = key.split(", set ").next().unwrap_or(key);
        return (line, format!("duplicate key `{key}`"));
    }
    let text = in_words(text);
    let words = YAML
        .iter()
        .find(|(yaml, _)| text == format!("expected {yaml}"));
    (
        line,
        words.map_or(text, |(_, words)| format!("expected {words}")),
    )
}

/// The same as one text: `line 4: TEXT`.
#[must_use]
pub fn yaml_in_words(message: &str) -> String {
    match of_yaml(message) {
        (Some(line), text) => format!("line {line}: {text}"),
        (None, text) => text,
    }
}

/// What the reader of YAML expects, in words.
const YAML: &[(&str, &str)] = &[
    ("string scalar", "text"),
    ("mapping start", "keys with values"),
    ("sequence start", "a list"),
];

fn line_in_words(line: &str) -> String {
    for start in ["invalid type: ", "invalid value: ", "invalid length "] {
        if let Some((before, rest)) = split_at_start(line, start)
            && let Some((found, rest)) = split_outside_quotes(rest, ", expected ")
        {
            let (wanted, behind) = end_of_expected(rest);
            let found = match start {
                "invalid length " => plural_of_values(found),
                _ => found_in_words(found),
            };
            return format!(
                "{before}expected {}, found {found}{behind}",
                expected_in_words(wanted)
            );
        }
    }
    if let Some((before, _)) =
        split_at_start(line, "data did not match any variant of untagged enum ")
    {
        return format!("{before}the value has none of the possible forms");
    }
    if let Some((before, rest)) = split_at_start(line, "wanted ") {
        return format!("{before}expected {}", expected_in_words(rest));
    }
    let mut text = line.to_owned();
    for (start, words) in STARTS {
        if let Some((before, rest)) = split_at_start(&text, start) {
            text = format!(
                "{before}{words}{}",
                rest.replacen("`, expected ", "`: expected ", 1)
            );
        }
    }
    text.replace("`, there are no variants", "`: no value is possible here")
        .replace("`, there are no fields", "`: no key is possible here")
}

/// Beginnings of messages, in words.
const STARTS: &[(&str, &str)] = &[
    ("missing field `", "missing key `"),
    ("unknown field `", "unknown key `"),
    ("unknown variant `", "unknown value `"),
    ("duplicate field `", "duplicate key `"),
];

/// The text before a phrase that begins a message or follows `: `, and the text after it.
fn split_at_start<'t>(line: &'t str, phrase: &str) -> Option<(&'t str, &'t str)> {
    let mut places = line.match_indices(phrase).map(|(at, _)| at);
    let at = places.find(|&at| line[..at].trim().is_empty() || line[..at].ends_with(": "))?;
    Some((&line[..at], &line[at + phrase.len()..]))
}

/// The parts around a separator that is not in a text in double quotes.
fn split_outside_quotes<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if !is_quoted && text[at..].starts_with(separator) {
            return Some((&text[..at], &text[at + separator.len()..]));
        }
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// The expected value, and the place that a library adds after it.
fn end_of_expected(text: &str) -> (&str, &str) {
    let ends = [" at line ", " for key ", " in `", "\n"];
    let end = ends.iter().filter_map(|end| text.find(end)).min();
    text.split_at(end.unwrap_or(text.len()))
}

fn plural_of_values(count: &str) -> String {
    match count.trim().parse::<u64>() {
        Ok(count) => crate::plural(count, "value"),
        Err(_) => "another number of values".to_owned(),
    }
}

/// Names of types that are expected.
const EXPECTED: &[(&[&str], &str)] = &[
    (
        &["u8", "u16", "u32", "u64", "u128", "usize"],
        "a whole number of at least 0",
    ),
    (
        &["i8", "i16", "i32", "i64", "i128", "isize"],
        "a whole number",
    ),
    (&["f32", "f64"], "a number"),
    (&["bool", "a boolean"], "`true` or `false`"),
    (
        &[
            "a string",
            "a borrowed string",
            "str",
            "string",
            "path string",
            "a path",
        ],
        "text",
    ),
    (&["a character", "char"], "one character"),
    (&["a sequence", "sequence"], "a list"),
    (&["a map", "map", "table"], "keys with values"),
    (&["unit", "null", "unit struct"], "nothing"),
    (&["string or table", "string or map", "enum"], "text"),
    (&["identifier", "field identifier", "a string key"], "a key"),
    (
        &["variant identifier", "variant of enum"],
        "one of the known names",
    ),
    (&["option"], "a value or nothing"),
];

/// Beginnings of names of types that are expected.
const STARTS_OF_EXPECTED: &[(&str, &str)] = &[
    ("a nonzero ", "a whole number other than 0"),
    ("a tuple", "a list"),
    ("tuple ", "a list"),
    ("an array of length", "a list"),
    ("struct ", "keys with values"),
    ("internally tagged", "keys with values"),
    ("adjacently tagged", "keys with values"),
    ("enum ", "one of the known names"),
];

fn expected_in_words(wanted: &str) -> String {
    let wanted = wanted.trim();
    let known = EXPECTED.iter().find(|(names, _)| names.contains(&wanted));
    if let Some((_, words)) = known {
        return (*words).to_owned();
    }
    let mut starts = STARTS_OF_EXPECTED.iter();
    let Some((_, words)) = starts.find(|(start, _)| wanted.starts_with(start)) else {
        return wanted.to_owned();
    };
    // `a tuple of size 2`, `tuple of 2 elements`, `an array of length 2`.
    let size = wanted.split(' ').find_map(|word| word.parse::<u64>().ok());
    match size.filter(|_| *words == "a list") {
        Some(size) => format!("a list of {}", crate::plural(size, "value")),
        None => (*words).to_owned(),
    }
}

/// A value that was found: `string "a"`, ``integer `1` ``, `sequence`.
fn found_in_words(found: &str) -> String {
    let found = found.trim();
    if let Some(text) = found.strip_prefix("string ") {
        return format!("the text {text}");
    }
    if let Some((_, value)) = found.split_once(" `")
        && ["boolean", "integer", "floating", "character"]
            .iter()
            .any(|kind| found.starts_with(kind))
    {
        return format!("`{value}");
    }
    match found {
        "sequence" => "a list",
        "map" => "keys with values",
        "null" | "unit value" | "Option value" => "nothing",
        "byte array" => "binary data",
        "enum" | "unit variant" | "newtype variant" | "tuple variant" | "struct variant" => {
            "a name"
        }
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its errors matter")]
    struct Sample {
        number: u32,
        name: Option<String>,
        yes: Option<bool>,
        share: Option<f64>,
        list: Option<Vec<String>>,
        pair: Option<(u8, u8)>,
        inner: Option<Box<Sample>>,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        First,
        Second,
    }

    fn words(json: &str) -> String {
        let error = serde_json::from_str::<Sample>(json).unwrap_err();
        in_words(&error.to_string())
    }

    #[test]
    fn types_of_values_are_everyday_words() {
        for (json, expected) in [
            (
                "{\"number\": \"a\"}",
                "expected a whole number of at least 0, found the text \"a\"",
            ),
            (
                "{\"number\": -1}",
                "expected a whole number of at least 0, found `-1`",
            ),
            (
                "{\"number\": 1.5}",
                "expected a whole number of at least 0, found `1.5`",
            ),
            ("{\"name\": [\"a\"]}", "expected text, found a list"),
            ("{\"yes\": 1}", "expected `true` or `false`, found `1`"),
            ("{\"share\": true}", "expected a number, found `true`"),
            ("{\"list\": {}}", "expected a list, found keys with values"),
            (
                "{\"pair\": [1]}",
                "expected a list of 2 values, found 1 value",
            ),
            ("{\"inner\": 5}", "expected keys with values, found `5`"),
            (
                "{\"number\": null}",
                "expected a whole number of at least 0, found nothing",
            ),
            (
                "[\"a\"]",
                "expected a whole number of at least 0, found the text \"a\"",
            ),
        ] {
            let words = words(json);
            assert!(words.starts_with(expected), "{json}: {words}");
        }
    }

    #[test]
    fn names_of_fields_are_keys() {
        assert!(words("{}").starts_with("missing key `number`"));
        assert!(words("{\"a\": 1}").starts_with("unknown key `a`: expected one of `number`"));
        let kind = words("{\"kind\": \"a\"}");
        assert!(
            kind.starts_with("unknown value `a`: expected `first` or `second`"),
            "{kind}"
        );
    }

    #[test]
    fn places_of_libraries_stay() {
        let words = words("{\"number\": \"a, expected u8\"}");
        assert_eq!(
            words,
            "expected a whole number of at least 0, found the text \"a, expected u8\" at line 1 column 27"
        );
        let within = in_words("cannot read a.json: invalid type: map, expected a string at line 1");
        assert_eq!(
            within,
            "cannot read a.json: expected text, found keys with values at line 1"
        );
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "cannot read a.toml: denied",
            "it says `missing field`",
            "expected u32",
        ] {
            assert_eq!(in_words(text), text);
        }
    }

    #[test]
    fn yaml_errors_lose_their_excerpt() {
        for (message, line, text) in [
            (
                "error: line 4 column 12: unclosed bracket '['\n --> <input>:4:12\n",
                Some(4),
                "unclosed bracket '['",
            ),
            (
                "error: line 1 column 5: expected string scalar\n",
                Some(1),
                "expected text",
            ),
            (
                "line 2 column 1: missing field `rule`",
                Some(2),
                "missing key `rule`",
            ),
            (
                "error: line 2 column 1: duplicate mapping key: id, set DuplicateKeyPolicy in Options",
                Some(2),
                "duplicate key `id`",
            ),
            ("end of file", None, "end of file"),
        ] {
            assert_eq!(of_yaml(message), (line, text.to_owned()));
        }
    }

    #[test]
    fn remedies_follow_the_error() {
        for (message, remedy) in [
            (
                "invalid type: string \"a\", expected u32",
                "change the value to a whole number of at least 0",
            ),
            ("missing field `id`", "add `id`"),
            (
                "unknown field `cutof`, expected one of `profile`, `cutoff`",
                "use `cutoff` instead",
            ),
            (
                "unknown variant `x`, expected `slope` or `paper`",
                "use one of the expected names, or remove it",
            ),
            (
                "unclosed table, expected `]`",
                "correct the syntax of the file",
            ),
        ] {
            let text = with_remedy(message);
            assert_eq!(text.split_once("\nhelp: ").unwrap().1, remedy);
        }
        assert_eq!(with_remedy("a\nhelp: b"), "a\nhelp: b");
    }
}
