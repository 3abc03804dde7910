//! Shapes of values, by their expressions.

use crate::construct::Construct;
use crate::conventions::{Extremes, Loops, Numbers, Remainder, Shape, Values, may_be_nothing};

pub(super) static VALUES: Values = Values { ..OF_BOTH };

/// The same where types are written.
pub(super) static TYPED: Values = Values {
    has_sure_types: true,
    ..OF_BOTH
};

const OF_BOTH: Values = Values {
    makers: &[
        ("String", Shape::Text(false)),
        ("Number", Shape::Number),
        ("Array.from", Shape::List),
        ("Object.keys", Shape::List),
        ("Object.values", Shape::List),
        ("Object.entries", Shape::List),
        ("Object.fromEntries", Shape::Object),
        (".getSetCookie", Shape::List),
        (".map", Shape::List),
        ("Array.isArray", Shape::Answer),
        ("Boolean", Shape::Answer),
        (".filter", Shape::List),
        (".split", Shape::List),
        (".trim", Shape::Text(false)),
        (".toLowerCase", Shape::Text(false)),
        (".toUpperCase", Shape::Text(false)),
        (".toString", Shape::Text(false)),
        (".join", Shape::Text(false)),
    ],
    objects_count: true,
    or_gives_sides: true,
    texts_change: false,
    marks_changes: false,
    threads_change: false,
    has_goto: false,
    shape: |view, node| match view.k(node) {
        Construct::New => Some(Shape::Object),
        // `[] as string[]`
        _ if matches!(
            view.tree.kind_name(node),
            "as_expression" | "satisfies_expression"
        ) =>
        {
            let value = view.first(node)?;
            match view.k(value) {
                Construct::List => Some(Shape::List),
                Construct::Dict => Some(Shape::Object),
                _ => None,
            }
        }
        _ => None,
    },
    of_call: None,
    of_type,
    of_rest: |text| text.starts_with("...").then_some("Array"),
    has_sure_types: false,
    has_unchecked_types: false,
    is_length: |view, node| view.text(node).ends_with(".length"),
    unsigned: &[],
    ranges: &[
        (".indexOf", -1.0, f64::INFINITY),
        (".lastIndexOf", -1.0, f64::INFINITY),
        (".findIndex", -1.0, f64::INFINITY),
        (".charCodeAt", 0.0, 65_535.0),
        ("Math.random", 0.0, 1.0),
        (".getHours", 0.0, 23.0),
        (".getUTCHours", 0.0, 23.0),
        (".getMinutes", 0.0, 59.0),
        (".getUTCMinutes", 0.0, 59.0),
        (".getSeconds", 0.0, 59.0),
        (".getUTCSeconds", 0.0, 59.0),
        (".getMilliseconds", 0.0, 999.0),
        (".getUTCMilliseconds", 0.0, 999.0),
    ],
    numbers: Numbers {
        extremes: Extremes::OfMath,
        remainder: Remainder::Fraction,
        // An invalid date has no hours.
        may_be_nan: true,
        types_convert: false,
        have_named_limits: false,
    },
    loops: Loops {
        words: &[" of ", " in "],
        have_clause: false,
        item: |head, at| {
            let is_keys = head.callee == "Object.keys" && head.names.len() == 1;
            let is_entries = head.callee == "Object.entries" && at == 0 && head.names.len() == 2;
            (is_keys || is_entries).then_some(Shape::Text(false))
        },
        keys: |head, name| match head.names.len() {
            1 if head.word == " in " => Some((vec![name.to_owned()], Vec::new())),
            1 => Some((Vec::new(), vec![format!("Object.keys({name}")])),
            _ => None,
        },
        goes_over: |_, _| false,
    },
    appends_any: false,
};

/// Shape of the values of a type.
fn of_type(kind: &str) -> Option<Shape> {
    if may_be_nothing(kind) {
        return None;
    }
    if kind.ends_with("[]") {
        return Some(Shape::List);
    }
    let head = kind.split(['<', '[']).next()?;
    match head {
        "Array" | "ReadonlyArray" => Some(Shape::List),
        "string" if kind == head => Some(Shape::Text(false)),
        "number" if kind == head => Some(Shape::Number),
        "Map" | "Set" | "Record" => Some(Shape::Object),
        _ => None,
    }
}
