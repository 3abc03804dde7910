//! Rule packs in ast-grep's YAML format, compiled and matched.
//!
//! The only crate that sees ast-grep, and that only to read rules: files are parsed by its types,
//! patterns by its parser. Matching is done by an engine of our own on the flat tree, which finds
//! what ast-grep 0.51.1 finds, several times faster. Packs come from folders, files and texts;
//! slope's own is in `rules/` at the root of the repository and is embedded at build time.
//!
//! | module | what it holds |
//! |---|---|
//! | [`rule`] | metadata of a rule |
//! | [`set`] | sets of rules: loading, storing, choosing |
//! | [`scan`] | one pass over a tree for all rules |
//! | [`oracle`] | the same rules by ast-grep's own matcher, to compare |
//! | [`error`] | errors of reading a pack |
//! | `pack` | YAML files to rules |
//! | `stretches` | folders to files of rules, and files to their documents |
//! | `compile` | rules to programs |
//! | `program` | the compiled form of a rule |
//! | `engine` | matching programs |
//! | `table` | the rules of a language, by matched kinds and needs |
//! | `sieve` | excludes rules that cannot match a node |
//!
//! Comments in the scanned code never silence a rule: the code may be written
//! by whom the rules are meant to judge.

mod compile;
mod engine;
pub mod error;
pub mod oracle;
mod pack;
mod program;
pub mod rule;
pub mod scan;
pub mod set;
mod sieve;
mod stretches;
mod table;

pub use error::RuleError;
pub use pack::CATEGORIES;
pub use rule::Rule;
pub use scan::{Hit, Scan, Unfinished};
pub use set::{Comments, ENGINE_VERSION, OWN_PACK, RuleSet};
