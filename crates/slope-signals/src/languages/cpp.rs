//! What the kinds of the C++ grammar that the C grammar lacks, mean to the signals.

use crate::kind::K;

pub(super) const KINDS: &[(&str, K)] = &[
    ("lambda_expression", K::Lambda),
    ("class_specifier", K::Class),
    ("namespace_identifier", K::Identifier),
    ("optional_parameter_declaration", K::Param),
    ("variadic_parameter_declaration", K::ParamSplat),
    ("for_range_loop", K::For),
    ("try_statement", K::Try),
    ("catch_clause", K::Catch),
    ("throw_statement", K::Raise),
    ("raw_string_literal", K::String),
    ("new_expression", K::New),
];
