//! Plan, trials, resume and events of a benchmark run.
//!
//! A run is a directory, which one part of this crate makes and the other reads.
//!
//! | module of both | contents |
//! |---|---|
//! | [`plan`] | the settings of a run, fixed before it starts |
//! | [`environment`], [`runtimes`] | runtime and limits of agents and programs; the list of all runtimes |
//! | `steps` | checkpoints as tasks of their own |
//! | [`intervention`] | arms of a study: prompts and hooks |
//! | [`event`], [`journal`] | numbered events with a monotonic clock, and progress for a display |
//! | [`state`] | finished and remaining work, folded from the journal |
//! | [`retry`] | retry policy by the cause of an attempt's end |
//! | `directories`, `layout` | what is where in a run's directory |
//!
//! | module that runs | contents |
//! |---|---|
//! | [`machine`] | facilities of this machine: sandbox, interpreter, caches |
//! | [`context`] | plan, machine, agent and gateway of a run, for its trials |
//! | [`execute`] | admits trials and has them run |
//! | [`admission`] | number of trials that run at a time |
//! | [`control`] | control requests to a run, and its status |
//! | `coordinator` | journal, gateway and grading slots for trials |
//! | [`worker`], `link` | trials in processes of their own |
//! | `trial` | one trial, checkpoint by checkpoint |
//! | `attempt` | one agent invocation in its sandbox |
//! | `pack`, `tools` | archives that sandboxes are filled from; agents' installations inside |
//! | `sightings` | observations of agents for a report's integrity column |
//! | `grading` | a snapshot's verdict and measurement |
//! | `security` | security findings that an attempt added |
//! | [`evaluate`] | regrading |
//! | [`conformance`] | reference solutions against expectations |
//! | [`mod@replay`] | stored snapshots of published runs against their stored verdicts |
//!
//! | module of `read` | contents |
//! |---|---|
//! | [`assemble`] | a run's report, from its directory alone |
//! | [`mod@gather`] | the runs below folders |
//! | [`mod@exhibit`] | details of trials beyond the numbers |
//! | [`mod@outgoing`] | runs as they are sent to a server |
//! | [`mod@workspaces`] | the code after each checkpoint |
//! | `recordings` | paths of a run's recordings |
//!
//! No signal is needed before an interruption: a process that is killed at any moment loses its
//! current work, and [`execute::execute`] on the same directory resumes after the last event.

pub mod admission;
mod attempt;
pub mod conformance;
pub mod context;
pub mod control;
mod coordinator;
mod directories;
pub mod environment;
mod error;
pub mod evaluate;
pub mod event;
pub mod execute;
mod grading;
pub mod intervention;
pub mod journal;
mod layout;
mod link;
mod log;
pub mod machine;
mod pack;
pub mod plan;
mod read;
pub mod replay;
pub mod retry;
pub mod runtimes;
mod security;
mod sightings;
pub mod state;
mod status;
mod steps;
mod tools;
mod trial;
pub mod worker;

pub use directories::read_config;
pub use error::{Error, PlanChange, WorkerError};
pub use read::recordings::recordings;
pub use read::{assemble, exhibit, gather, outgoing, workspaces};
