//! Runs the tests of edits in sandboxes, for `slope grade`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`SandboxRunner`] | runs a command over an edited base |
//! | `files` | the files of a base as an archive, and copies of it with an edit |
//! | `report` | reports of test runners |
//! | [`Suites`] | hidden tests of problems |
//! | `scratch` | the folder for temporary files, also of processes that were killed |
//!
//! `slope-grade` decides what to run, and what a run is worth. It has no sandbox, so that a process that only grades,
//! such as Python, needs none.

mod files;
mod report;
mod runner;
mod scratch;
mod suites;

pub use runner::{RunLimits, SandboxRunner};
pub use scratch::Error;
pub use suites::Suites;
