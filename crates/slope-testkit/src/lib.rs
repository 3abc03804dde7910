//! What the tests of several crates share; a development dependency, never more.
//!
//! Everything here panics where it fails, as tests do.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic")]

pub mod git;
