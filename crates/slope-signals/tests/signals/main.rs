//! The tests of `slope-signals`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod branches;
mod changes;
mod common;
mod deviations;
mod examples;
mod filled;
mod habits;
mod imports;
mod judged;
mod known;
mod locals;
mod narration;
mod operations;
mod parameters;
mod private;
mod reimplementation;
mod similar;
mod unseen;
mod wrappers;
