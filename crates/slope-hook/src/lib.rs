//! Hooks for coding agents: reports while an agent works.
//!
//! | module | contents |
//! |---|---|
//! | [`answer()`] | answers events of agents |
//! | [`Judge`], [`GateJudge`] | find problems of a change |
//! | [`Installer`] | installs hooks in agents' settings, and removes them |
//! | [`Turn`] | ends of turns, at which points can be added |
//! | [`StateDir`] | folder of sessions, receipts and the log |
//! | `event`, `reply` | protocols of the agents |
//! | `session` | problems already reported, safe with parallel hooks |
//! | `since` | commits of a session, and their bases |
//! | `words` | messages of limited length |
//!
//! A hook never stops an agent. Failures and timeouts are logged, and the agent continues as if
//! slope were not there.

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
mod turn;
mod words;

pub use answer::{Base, Budget, Judge, Question, Worse, answer};
pub use error::Error;
pub use gate::GateJudge;
pub use log::{LogLine, Outcome, last_lines};
pub use settings::{Done, Installer, Scope, Status};
pub use slope_agent::hooks::{Hooked, Moment};
pub use state::StateDir;
pub use turn::{Turn, ended_turn, log_point};
