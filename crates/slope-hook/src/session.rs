//! Memory of a session.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use slope_model::error_text::one_line;

use crate::Base;
use crate::since::Since;
use crate::state::{StateDir, short_hash};

/// Age at which sessions without events are deleted.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(14 * 24 * 3600);

/// Interval at which a waiting hook tries to lock the session.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Memory of a session in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// The checkout when the session began.
    pub(crate) base: Base,
    /// Position in git's log when the session began.
    pub(crate) since: Since,
    /// Fingerprints of problems that existed when the session began, or came from other code since.
    pub(crate) before: BTreeSet<String>,
    /// Fingerprints of problems reported after edits.
    pub(crate) remarked: BTreeSet<String>,
    /// Fingerprints of problems for which the agent had to continue.
    pub(crate) listed: BTreeSet<String>,
    /// Number of times that the agent had to continue.
    pub(crate) sent_on: u32,
    /// The model that the last event with one named.
    #[serde(default)]
    pub(crate) model: Option<String>,
}

impl Memory {
    /// Memory of a new session.
    pub(crate) fn new(base: Base, since: Since) -> Self {
        Self {
            base,
            since,
            before: BTreeSet::new(),
            remarked: BTreeSet::new(),
            listed: BTreeSet::new(),
            sent_on: 0,
            model: None,
        }
    }
}

/// A locked session. No other hook writes it until this value is dropped.
pub(crate) struct Session {
    path: PathBuf,
    /// Lock file. The system releases the lock when the process ends.
    _lock: File,
    /// `None` for a new session.
    pub(crate) memory: Option<Memory>,
}

impl Session {
    /// Waits for a session until `deadline`. Returns `None` if another hook still holds it.
    pub(crate) fn open(
        state: &StateDir,
        agent: &str,
        name: &str,
        root: &Path,
        deadline: Instant,
    ) -> Result<Option<Self>, String> {
        let folder = state.sessions();
        let failed = |error: std::io::Error| format!("cannot use {}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(failed)?;
        let root = root.as_os_str().as_encoded_bytes();
        let key = short_hash(&[agent.as_bytes(), name.as_bytes(), root].join(&0));
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(format!("{key}.lock")))
            .map_err(failed)?;
        while lock.try_lock().is_err() {
            if Instant::now() + POLL_INTERVAL >= deadline {
                return Ok(None);
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        let path = folder.join(format!("{key}.json"));
        // A session that cannot be read starts again.
        let memory = slope_store::atomic::read_json(&path).ok();
        if memory.is_none() {
            forget_old(&folder);
        }
        Ok(Some(Self {
            path,
            _lock: lock,
            memory,
        }))
    }

    /// Saves the memory.
    pub(crate) fn keep(&self, memory: &Memory) -> Result<(), String> {
        slope_store::atomic::write_json(&self.path, memory).map_err(|error| one_line(&error))
    }
}

/// Deletes sessions without recent events.
fn forget_old(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let now = SystemTime::now();
    for entry in entries.flatten() {
        let age = entry.metadata().and_then(|found| found.modified());
        let age = age
            .ok()
            .and_then(|written| now.duration_since(written).ok());
        if age.is_some_and(|age| age > FORGOTTEN_AFTER) {
            drop(std::fs::remove_file(entry.path()));
        }
    }
}
