//! The tests of `slope-rules`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod bounds;
mod pack;
mod python_table;
mod semantics;
