//! Work on code that may be hostile, in processes of its own.
//!
//! A request's code can take all memory, overflow a stack, or keep a processor busy for hours. So the server never works
//! on it. It gives the [`Job`] to a worker: a child process of the same binary, which has no database, no environment and
//! no network. The [`Pool`] ends a worker at the time limit, and when the client goes away.

mod job;
mod pool;
mod process;
mod wire;
mod worker;

pub(crate) use job::{Files, Job};
pub(crate) use pool::{Failure, Pool};
pub use process::Program;
pub use worker::{WORKER_ARGUMENT, dispatch, serve};
