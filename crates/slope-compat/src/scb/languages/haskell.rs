//! Haskell, tree-sitter-haskell 0.23.1.
//!
//! `case` counts twice, as a node and as its keyword. `guard` matches nothing, because no kind of
//! this grammar version has that name.

use super::Spec;

const BRANCHES: &[&str] = &["case", "conditional", "guard"];

pub(crate) const SPEC: Spec = Spec {
    id: "haskell",
    suffixes: &["hs"],
    comments: &["comment", "haddock"],
    functions: &["function"],
    borrowed_functions: &[],
    name_lenders: &[],
    classes: &[],
    decisions: BRANCHES,
    booleans: &["infix"],
    operators: &["&&", "||"],
    flows: BRANCHES,
    jumps: &[],
    clone_units: &["function", "case", "conditional", "guard"],
    identifiers: &["constructor", "module_id", "variable"],
    literals: &["char", "float", "integer", "literal", "string"],
};
