//! Rule packs in ast-grep's YAML format, compiled and matched.
//!
//! The only crate that sees ast-grep. A pack is a folder of files, one rule
//! each; slope's own pack lies in `rules/` at the root of the repository and is
//! embedded at build time.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pack`] | reading packs: files to compiled rules, with errors that name file and line |
//! | [`scan`] | one traversal of a tree for all rules |
//!
//! Comments in the scanned code never silence a rule: the code may be written
//! by whom the rules are meant to judge.

pub mod pack;
pub mod scan;

pub use pack::{CATEGORIES, Rule, RuleError};
pub use scan::{Hit, RuleSet};
