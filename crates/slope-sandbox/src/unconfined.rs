//! The runtime for kernels that forbid namespaces: no isolation worth the name.

use crate::probe::Capabilities;
use crate::runtime::{self, Running, Runtime};
use crate::spec::Spec;
use crate::{Error, check};

/// Runs commands as ordinary processes of the present user, in temporary folders.
///
/// For users who asked for it by name (`--no-sandbox`). Volumes become temporary folders without a
/// size limit, and mentions of their targets in arguments, environment, payload and working
/// directory are replaced by the folders' real paths. Limits hold as far as supervision and
/// resource limits go: started by root, a fork bomb is noticed and killed, but not held back. The whole file system and network of the host stay reachable.
#[derive(Debug, Clone, Copy, Default)]
pub struct UnconfinedRuntime;

impl Runtime for UnconfinedRuntime {
    fn name(&self) -> &'static str {
        "unconfined"
    }

    /// Needs nothing, hence nothing is tried.
    fn probe(&self) -> Capabilities {
        Capabilities::default()
    }

    fn start(&self, spec: &Spec) -> Result<Running, Error> {
        check::check(spec)?;
        runtime::start(spec, false)
    }
}
