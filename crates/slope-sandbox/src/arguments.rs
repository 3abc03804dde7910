//! Arguments by which slope starts itself inside of a sandbox.

/// A function that a sandbox can run instead of an executable: payload in, exit code out.
pub type Builtin = fn(payload: &str) -> i32;

/// First argument of a process that is a sandbox's first process.
pub(crate) const INIT_ARGUMENT: &str = "__sandbox-init";

/// First argument of a process that probes the kernel's features.
pub(crate) const PROBE_ARGUMENT: &str = "__sandbox-probe";
