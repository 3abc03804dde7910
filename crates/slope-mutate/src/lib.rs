//! Known edits of code.

pub mod ledger;
mod pick;

pub use pick::{Pick, seed};
