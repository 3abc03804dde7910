//! Placeholders `${name}` in a case's texts, and their values.

use std::collections::BTreeMap;

use serde_json::Value;
use slope_model::cases::{
    CountExpect, Expect, FileExpect, Request, ResponseExpect, Step, Stop, Target, TextExpect,
    Together, TogetherExpect,
};

/// Name to value.
#[derive(Debug, Clone, Default)]
pub(super) struct Values(BTreeMap<String, Value>);

/// Types with placeholders, filled in.
pub(super) trait Fill: Sized {
    /// Returns a copy with every placeholder replaced; the error names a placeholder without a
    /// value.
    fn filled(&self, values: &Values) -> Result<Self, String>;
}

impl Values {
    /// Sets the value of `name`.
    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    /// A copy with one more value.
    pub(super) fn with(&self, name: &str, value: Value) -> Self {
        let mut all = self.clone();
        all.set(name, value);
        all
    }

    /// `text` with every `${name}` replaced by `shown` of its value; `$${` gives `${`.
    fn replaced(&self, text: &str, shown: impl Fn(&Value) -> String) -> Result<String, String> {
        let (mut whole, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = rest.find("${") {
            let (before, after) = (&rest[..at], &rest[at + 2..]);
            if let Some(before) = before.strip_suffix('$') {
                whole += before;
                whole += "${";
                rest = after;
                continue;
            }
            let (name, after) = after.split_once('}').ok_or_else(|| {
                format!("`${{` without `}}` in {text:?}; write `$${{` for the text")
            })?;
            whole += before;
            whole += &shown(self.get(name)?);
            rest = after;
        }
        Ok(whole + rest)
    }

    fn get(&self, name: &str) -> Result<&Value, String> {
        let known = || self.0.keys().map(String::as_str).collect::<Vec<_>>();
        self.0.get(name).ok_or_else(|| {
            format!(
                "`${{{name}}}` has no value here; there are {}",
                known().join(", ")
            )
        })
    }

    fn text(&self, text: &str) -> Result<String, String> {
        self.replaced(text, as_text)
    }

    /// For patterns: values are escaped, so that each matches itself.
    fn pattern(&self, text: &str) -> Result<String, String> {
        self.replaced(text, |value| regex::escape(&as_text(value)))
    }

    /// A text that consists of one placeholder becomes the value, with its type.
    fn json(&self, value: &Value) -> Result<Value, String> {
        match value {
            Value::String(text) => {
                let name = text.strip_prefix("${").and_then(|t| t.strip_suffix('}'));
                match name.filter(|name| !name.contains(['$', '}'])) {
                    Some(name) => self.get(name).cloned(),
                    None => self.text(text).map(Value::String),
                }
            }
            Value::Array(items) => items.iter().map(|v| self.json(v)).collect(),
            Value::Object(map) => {
                let pairs = map.iter().map(|(k, v)| Ok((self.text(k)?, self.json(v)?)));
                pairs.collect::<Result<_, String>>().map(Value::Object)
            }
            other => Ok(other.clone()),
        }
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Fill for String {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        values.text(self)
    }
}

impl Fill for Value {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        values.json(self)
    }
}

impl<T: Fill> Fill for Option<T> {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        self.as_ref().map(|v| v.filled(values)).transpose()
    }
}

impl<T: Fill> Fill for Vec<T> {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        self.iter().map(|v| v.filled(values)).collect()
    }
}

impl<K: Ord + Clone, V: Fill> Fill for BTreeMap<K, V> {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        self.iter()
            .map(|(k, v)| Ok((k.clone(), v.filled(values)?)))
            .collect()
    }
}

impl Fill for Target {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        let path = values.text(&self.path)?;
        let target = Self::try_from(format!("{} {path}", self.method)).ok();
        let whole = target.filter(|t| t.path.starts_with('/'));
        whole.ok_or_else(|| {
            format!("the path {path:?} cannot be sent; a captured value does not fit in")
        })
    }
}

