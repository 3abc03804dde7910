//! Names of folders and files of a run.

use std::path::PathBuf;

use crate::event::TrialKey;
use crate::plan::Plan;

/// Log of the gateway, in the attempt's folder.
pub(crate) const LOG: &str = "requests.jsonl";

/// Name of a trial for the gateway and its files.
pub(crate) fn trial_name(key: &TrialKey) -> String {
    format!("{}/{}", key.problem, key.trial)
}

/// Scratch space on the host, emptied whenever a run is opened or left.
pub(crate) fn scratch(plan: &Plan) -> PathBuf {
    plan.dir.root().join("tmp")
}
