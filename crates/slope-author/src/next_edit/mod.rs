//! Next-edit tasks: creation from lineages, prompts, scores of the answers.
//!
//! | module | contents |
//! |---|---|
//! | [`hunks`] | the changes between two texts, line by line |
//! | [`cut`](mod@cut) | tasks from two successive snapshots of a lineage |
//! | [`verify`](mod@verify) | tests of the programs with and without the expected edit |
//! | [`prompt`](mod@prompt) | prompt for a person or a model |
//! | [`answers`] | the answers |
//! | [`score`](mod@score) | similarity of an answer to the expected edit |
//! | [`summary`] | means over tasks, with intervals |
//!
//! The format of a task is `slope_problem::next_edit`; `docs/next-edit.md` describes all of this.

pub mod answers;
mod complete;
pub mod cut;
pub mod hunks;
pub mod prompt;
mod reasons;
pub mod score;
pub mod summary;
pub mod verify;
mod words;
