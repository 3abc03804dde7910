//! Tools for those who write problems.
//!
//! | module | what |
//! |---|---|
//! | [`workspace`] | a solution's files, in memory |
//! | [`stage`] | where solutions run: the grader's sandbox |
//! | [`export`] | a problem in forms that others can use: `slope problem export` |
//! | [`gate`] | whether a problem may be used: `slope problem gate` |
//! | [`mutate`] | single changes of a reference solution, which cases should notice: `slope problem mutate` |
//! | [`next_edit`] | tasks of single edits, cut from lineages: `slope problem next-edit` |
//! | [`ranking`] | whether our metrics tell the lineages apart |
//! | [`scaffold`] | a new problem's folder: `slope problem new` |
//! | [`variants`] | a problem as a template over a seed: `slope problem render` and `variants` |
//! | [`trial`] | one solution on the cases of its checkpoint: `slope problem try` |
//!
//! Everything runs in the sandbox that grades agents, so the same limits apply.

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
