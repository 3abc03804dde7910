//! The facts of one tree in one file.
//!
//! [`crate::facts`] needs one query per value, which is fine for a few and slow for thousands. A
//! pack contains the values that a tree needed last, with the stamps of its files, so that an
//! unchanged tree costs one small read for its index and one for each value. Everything in it is
//! verified before use; a damaged, truncated or outdated pack counts as missing.
//!
//! Layout: the values, one after another; the index, one entry for each file; a trailer with the
//! start of the index, its number of entries, its hash, and a mark. Numbers are little-endian.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::Error;
use crate::atomic::{Pending, new_file_in};
use crate::facts::{Key, Stamp};

/// The last bytes of a pack, with the version of its layout.
const MARK: &[u8; 8] = b"slopepk1";

/// Bytes of the trailer: begin and length of the index, its hash, the mark.
const TRAILER: usize = 8 + 8 + 16 + 8;

/// Bytes of an entry.
const ENTRY: usize = 16 + 16 + 32 + 8 + 8 + 8;

/// Sum of sizes of all packs above which those written longest ago are removed.
const MAX_BYTES: u64 = 2 << 30;

/// Suffix of a pack's file.
const SUFFIX: &str = "pack";

/// Name of a pack: a hash of the tree's place and of the definitions.
pub type Name = [u8; 16];

/// The values of one tree, opened for reading.
pub struct Pack {
    file: File,
    /// By stamp.
    entries: Vec<Entry>,
    by_key: OnceLock<HashMap<Key, usize>>,
}

/// A file of the tree.
#[derive(Debug, Clone, Copy)]
struct Entry {
    stamp: Stamp,
    key: Key,
    start: u64,
    length: u64,
    hash: u64,
}

/// A value in a pack that has not been read yet.
#[derive(Debug, Clone, Copy)]
pub struct Held(usize);

impl Held {
    /// Its index among the pack's values, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// A file of a tree to pack.
#[derive(Debug, Clone, Copy)]
pub struct Packed {
    /// Its stamp; without one it is found only by its key.
    pub stamp: Option<Stamp>,
    /// The key of its value.
    pub key: Key,
}

impl Pack {
    /// Opens the pack of a name in a folder; `None` if there is no usable one.
    #[must_use]
    pub fn open(folder: &Path, name: &Name) -> Option<Self> {
        Self::open_file(&path(folder, name))
    }

    /// Opens the pack in a file; `None` if it is not a usable pack.
    #[must_use]
    pub fn open_file(file: &Path) -> Option<Self> {
        let file = File::open(file).ok()?;
        let size = file.metadata().ok()?.len();
        let end = size.checked_sub(TRAILER as u64)?;
        let mut trailer = [0; TRAILER];
        file.read_exact_at(&mut trailer, end).ok()?;
        let mut rest = &trailer[..];
        let (begin, length) = (take_u64(&mut rest)?, take_u64(&mut rest)?);
        let hash = u128::from_le_bytes(take(&mut rest)?);
        if rest != MARK || begin.checked_add(length)? != end {
            return None;
        }
        let mut index = vec![0; usize::try_from(length).ok()?];
        file.read_exact_at(&mut index, begin).ok()?;
        if xxh3_128(&index) != hash || index.len() % ENTRY != 0 {
            return None;
        }
        let entries = index.chunks_exact(ENTRY).map(Entry::read);
        let entries: Vec<Entry> = entries.collect::<Option<_>>()?;
        let inside = |e: &Entry| {
            e.start
                .checked_add(e.length)
                .is_some_and(|end| end <= begin)
        };
        entries.iter().all(inside).then_some(Self {
            file,
            entries,
            by_key: OnceLock::new(),
        })
    }

    /// Whether a file ends as packs do.
    #[must_use]
    pub fn is_in(file: &Path) -> bool {
        let last = || -> io::Result<[u8; MARK.len()]> {
            let file = File::open(file)?;
            let end = file.metadata()?.len().saturating_sub(MARK.len() as u64);
            let mut last = [0; MARK.len()];
            file.read_exact_at(&mut last, end)?;
            Ok(last)
        };
        last().is_ok_and(|last| last == *MARK)
    }

