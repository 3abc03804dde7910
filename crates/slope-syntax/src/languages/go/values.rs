//! Shapes of values, by their expressions.

use crate::construct::Construct;
use crate::conventions::{Extremes, Loops, Numbers, Remainder, Shape, Values};
use crate::view::View;

pub(super) static VALUES: Values = Values {
    makers: &[
        ("make", Shape::Object),
        ("new", Shape::Object),
        ("errors.New", Shape::Object),
        ("fmt.Errorf", Shape::Object),
        ("strings.Split", Shape::List),
        ("strings.NewReader", Shape::Object),
        ("strings.NewReplacer", Shape::Object),
        ("bytes.NewBuffer", Shape::Object),
        ("bytes.NewReader", Shape::Object),
        ("bytes.NewBufferString", Shape::Object),
        ("bufio.NewReader", Shape::Object),
        ("bufio.NewScanner", Shape::Object),
        ("bufio.NewWriter", Shape::Object),
        ("context.Background", Shape::Object),
        ("context.TODO", Shape::Object),
        ("regexp.MustCompile", Shape::Object),
    ],
    objects_count: false,
    or_gives_sides: false,
    texts_change: false,
    marks_changes: false,
    threads_change: true,
    has_goto: true,
    shape,
    of_call: None,
    of_type: |kind| UNSIGNED.contains(&kind).then_some(Shape::Count),
    of_rest: |_| None,
    has_sure_types: false,
    has_unchecked_types: false,
    is_length: |view, node| view.k(node) == Construct::Call && view.text(node).starts_with("len("),
    unsigned: UNSIGNED,
    ranges: &[
        ("len", 0.0, f64::INFINITY),
        ("cap", 0.0, f64::INFINITY),
        ("strings.Index", -1.0, f64::INFINITY),
        ("strings.LastIndex", -1.0, f64::INFINITY),
        ("strings.IndexByte", -1.0, f64::INFINITY),
        ("strings.Count", 0.0, f64::INFINITY),
    ],
    numbers: Numbers {
        extremes: Extremes::Functions,
        remainder: Remainder::Whole,
        may_be_nan: false,
        types_convert: true,
        have_named_limits: false,
    },
    loops: Loops {
        words: &[":= range ", "= range "],
        have_clause: true,
        item: |head, at| (head.callee == "strings.Fields" && at == 1).then_some(Shape::Text(true)),
        keys: |_, _| None,
        // A channel gives one value at a time, and may be empty then.
        goes_over: |head, name| head.over == name && head.names.len() == 2,
    },
    appends_any: false,
};

const UNSIGNED: &[&str] = &[
    "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte",
];

/// Shape of an expression of Go, and of a declaration without a value.
fn shape(view: &View<'_>, node: u32) -> Option<Shape> {
    let text = view.text(node);
    let format = text.strip_prefix("fmt.Sprintf(\"");
    match view.tree.kind_name(node) {
        "unary_expression" if text.starts_with('&') && text.ends_with('}') => Some(Shape::Object),
        "call_expression" => {
            let format = format?.split('"').next()?;
            Some(Shape::Text(has_more_than_verbs(format)))
        }
        // `var err error`
        "var_spec" => {
            let kinds = ["pointer_type", "slice_type", "map_type"];
            let is_nil =
                |part| kinds.contains(&view.tree.kind_name(part)) || view.text(part) == "error";
            let has_value = text.contains('=');
            let last = view.parts(node).last()?;
            (!has_value && view.parts(node).count() == 2 && is_nil(last)).then_some(Shape::Nothing)
        }
        _ => None,
    }
}

/// Whether a format has a letter outside verbs.
fn has_more_than_verbs(format: &str) -> bool {
    let parts = format.split('%').enumerate();
    let mut rest = parts.map(|(at, part)| match at {
        0 => part,
        _ => part
            .trim_start_matches(|c: char| !c.is_alphabetic())
            .get(1..)
            .unwrap_or_default(),
    });
    rest.any(|part| part.contains(|c: char| c.is_alphanumeric()))
}
