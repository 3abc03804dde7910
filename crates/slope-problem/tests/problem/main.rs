//! The tests of `slope-problem`, one module for each topic.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod builtin;
mod cases;
mod lint;
mod load;
mod next_edit;
mod prompt;
mod runner;
mod suite;
