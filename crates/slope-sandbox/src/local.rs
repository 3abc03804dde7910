//! The local runtime: Linux namespaces, without root and without a daemon.

use crate::probe::{self, Capabilities};
use crate::runtime::{self, Running, Runtime};
use crate::spec::Spec;
use crate::{Error, check};

/// Runs commands on this machine in namespaces of their own.
///
/// Works for an ordinary user and for root; for root the sandbox's user is an id that owns nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalRuntime;

impl Runtime for LocalRuntime {
    fn name(&self) -> &'static str {
        "local"
    }

    fn probe(&self) -> Capabilities {
        probe::probe()
    }

    fn start(&self, spec: &Spec) -> Result<Running, Error> {
        check::check(spec)?;
        runtime::start(spec, true)
    }
}
