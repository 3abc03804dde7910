//! The runtime's entry in the list of runtimes.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use slope_sandbox::{Capabilities, OpenError, OpenRequest, Runtime, RuntimeKind, size};

use crate::{Config, DockerRuntime, Engine, Error, gc};

/// Time that an engine has to answer when a machine is probed.
const PROBE_PATIENCE: Duration = Duration::from_secs(10);

/// The kind of [`DockerRuntime`].
#[derive(Debug, Clone, Copy)]
pub struct DockerKind;

/// Settings in the table `[docker]` of an environment file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// The base image, by name or id. It must exist locally, since slope contacts no registry.
    image: String,
    /// Address of the engine; `DOCKER_HOST` or the usual sockets if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    /// Bytes that have to be free on the engine's disk before a run begins.
    #[serde(default = "free_disk", deserialize_with = "size::bytes")]
    free_disk: u64,
}

/// Free bytes requested by default.
fn free_disk() -> u64 {
    2 << 30
}

impl Settings {
    fn read(table: Option<&Value>) -> Result<Self, String> {
        let Some(table) = table else {
            return Err("missing table [docker] with an image for runtime = \"docker\"".to_owned());
        };
        Self::deserialize(table).map_err(|error| error.to_string())
    }
}

impl RuntimeKind for DockerKind {
    fn name(&self) -> &'static str {
        "docker"
    }

    fn isolation(&self) -> &'static str {
        "containers"
    }

    fn has_own_system(&self) -> bool {
        true
    }

    fn settings(&self, table: Option<Value>) -> Result<Option<Value>, String> {
        let settings = Settings::read(table.as_ref())?;
        let value = serde_json::to_value(settings).map_err(|error| error.to_string())?;
        Ok(Some(value))
    }

    fn probe(&self) -> Result<Capabilities, OpenError> {
        Ok(Engine::connect_within(None, PROBE_PATIENCE)?
            .about
            .capabilities())
    }

    fn open(&self, request: &OpenRequest<'_>) -> Result<Box<dyn Runtime>, OpenError> {
        let settings =
            Settings::read(request.settings).map_err(|why| OpenError::Settings(why.into()))?;
        let engine = Engine::connect(settings.host.as_deref())?;
        if request.prepare {
            // Leftovers that cannot be removed now are reported by `slope gc` and do not prevent a run.
            drop(gc::sweep(&engine));
            engine.require_room(settings.free_disk)?;
        }
        let config = Config {
            image: settings.image,
            run: request.run.to_owned(),
            cpus: request.cpus,
            memory_request: request.memory_request,
        };
        Ok(Box::new(DockerRuntime::new(engine, config)?))
    }
}

impl From<Error> for OpenError {
    /// Better settings prevent a missing image and an address that cannot work. The rest is a
    /// failure of the engine.
    fn from(error: Error) -> Self {
        match error {
            Error::NoImage { .. } | Error::Address { .. } => Self::Settings(error.into()),
            other => Self::Machine(other.into()),
        }
    }
}
