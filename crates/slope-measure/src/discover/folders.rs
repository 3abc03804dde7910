//! Folder listings, cached between runs.
//!
//! The times of a folder change whenever an entry is added, removed or renamed. A folder with the
//! same stamp as in the last run therefore has the same entries, and one system call replaces four.
//! The cache is used only for file systems known to maintain these times, only on the file system
//! of the root, and only for folders that had been unchanged for a while when they were read
//! ([`Stamp::of`]).

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use slope_store::facts::Stamp;

/// Magic numbers of the file systems that are believed (`linux/magic.h`): ext2 to ext4, xfs, btrfs,
/// tmpfs, overlayfs, f2fs, zfs.
const BELIEVED: &[u64] = &[
    0xEF53,
    0x5846_5342,
    0x9123_683E,
    0x0102_1994,
    0x794C_7630,
    0xF2F5_2010,
    0x2FC1_2FC1,
];

/// Between names; in no name.
const BETWEEN: char = '/';

/// Minimum number of folders of a tree for which a cache is used.
const FEWEST: usize = 64;

/// Listings are rewritten if more than one in this many is new.
const STALE: usize = 16;

/// Kind of a folder entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    Folder,
    File,
    Other,
}

/// An entry of a folder.
pub(super) struct Entry {
    pub(super) name: OsString,
    pub(super) kind: io::Result<Kind>,
}

/// Entries of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Listing {
    stamp: Stamp,
    /// Names, concatenated.
    names: String,
    kinds: Vec<Kind>,
}

/// Folders of a tree: cached listings, and those read in this run.
pub(crate) struct Folders {
    /// The device of the root.
    device: u64,
    known: HashMap<Stamp, Listing>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Folders with a valid cached listing.
    known: Vec<Stamp>,
    fresh: Vec<Listing>,
}

impl Folders {
    /// Folders of a root with their cached listings. `None` if its file system does not maintain
    /// folder times reliably.
    pub(crate) fn of(root: &Path, kept: Option<&[u8]>) -> Option<Self> {
        let system = rustix::fs::statfs(root).ok()?;
        if !BELIEVED.contains(&u64::try_from(system.f_type).ok()?) {
            return None;
        }
        let known: Vec<Listing> = kept
            .and_then(|kept| postcard::from_bytes(kept).ok())
            .unwrap_or_default();
        let known = known.into_iter().map(|listing| (listing.stamp, listing));
        Some(Self {
            device: std::fs::metadata(root).ok()?.dev(),
            known: known.collect(),
            seen: Mutex::default(),
        })
    }

