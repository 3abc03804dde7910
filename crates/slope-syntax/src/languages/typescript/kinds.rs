//! Kinds of the grammar.

use crate::language::{Construct, KindRows, Roles};

/// Additions to JavaScript.
pub(in crate::languages) const KINDS: KindRows = &[
    (Construct::TypeName, Roles::NONE, &["type_identifier"]),
    (
        Construct::Class,
        Roles::NONE,
        &["abstract_class_declaration"],
    ),
    (
        Construct::Interface,
        Roles::NONE,
        &["interface_declaration"],
    ),
    (
        Construct::Param,
        Roles::PARAMETER,
        &["required_parameter", "optional_parameter"],
    ),
    (Construct::Type, Roles::NONE, &["type_annotation"]),
    (Construct::Other, Roles::CLASS, &["enum_declaration"]),
    (
        Construct::Other,
        Roles::CLASS.and(Roles::NAMESPACE),
        &["internal_module", "module"],
    ),
    (Construct::Other, Roles::IMPORT, &["import_alias"]),
    (Construct::Other, Roles::MEMBER, &["non_null_expression"]),
    (
        Construct::Other,
        Roles::DECLARATION,
        &["public_field_definition"],
    ),
];
