//! Numbers that code and its measurements cannot have.

use serde::Serialize;
use serde_json::Value;

/// Largest number. Even a billion lines have less complexity mass.
const LARGEST: f64 = 1e12;

/// The first fault of a number in a document: its field, and the fault.
pub(crate) fn first_fault(
    field: &str,
    value: &Value,
    fault: &impl Fn(&str, f64) -> Option<String>,
) -> Option<(String, String)> {
    match value {
        Value::Number(number) => {
            let fault = fault(field, number.as_f64()?)?;
            Some((field.to_owned(), fault))
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| first_fault(&format!("{field}[{at}]"), item, fault))
        }
        Value::Object(fields) => {
            let mut fields = fields.iter();
            fields.find_map(|(name, value)| first_fault(&format!("{field}.{name}"), value, fault))
        }
        _ => None,
    }
}

/// The fault of an amount: it is negative or too large.
pub(crate) fn amount_fault(_: &str, number: f64) -> Option<String> {
    if number < 0.0 {
        return Some(format!("{number} is negative"));
    }
    too_large(number)
}

/// The fault of an amount or difference that is too large.
pub(crate) fn too_large(number: f64) -> Option<String> {
    (number.abs() > LARGEST).then(|| format!("{number:e} is larger than {LARGEST:e}"))
}

/// Checks that all numbers of a value are possible amounts, or with `may_fall` differences.
///
/// # Errors
/// The first field with a fault, as text.
pub(crate) fn check(field: &str, value: &impl Serialize, may_fall: bool) -> Result<(), String> {
    let value = serde_json::to_value(value).map_err(|error| format!("{field}: {error}"))?;
    let fault = |name: &str, number: f64| {
        if may_fall {
            too_large(number)
        } else {
            amount_fault(name, number)
        }
    };
    match first_fault(field, &value, &fault) {
        Some((field, fault)) => Err(format!("{field}: {fault}")),
        None => Ok(()),
    }
}
