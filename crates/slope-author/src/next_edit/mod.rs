//! Next-edit tasks: cutting them from lineages, asking them, scoring the answers.
//!
//! | module | what |
//! |---|---|
//! | [`hunks`] | the changes between two texts, line by line |
//! | [`cut`](mod@cut) | tasks from two successive snapshots of a lineage |
//! | [`prompt`](mod@prompt) | what a person or a model is asked |
//! | [`answers`] | what was answered |
//! | [`score`](mod@score) | how near an answer is to the expected edit |
//! | [`summary`] | means over tasks, with intervals |
//!
//! The form of a task is `slope_problem::next_edit`; all of it is described in `docs/next-edit.md`.

pub mod answers;
pub mod cut;
pub mod hunks;
pub mod prompt;
mod reasons;
pub mod score;
pub mod summary;
mod words;
