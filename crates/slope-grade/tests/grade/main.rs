//! Grades of edits of small code bases.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod bases;
mod common;
mod components;
mod evasions;
mod gaming;
mod habits;
mod invariance;
mod outsiders;
mod requests;
mod siblings;
mod test_files;
mod test_runs;
