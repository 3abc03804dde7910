//! Agents' installations inside sandboxes, as read-only copies.
//!
//! A bind mount shows its source in `/proc/self/mountinfo`, and the path of slope's cache names
//! this tool and the user. So cached files are copied into a file system of the sandbox; binds of
//! the user's own installations stay binds.
//!
//! Workers share the archives: the first one packs, the others wait.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use slope_agent::InstalledBind;
use slope_sandbox::{Bind, Volume};
use slope_store::Error as StoreError;

use crate::{Error, pack};

/// Bytes beyond an installation's own, for the file system's bookkeeping.
const SLACK: u64 = 16 << 20;

/// Volume size in bytes for an archive of `size` bytes: twice that, since a small file takes a
/// whole page, and slack.
fn room(size: u64) -> u64 {
    2 * size + SLACK
}

/// Archives of installations, packed once a run.
#[derive(Debug)]
pub(crate) struct Tools {
    cache: PathBuf,
    scratch: PathBuf,
    packed: Mutex<BTreeMap<PathBuf, (PathBuf, u64)>>,
}

impl Tools {
    /// Creates the copies' register: installations below `cache` are copied, and archives are kept
    /// in `scratch`.
    pub(crate) fn new(cache: &Path, scratch: &Path) -> Self {
        Self {
            cache: cache.to_owned(),
            scratch: scratch.join("tools"),
            packed: Mutex::default(),
        }
    }

    /// Volumes and binds that make `binds` visible inside the sandbox.
    pub(crate) fn provide(
        &self,
        binds: &[InstalledBind],
    ) -> Result<(Vec<Volume>, Vec<Bind>), Error> {
        let mut volumes = Vec::new();
        let mut rest = Vec::new();
        for bind in binds {
            let target = bind.target.clone();
            if bind.source.starts_with(&self.cache) && bind.source.is_dir() {
                let (fill, size) = self.pack(&bind.source)?;
                volumes.push(Volume {
                    target,
                    fill: Some(fill),
                    collect: None,
                    size: room(size),
                    writable: false,
                    shared: true,
                });
            } else {
                rest.push(Bind {
                    source: bind.source.clone(),
                    target,
                });
            }
        }
        Ok((volumes, rest))
    }

    /// A volume with a single program, in a folder of its own.
    pub(crate) fn program(&self, source: &Path, target: &str) -> Result<Volume, Error> {
        let (fill, size) = self.packed(source, |path| pack::program(path, "slope", source))?;
        Ok(Volume {
            target: target.into(),
            fill: Some(fill),
            collect: None,
            size: room(size),
            writable: false,
            shared: true,
        })
    }

    fn pack(&self, source: &Path) -> Result<(PathBuf, u64), Error> {
        self.packed(source, |path| pack::folder(path, source))
    }

    /// The archive of `source`; `make` creates it if it does not exist.
    fn packed(
        &self,
        source: &Path,
        make: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<(PathBuf, u64), Error> {
        let mut packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = packed.get(source) {
            return Ok(known.clone());
        }
        std::fs::create_dir_all(&self.scratch)
            .map_err(StoreError::io("cannot create", &self.scratch))?;
        let name = blake3::hash(source.as_os_str().as_encoded_bytes()).to_hex();
        let path = self.scratch.join(format!("{}.tar", &name[..16]));
        let lock = self.scratch.join("lock");
        let held = File::create(&lock).map_err(StoreError::io("cannot create", &lock))?;
        held.lock().map_err(StoreError::io("cannot lock", &lock))?;
        if !path.exists() {
            let part = path.with_extension("part");
            make(&part)?;
            std::fs::rename(&part, &path).map_err(StoreError::io("cannot write", &path))?;
        }
        drop(held);
        let size = std::fs::metadata(&path)
            .map_err(StoreError::io("cannot read", &path))?
            .len();
        packed.insert(source.to_owned(), (path.clone(), size));
        Ok((path, size))
    }
}
