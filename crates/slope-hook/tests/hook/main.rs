//! The tests of `slope-hook`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod sessions;
mod settings;
