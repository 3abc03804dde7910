//! The tests of `slope-clones`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod index;
mod planted;
mod properties;
mod runs;
mod support;
