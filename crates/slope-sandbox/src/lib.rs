//! Runtime interface and the local namespace sandbox.
//!
//! A sandbox runs one command over trees that are *copied in* before and *copied out* after it, so
//! that no host path is visible inside and nothing inside can reach the host. See [`spec`] for the
//! request, [`outcome`] for the result.
//!
//! A binary that uses sandboxes calls [`dispatch`] first thing in `main`, because it is started again
//! as the first process of each sandbox:
//!
//! ```no_run
//! if let Some(code) = slope_sandbox::dispatch(&[]) {
//!     std::process::exit(code);
//! }
//! ```
//!
//! # Map
//! [`Runtime`] is the interface. [`LocalRuntime`] uses namespaces. [`UnconfinedRuntime`] is for
//! kernels that forbid them and has to be selected by name. [`RuntimeKind`] is an entry in the list
//! of runtimes. `init` contains the hidden first
//! processes, [`hosted`] the parts for a crate that uses a container engine, `enclosure` the
//! launcher that keeps programs under test away from their tests, `supervise` the limits, `archive`
//! the transfer in and out, `probe` the capabilities of this machine. [`Confinement`] is for workers of a server, which
//! run no command.
//!
//! # Unsafe code
//! Namespaces, mounts and forks need system calls that no safe crate offers. They are wrapped in
//! `sys`, the only module that may use `unsafe`.

mod archive;
mod arguments;
mod cgroup;
mod check;
mod command;
mod confine;
mod defaults;
mod enclosure;
mod error;
mod events;
pub mod hosted;
mod ids;
mod init;
mod kind;
mod limits;
mod local;
mod mounts;
pub mod outcome;
mod probe;
mod procfs;
mod pump;
mod runtime;
mod seccomp;
pub mod size;
mod space;
pub mod spec;
mod supervise;
mod sys;
mod unconfined;
pub mod wire;

pub use arguments::Builtin;
use arguments::{INIT_ARGUMENT, PROBE_ARGUMENT};
pub use confine::{Confinement, UsedMemory, kilobytes};
pub use defaults::SHARED_MEMORY;
pub use error::{Error, SpecError};
pub use kind::{LocalKind, OpenError, OpenRequest, RuntimeKind};
pub use limits::OPEN_FILES;
pub use local::LocalRuntime;
pub use outcome::{CASE_VARIABLE, Exit, LimitHit, Outcome, ProgramNote};
pub use probe::{Capabilities, Feature, State};
pub use runtime::{Killer, Running, Runtime};
pub use spec::{Bind, Command, Enclosure, Limits, Network, Spec, Volume};
pub use unconfined::UnconfinedRuntime;

/// Runs the sandbox's part of the work, if this process was started for it.
///
/// Must be called first in `main`, before any thread exists. `Some(code)` means that the work is
/// done and the process should exit with that code. `builtins` are the functions that
/// [`Command::Builtin`] may name.
#[must_use]
pub fn dispatch(builtins: &[(&str, Builtin)]) -> Option<i32> {
    let mut args = std::env::args_os();
    let own_name = args.next().unwrap_or_default();
    if let Some(folder) = hosted::own_folder() {
        return Some(init::hosted::main(&folder, builtins));
    }
    if enclosure::is_launcher(&own_name) {
        return Some(enclosure::main(&own_name, args.collect()));
    }
    match args.next()?.to_str()? {
        INIT_ARGUMENT => Some(init::main(builtins)),
        PROBE_ARGUMENT => Some(probe::main()),
        _ => None,
    }
}
