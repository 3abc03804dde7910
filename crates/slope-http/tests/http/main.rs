//! The server over real connections.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bases;
mod common;
mod grades;
mod limits;
mod test_runs;
mod trainers;