    /// Data for the cache, if it differs enough from the stored data.
    pub(crate) fn to_keep(&self) -> Option<Vec<u8>> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let all = seen.known.len() + seen.fresh.len();
        if all < FEWEST || seen.fresh.len() * STALE <= all {
            return None;
        }
        let mut listings = std::mem::take(&mut seen.fresh);
        let known = seen.known.iter().filter_map(|stamp| self.known.get(stamp));
        listings.extend(known.cloned());
        postcard::to_stdvec(&listings).ok()
    }

    /// The entries of a folder, in the order of the system.
    pub(super) fn entries(&self, folder: &Path) -> io::Result<Vec<Entry>> {
        // Taken before the folder is read: a change in between is detected in the next run.
        let stamp = std::fs::symlink_metadata(folder)
            .ok()
            .filter(|metadata| metadata.is_dir() && metadata.dev() == self.device)
            .and_then(|metadata| Stamp::of(folder, &metadata));
        let Some(stamp) = stamp else {
            return read(folder);
        };
        if let Some(known) = self.known.get(&stamp) {
            self.see(|seen| seen.known.push(stamp));
            return Ok(known.entries());
        }
        let entries = read(folder)?;
        if let Some(listing) = Listing::of(stamp, &entries) {
            self.see(|seen| seen.fresh.push(listing));
        }
        Ok(entries)
    }

    fn see(&self, add: impl FnOnce(&mut Seen)) {
        add(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Listing {
    /// Listing of a folder. `None` if an entry could not be read or is not UTF-8.
    fn of(stamp: Stamp, entries: &[Entry]) -> Option<Self> {
        let mut listing = Self {
            stamp,
            names: String::new(),
            kinds: Vec::with_capacity(entries.len()),
        };
        for entry in entries {
            listing.names.push_str(entry.name.to_str()?);
            listing.names.push(BETWEEN);
            listing.kinds.push(*entry.kind.as_ref().ok()?);
        }
        Some(listing)
    }

    fn entries(&self) -> Vec<Entry> {
        let names = self.names.split_terminator(BETWEEN);
        let entry = |(name, &kind): (&str, &Kind)| Entry {
            name: OsStr::new(name).to_owned(),
            kind: Ok(kind),
        };
        names.zip(&self.kinds).map(entry).collect()
    }
}

/// Reads a folder. An entry that cannot be read has an empty name.
pub(super) fn read(folder: &Path) -> io::Result<Vec<Entry>> {
    let entry = |entry: io::Result<std::fs::DirEntry>| match entry {
        Ok(entry) => Entry {
            name: entry.file_name(),
            kind: entry.file_type().map(|kind| {
                if kind.is_dir() {
                    Kind::Folder
                } else if kind.is_file() {
                    Kind::File
                } else {
                    Kind::Other
                }
            }),
        },
        Err(error) => Entry {
            name: OsString::new(),
            kind: Err(error),
        },
    };
    Ok(std::fs::read_dir(folder)?.map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folders: &Folders, folder: &Path) -> Vec<(String, Kind)> {
        let entries = folders.entries(folder).unwrap();
        let mut names: Vec<_> = entries
            .into_iter()
            .map(|entry| (entry.name.into_string().unwrap(), entry.kind.unwrap()))
            .collect();
        names.sort_by(|a, b| a.0.cmp(&b.0));
        names
    }

    /// A tree of this number of folders with one file each, all unchanged for a long time.
    fn tree(folders: usize) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for number in 0..folders {
            let folder = root.path().join(format!("f{number}"));
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join("a.py"), "").unwrap();
        }
        root
    }

    fn all(folders: &Folders, root: &Path) -> usize {
        names(folders, root)
            .iter()
            .filter(|(_, kind)| *kind == Kind::Folder)
            .map(|(name, _)| names(folders, &root.join(name)).len())
            .sum()
    }

    #[test]
    fn changed_folder_is_read_again() {
        let root = tree(70);
        let Some(first) = Folders::of(root.path(), None) else {
            return; // A file system that is not believed.
        };
        assert_eq!(all(&first, root.path()), 70);
        assert_eq!(first.to_keep(), None, "what has just changed is not kept");
        std::thread::sleep(std::time::Duration::from_millis(2_100));
        assert_eq!(all(&first, root.path()), 70);
        let kept = first.to_keep().unwrap();

        let second = Folders::of(root.path(), Some(&kept)).unwrap();
        assert_eq!(all(&second, root.path()), 70);
        assert_eq!(second.seen.lock().unwrap().known.len(), 71);
        assert_eq!(second.to_keep(), None, "nothing is new");

        let changed = root.path().join("f7");
        std::fs::write(changed.join("b.py"), "").unwrap();
        std::fs::remove_file(root.path().join("f8/a.py")).unwrap();
        std::fs::remove_file(root.path().join("f9/a.py")).unwrap();
        std::fs::create_dir(root.path().join("f9/a.py")).unwrap();
        let third = Folders::of(root.path(), Some(&kept)).unwrap();
        let two = [("a.py", Kind::File), ("b.py", Kind::File)];
        assert_eq!(names(&third, &changed), two.map(|(n, k)| (n.to_owned(), k)));
        assert_eq!(names(&third, &root.path().join("f8")), []);
        let folder = [("a.py".to_owned(), Kind::Folder)];
        assert_eq!(names(&third, &root.path().join("f9")), folder);
        assert_eq!(third.seen.lock().unwrap().known.len(), 0);
    }

    #[test]
    fn damaged_folder_cache_is_ignored() {
        let root = tree(1);
        for damaged in [&b""[..], b"\xff\xff\xff\xff\xff", b"nonsense"] {
            if let Some(folders) = Folders::of(root.path(), Some(damaged)) {
                assert_eq!(all(&folders, root.path()), 1);
            }
        }
    }

    #[test]
    fn non_utf8_folder_entries_are_not_cached() {
        use std::os::unix::ffi::OsStringExt;
        let entry = |name| Entry {
            name,
            kind: Ok(Kind::File),
        };
        let root = tempfile::tempdir().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2_100));
        let stamp = Stamp::of(root.path(), &root.path().metadata().unwrap()).unwrap();
        let text = entry("a.py".into());
        let no_text = entry(OsString::from_vec(vec![b'a', 0xff]));
        assert!(Listing::of(stamp, &[text]).is_some());
        assert!(Listing::of(stamp, &[no_text]).is_none());
    }
}
