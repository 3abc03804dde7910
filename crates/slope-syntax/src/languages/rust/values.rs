//! Shapes of values, by their expressions.

use crate::construct::Construct;
use crate::conventions::{Extremes, Loops, Numbers, Remainder, Shape, Values};
use crate::view::View;

pub(super) static VALUES: Values = Values {
    makers: &[
        ("Some", Shape::Some),
        ("Ok", Shape::Ok),
        ("Err", Shape::Err),
        ("Vec::new", Shape::EmptyList),
        ("String::new", Shape::EmptyList),
        ("HashMap::new", Shape::EmptyList),
        ("HashSet::new", Shape::EmptyList),
        ("BTreeMap::new", Shape::EmptyList),
        ("BTreeSet::new", Shape::EmptyList),
        ("VecDeque::new", Shape::EmptyList),
    ],
    objects_count: false,
    or_gives_sides: false,
    texts_change: true,
    marks_changes: true,
    threads_change: false,
    has_goto: false,
    shape,
    of_call: Some(of_call),
    of_type: |kind| UNSIGNED.contains(&kind).then_some(Shape::Count),
    of_rest: |_| None,
    has_sure_types: false,
    has_unchecked_types: false,
    is_length: |view, node| view.text(node).ends_with(".len()"),
    unsigned: UNSIGNED,
    ranges: &[
        (".subsec_millis", 0.0, 999.0),
        (".subsec_micros", 0.0, 999_999.0),
        (".subsec_nanos", 0.0, 999_999_999.0),
    ],
    numbers: Numbers {
        extremes: Extremes::Methods,
        remainder: Remainder::Whole,
        may_be_nan: false,
        types_convert: false,
        have_named_limits: true,
    },
    loops: Loops {
        words: &[" in "],
        have_clause: false,
        item: |_, _| None,
        keys: |_, _| None,
        goes_over: |head, name| head.over.trim_start_matches('&') == name,
    },
    appends_any: true,
};

const UNSIGNED: &[&str] = &["u8", "u16", "u32", "u64", "u128", "usize"];

/// Shape of an expression of Rust.
fn shape(view: &View<'_>, node: u32) -> Option<Shape> {
    let text = view.text(node);
    match text {
        "true" => Some(Shape::Truth(true)),
        "false" => Some(Shape::Truth(false)),
        "None" => Some(Shape::Nothing),
        "vec![]" => Some(Shape::EmptyList),
        _ if text.starts_with("vec![") && !text.contains(';') => Some(Shape::FullList),
        _ => {
            let format = text.strip_prefix("format!(\"")?.split('"').next()?;
            let mut outside = format.split('{').map(|part| part.rsplit('}').next());
            let is_filled = outside
                .any(|part| part.is_some_and(|part| part.contains(|c: char| !c.is_whitespace())));
            Some(Shape::Text(is_filled))
        }
    }
}

/// Shape of the result of a call, where the receiver is often what matters.
fn of_call(view: &View<'_>, call: u32, list: u32) -> Option<Shape> {
    let mut callee = call + 1;
    // `collect::<Vec<_>>`
    while view.tree.kind_name(callee) == "generic_function" {
        callee = view.first(callee)?;
    }
    let is_filled = |node: u32| {
        let text = view.text(node);
        text.starts_with(['"', '\'']) && text.len() > 2
    };
    let argument = view.only(list);
    if view.text(callee) == "String::from" {
        return argument
            .filter(|&text| is_filled(text))
            .map(|_| Shape::Text(true));
    }
    let object = view
        .first(callee)
        .filter(|_| view.k(callee) == Construct::Attribute)?;
    let method = view.parts(callee).last()?;
    match view.text(method) {
        "to_string" | "to_owned" => is_filled(object).then_some(Shape::Text(true)),
        "max" => (view.k(argument?) == Construct::Number).then_some(Shape::Count),
        "collect" => {
            let sign = view.only(view.child(object, Construct::Arguments)?)?;
            let is_split = view.text(object + 1).ends_with(".split") && is_filled(sign);
            (view.k(object) == Construct::Call && is_split).then_some(Shape::FullList)
        }
        _ => None,
    }
}
