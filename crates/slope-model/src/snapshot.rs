//! Snapshots: a tree of files at a moment, addressed by content.

use serde::{Deserialize, Serialize};

/// Content of one path of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EntryKind {
    /// A regular file.
    File {
        /// BLAKE3 of the bytes, in hexadecimal.
        hash: String,
        /// Size in bytes.
        size: u64,
        /// Whether the owner may execute it.
        executable: bool,
    },
    /// A symbolic link, kept as text and never followed.
    Symlink {
        /// The link's target as written.
        target: String,
    },
    /// An empty directory (others follow from their files).
    Directory,
}

/// One entry of a snapshot's manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Path relative to the snapshot's root, `/`-separated, without `.` or `..`.
    pub path: String,
    /// Kind of entry.
    #[serde(flatten)]
    pub kind: EntryKind,
}

/// The list of a snapshot's entries, in path order.
///
/// Two equal trees have equal manifests and so equal ids, independent of times and of the order of
/// writing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`crate::schema::SNAPSHOT`].
    pub schema: String,
    /// Entries sorted by path.
    pub entries: Vec<Entry>,
}
