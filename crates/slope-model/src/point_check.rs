//! Faults of points, and numbers that no point of code can have.

use std::fmt;

use serde_json::Value;

use crate::series::Point;

/// Largest number of a point. Even a billion lines have less complexity mass.
const LARGEST: f64 = 1e12;
/// Largest score.
const BEST: f64 = 10.0;

/// A field of a point that is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointFault {
    /// The field, empty if it is not certain.
    pub field: String,
    /// The problem.
    pub message: String,
}

impl PointFault {
    /// The fault of a point at a place, for example `points[3]`.
    #[must_use]
    pub fn at(&self, place: &str) -> String {
        match self.field.as_str() {
            "" => format!("{place}: {}", self.message),
            field => format!("{place}.{field}: {}", self.message),
        }
    }
}

impl fmt::Display for PointFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.field, self.message)
        }
    }
}

impl std::error::Error for PointFault {}

/// The first impossible number of a point: its field, and the fault.
pub(crate) fn impossible_number(point: &Point) -> Option<(String, String)> {
    let value = serde_json::to_value(point).ok()?;
    let fields = value.as_object()?.iter();
    let mut faults = fields.filter_map(|(name, value)| in_value(name, value));
    faults.next()
}

fn in_value(field: &str, value: &Value) -> Option<(String, String)> {
    match value {
        Value::Number(number) => {
            let number = number.as_f64()?;
            fault(field, number).map(|fault| (field.to_owned(), fault))
        }
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| in_value(&format!("{field}[{at}]"), item))
        }
        Value::Object(fields) => {
            let mut fields = fields.iter();
            fields.find_map(|(name, value)| in_value(&format!("{field}.{name}"), value))
        }
        _ => None,
    }
}

fn fault(field: &str, number: f64) -> Option<String> {
    // Only differences may be below zero.
    let is_difference = field.starts_with("change.");
    if number < 0.0 && !is_difference {
        Some(format!("{number} is negative"))
    } else if field.starts_with("scores[") && number > BEST {
        Some(format!("{number} is not a score from 0 to {BEST}"))
    } else if number.abs() > LARGEST {
        Some(format!("{number:e} is larger than {LARGEST:e}"))
    } else {
        None
    }
}
