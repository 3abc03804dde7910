//! What the kinds of the JavaScript and TypeScript grammars mean to the signals.

use super::{Conventions, Habits, PLAIN, Shape, Values};
use crate::kind::K;
use crate::view::View;

/// Methods that the language calls to turn an object into something else.
const CONVERSIONS: &[&str] = &["then", "toJSON", "toString", "valueOf"];

pub(super) static CONVENTIONS: Conventions = Conventions {
    is_decorated,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    has_mere_comments: true,
    called_unseen: CONVERSIONS,
    has_known_parameters: true,
    ..PLAIN
};

pub(super) static TYPED_CONVENTIONS: Conventions = Conventions {
    is_private: |view, function, _| {
        view.k(function) == K::Function && view.text(function).starts_with("private ")
    },
    is_decorated,
    habits: Some(&HABITS),
    values: Some(&VALUES),
    has_mere_comments: true,
    called_unseen: CONVERSIONS,
    has_known_parameters: true,
    ..PLAIN
};

static HABITS: Habits = Habits {
    joins_words: false,
    prescribed: &["unstable_", "experimental_", "internal_"],
    plain_errors: &["Error"],
    builtin_errors: &[
        "TypeError",
        "RangeError",
        "SyntaxError",
        "ReferenceError",
        "URIError",
        "AggregateError",
    ],
    passes_error: None,
    aborts: None,
    levels: &["trace", "debug", "info", "warn", "error", "fatal"],
    prints: &[
        "console.log",
        "console.info",
        "console.debug",
        "console.warn",
        "console.error",
    ],
    is_public: |view, function, _| view.k(view.parent(function)) == K::Export,
    has_optional_types: true,
};

static VALUES: Values = Values {
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
    texts_change: false,
    marks_changes: false,
    shape: |view, node| match view.k(node) {
        K::New => Some(Shape::Object),
        // `[] as string[]`
        _ if matches!(
            view.tree.kind_name(node),
            "as_expression" | "satisfies_expression"
        ) =>
        {
            let value = view.first(node)?;
            match view.k(value) {
                K::List => Some(Shape::List),
                K::Dict => Some(Shape::Object),
                _ => None,
            }
        }
        _ => None,
    },
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
};

/// Whether a decorator is before a method.
fn is_decorated(view: &View<'_>, function: u32) -> bool {
    let previous = |&node: &u32| view.tree.previous_sibling(node);
    let mut before = std::iter::successors(view.tree.previous_sibling(function), previous);
    let nearest = before.find(|&node| view.k(node) != K::Comment);
    nearest.is_some_and(|node| view.k(node) == K::Decorator)
}

/// Kinds of both; those that only TypeScript has are found in its grammars only.
pub(super) const KINDS: &[(&str, K)] = &[
    ("comment", K::Comment),
    ("identifier", K::Identifier),
    ("shorthand_property_identifier", K::Identifier),
    ("shorthand_property_identifier_pattern", K::Identifier),
    ("property_identifier", K::Member),
    ("private_property_identifier", K::Member),
    ("string", K::String),
    ("template_string", K::String),
    ("template_substitution", K::Interpolation),
    ("number", K::Number),
    ("true", K::True),
    ("false", K::False),
    ("null", K::Null),
    ("undefined", K::Null),
    ("program", K::Module),
    ("statement_block", K::Block),
    ("expression_statement", K::ExprStmt),
    ("function_declaration", K::Function),
    ("generator_function_declaration", K::Function),
    ("method_definition", K::Function),
    ("function_expression", K::Lambda),
    ("arrow_function", K::Lambda),
    ("class_declaration", K::Class),
    ("decorator", K::Decorator),
    ("formal_parameters", K::Parameters),
    ("assignment_pattern", K::Param),
    ("rest_pattern", K::ParamSplat),
    ("import_statement", K::Import),
    ("import_specifier", K::Alias),
    ("namespace_import", K::Alias),
    ("import_clause", K::DottedName),
    ("export_statement", K::Export),
    ("assignment_expression", K::Assign),
    ("augmented_assignment_expression", K::AugAssign),
    ("variable_declarator", K::Declarator),
    ("lexical_declaration", K::Declaration),
    ("variable_declaration", K::Declaration),
    ("member_expression", K::Attribute),
    ("subscript_expression", K::Subscript),
    ("call_expression", K::Call),
    ("new_expression", K::New),
    ("arguments", K::Arguments),
    ("spread_element", K::Splat),
    ("if_statement", K::If),
    ("else_clause", K::Else),
    ("for_statement", K::For),
    ("for_in_statement", K::For),
    ("while_statement", K::While),
    ("do_statement", K::For),
    ("try_statement", K::Try),
    ("catch_clause", K::Catch),
    ("finally_clause", K::Finally),
    ("switch_statement", K::Switch),
    ("switch_case", K::Case),
    ("return_statement", K::Return),
    ("throw_statement", K::Raise),
    ("break_statement", K::Break),
    ("continue_statement", K::Continue),
    ("empty_statement", K::Pass),
    ("yield_expression", K::Yield),
    ("await_expression", K::Await),
    ("ternary_expression", K::Ternary),
    ("binary_expression", K::BinaryOp),
    ("unary_expression", K::UnaryOp),
    ("object_pattern", K::PatternList),
    ("array_pattern", K::PatternList),
    ("array", K::List),
    ("object", K::Dict),
    ("pair", K::Pair),
    ("parenthesized_expression", K::Paren),
    ("class_heritage", K::Heritage),
];

/// Kinds that only the TypeScript grammars have.
pub(super) const TYPED: &[(&str, K)] = &[
    ("type_identifier", K::TypeName),
    ("required_parameter", K::Param),
    ("optional_parameter", K::Param),
    ("interface_declaration", K::Interface),
    ("abstract_class_declaration", K::Class),
    ("type_annotation", K::Type),
];