impl Fill for TextExpect {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        let pattern = |p: &Option<String>| p.as_ref().map(|p| values.pattern(p)).transpose();
        Ok(Self {
            equals: self.equals.filled(values)?,
            contains: self.contains.filled(values)?,
            not_contains: self.not_contains.filled(values)?,
            matches: pattern(&self.matches)?,
            not_matches: pattern(&self.not_matches)?,
            json: self.json.filled(values)?,
            json_at: self.json_at.filled(values)?,
            json_includes: self.json_includes.filled(values)?,
            json_lines: self.json_lines.filled(values)?,
            ..self.clone()
        })
    }
}

impl Fill for FileExpect {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(match self {
            Self::Text(text) => Self::Text(Box::new(text.filled(values)?)),
            other => other.clone(),
        })
    }
}

impl Fill for Expect {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            exit: self.exit,
            stdout: self.stdout.filled(values)?,
            stderr: self.stderr.filled(values)?,
            files: self.files.filled(values)?,
        })
    }
}

impl Fill for ResponseExpect {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            headers: self.headers.filled(values)?,
            body: self.body.filled(values)?,
            ..self.clone()
        })
    }
}

impl Fill for Request {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            send: self.send.filled(values)?,
            headers: self.headers.filled(values)?,
            json: self.json.filled(values)?,
            text: self.text.filled(values)?,
            expect: self.expect.filled(values)?,
            ..self.clone()
        })
    }
}

impl Fill for CountExpect {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            expect: self.expect.filled(values)?,
            ..self.clone()
        })
    }
}

impl Fill for Together {
    /// The requests are filled one by one, since `${n}` differs.
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            expect: TogetherExpect {
                counts: self.expect.counts.filled(values)?,
                ..self.expect.clone()
            },
            ..self.clone()
        })
    }
}

impl Fill for Stop {
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            expect: self.expect.filled(values)?,
            ..self.clone()
        })
    }
}

impl Fill for Step {
    /// A start's arguments are filled in later: they need its port.
    fn filled(&self, values: &Values) -> Result<Self, String> {
        Ok(Self {
            write: self.write.filled(values)?,
            args: self.args.filled(values)?,
            stdin: self.stdin.filled(values)?,
            env: self.env.filled(values)?,
            expect: self.expect.filled(values)?,
            request: self.request.filled(values)?,
            together: self.together.filled(values)?,
            stop: self.stop.filled(values)?,
            restart: self.restart.filled(values)?,
            start: self.start.clone(),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn values() -> Values {
        let mut values = Values::default();
        values.set("id", json!(7));
        values.set("name", json!("a.b c"));
        values
    }

    #[test]
    fn placeholders_fill_and_keep_their_type() {
        let filled =
            json!({"id": "${id}", "at": ["/x/${id}"], "$${id}": "$${id}"}).filled(&values());
        assert_eq!(
            filled,
            Ok(json!({"id": 7, "at": ["/x/7"], "${id}": "${id}"}))
        );
        assert_eq!(
            "no $ {here}".to_owned().filled(&values()),
            Ok("no $ {here}".to_owned())
        );
        let why = "${nope}".to_owned().filled(&values()).unwrap_err();
        assert!(
            why.contains("`${nope}` has no value here; there are id, name"),
            "{why}"
        );
        assert!("${id".to_owned().filled(&values()).is_err());
    }

    #[test]
    fn values_in_patterns_are_escaped() {
        let expect: TextExpect = serde_json::from_value(json!({"matches": "^${name}$"})).unwrap();
        assert_eq!(
            expect.filled(&values()).unwrap().matches.unwrap(),
            "^a\\.b c$"
        );
    }

    #[test]
    fn value_unfit_for_path_is_refused() {
        let request =
            |send: &str| serde_json::from_value::<Request>(json!({"send": send})).unwrap();
        let filled = request("GET /x/${id}").filled(&values()).unwrap();
        assert_eq!(filled.send.path, "/x/7");
        assert!(
            request("GET /x/${name}")
                .filled(&values())
                .unwrap_err()
                .contains("does not fit")
        );
    }
}
