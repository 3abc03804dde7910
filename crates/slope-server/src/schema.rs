//! JSON Schemas of tools, and conversion of arguments.

use schemars::{JsonSchema, schema_for};
use serde_json::{Map, Value};

/// The schema of a type, without formats such as `uint32`. JSON Schema does not define them, and
/// clients warn about them.
pub(crate) fn of<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = schema_for!(T).to_value();
    drop_number_formats(&mut schema);
    match schema {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn drop_number_formats(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            let is_number = |name: &str| {
                let name = name.trim_start_matches('u');
                name.starts_with("int") || matches!(name, "float" | "double")
            };
            if map
                .get("format")
                .and_then(Value::as_str)
                .is_some_and(is_number)
            {
                map.remove("format");
            }
            map.values_mut().for_each(drop_number_formats);
        }
        Value::Array(all) => all.iter_mut().for_each(drop_number_formats),
        _ => {}
    }
}

/// Converts arguments to the types of the schema. Models often send numbers and booleans as strings.
///
/// # Errors
/// Names the invalid argument and the expected type.
pub(crate) fn fit(schema: &Map<String, Value>, arguments: &Value) -> Result<Value, String> {
    let Value::Object(given) = arguments else {
        return Err("they must be an object".to_owned());
    };
    let known = schema.get("properties").and_then(Value::as_object);
    let mut fitted = given.clone();
    for (name, value) in &mut fitted {
        let Some(property) = known.and_then(|known| known.get(name)) else {
            continue;
        };
        if let Some(wanted) = Wanted::of(property) {
            wanted.fit(name, value)?;
        }
    }
    Ok(Value::Object(fitted))
}

/// The expected type of a property.
#[derive(Clone, Copy)]
enum Wanted {
    Number,
    Truth,
    Text,
}

impl Wanted {
    fn of(property: &Value) -> Option<Self> {
        let kind = &property["type"];
        let names: Vec<&str> = match kind {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        names.iter().find_map(|name| match *name {
            "integer" => Some(Self::Number),
            "boolean" => Some(Self::Truth),
            "string" => Some(Self::Text),
            _ => None,
        })
    }

    fn fit(self, name: &str, value: &mut Value) -> Result<(), String> {
        if value.is_null() {
            return Ok(());
        }
        let fitted = match self {
            Self::Number => whole(value).map(Value::from),
            Self::Truth => truth(value).map(Value::from),
            Self::Text => value.as_str().map(Value::from),
        };
        let words = match self {
            Self::Number => "a whole number, for example 5",
            Self::Truth => "true or false",
            Self::Text => "a string",
        };
        match fitted {
            Some(fitted) => *value = fitted,
            None => return Err(format!("`{name}` must be {words}; found {value}")),
        }
        Ok(())
    }
}

fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.as_u64().or_else(|| {
            let float = number.as_f64()?;
            let is_whole = float >= 0.0 && float.fract() == 0.0 && float < 1e15;
            is_whole.then(|| format!("{float:.0}").parse().ok())?
        }),
        _ => None,
    }
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::arguments::{FindSimilar, Measure};

    #[test]
    fn schemas_contain_no_rust_types() {
        for schema in [of::<FindSimilar>(), of::<Measure>()] {
            let text = Value::Object(schema).to_string();
            assert!(!text.contains("\"format\""), "{text}");
            assert!(text.contains("\"minimum\":0"), "{text}");
        }
    }

    #[test]
    fn numbers_and_booleans_accept_strings() {
        let fitted = |arguments| fit(&of::<FindSimilar>(), &arguments);
        for number in [json!("5"), json!(" 5 "), json!(5.0), json!(5)] {
            assert_eq!(
                fitted(json!({ "limit": number })),
                Ok(json!({ "limit": 5 }))
            );
        }
        let truths = json!({ "include_tests": "True", "code": "x", "limit": null });
        let expected = json!({ "include_tests": true, "code": "x", "limit": null });
        assert_eq!(fitted(truths), Ok(expected));
    }

    #[test]
    fn wrong_argument_types_are_named() {
        let schema = of::<FindSimilar>();
        for (arguments, words) in [
            (json!({ "limit": "five" }), "`limit` must be a whole number"),
            (json!({ "limit": -1 }), "`limit` must be a whole number"),
            (json!({ "include_tests": "yes" }), "true or false"),
            (json!({ "code": 5 }), "`code` must be a string"),
            (json!([1]), "an object"),
        ] {
            let why = fit(&schema, &arguments).unwrap_err();
            assert!(why.contains(words), "{why}");
        }
    }
}
