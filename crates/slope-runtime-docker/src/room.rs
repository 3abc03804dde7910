//! Whether the engine's disk has room.

use std::path::PathBuf;

use crate::{Engine, Error};

/// Room on the disk where an engine keeps images and containers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    /// The engine's folder.
    pub path: PathBuf,
    /// Free bytes there.
    pub free: u64,
}

impl Engine {
    /// The room that is left; `None` where the engine's folder cannot be seen from here.
    #[must_use]
    pub fn room(&self) -> Option<Room> {
        let path = self.about.root.clone()?;
        let stat = nix::sys::statvfs::statvfs(&path).ok()?;
        Some(Room {
            free: stat.blocks_available().saturating_mul(stat.fragment_size()),
            path,
        })
    }

    /// Refuses to begin with less than `needed` free bytes.
    ///
    /// # Errors
    /// [`Error::NoRoom`]. Nothing is said where the room cannot be seen.
    pub fn require_room(&self, needed: u64) -> Result<(), Error> {
        match self.room() {
            Some(Room { path, free }) if free < needed => Err(Error::NoRoom { path, free, needed }),
            _ => Ok(()),
        }
    }
}
