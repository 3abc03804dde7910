//! A cache of facts about files, shared by processes.
//!
//! Values have keys derived from content and definitions, so a value never becomes stale. A stamp
//! (a file's metadata) gives the key of an unchanged file without reading it, as in git's index.
//! Each value is stored with a hash of itself and its key, so a damaged one counts as missing. An
//! unusable cache costs time, never correctness.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Version of the tables; a file of another version is recreated.
const VERSION: i64 = 3;

/// Name of the cache's file in its folder.
const FILE: &str = "facts.sqlite";

/// Sum of values above which the oldest are dropped.
const MAX_BYTES: i64 = 2 << 30;

/// Maximum number of values by name. The oldest ones are dropped.
const MAX_NAMED: i64 = 256;

/// Bytes written at once after which the log is emptied.
const MUCH_BYTES: usize = 1 << 20;

/// Bytes of a page. A value has some ten thousand: with SQLite's own size a tree took four times as many calls.
const PAGE_BYTES: i64 = 16_384;

/// Pages in the log after which its content is moved to the database.
const LOG_PAGES: i64 = 64;

/// Time to wait for another writing process.
const BUSY: Duration = Duration::from_secs(5);

/// Age below which a stamp is not stored: the file could change again within one tick of the system
/// clock.
const SETTLED: Duration = Duration::from_secs(2);

/// The key of a value: a hash of everything that it depends on.
pub type Key = [u8; 32];

/// Reason that a cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    /// The folder cannot be made.
    #[error("cannot make the cache folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// System error.
        source: std::io::Error,
    },
    /// The database cannot be used.
    #[error("cannot use the cache {}", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// SQLite error.
        source: rusqlite::Error,
    },
}

/// A file's metadata, by which an unchanged file is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stamp {
    path: [u8; 16],
    state: [u8; 16],
}

impl Stamp {
    /// Means no stamp; no file has it.
    pub(crate) const NONE: Self = Self {
        path: [0; 16],
        state: [0; 16],
    };

    /// The two stored parts of a stamp.
    pub(crate) fn halves(&self) -> (&[u8; 16], &[u8; 16]) {
        (&self.path, &self.state)
    }

    /// The stamp with these stored parts.
    pub(crate) fn of_halves(path: [u8; 16], state: [u8; 16]) -> Self {
        Self { path, state }
    }

    /// The stamp of a file at an absolute path, `None` if it has changed so
    /// recently that the next change might not show.
    #[must_use]
    pub fn of(path: &Path, metadata: &Metadata) -> Option<Self> {
        let seconds = u64::try_from(metadata.ctime()).ok()?;
        let nanoseconds = u32::try_from(metadata.ctime_nsec()).ok()?;
        let changed = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        let age = SystemTime::now().duration_since(changed).ok()?;
        if age < SETTLED {
            return None;
        }
        let mut state = blake3::Hasher::new();
        for part in [metadata.dev(), metadata.ino(), metadata.size()] {
            state.update(&part.to_le_bytes());
        }
        let times = [
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.ctime(),
            metadata.ctime_nsec(),
        ];
        for part in times {
            state.update(&part.to_le_bytes());
        }
        let path = blake3::hash(path.as_os_str().as_encoded_bytes());
        Some(Self {
            path: half(&path),
            state: half(&state.finalize()),
        })
    }
}

/// A value with a hash of it and its key behind it.
fn with_check(key: &[u8], mut value: Vec<u8>) -> Vec<u8> {
    let hash = hash_of(key, &value);
    value.extend_from_slice(&hash.to_le_bytes());
    value
}

/// A value without the hash behind it, if that is its own under this key.
fn checked(key: &[u8], mut value: Vec<u8>) -> Option<Vec<u8>> {
    let (bytes, hash) = value.split_last_chunk()?;
    if hash_of(key, bytes) != u64::from_le_bytes(*hash) {
        return None;
    }
    value.truncate(value.len() - 8);
    Some(value)
}

/// The hash includes the key, since a damaged index could lead to the value of another key.
fn hash_of(key: &[u8], value: &[u8]) -> u64 {
    xxh3_64_with_seed(value, xxh3_64(key))
}

fn half(hash: &blake3::Hash) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    half
}

