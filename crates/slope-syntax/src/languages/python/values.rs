//! Shapes of values, by their expressions.

use crate::construct::Construct;
use crate::conventions::{
    Extremes, LoopHead, Loops, Numbers, Remainder, Shape, Values, Written, may_be_nothing,
};
use crate::view::View;

pub(super) static VALUES: Values = Values {
    makers: &[
        (".absolute", Shape::Instance),
        (".expanduser", Shape::Instance),
        (".resolve", Shape::Instance),
        (".with_suffix", Shape::Instance),
        ("Counter", Shape::Instance),
        ("Decimal", Shape::Instance),
        ("OrderedDict", Shape::Instance),
        ("Path", Shape::Instance),
        ("PurePath", Shape::Instance),
        ("defaultdict", Shape::Instance),
        ("deque", Shape::Instance),
        ("bool", Shape::Answer),
        ("float", Shape::Number),
        ("int", Shape::Number),
        ("isinstance", Shape::Answer),
        ("parse_qs", Shape::Object),
        ("urlparse", Shape::Instance),
        ("urlsplit", Shape::Instance),
        ("str", Shape::Text(false)),
        ("repr", Shape::Text(false)),
        (".join", Shape::Text(false)),
        (".strip", Shape::Text(false)),
        (".lower", Shape::Text(false)),
        ("list", Shape::List),
        ("sorted", Shape::List),
        ("dict", Shape::Object),
    ],
    objects_count: false,
    or_gives_sides: true,
    texts_change: false,
    marks_changes: false,
    threads_change: false,
    has_goto: false,
    shape,
    of_call: None,
    of_type,
    of_rest: |text| match text {
        _ if text.starts_with("**") => Some("dict"),
        _ if text.starts_with('*') => Some("tuple"),
        _ => None,
    },
    has_sure_types: true,
    has_unchecked_types: true,
    is_length: |view, node| view.k(node) == Construct::Call && view.text(node).starts_with("len("),
    unsigned: &[],
    ranges: &[
        ("len", 0.0, f64::INFINITY),
        ("ord", 0.0, 1_114_111.0),
        (".bit_length", 0.0, f64::INFINITY),
        (".find", -1.0, f64::INFINITY),
        (".rfind", -1.0, f64::INFINITY),
        ("random.random", 0.0, 1.0),
    ],
    numbers: Numbers {
        extremes: Extremes::Functions,
        remainder: Remainder::NeverBelowZero,
        may_be_nan: false,
        types_convert: false,
        have_named_limits: false,
    },
    loops: Loops {
        words: &[" in "],
        have_clause: false,
        item: |head, _| {
            let is_words = head.callee.ends_with(".split")
                && head.over.ends_with(".split(")
                && head.names.len() == 1;
            is_words.then_some(Shape::Text(true))
        },
        keys,
        goes_over: |head, name| {
            head.over == name || head.over.strip_prefix("enumerate(") == Some(name)
        },
    },
    appends_any: false,
};

/// A list that a comprehension makes, or a slice.
fn shape(view: &View<'_>, node: u32) -> Option<Shape> {
    match view.k(node) {
        // A generator is no list.
        Construct::Comprehension if view.text(node).starts_with('[') => Some(Shape::List),
        // A slice is never `None`, though it may be empty.
        Construct::Subscript => {
            let end = view.parts(node).last()?;
            (view.tree.kind_name(end) == "slice").then_some(Shape::Instance)
        }
        _ => None,
    }
}

/// Shape of the values of a type.
fn of_type(kind: &str) -> Option<Shape> {
    if may_be_nothing(kind) {
        return None;
    }
    match kind.split(['<', '[']).next()? {
        "list" => Some(Shape::List),
        "str" => Some(Shape::Text(false)),
        "dict" => Some(Shape::Object),
        _ => None,
    }
}

/// `for k in m`, `for k in sorted(m)`, `for k, v in m.items()`.
fn keys(head: &LoopHead<'_>, name: &str) -> Option<Written> {
    match head.names.len() {
        1 => Some((
            vec![name.to_owned(), format!("{name}.keys(")],
            vec![format!("sorted({name}")],
        )),
        2 => Some((
            vec![format!("{name}.items(")],
            vec![format!("sorted({name}.items(")],
        )),
        _ => None,
    }
}
