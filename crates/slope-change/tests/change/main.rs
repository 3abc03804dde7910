//! The tests of `slope-change`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod ledger;
