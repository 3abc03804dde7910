//! Folder for the state of sessions, outside of every workspace.

use std::path::{Path, PathBuf};

/// Folder of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir(PathBuf);

impl StateDir {
    /// This folder.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The log of hooks, with one JSON object per line.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.0.join("hooks/log.jsonl")
    }

    /// The receipt of a settings file.
    pub(crate) fn receipt(&self, settings: &Path) -> PathBuf {
        let name = short_hash(settings.as_os_str().as_encoded_bytes());
        self.0.join("hooks/installed").join(format!("{name}.json"))
    }

    /// The lock of the process that adds points of a project.
    #[must_use]
    pub fn points_lock(&self, project: &Path) -> PathBuf {
        let name = short_hash(project.as_os_str().as_encoded_bytes());
        self.0.join("hooks/points").join(format!("{name}.lock"))
    }

    /// The folder of sessions.
    pub(crate) fn sessions(&self) -> PathBuf {
        self.0.join("hooks/sessions")
    }
}

/// 32 hexadecimal digits for file names.
pub(crate) fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}
