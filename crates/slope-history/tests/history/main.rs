//! The tests of `slope-history`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod evidence;
mod metamorphic;
mod trajectory;
