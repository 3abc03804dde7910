//! The tests of `slope-author`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod next_edit;
mod ranking;
mod variants;
