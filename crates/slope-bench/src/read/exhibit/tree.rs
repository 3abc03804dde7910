//! A stored workspace, whose files are read on demand.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use slope_model::error_text::one_line;
use slope_model::exhibit::Held;
use slope_model::snapshot::EntryKind;
use slope_store::ignore::Ignore;
use slope_store::snapshot::Snapshots;

/// Largest file with lines shown, in bytes.
const MAX_BYTES: u64 = 256 << 10;

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
        let mut files = BTreeMap::new();
        let mut folders = vec![(root.to_owned(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let told = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
            for item in std::fs::read_dir(&folder).map_err(told)? {
                let item = item.map_err(told)?;
                let path = format!("{prefix}{}", item.file_name().to_string_lossy());
                let kind = item.file_type().map_err(told)?;
                if ignore.matches(&path) {
                    continue;
                }
                if kind.is_dir() {
                    folders.push((item.path(), format!("{path}/")));
                } else if let Some(node) = node(&item.path(), kind).map_err(told)? {
                    files.insert(path, node);
                }
            }
        }
        Ok(Self { files })
    }
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
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(path)?)?;
    Ok(Some(Node {
        id: hasher.finalize().to_hex().to_string(),
        size: path.metadata()?.len(),
        source: Source::File(path.to_owned()),
    }))
}

impl Node {
    /// The lines of the file, or the reason that they are missing.
    pub(crate) fn lines(&self) -> Held<Vec<String>> {
        if self.size > MAX_BYTES {
            return Err(format!("{} bytes; too large to show", self.size));
        }
        let bytes = match &self.source {
            Source::Object(store) => store.blob(&self.id).map_err(|error| one_line(&error))?,
            Source::File(path) => std::fs::read(path).map_err(|error| error.to_string())?,
            Source::Link(target) => return Ok(vec![format!("→ {target}")]),
        };
        if bytes.contains(&0) {
            return Err(format!("{} bytes, not text", bytes.len()));
        }
        let text = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
        Ok(text.lines().map(str::to_owned).collect())
    }
}
