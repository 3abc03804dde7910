//! The tests of `slope-cli`, one module for each topic.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says when it is skipped"
)]

mod action;
mod agents;
mod attacks;
mod authoring;
mod bad_input;
mod base;
mod browser;
mod cheats;
mod check;
mod check_places;
mod check_policy;
mod commands;
mod common;
mod deploy;
mod docker;
mod embed;
#[path = "../../../slope-embed/tests/embed/project.rs"]
mod embed_project;
mod embedded;
#[path = "../../../slope-runtime-docker/tests/engine/mod.rs"]
mod engine;
mod error_messages;
mod export;
mod gateway;
mod grade;
mod grade_serve;
mod grade_tests;
mod help;
mod history;
mod hook_points;
mod hooks;
mod import_circles;
mod injections;
mod intervention;
mod isolation;
mod judge;
mod judge_calibrate;
mod judge_memory;
mod judge_runs;
mod language_ids;
mod layering;
mod logging;
mod mcp;
mod measure;
mod model_server;
mod mutate;
mod next_edit;
mod quickstart;
mod real_agents;
mod refactoring;
mod refusals;
mod replay;
mod resume;
mod run_push;
mod scheduling;
mod serve;
mod track;
mod track_details;
mod track_judges;
mod track_push;
mod watch;
mod watch_agents;
mod watch_incidents;
mod watch_push;
