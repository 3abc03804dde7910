//! The tests of `slope-gate`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod alike;
mod clones;
mod common;
mod copies_by_language;
mod declared;
mod judge;
mod loosening;
mod near;
mod places;
mod retyped;
mod rows;
mod setup;
mod syntax;
mod table_forms;
mod tables;
