//! All runtimes, for the coordinator, its workers, `slope doctor` and environment files.

use std::fmt;
use std::ops::Deref;
use std::path::Path;

use crate::environment::Environment;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use slope_runtime_docker::DockerKind;
use slope_sandbox::{LocalKind, OpenError, OpenRequest, Runtime, RuntimeKind, UnconfinedRuntime};

use crate::plan::RunOptions;

/// Every runtime that an environment can name; the first is the default. A new runtime is a crate
/// and an entry here.
pub static RUNTIMES: &[&dyn RuntimeKind] = &[&LocalKind, &DockerKind];

/// The runtime of this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn RuntimeKind> {
    RUNTIMES.iter().find(|kind| kind.name() == name).copied()
}

/// The names of all runtimes, for messages and help.
#[must_use]
pub fn names() -> String {
    let names: Vec<&str> = RUNTIMES.iter().map(|kind| kind.name()).collect();
    names.join(", ")
}

/// A runtime of [`RUNTIMES`]. Files have its name.
#[derive(Clone, Copy)]
pub struct RuntimeChoice(&'static dyn RuntimeKind);

impl Default for RuntimeChoice {
    fn default() -> Self {
        Self(RUNTIMES[0])
    }
}

impl Deref for RuntimeChoice {
    type Target = dyn RuntimeKind;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for RuntimeChoice {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl fmt::Debug for RuntimeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for RuntimeChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for RuntimeChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        by_name(&name).map(Self).ok_or_else(|| {
            D::Error::custom(format!(
                "unknown runtime `{name}`, expected one of {}",
                names()
            ))
        })
    }
}

/// Opens the runtime of the run in the directory `run`. `prepare` makes it check the machine and
/// remove leftovers, which a coordinator does and its workers do not.
///
/// # Errors
/// If this machine cannot run it.
pub fn open(
    options: &RunOptions,
    run: &Path,
    prepare: bool,
) -> Result<Box<dyn Runtime>, OpenError> {
    if options.unconfined {
        return Ok(Box::new(UnconfinedRuntime));
    }
    let name = run.file_name().unwrap_or(run.as_os_str());
    open_environment(&options.environment, &name.to_string_lossy(), prepare)
}

/// Opens the runtime of an environment for sandboxes labelled with `name`, as [`open`].
///
/// # Errors
/// As for [`open`].
pub fn open_environment(
    environment: &Environment,
    name: &str,
    prepare: bool,
) -> Result<Box<dyn Runtime>, OpenError> {
    environment.runtime.open(&OpenRequest {
        settings: environment.settings(),
        run: name,
        cpus: environment.limits.cpus,
        memory_request: environment.limits.memory_request,
        prepare,
    })
}
