//! The memory of a session.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use slope_model::error_text::one_line;

use crate::Base;
use crate::since::Since;
use crate::state::{StateDir, short_hash};

/// Sessions that nothing was heard of for this long are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(14 * 24 * 3600);

/// How often a waiting hook looks whether the session is free.
const LOOK: Duration = Duration::from_millis(5);

/// The memory of a session in one folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Memory {
    /// The checkout when the session began.
    pub(crate) base: Base,
    /// From where on the history is the session's.
    pub(crate) since: Since,
    /// Fingerprints of what was worse when the session began, or came from elsewhere since.
    pub(crate) before: BTreeSet<String>,
    /// Fingerprints of what was remarked after an edit.
    pub(crate) remarked: BTreeSet<String>,
    /// Fingerprints of what the agent was sent on for.
    pub(crate) listed: BTreeSet<String>,
    /// How often the agent was sent on.
    pub(crate) sent_on: u32,
}

impl Memory {
    /// Of a session that begins.
    pub(crate) fn new(base: Base, since: Since) -> Self {
        Self {
            base,
            since,
            before: BTreeSet::new(),
            remarked: BTreeSet::new(),
            listed: BTreeSet::new(),
            sent_on: 0,
        }
    }
}

/// A session that no other hook writes as long as this lives.
pub(crate) struct Session {
    path: PathBuf,
    /// Locked; released by the system when the process ends, however it does.
    _lock: File,
    /// `None` if nothing was heard of it yet.
    pub(crate) memory: Option<Memory>,
}

impl Session {
    /// Waits for a session until `deadline`; `None` if another hook still has it then.
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
            if Instant::now() + LOOK >= deadline {
                return Ok(None);
            }
            std::thread::sleep(LOOK);
        }
        let path = folder.join(format!("{key}.json"));
        // One that cannot be read begins anew.
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

    /// Remembers.
    pub(crate) fn keep(&self, memory: &Memory) -> Result<(), String> {
        slope_store::atomic::write_json(&self.path, memory).map_err(|error| one_line(&error))
    }
}

/// Removes what has not been written for long.
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
