//! Runtime for kernels that forbid namespaces, without effective isolation.

use crate::probe::Capabilities;
use crate::runtime::{self, Running, Runtime};
use crate::spec::Spec;
use crate::{Error, check};

/// Runs commands as ordinary processes of the current user, in temporary folders.
///
/// For users who requested it by name (`--no-sandbox`). Volumes become temporary folders without a
/// size limit, and mentions of their targets in arguments, environment, payload and working
/// directory are replaced by the folders' real paths. Only supervision and resource limits enforce
/// the limits: if slope runs as root, a fork bomb is detected and killed, but not prevented. The
/// whole file system and network of the host are reachable.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnconfinedRuntime;

impl Runtime for UnconfinedRuntime {
    fn name(&self) -> &'static str {
        "unconfined"
    }

    /// No features are needed, so none are probed.
    fn probe(&self) -> Capabilities {
        Capabilities::default()
    }

    fn start(&self, spec: &Spec) -> Result<Running, Error> {
        check::check(spec)?;
        runtime::start(spec, false)
    }
}
