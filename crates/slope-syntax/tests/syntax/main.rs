//! The tests of `slope-syntax`, one module for each topic.

#![allow(
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod fuzz;
mod gaming;
mod hosts;
mod languages;
mod macro_items;
#[path = "../../examples/fuzz/mutate.rs"]
mod mutate;
mod new_syntax;
mod properties;
mod tokenizer;
