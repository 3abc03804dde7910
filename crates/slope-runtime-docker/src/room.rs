//! Check of the free space on the engine's disk.

use std::path::PathBuf;

use crate::{Engine, Error};

/// Free space on the disk of an engine's images and containers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// The engine's folder.
    pub path: PathBuf,
    /// Free bytes there.
    pub free: u64,
}

impl Engine {
    /// The free space; `None` if the engine's folder is not visible here.
    #[must_use]
    pub fn room(&self) -> Option<Room> {
        let path = self.about.root.clone()?;
        let stat = nix::sys::statvfs::statvfs(&path).ok()?;
        Some(Room {
            free: stat.blocks_available().saturating_mul(stat.fragment_size()),
            path,
        })
    }

    /// Requires at least `needed` free bytes.
    ///
    /// # Errors
    /// [`Error::NoRoom`]. Succeeds if the free space is unknown.
    pub fn require_room(&self, needed: u64) -> Result<(), Error> {
        match self.room() {
            Some(Room { path, free }) if free < needed => Err(Error::NoRoom { path, free, needed }),
            _ => Ok(()),
        }
    }
}
