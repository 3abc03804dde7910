//! Hooks of coding agents: what slope says while an agent works.
//!
//! | module | what it holds |
//! |---|---|
//! | [`answer()`] | one event of an agent to what slope answers |
//! | [`Judge`], [`GateJudge`] | what tells what has become worse |
//! | [`Installer`] | agents' settings: laying hooks in, taking them out |
//! | [`StateDir`] | where sessions, receipts and the log are kept |
//! | `event`, `reply` | each agent's own protocol |
//! | `session` | what was said already, safe against hooks that run at the same time |
//! | `since` | which commits are the session's, and what they were built on |
//! | `words` | messages within their budget |
//!
//! A hook never fails an agent: whatever goes wrong, and whatever takes too long, is logged,
//! and the agent goes on as if slope were not there.

mod answer;
mod error;
mod event;
mod gate;
mod log;
mod reply;
mod session;
mod settings;
mod since;
mod state;
mod words;

pub use answer::{Base, Budget, Judge, Question, Worse, answer};
pub use error::Error;
pub use gate::GateJudge;
pub use log::{LogLine, Outcome, last_lines};
pub use settings::{Done, Installer, Scope, Status};
pub use slope_agent::hooks::{Hooked, Moment};
pub use state::StateDir;
