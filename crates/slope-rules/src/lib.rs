//! Rule packs in ast-grep's YAML format, compiled and matched.
//!
//! The only crate that uses ast-grep, and only to read rules: files are parsed by its types,
//! patterns by its parser. Matching is done by a separate engine on the flat tree, which finds the
//! same matches as ast-grep 0.51.1, several times faster. Packs come from folders, files and texts.
//! The pack of slope is in `rules/` at the root of the repository and is embedded at build time.
//!
//! | module | contents |
//! |---|---|
//! | [`rule`] | metadata of a rule |
//! | [`set`] | sets of rules: loading, storing, choosing |
//! | [`scan`] | one pass over a tree for all rules |
//! | [`oracle`] | the same rules matched by ast-grep, for comparison |
//! | [`error`] | errors of reading a pack |
//! | `pack` | parses YAML files into rules |
//! | `stretches` | splits folders into files of rules, and files into documents |
//! | `compile` | compiles rules to programs |
//! | `program` | the compiled form of a rule |
//! | `engine` | matches programs |
//! | `table` | the rules of a language, by matched kinds and needs |
//! | `sieve` | excludes rules that cannot match a node |
//!
//! Comments in the scanned code never silence a rule: their author may be the one whom the rules
//! are to judge.

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
pub use rule::{Rule, SECURITY};
pub use scan::{Hit, Scan, Unfinished};
pub use set::{Comments, ENGINE_VERSION, OWN_PACK, RuleSet};
