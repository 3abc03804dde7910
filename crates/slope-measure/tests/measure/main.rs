//! The tests of `slope-measure`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod advice;
mod gaming;
mod headlines;
mod left_out;
mod measure;
mod properties;
mod security;
mod track;
mod warm;
