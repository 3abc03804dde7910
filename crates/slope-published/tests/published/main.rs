//! The tests of `slope-published`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod import;
mod layout;
mod passes;
