//! Languages, parsing, callables and line classes.
//!
//! The only crate that sees tree-sitter. Everything above works on a
//! [`SyntaxTree`]: a flat array of nodes in pre-order, so that no caller ever
//! recurses and a hostile depth of nesting costs memory, not stack.
//!
//! | module | contents |
//! |---|---|
//! | [`language`] | the table of languages, and what each grammar kind means |
//! | [`tree`] | parsing with limits, the flat tree |
//! | [`construct`] | the taxonomy of syntax kinds |
//! | [`conventions`] | what signals ask of a language besides its syntax |
//! | [`view`] | a tree with its constructs and scopes |
//! | [`lines`] | sets of lines |
//! | [`mod@callables`] | functions with complexity, size, nesting and parameters |
//! | [`mod@maintainability`] | the maintainability index of a file |
//! | `hosts` | files that contain code among other text: components, notebooks |
//! | [`paths`] | what a path shows of a file |
//! | [`profile`] | which definitions are in force |
//!
//! A language is added by one folder in `languages/`, which says all that slope knows of it, and one
//! line in the table there; no caller changes.

mod callable_names;
pub mod callables;
pub mod construct;
mod context;
pub mod conventions;
mod directive;
mod ecmascript;
pub mod files;
mod hosts;
pub mod language;
mod languages;
pub mod lines;
mod lost;
pub mod maintainability;
mod paper;
pub mod paths;
pub mod profile;
mod repair;
mod roles;
mod rows;
mod scan;
mod sniff;
mod spec;
mod tests_held;
pub mod text;
mod tool_comments;
pub mod tree;
pub mod view;

pub use callables::{CallableFacts, FileCallables, callables, file_callables, paper_sizes};
pub use construct::Construct;
pub use hosts::{Cell, Embedding};
pub use language::{Language, LiteralClass, Roles};
pub use lines::LineSet;
pub use maintainability::{maintainability, maintainability_without};
pub use profile::Profile;
pub use tests_held::holds_tests;
pub use tool_comments::is_for_a_tool;
pub use tree::{
    EncodingNote, Limits, Node, ParseError, SyntaxError, SyntaxTree, TakenOver, install_memory,
    parse, parse_after, parse_as_written, parse_only,
};
