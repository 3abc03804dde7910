//! What slope knows of the language besides its syntax, for signals.

use crate::conventions::{Conventions, Habits, PLAIN, Reach, Shape, Values, tells_of_a_state};
use crate::construct::Construct;
use crate::view::View;

pub(super) static CONVENTIONS: Conventions = Conventions {
    reach: Reach::Folder,
    is_private,
    exempting: &["//go:build", "// +build"],
    naming_comments: &["//go:linkname ", "//export "],
    texts_refer: false,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    has_implicit_methods: true,
    has_known_parameters: true,
    ..PLAIN
};

static HABITS: Habits = Habits {
    joins_words: false,
    prescribed: &["_"],
    plain_errors: &[],
    builtin_errors: &[],
    passes_error: Some(|text| {
        text.contains("fmt.Errorf(") || text.contains("errors.") || text.ends_with(" err")
    }),
    aborts: Some(panics),
    levels: &[
        "Check", "Debug", "Debugf", "Info", "Infof", "Warn", "Warnf", "Error", "Errorf", "Print",
        "Printf", "Println",
    ],
    prints: &["fmt.Print", "fmt.Printf", "fmt.Println"],
    is_public: |view, _, name| view.text(name).starts_with(char::is_uppercase),
    has_optional_types: false,
};

static VALUES: Values = Values {
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
    texts_change: false,
    marks_changes: false,
    shape,
    unsigned: &[
        "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte",
    ],
    ranges: &[
        ("len", 0.0, f64::INFINITY),
        ("cap", 0.0, f64::INFINITY),
        ("strings.Index", -1.0, f64::INFINITY),
        ("strings.LastIndex", -1.0, f64::INFINITY),
        ("strings.IndexByte", -1.0, f64::INFINITY),
        ("strings.Count", 0.0, f64::INFINITY),
    ],
};

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

/// Whether a call panics with an error, or with a text about its input, in a function that could
/// give the error back.
fn panics(view: &View<'_>, call: u32) -> bool {
    let gives_error = |function: u32| {
        let head = view.text(function).split('{').next().unwrap_or_default();
        head.trim_end().trim_end_matches(')').ends_with("error")
    };
    let text = view.text(call);
    let inner = text
        .strip_prefix("panic(")
        .and_then(|inner| inner.strip_suffix(')'));
    // Any other reason to panic is a state that must not be.
    let is_passed_on = inner.is_some_and(|inner| {
        let is_made = inner.starts_with("fmt.") || inner.contains("\" + ");
        matches!(inner, "err" | "err.Error()") || is_made && !tells_of_a_state(inner)
    });
    // A function literal gives back what its own type says.
    let is_inner = view.k(view.scope(call)) == Construct::Lambda;
    is_passed_on && !is_inner && view.function(call).is_some_and(gives_error)
}

/// Whether a function or method is unexported, and nothing above it gives it to somebody else.
fn is_private(view: &View<'_>, function: u32, name: u32) -> bool {
    let text = view.text(name);
    let mut above = view.rows_above(function);
    text.starts_with(char::is_lowercase)
        && !matches!(text, "main" | "init")
        && !above.any(|row| {
            ["//go:", "//export", "//nolint", "//lint:"]
                .iter()
                .any(|d| row.starts_with(d))
        })
}
