//! The tests of `slope-agent`, one module for each topic.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod npm_install;
mod opencode;
mod own_agent;
mod registry;
mod replies;
mod server;
