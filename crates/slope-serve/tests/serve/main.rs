//! The server, asked in process: the same routes and layers as over a socket.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod access;
mod api;
mod changes;
mod code;
mod common;
mod judged;
mod limits;
mod openapi;
mod origin;
mod pages;
mod runs;
mod upgrades;
mod watches;
mod worker;