    /// Size in bytes of the pack of a name in a folder, valid or not; 0 if there is none.
    #[must_use]
    pub fn size(folder: &Path, name: &Name) -> u64 {
        path(folder, name).metadata().map_or(0, |m| m.len())
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All its values, by [`Held::index`].
    pub fn all(&self) -> impl Iterator<Item = Held> {
        (0..self.entries.len()).map(Held)
    }

    /// The value of the file that had this stamp.
    #[must_use]
    pub fn of_stamp(&self, stamp: &Stamp) -> Option<Held> {
        let found = self.entries.binary_search_by(|e| e.stamp.cmp(stamp));
        found.ok().map(Held)
    }

    /// The value of a key.
    #[must_use]
    pub fn of_key(&self, key: &Key) -> Option<Held> {
        let by_key = self.by_key.get_or_init(|| {
            let each = self.entries.iter().enumerate();
            each.map(|(index, entry)| (entry.key, index)).collect()
        });
        by_key.get(key).copied().map(Held)
    }

    /// File and key of a value.
    #[must_use]
    pub fn packed(&self, held: Held) -> Packed {
        let entry = &self.entries[held.0];
        Packed {
            stamp: (entry.stamp != Stamp::NONE).then_some(entry.stamp),
            key: entry.key,
        }
    }

    /// Reads a value; `None` if it is damaged.
    #[must_use]
    pub fn read(&self, held: Held) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        self.read_into(held, &mut value)?;
        Some(value)
    }

    /// Reads a value into a buffer; `None` if it is damaged.
    pub fn read_into<'v>(&self, held: Held, value: &'v mut Vec<u8>) -> Option<&'v [u8]> {
        let entry = &self.entries[held.0];
        value.resize(usize::try_from(entry.length).ok()?, 0);
        self.file.read_exact_at(value, entry.start).ok()?;
        (xxh3_64(value) == entry.hash).then_some(value)
    }

    /// Writes the pack of a name. `value` returns each file's value; files without one are left
    /// out. A reader sees either the old or the new pack, never a part.
    ///
    /// # Errors
    /// If the folder cannot be written; then the old pack is kept.
    pub fn write(
        folder: &Path,
        name: &Name,
        files: &[Packed],
        mut value: impl FnMut(&Key) -> Option<Vec<u8>>,
    ) -> Result<(), Error> {
        std::fs::create_dir_all(folder).map_err(Error::io("cannot create", folder))?;
        let failed = Error::io("cannot write in", folder);
        let file = new_file_in(folder)?;
        let written = write_to(file.as_file(), files, &mut value).and_then(|()| {
            shrink(folder);
            file.persist(path(folder, name)).map_err(|e| e.error)
        });
        written.map(drop).map_err(failed)
    }

    /// Writes values by key as a pack into a file, which is durable and complete when this returns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_file(file: &Path, mut values: BTreeMap<Key, Vec<u8>>) -> Result<(), Error> {
        let packed: Vec<Packed> = values
            .keys()
            .map(|&key| Packed { stamp: None, key })
            .collect();
        let mut pending = Pending::new(file)?;
        let written = write_to(&mut pending, &packed, &mut |key| values.remove(key));
        written.map_err(Error::io("cannot write", file))?;
        pending.sync()?.keep()
    }
}

/// Writes a complete pack. It is not synced to disk: a truncated one counts as missing.
fn write_to(
    file: impl Write,
    files: &[Packed],
    value: &mut dyn FnMut(&Key) -> Option<Vec<u8>>,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let mut entries = Vec::with_capacity(files.len());
    let mut start = 0;
    for packed in files {
        let Some(bytes) = value(&packed.key) else {
            continue;
        };
        out.write_all(&bytes)?;
        entries.push(Entry {
            stamp: packed.stamp.unwrap_or(Stamp::NONE),
            key: packed.key,
            start,
            length: bytes.len() as u64,
            hash: xxh3_64(&bytes),
        });
        start += bytes.len() as u64;
    }
    entries.sort_unstable_by_key(|entry| (entry.stamp, entry.key));
    let index: Vec<u8> = entries.iter().flat_map(Entry::bytes).collect();
    out.write_all(&index)?;
    out.write_all(&start.to_le_bytes())?;
    out.write_all(&(index.len() as u64).to_le_bytes())?;
    out.write_all(&xxh3_128(&index).to_le_bytes())?;
    out.write_all(MARK)?;
    out.flush()
}

