//! The tests of `slope-gateway`, one module for each topic.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod atif;
mod common;
mod ends;
mod forward;
mod gemini;
mod real_agents;
mod replay;
mod scripted;
mod transport;
mod upstream;