/// A cache of facts in a folder.
pub struct FactsCache {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl FactsCache {
    /// Opens the cache in a folder, making both if they are not there.
    ///
    /// # Errors
    /// If the folder cannot be made or the database cannot be used.
    pub fn open(folder: &Path) -> Result<Self, FactsError> {
        std::fs::create_dir_all(folder).map_err(|source| FactsError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        let path = folder.join(FILE);
        let connection = connect(&path).map_err(|source| FactsError::Database {
            path: path.clone(),
            source,
        })?;
        Ok(Self {
            path,
            connection: Mutex::new(connection),
        })
    }

    /// The last known keys of files with these stamps, under the definitions with this hash.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn keys(
        &self,
        definitions: &[u8; 16],
        stamps: &[Option<Stamp>],
    ) -> Result<Vec<Option<Key>>, FactsError> {
        self.with(|connection| {
            let mut find = connection.prepare_cached(
                "SELECT key FROM stamps WHERE path = ?1 AND definitions = ?2 AND state = ?3",
            )?;
            let each = stamps.iter().map(|stamp| {
                let Some(stamp) = stamp else { return Ok(None) };
                find.query_row(params![stamp.path, definitions, stamp.state], |row| {
                    row.get(0)
                })
                .optional()
            });
            each.collect()
        })
    }

    /// The values of these keys; `None` for missing ones.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn values(&self, keys: &[Key]) -> Result<Vec<Option<Vec<u8>>>, FactsError> {
        self.with(|connection| {
            let mut find = connection.prepare_cached("SELECT value FROM facts WHERE key = ?1")?;
            let each = keys.iter().map(|key| {
                let found = find.query_row(params![key], |row| row.get(0)).optional()?;
                Ok(found.and_then(|value| checked(key, value)))
            });
            each.collect()
        })
    }

    /// The last value under a name; `None` if missing or damaged.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn named(&self, name: &[u8; 16]) -> Result<Option<Vec<u8>>, FactsError> {
        self.with(|connection| {
            let mut find = connection.prepare_cached("SELECT value FROM named WHERE name = ?1")?;
            let found = find.query_row(params![name], |row| row.get(0)).optional()?;
            Ok(found.and_then(|value| checked(name, value)))
        })
    }

    /// Stores a value under a name, replacing the previous one.
    ///
    /// # Errors
    /// If the database cannot be written; then the previous one is kept.
    pub fn keep_named(&self, name: &[u8; 16], value: Vec<u8>) -> Result<(), FactsError> {
        let written = value.len();
        self.with(|connection| {
            let change = connection.transaction()?;
            // The row that was written longest ago has the smallest number.
            change.execute("DELETE FROM named WHERE name = ?1", params![name])?;
            let add = "INSERT INTO named (name, value) VALUES (?1, ?2)";
            change.execute(add, params![name, with_check(name, value)])?;
            let old = "DELETE FROM named WHERE id <= (SELECT max(id) FROM named) - ?1";
            change.execute(old, params![MAX_NAMED])?;
            change.commit()?;
            empty_log(connection, written)
        })
    }

    /// The folder of the cache.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Stores values, and the mapping of stamps to keys.
    ///
    /// # Errors
    /// If the database cannot be written; then none of these is stored.
    pub fn keep(
        &self,
        definitions: &[u8; 16],
        values: &[(Key, Vec<u8>)],
        stamps: &[(Stamp, Key)],
    ) -> Result<(), FactsError> {
        if values.is_empty() && stamps.is_empty() {
            return Ok(());
        }
        self.with(|connection| {
            let change = connection.transaction()?;
            {
                let mut add = change
                    .prepare_cached("INSERT OR IGNORE INTO facts (key, value) VALUES (?1, ?2)")?;
                for (key, value) in values {
                    add.execute(params![key, with_check(key, value.clone())])?;
                }
                let mut lead = change.prepare_cached(
                    "INSERT OR REPLACE INTO stamps (path, definitions, state, key) \
                     VALUES (?1, ?2, ?3, ?4)",
                )?;
                for (stamp, key) in stamps {
                    lead.execute(params![stamp.path, definitions, stamp.state, key])?;
                }
                shrink(&change)?;
            }
            change.commit()?;
            empty_log(
                connection,
                values.iter().map(|(_, value)| value.len()).sum(),
            )
        })
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, FactsError> {
        let mut connection = self.lock();
        work(&mut connection).map_err(|source| {
            if is_damaged(&source) {
                remove(&self.path);
            }
            FactsError::Database {
                path: self.path.clone(),
                source,
            }
        })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A thread that died in the middle left its transaction rolled back.
        self.connection
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Opens the database; a damaged one is replaced.
fn connect(path: &Path) -> rusqlite::Result<Connection> {
    connect_to(path).or_else(|error| {
        if !is_damaged(&error) {
            return Err(error);
        }
        remove(path);
        connect_to(path)
    })
}

fn is_damaged(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(
        code,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// Removes a damaged database. Processes that have it open keep their copy.
fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        // A file that cannot be removed cannot be used either, which costs only time.
        let _ = std::fs::remove_file(name);
    }
}

fn connect_to(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // No value needs durability. Damage by a power failure is detected and repaired.
    connection.pragma_update(None, "synchronous", "off")?;
    connection.pragma_update(None, "mmap_size", 1_i64 << 30)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    // The last process to close would wait for the disk. The log is moved when it is large.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE;
             DROP TABLE IF EXISTS facts;
             DROP TABLE IF EXISTS stamps;
             DROP TABLE IF EXISTS named;
             CREATE TABLE facts (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL);
             CREATE TABLE stamps (path BLOB NOT NULL, definitions BLOB NOT NULL, state BLOB NOT NULL,
                 key BLOB NOT NULL, PRIMARY KEY (path, definitions)) WITHOUT ROWID;
             CREATE TABLE named (id INTEGER PRIMARY KEY AUTOINCREMENT, name BLOB NOT NULL UNIQUE,
                 value BLOB NOT NULL);
             PRAGMA user_version = {VERSION};
             COMMIT;"
        ))?;
    }
    Ok(connection)
}