impl Entry {
    fn bytes(&self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        let (path, state) = self.stamp.halves();
        let numbers = [self.start, self.length, self.hash].map(u64::to_le_bytes);
        let parts: [&[u8]; 6] = [
            path,
            state,
            &self.key,
            &numbers[0],
            &numbers[1],
            &numbers[2],
        ];
        let mut at = 0;
        for part in parts {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        bytes
    }

    fn read(mut bytes: &[u8]) -> Option<Self> {
        let rest = &mut bytes;
        Some(Self {
            stamp: Stamp::of_halves(take(rest)?, take(rest)?),
            key: take(rest)?,
            start: take_u64(rest)?,
            length: take_u64(rest)?,
            hash: take_u64(rest)?,
        })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn take_u64(bytes: &mut &[u8]) -> Option<u64> {
    take(bytes).map(u64::from_le_bytes)
}

fn path(folder: &Path, name: &Name) -> PathBuf {
    let name: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
    folder.join(format!("{name}.{SUFFIX}"))
}

/// Removes the packs written longest ago if there are too many. What cannot be removed stays.
fn shrink(folder: &Path) {
    let Ok(listed) = std::fs::read_dir(folder) else {
        return;
    };
    let mut packs: Vec<_> = listed
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == SUFFIX))
        .filter_map(|path| {
            let metadata = path.metadata().ok()?;
            Some((metadata.modified().ok()?, metadata.len(), path))
        })
        .collect();
    packs.sort();
    let mut sum: u64 = packs.iter().map(|(_, size, _)| size).sum();
    for (_, size, path) in &packs {
        if sum <= MAX_BYTES {
            break;
        }
        drop(std::fs::remove_file(path));
        sum -= size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: Name = [3; 16];

    fn stamp(n: u8) -> Stamp {
        Stamp::of_halves([n; 16], [n; 16])
    }

    /// Three files: two with stamps, one without.
    fn packed(folder: &Path) {
        let files = [
            (Some(stamp(2)), [2; 32]),
            (Some(stamp(1)), [1; 32]),
            (None, [9; 32]),
        ];
        let files = files.map(|(stamp, key)| Packed { stamp, key });
        Pack::write(folder, &NAME, &files, |key| Some(vec![key[0]; 100])).unwrap();
    }

    fn read(pack: &Pack, held: Option<Held>) -> Option<Vec<u8>> {
        pack.read(held?)
    }

    #[test]
    fn packed_values_are_found_by_key() {
        let folder = tempfile::tempdir().unwrap();
        packed(folder.path());
        let pack = Pack::open(folder.path(), &NAME).unwrap();
        for n in [1, 2] {
            let held = pack.of_stamp(&stamp(n));
            assert_eq!(read(&pack, held), Some(vec![n; 100]));
            assert_eq!(pack.packed(held.unwrap()).stamp, Some(stamp(n)));
        }
        assert_eq!(read(&pack, pack.of_key(&[9; 32])), Some(vec![9; 100]));
        let held = pack.of_key(&[9; 32]).unwrap();
        assert_eq!(pack.packed(held).stamp, None);
        let changed = Stamp::of_halves([1; 16], [2; 16]);
        assert!(pack.of_stamp(&changed).is_none());
        assert!(pack.of_key(&[8; 32]).is_none());
        assert!(Pack::open(folder.path(), &[4; 16]).is_none());
        let all: Vec<_> = pack.all().map(|held| pack.read(held)).collect();
        assert!(!pack.is_empty() && all.len() == pack.len() && !all.contains(&None));
    }

    #[test]
    fn damaged_pack_is_never_trusted() {
        let folder = tempfile::tempdir().unwrap();
        packed(folder.path());
        let file = path(folder.path(), &NAME);
        let whole = std::fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x41;
            std::fs::write(&file, &damaged).unwrap();
            let Some(pack) = Pack::open(folder.path(), &NAME) else {
                continue;
            };
            assert!(at < 300, "the index is damaged at {at}");
            let lost = [1, 2, 9].map(|n| read(&pack, pack.of_key(&[n; 32])).is_none());
            assert_eq!(lost.iter().filter(|lost| **lost).count(), 1, "{at}");
        }
        for length in 0..whole.len() {
            std::fs::write(&file, &whole[..length]).unwrap();
            assert!(Pack::open(folder.path(), &NAME).is_none(), "{length}");
        }
    }
}
