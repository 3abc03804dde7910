//! Scores from 0 to 10 for verbosity, erosion and extensibility.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Snapshot`] | code to judge: a folder, a file, a revision |
//! | [`judge`] | the static judge: scores from measures, placed among human code bases |
//! | [`judge_change`] | both sides of a change |
//! | `decisions` | what the code of a file decides on, and its wide functions |
//! | `change_points` | what a next change must touch, over all files |
//! | `placement` | a value among those of human code bases |
//! | [`HumanCode`] | values of human code, for charts and ranks |
//! | `issues` | the places behind the scores |
//! | [`Term`] | what the names mean that only judges use |
//!
//! No score comes from a ratio alone where an absolute amount exists: see `docs/judge.md`.

mod change;
mod change_points;
mod decisions;
mod error;
mod human;
mod issues;
mod placement;
mod snapshot;
mod static_judge;
mod terms;

pub use change::judge_change;
pub use error::Error;
pub use human::{CHANGE_POINTS, HumanBand, HumanCode};
pub use snapshot::Snapshot;
pub use static_judge::{SCHEMA, judge};
pub use terms::{TERMS, Term};
