//! Problem folders: the published layout and slope's own.
//!
//! [`load`] reads and checks a folder and returns a [`Problem`]; [`load_cases`] reads one
//! declarative suite; [`lint()`] lists faults for the author; [`reference_solution`] finds an
//! answer; [`Prompt`] turns a spec into an agent's task text; [`materialize`] writes a problem that
//! ships with slope to a folder. [`next_edit`] reads tasks of single edits.
//!
//! The folder layouts and the case format are described in `docs/problems.md`.

mod assets;
mod builtin;
mod case_check;
mod case_steps;
mod cases;
mod config;
mod error;
mod goals;
mod hash;
mod lint;
mod load;
pub mod next_edit;
mod prompt;
mod spec;
mod yaml;

pub use builtin::{
    BUILTIN, BUILTIN_SCRIPTS, materialize, materialize_builtin, shipped, shipped_key,
};
pub use cases::{load_cases, place_of_case};
pub use error::Error;
pub use lint::{Level, Lint, lint};
pub use load::{LoadOptions, load, reference_solution, solution_in};
pub use prompt::{DEFAULT_PROMPT, Prompt, PromptContext};
pub use slope_model::problem::Problem;
pub use spec::published_spec;
