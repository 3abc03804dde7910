//! Plan, trials, resume and events of a benchmark run.
//!
//! | module | what |
//! |---|---|
//! | [`plan`] | what a run should do, fixed before it starts |
//! | `recordings` | where a run's recordings are |
//! | [`machine`] | what this machine offers: sandbox, interpreter, caches |
//! | [`execute`] | trials, side by side; each checkpoint by checkpoint |
//! | `attempt` | one agent invocation in its sandbox |
//! | `pack` | archives that sandboxes are filled from |
//! | [`intervention`] | arms of a study: prompts and hooks |
//! | [`environment`] | where agents and programs run, and with how much |
//! | `tools` | agents' installations inside sandboxes |
//! | `grading` | a snapshot's verdict and measurement |
//! | [`evaluate`] | grading again what exists |
//! | [`conformance`] | reference solutions against expectations |
//! | [`event`] | what happens: for the journal, and for a display |
//! | [`state`] | what is done and what is left, folded from the journal |
//! | [`assemble`] | a run's report, from its directory alone |
//!
//! Nothing here needs to be told that it is interrupted: a process that is killed at any moment loses
//! what it was doing, and [`execute::execute`] on the same directory goes on from the last event.

pub mod assemble;
mod attempt;
pub mod conformance;
pub mod environment;
mod error;
pub mod evaluate;
pub mod event;
pub mod execute;
mod grading;
pub mod intervention;
pub mod machine;
mod pack;
pub mod plan;
mod recordings;
pub mod state;
mod tools;

pub use error::Error;
pub use recordings::recordings;
