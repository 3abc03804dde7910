//! Faults of points.

use std::fmt;

use crate::numbers::{amount_fault, first_fault, too_large};
use crate::series::Point;

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
    let mut fields = value.as_object()?.iter();
    fields.find_map(|(name, value)| first_fault(name, value, &of_point))
}

fn of_point(field: &str, number: f64) -> Option<String> {
    let (_, detail) = field.split_once(".details.").unwrap_or_default();
    let is_score = match detail {
        "" => field.starts_with("scores["),
        detail => detail.starts_with("ranges.") || detail.contains("].scores."),
    };
    if is_score && number > BEST {
        return Some(format!("{number} is not a score from 0 to {BEST}"));
    }
    // Only differences may be below zero.
    if field.starts_with("change.") || detail.starts_with("calibration.") {
        too_large(number)
    } else {
        amount_fault(field, number)
    }
}
