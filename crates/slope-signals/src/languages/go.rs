//! The meaning of the Go grammar's kinds to the signals.

use super::{Conventions, Habits, PLAIN, Reach, Shape, Values, tells_of_a_state};
use crate::kind::K;
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
    let is_inner = view.k(view.scope(call)) == K::Lambda;
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

pub(super) const KINDS: &[(&str, K)] = &[
    ("comment", K::Comment),
    ("identifier", K::Identifier),
    ("field_identifier", K::Member),
    ("package_identifier", K::Identifier),
    ("type_identifier", K::TypeName),
    ("interpreted_string_literal", K::String),
    ("raw_string_literal", K::String),
    ("int_literal", K::Number),
    ("float_literal", K::Number),
    ("true", K::True),
    ("false", K::False),
    ("nil", K::Null),
    ("source_file", K::Module),
    ("block", K::Block),
    ("statement_list", K::Statements),
    ("expression_statement", K::ExprStmt),
    ("function_declaration", K::Function),
    ("method_declaration", K::Function),
    ("func_literal", K::Lambda),
    ("parameter_list", K::Parameters),
    ("parameter_declaration", K::Param),
    ("variadic_parameter_declaration", K::ParamSplat),
    ("import_declaration", K::Import),
    ("assignment_statement", K::Assign),
    ("short_var_declaration", K::Declarator),
    ("var_declaration", K::Declaration),
    ("selector_expression", K::Attribute),
    ("index_expression", K::Subscript),
    ("call_expression", K::Call),
    ("argument_list", K::Arguments),
    ("if_statement", K::If),
    ("for_statement", K::For),
    ("range_clause", K::ForIn),
    ("expression_switch_statement", K::Switch),
    ("type_switch_statement", K::Switch),
    ("select_statement", K::Switch),
    ("expression_case", K::Case),
    ("return_statement", K::Return),
    ("break_statement", K::Break),
    ("continue_statement", K::Continue),
    ("binary_expression", K::BinaryOp),
    ("unary_expression", K::UnaryOp),
    ("composite_literal", K::Dict),
    ("parenthesized_expression", K::Paren),
    ("labeled_statement", K::Label),
];