/// Moves a large log to the database. The next process to open it would read the whole log, which
/// after a full scan costs more than measuring a change.
fn empty_log(connection: &Connection, written: usize) -> rusqlite::Result<()> {
    if written < MUCH_BYTES {
        return Ok(());
    }
    // Current readers are not waited for: the next large write tries again.
    connection.busy_timeout(Duration::ZERO)?;
    let emptied = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(BUSY)?;
    emptied
}

/// Drops the oldest quarter of the values if there are too many.
fn shrink(connection: &Connection) -> rusqlite::Result<()> {
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let free: i64 = connection.pragma_query_value(None, "freelist_count", |row| row.get(0))?;
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    if (pages - free) * size <= MAX_BYTES {
        return Ok(());
    }
    connection.execute(
        "DELETE FROM facts WHERE id IN (SELECT id FROM facts ORDER BY id LIMIT (SELECT count(*) / 4 FROM facts))",
        [],
    )?;
    connection.execute(
        "DELETE FROM stamps WHERE NOT EXISTS (SELECT 1 FROM facts WHERE facts.key = stamps.key)",
        [],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITIONS: [u8; 16] = [7; 16];

    fn old_file(folder: &Path, text: &str) -> PathBuf {
        let path = folder.join("a");
        std::fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn values_persist_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let value = vec![1, 2, 3];
        cache
            .keep(&DEFINITIONS, &[([1; 32], value.clone())], &[])
            .unwrap();
        drop(cache);
        let cache = FactsCache::open(folder.path()).unwrap();
        let found = cache.values(&[[1; 32], [2; 32]]).unwrap();
        assert_eq!(found, [Some(value), None]);
    }

    #[test]
    fn new_store_has_large_pages() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let size: i64 = cache
            .lock()
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .unwrap();
        assert_eq!(size, PAGE_BYTES);
    }

    #[test]
    fn stamp_key_depends_on_definitions() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let stamp = |state| Stamp {
            path: [1; 16],
            state: [state; 16],
        };
        cache
            .keep(&DEFINITIONS, &[], &[(stamp(1), [9; 32])])
            .unwrap();
        let found = |definitions, state| {
            cache
                .keys(&definitions, &[Some(stamp(state)), None])
                .unwrap()
        };
        assert_eq!(found(DEFINITIONS, 1), [Some([9; 32]), None]);
        assert_eq!(found(DEFINITIONS, 2), [None, None]);
        assert_eq!(found([8; 16], 1), [None, None]);
    }

    #[test]
    fn freshly_changed_file_has_no_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let path = old_file(folder.path(), "a = 1\n");
        let metadata = std::fs::metadata(&path).unwrap();
        assert_eq!(Stamp::of(&path, &metadata), None);
    }

    #[test]
    fn two_connections_see_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let one = FactsCache::open(folder.path()).unwrap();
        let two = FactsCache::open(folder.path()).unwrap();
        one.keep(&DEFINITIONS, &[([1; 32], vec![1])], &[]).unwrap();
        two.keep(&DEFINITIONS, &[([2; 32], vec![2])], &[]).unwrap();
        assert_eq!(
            one.values(&[[1; 32], [2; 32]]).unwrap(),
            [Some(vec![1]), Some(vec![2])]
        );
    }

    #[test]
    fn named_value_is_the_latest() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        assert_eq!(cache.named(&[1; 16]).unwrap(), None);
        for value in [vec![1], vec![2, 3]] {
            cache.keep_named(&[1; 16], value.clone()).unwrap();
            assert_eq!(cache.named(&[1; 16]).unwrap(), Some(value));
        }
        assert_eq!(cache.named(&[2; 16]).unwrap(), None);
    }

    #[test]
    fn large_write_empties_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let value = vec![7; MUCH_BYTES];
        cache
            .keep(&DEFINITIONS, &[([1; 32], value.clone())], &[])
            .unwrap();
        let log = folder.path().join(format!("{FILE}-wal"));
        assert_eq!(std::fs::metadata(log).unwrap().len(), 0);
        assert_eq!(cache.values(&[[1; 32]]).unwrap(), [Some(value)]);
    }

    #[test]
    fn damaged_value_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let value = vec![5; 40];
        cache.keep(&DEFINITIONS, &[([1; 32], value)], &[]).unwrap();
        let damage = "UPDATE facts SET value = zeroblob(48)";
        cache.lock().execute(damage, []).unwrap();
        assert_eq!(cache.values(&[[1; 32]]).unwrap(), [None]);
        cache
            .lock()
            .execute("UPDATE facts SET value = x'01'", [])
            .unwrap();
        assert_eq!(cache.values(&[[1; 32]]).unwrap(), [None]);
    }

    #[test]
    fn value_under_wrong_key_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let values = [([1; 32], vec![5; 40]), ([2; 32], vec![6; 40])];
        cache.keep(&DEFINITIONS, &values, &[]).unwrap();
        let mislead =
            "UPDATE facts SET value = (SELECT value FROM facts WHERE key = ?2) WHERE key = ?1";
        let keys = params![[1_u8; 32], [2_u8; 32]];
        cache.lock().execute(mislead, keys).unwrap();
        let found = cache.values(&[[1; 32], [2; 32]]).unwrap();
        assert_eq!(found, [None, Some(vec![6; 40])]);
    }

    /// Stores a value in the cache of a folder and finds it again.
    fn is_usable(folder: &Path) -> bool {
        let cache = FactsCache::open(folder).unwrap();
        let value = vec![7; 40];
        let kept = cache.keep(&DEFINITIONS, &[([3; 32], value.clone())], &[]);
        kept.is_ok() && cache.values(&[[3; 32]]).unwrap() == [Some(value)]
    }

    #[test]
    fn damaged_database_is_recreated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        std::fs::write(&path, "no database".repeat(10_000)).unwrap();
        assert!(is_usable(folder.path()));
        let values: Vec<(Key, Vec<u8>)> = (0..200).map(|n| ([n; 32], vec![n; 40_000])).collect();
        let cache = FactsCache::open(folder.path()).unwrap();
        cache.keep(&DEFINITIONS, &values, &[]).unwrap();
        drop(cache);
        // All pages but the first, which marks the file as a database.
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[PAGE_BYTES as usize..].fill(0x5a);
        std::fs::write(&path, bytes).unwrap();
        let cache = FactsCache::open(folder.path()).unwrap();
        let found = cache.values(&[[9; 32]]);
        assert!(!matches!(found.as_deref(), Ok([Some(_)])), "{found:?}");
        drop(cache);
        assert!(is_usable(folder.path()));
    }

    #[test]
    fn folder_instead_of_database_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(FILE)).unwrap();
        let error = FactsCache::open(folder.path()).err().unwrap().to_string();
        assert!(error.contains(FILE), "{error}");
    }
}
