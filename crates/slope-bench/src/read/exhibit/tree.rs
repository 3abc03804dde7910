//! A stored workspace, whose files are read on demand.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use slope_model::error_text::one_line;
use slope_model::exhibit::Held;
use slope_model::snapshot::EntryKind;
use slope_store::ignore::Ignore;
use slope_store::plain;
use slope_store::snapshot::Snapshots;
use walkdir::{DirEntry, WalkDir};

/// Largest file with lines shown, in bytes.
const MAX_BYTES: u64 = 256 << 10;

/// Largest file that is read, in bytes.
pub(super) const MAX_FILE: u64 = 256 << 20;

/// Files by path.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) files: BTreeMap<String, Node>,
}

/// A file or link.
#[derive(Debug)]
pub(crate) struct Node {
    /// Equal of equal contents.
    pub(crate) id: String,
    size: u64,
    source: Source,
}

/// Storage of a file's bytes.
#[derive(Debug)]
enum Source {
    Object(Snapshots),
    File(PathBuf),
    /// The target of a link.
    Link(String),
}

impl Tree {
    /// The stored snapshot of this id.
    pub(crate) fn of_snapshot(snapshots: &Snapshots, id: &str) -> Held<Self> {
        let manifest = snapshots.manifest(id).map_err(|error| one_line(&error))?;
        let mut files = BTreeMap::new();
        for entry in manifest.entries {
            let node = match entry.kind {
                EntryKind::File { hash, size, .. } => Node {
                    id: hash,
                    size,
                    source: Source::Object(snapshots.clone()),
                },
                EntryKind::Symlink { target } => link(target),
                EntryKind::Directory => continue,
            };
            files.insert(entry.path, node);
        }
        Ok(Self { files })
    }

    /// The files below a folder, without those that snapshots leave out.
    pub(crate) fn of_folder(root: &Path) -> Held<Self> {
        let ignore = Ignore::default();
        let below = |path: &Path| {
            let path = path.strip_prefix(root).unwrap_or(path);
            path.to_string_lossy().into_owned()
        };
        let is_kept =
            |entry: &DirEntry| entry.depth() == 0 || !ignore.matches(&below(entry.path()));
        let mut files = BTreeMap::new();
        for entry in WalkDir::new(root).into_iter().filter_entry(is_kept) {
            let entry = entry.map_err(|error| {
                let path = error.path().unwrap_or(root).to_owned();
                let source = error.into_io_error();
                cannot_read(&path)(source.unwrap_or_else(|| ErrorKind::Other.into()))
            })?;
            let node = node(entry.path(), entry.file_type()).map_err(cannot_read(entry.path()))?;
            files.extend(node.map(|node| (below(entry.path()), node)));
        }
        Ok(Self { files })
    }
}

pub(super) fn cannot_read(path: &Path) -> impl FnOnce(std::io::Error) -> String {
    let path = path.display().to_string();
    move |error| format!("cannot read {path}: {error}")
}

fn link(target: String) -> Node {
    Node {
        id: format!("link to {target}"),
        size: 0,
        source: Source::Link(target),
    }
}

fn node(path: &Path, kind: std::fs::FileType) -> std::io::Result<Option<Node>> {
    if kind.is_symlink() {
        let target = std::fs::read_link(path)?;
        return Ok(Some(link(target.to_string_lossy().into_owned())));
    }
    if !kind.is_file() {
        return Ok(None);
    }
    let size = path.symlink_metadata()?.len();
    // A file with a hole may seem endless.
    let id = if size > MAX_FILE {
        format!("{size} bytes")
    } else {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(plain::open(path, MAX_FILE)?)?;
        hasher.finalize().to_hex().to_string()
    };
    Ok(Some(Node {
        id,
        size,
        source: Source::File(path.to_owned()),
    }))
}

impl Node {
    /// The content of the file, or the reason that it is missing.
    pub(crate) fn bytes(&self) -> Held<Vec<u8>> {
        match &self.source {
            Source::Object(store) => store.blob(&self.id).map_err(|error| one_line(&error)),
            Source::File(path) => plain::read(path, MAX_FILE).map_err(|error| error.to_string()),
            Source::Link(_) => Err("it is a link".to_owned()),
        }
    }

    /// The lines of the file, or the reason that they are missing.
    pub(crate) fn lines(&self) -> Held<Vec<String>> {
        if self.size > MAX_BYTES {
            return Err(format!("{} bytes; too large to show", self.size));
        }
        if let Source::Link(target) = &self.source {
            return Ok(vec![format!("→ {target}")]);
        }
        let bytes = self.bytes()?;
        if bytes.contains(&0) {
            return Err(format!("{} bytes, not text", bytes.len()));
        }
        let text = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}
