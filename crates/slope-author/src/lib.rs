//! Tools for authors of problems.
//!
//! | module | contents |
//! |---|---|
//! | [`workspace`] | a solution's files, in memory |
//! | [`stage`] | the grader's sandbox for solutions |
//! | [`export`] | exports a problem to other formats: `slope problem export` |
//! | [`gate`] | checks that a problem is ready for use: `slope problem gate` |
//! | [`mutate`] | single changes of a reference solution, which cases should detect: `slope problem mutate` |
//! | [`next_edit`] | tasks of single edits, cut from lineages: `slope problem next-edit` |
//! | [`ranking`] | checks that slope's metrics distinguish the lineages |
//! | [`scaffold`] | a new problem's folder: `slope problem new` |
//! | [`variants`] | a problem as a template over a seed: `slope problem render` and `variants` |
//! | [`trial`] | one solution on the cases of its checkpoint: `slope problem try` |
//!
//! All solutions run in the sandbox that grades agents, so the same limits apply.

mod error;
pub mod export;
pub mod gate;
pub mod mutate;
pub mod next_edit;
pub mod ranking;
pub mod scaffold;
pub mod stage;
pub mod trial;
pub mod variants;
pub mod workspace;

pub use error::Error;
