//! Kinds of the grammar.

use crate::language::{Construct, KindRows, LiteralClass, LiteralRows, Roles, TokenRows};

pub(super) const KINDS: KindRows = &[
    (Construct::Comment, Roles::NONE, &["comment", "haddock"]),
    (
        Construct::Identifier,
        Roles::NONE,
        &["variable", "constructor", "module_id"],
    ),
    (Construct::String, Roles::NONE, &["string"]),
    (Construct::Function, Roles::CONTEXT, &["function", "bind"]),
    (
        Construct::Lambda,
        Roles::CLONE_UNIT,
        &["lambda", "lambda_case"],
    ),
    (Construct::Class, Roles::NONE, &["class", "instance"]),
    (Construct::Import, Roles::NONE, &["import"]),
    (Construct::Call, Roles::NONE, &["apply"]),
    (Construct::If, Roles::NONE, &["conditional"]),
    (Construct::Switch, Roles::NONE, &["case", "multi_way_if"]),
    (Construct::Case, Roles::NONE, &["alternative"]),
    (Construct::Paren, Roles::NONE, &["parens"]),
    (
        Construct::Other,
        Roles::DECISION.and(Roles::HYBRID).and(Roles::CONTEXT),
        &["guards"],
    ),
    (Construct::Other, Roles::DECISION, &["list_comprehension"]),
    (Construct::Other, Roles::CONTEXT, &["operator", "boolean"]),
    (Construct::Other, Roles::LOGICAL, &["infix"]),
    (
        Construct::Other,
        Roles::BLOCK,
        &["haskell", "declarations", "do"],
    ),
    (Construct::Other, Roles::PARAMETERS, &["patterns"]),
];

pub(super) const TOKENS: TokenRows = &[
    (
        Roles::PUNCTUATION,
        &["{", "}", "(", ")", "[", "]", ",", ";"],
    ),
    (Roles::CONTEXT, &["else"]),
];

pub(super) const LITERALS: LiteralRows = &[
    (LiteralClass::String, &["string", "char"]),
    (LiteralClass::Integer, &["integer"]),
    (LiteralClass::Float, &["float"]),
];
