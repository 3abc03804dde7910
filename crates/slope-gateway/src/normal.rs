//! Normalises requests: removes what differs between any two sessions of the same agent, such as
//! identities, times, durations and random names.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

/// Fields of a request that name a session, or that the gateway sets itself.
const PASSING: [&str; 10] = [
    "metadata",
    "client_metadata",
    "user",
    "session_id",
    "prompt_cache_key",
    "safety_identifier",
    "labels",
    "model",
    "stream_options",
    "diagnostics",
];

/// Names in dates.
const CALENDAR: [&str; 19] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A fingerprint that is equal for the same request of another session.
pub(crate) fn fingerprint(dialect: &str, request: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    (dialect, normal(request).to_string()).hash(&mut hasher);
    hasher.finish()
}

/// The request without parts that differ between sessions.
fn normal(request: &Value) -> Value {
    let mut normal = request.clone();
    if let Some(fields) = normal.as_object_mut() {
        fields.retain(|key, _| !PASSING.contains(&key.as_str()));
    }
    let mut open = vec![&mut normal];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => *text = plain(text),
            Value::Array(parts) => open.extend(parts),
            Value::Object(parts) => open.extend(parts.values_mut()),
            _ => {}
        }
    }
    normal
}

/// A text in which every word with a digit in it, and every name of a day or month, is `#`. A run
/// of such words joined only by hyphens, colons or dots, such as a time or a UUID, is one `#`.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !of_word(c)).unwrap_or(rest.len());
        if end == 0 {
            let next = rest.find(of_word).unwrap_or(rest.len());
            out.push_str(&rest[..next]);
            rest = &rest[next..];
            continue;
        }
        let (word, tail) = rest.split_at(end);
        let passing = word.bytes().any(|byte| byte.is_ascii_digit()) || CALENDAR.contains(&word);
        // A group of a UUID may consist of letters only.
        let hex = out.ends_with("#-") && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !passing && !hex {
            out.push_str(word);
        } else if let Some(joined) = ["#-", "#:", "#."].iter().find(|end| out.ends_with(**end)) {
            out.truncate(out.len() - joined.len() + 1);
        } else {
            out.push('#');
        }
        rest = tail;
    }
    out
}

/// Path and description of the first difference between two requests.
pub(crate) fn difference(recorded: &Value, asked: &Value) -> String {
    let (recorded, asked) = (normal(recorded), normal(asked));
    let mut open = vec![(String::new(), &recorded, &asked)];
    while let Some((path, one, two)) = open.pop() {
        match (one, two) {
            (Value::Array(ones), Value::Array(twos)) => {
                let same = ones.iter().zip(twos).take_while(|(a, b)| a == b).count();
                if same == ones.len().min(twos.len()) {
                    let (had, has) = (ones.len(), twos.len());
                    return format!("{path} had {had} entries and has {has}");
                }
                open.push((format!("{path}/{same}"), &ones[same], &twos[same]));
            }
            (Value::Object(ones), Value::Object(twos)) => {
                if let Some(key) = ones.keys().find(|key| !twos.contains_key(*key)) {
                    return format!("{path}/{key} is gone");
                }
                if let Some(key) = twos.keys().find(|key| !ones.contains_key(*key)) {
                    return format!("{path}/{key} is new");
                }
                let differing = ones.iter().find(|(key, one)| twos[*key] != **one);
                if let Some((key, one)) = differing {
                    open.push((format!("{path}/{key}"), one, &twos[key]));
                }
            }
            _ => {
                let (had, has) = apart(&one.to_string(), &two.to_string());
                return format!("{path} was {had} and is {has}");
            }
        }
    }
    "the order of the fields".to_owned()
}

/// Excerpts of two texts from shortly before they differ.
fn apart(one: &str, two: &str) -> (String, String) {
    let same = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b);
    let from = same.count().saturating_sub(20);
    let cut = |text: &str| {
        let from = text.floor_char_boundary(from);
        let to = text.floor_char_boundary(from + 80);
        let (before, after) = (
            if from > 0 { "…" } else { "" },
            if to < text.len() { "…" } else { "" },
        );
        format!("{before}{}{after}", &text[from..to])
    };
    (cut(one), cut(two))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn identities_and_times_are_normalised_away() {
        for (one, two) in [
            ("took 0.05s", "took 12.7s"),
            (
                "id 123e4567-e89b-12d3-a456-426614174000.",
                "id 00000000-beef-cafe-abcd-a26614174fff.",
            ),
            ("Sunday, November 22, 2026", "Monday, March 2, 2027"),
            ("at 2026-11-22T13:01:09Z", "at 2027-01-02T03:04:05Z"),
            ("/tmp/x1y2/file", "/tmp/zz99z/file"),
        ] {
            assert_eq!(plain(one), plain(two));
        }
        assert_eq!(plain("plain text — only"), "plain text — only");
        assert_ne!(plain("cat a.py"), plain("cat b.py"));
    }

    #[test]
    fn fingerprint_ignores_session_and_model() {
        let one = json!({ "model": "a", "metadata": { "user_id": "x" }, "messages": ["hi"] });
        let two = json!({ "model": "b", "messages": ["hi"] });
        assert_eq!(fingerprint("messages", &one), fingerprint("messages", &two));
        assert_ne!(
            fingerprint("messages", &one),
            fingerprint("responses", &two)
        );
    }

    #[test]
    fn first_difference_names_its_path() {
        let one = json!({ "messages": [{ "text": "add a file" }, { "text": "done" }] });
        for (two, expected) in [
            (
                json!({ "messages": [{ "text": "add a folder" }, { "text": "x" }] }),
                "/messages/0/text was \"add a file\" and is \"add a folder\"",
            ),
            (
                json!({ "messages": [{ "text": "add a file" }] }),
                "/messages had 2 entries and has 1",
            ),
            (
                json!({ "messages": [{ "text": "add a file", "cache": {} }, { "text": "done" }] }),
                "/messages/0/cache is new",
            ),
            (json!({}), "/messages is gone"),
            (one.clone(), "the order of the fields"),
        ] {
            assert_eq!(difference(&one, &two), expected);
        }
    }
}
