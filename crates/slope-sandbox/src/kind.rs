//! Kinds of runtimes: names, settings and constructors, for the list of all runtimes
//! (`slope_bench::runtimes`).

use std::error::Error as StdError;

use serde_json::Value;

use crate::local::LocalRuntime;
use crate::{Capabilities, Error, Runtime};

/// A kind of runtime that environment files can name.
pub trait RuntimeKind: Sync {
    /// Name in environment files. The table of the same name in the file has its settings.
    fn name(&self) -> &'static str;

    /// What isolates its sandboxes from the host, as runs record it: `namespaces`, `containers`.
    fn isolation(&self) -> &'static str;

    /// Whether sandboxes have a system of their own, in which this machine's programs may be
    /// missing.
    fn has_own_system(&self) -> bool {
        false
    }

    /// Whether it gives sandboxes whole processors only.
    fn whole_processors(&self) -> bool {
        false
    }

    /// Checks the settings in the table of an environment file, and adds the defaults. `None` is a
    /// file without the table, or a runtime without settings.
    ///
    /// # Errors
    /// Returns what is wrong, for the user.
    fn settings(&self, table: Option<Value>) -> Result<Option<Value>, String>;

    /// Probes this machine with default settings.
    ///
    /// # Errors
    /// If the runtime is not installed.
    fn probe(&self) -> Result<Capabilities, OpenError>;

    /// The runtime for a run.
    ///
    /// # Errors
    /// If this machine cannot run it.
    fn open(&self, request: &OpenRequest<'_>) -> Result<Box<dyn Runtime>, OpenError>;
}

/// What a run asks of its runtime.
#[derive(Debug, Clone, Copy)]
pub struct OpenRequest<'a> {
    /// Settings, as [`RuntimeKind::settings`] returned them.
    pub settings: Option<&'a Value>,
    /// Name of the run, for labels.
    pub run: &'a str,
    /// Processors of a sandbox.
    pub cpus: Option<f64>,
    /// Memory in bytes that stays reserved for a sandbox.
    pub memory_request: Option<u64>,
    /// Whether to check the machine and to remove leftovers of earlier runs. Workers need neither,
    /// since their coordinator has done it.
    pub prepare: bool,
}

/// Reason that a runtime cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The settings cannot work.
    #[error(transparent)]
    Settings(Box<dyn StdError + Send + Sync>),
    /// This machine lacks what the runtime needs.
    #[error(transparent)]
    Machine(Box<dyn StdError + Send + Sync>),
}

/// The kernel refuses a feature that the local runtime needs.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot use the sandbox\n\
     help: to run without isolation, pass --no-sandbox, which gives agents and their programs your rights"
)]
struct NoNamespaces(#[source] Error);

/// The kind of [`LocalRuntime`].
#[derive(Debug, Clone, Copy)]
pub struct LocalKind;

impl RuntimeKind for LocalKind {
    fn name(&self) -> &'static str {
        "local"
    }

    fn isolation(&self) -> &'static str {
        "namespaces"
    }

    fn whole_processors(&self) -> bool {
        true
    }

    fn settings(&self, table: Option<Value>) -> Result<Option<Value>, String> {
        match table {
            None => Ok(None),
            Some(_) => {
                Err("the runtime \"local\" has no settings\nhelp: remove [local]".to_owned())
            }
        }
    }

    fn probe(&self) -> Result<Capabilities, OpenError> {
        Ok(LocalRuntime.probe())
    }

    fn open(&self, request: &OpenRequest<'_>) -> Result<Box<dyn Runtime>, OpenError> {
        if request.prepare {
            let required = LocalRuntime.probe().require();
            required.map_err(|refused| OpenError::Machine(NoNamespaces(refused).into()))?;
        }
        Ok(Box::new(LocalRuntime))
    }
}
