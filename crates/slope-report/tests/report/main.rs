//! The tests of `slope-report`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod arms;
mod common;
mod compare;
mod edges;
mod evaluation;
mod gate;
mod history;
mod history_page;
mod html;
mod json;
mod lines_and_rules;
mod markdown;
mod measurement;
mod study;
mod terminal;
mod versions;
