//! Plan, trials, resume and events of a benchmark run.
//!
//! | module | what |
//! |---|---|
//! | [`plan`] | what a run should do, fixed before it starts |
//! | `sightings` | what was seen of an agent that a report's integrity column names |
//! | `recordings` | where a run's recordings are |
//! | [`machine`] | what this machine offers: sandbox, interpreter, caches |
//! | [`execute`] | admits trials and has them worked on |
//! | [`admission`] | how many trials run at a time |
//! | [`control`] | what is asked of a run from outside, and how it goes |
//! | `coordinator` | journal, gateway and gradings, as trials need them |
//! | [`worker`], `link` | trials in processes of their own |
//! | `trial` | one trial, checkpoint by checkpoint |
//! | [`retry`] | what follows from the cause of an attempt's end |
//! | [`journal`] | events, numbered, with a clock that nobody sets |
//! | `attempt` | one agent invocation in its sandbox |
//! | `pack` | archives that sandboxes are filled from |
//! | [`intervention`] | arms of a study: prompts and hooks |
//! | [`environment`] | where agents and programs run, and with how much |
//! | `tools` | agents' installations inside sandboxes |
//! | `grading` | a snapshot's verdict and measurement |
//! | [`evaluate`] | grading again what exists |
//! | [`conformance`] | reference solutions against expectations |
//! | [`mod@replay`] | stored snapshots of published runs against their stored verdicts |
//! | [`event`] | what happens: for the journal, and for a display |
//! | [`state`] | what is done and what is left, folded from the journal |
//! | [`assemble`] | a run's report, from its directory alone |
//! | [`mod@gather`] | the runs below folders |
//! | [`mod@exhibit`] | details of trials beyond the numbers |
//!
//! Nothing here needs a signal before an interruption: a process that is killed at any moment loses its
//! current work, and [`execute::execute`] on the same directory resumes after the last event.

pub mod admission;
pub mod assemble;
mod attempt;
pub mod conformance;
pub mod control;
mod coordinator;
pub mod environment;
mod error;
pub mod evaluate;
pub mod event;
pub mod execute;
pub mod exhibit;
pub mod gather;
mod grading;
pub mod intervention;
pub mod journal;
mod link;
mod log;
pub mod machine;
mod pack;
pub mod plan;
mod recordings;
pub mod replay;
pub mod retry;
mod sightings;
pub mod state;
mod tools;
mod trial;
pub mod worker;

pub use error::{Error, PlanChange, WorkerError};
pub use recordings::recordings;
