//! Content-addressed trees of files: blobs under their hash, a manifest for each tree.
//!
//! Trees come from hostile workspaces. Paths are checked on import and again on export; links are
//! stored as text and never followed; devices and the like are refused.

mod export;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};

use slope_model::plural;
use slope_model::schema;
use slope_model::snapshot::{Entry, EntryKind, Manifest};

use crate::{Error, atomic, ignore::Ignore};

/// Maximum number of omitted entries that are named; the rest is counted.
const MAX_LEFT_OUT: usize = 100;

/// A stored tree: its id, and the omitted entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The snapshot's id.
    pub id: String,
    /// Entries left out (names that are not UTF-8, devices), in words.
    pub left_out: Vec<String>,
}

/// A folder of snapshots.
#[derive(Debug, Clone)]
pub struct Snapshots {
    root: PathBuf,
}

impl Snapshots {
    /// The snapshots below `root`; nothing is created before the first one is stored.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// Stores the tree in a tar stream. Names that are not UTF-8 and special files are left out.
    ///
    /// # Errors
    /// When the stream is malformed, a path leaves the tree, or the disk is full.
    pub fn import_tar(&self, tar: impl Read, ignore: &Ignore) -> Result<Imported, Error> {
        let mut tree = BTreeMap::new();
        let mut left_out = Vec::new();
        let mut archive = tar::Archive::new(tar);
        for entry in archive.entries().map_err(tar_error)? {
            let mut entry = entry.map_err(tar_error)?;
            let raw = entry.path().map_err(tar_error)?.into_owned();
            let Some(path) = relative(&raw)? else {
                left_out.push(format!("{}: the name is not UTF-8", raw.display()));
                continue;
            };
            if path.is_empty() || ignore.matches(&path) {
                continue;
            }
            match self.tar_entry(&mut entry)? {
                Some(kind) => {
                    tree.insert(path, kind);
                }
                None => left_out.push(format!("{path}: neither file, link nor folder")),
            }
        }
        Ok(Imported {
            id: self.store(tree)?,
            left_out: bounded(left_out),
        })
    }

    fn tar_entry<R: Read>(
        &self,
        entry: &mut tar::Entry<'_, R>,
    ) -> Result<Option<EntryKind>, Error> {
        let header = entry.header();
        let kind = header.entry_type();
        let executable = header.mode().map_err(tar_error)? & 0o100 != 0;
        Ok(if kind.is_file() || kind == tar::EntryType::Continuous {
            let (hash, size) = self.put_blob(entry)?;
            Some(EntryKind::File {
                hash,
                size,
                executable,
            })
        } else if kind.is_symlink() {
            let target = entry.link_name().map_err(tar_error)?.unwrap_or_default();
            Some(EntryKind::Symlink {
                target: target.to_string_lossy().into_owned(),
            })
        } else if kind.is_dir() {
            Some(EntryKind::Directory)
        } else {
            None
        })
    }

    /// Stores the tree below `dir`. Links are not followed; sockets, pipes, devices and names that
    /// are not UTF-8 are left out.
    ///
    /// # Errors
    /// If a file or folder cannot be read.
    pub fn import_dir(&self, dir: &Path, ignore: &Ignore) -> Result<Imported, Error> {
        let mut tree = BTreeMap::new();
        let mut left_out = Vec::new();
        let mut folders = vec![(dir.to_owned(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let listing = std::fs::read_dir(&folder).map_err(Error::io("cannot list", &folder))?;
            for item in listing {
                let item = item.map_err(Error::io("cannot list", &folder))?;
                let Ok(name) = item.file_name().into_string() else {
                    left_out.push(format!("{}: the name is not UTF-8", item.path().display()));
                    continue;
                };
                let path = if prefix.is_empty() {
                    name
                } else {
                    format!("{prefix}/{name}")
                };
                if ignore.matches(&path) {
                    continue;
                }
                let kind = item
                    .file_type()
                    .map_err(Error::io("cannot read", item.path()))?;
                if kind.is_dir() {
                    folders.push((item.path(), path.clone()));
                    tree.insert(path, EntryKind::Directory);
                } else if kind.is_symlink() {
                    tree.insert(path, read_link(&item.path())?);
                } else if kind.is_file() {
                    tree.insert(path, self.read_file(&item.path())?);
                } else {
                    left_out.push(format!("{path}: neither file, link nor folder"));
                }
            }
        }
        left_out.sort();
        Ok(Imported {
            id: self.store(tree)?,
            left_out: bounded(left_out),
        })
    }

    /// The tree of `base` (an empty one if `None`) with each (path, host source) of `additions` at
    /// paths that do not exist yet. Sources may be files or folders.
    ///
    /// # Errors
    /// If `base` is missing or a source cannot be read.
    pub fn overlay(
        &self,
        base: Option<&str>,
        additions: &[(String, PathBuf)],
    ) -> Result<String, Error> {
        let mut tree = BTreeMap::new();
        if let Some(id) = base {
            tree.extend(
                self.manifest(id)?
                    .entries
                    .into_iter()
                    .map(|e| (e.path, e.kind)),
            );
        }
        for (path, source) in additions {
            if source.is_dir() {
                let below = self.import_dir(source, &Ignore::nothing())?.id;
                for entry in self.manifest(&below)?.entries {
                    tree.entry(format!("{path}/{}", entry.path))
                        .or_insert(entry.kind);
                }
            } else if !tree.contains_key(path) {
                tree.insert(path.clone(), self.read_file(source)?);
            }
        }
        self.store(tree)
    }

    fn read_file(&self, path: &Path) -> Result<EntryKind, Error> {
        use std::os::unix::fs::PermissionsExt;
        let mut file = File::open(path).map_err(Error::io("cannot read", path))?;
        let mode = file
            .metadata()
            .map_err(Error::io("cannot read", path))?
            .permissions()
            .mode();
        let (hash, size) = self.put_blob(&mut file)?;
        Ok(EntryKind::File {
            hash,
            size,
            executable: mode & 0o100 != 0,
        })
    }

    /// Stores the bytes of `reader` under their hash.
    fn put_blob(&self, reader: &mut impl Read) -> Result<(String, u64), Error> {
        let folder = self.root.join("objects");
        std::fs::create_dir_all(&folder).map_err(Error::io("cannot create", &folder))?;
        let mut file = atomic::new_file_in(&folder)?;
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        let mut size = 0;
        loop {
            let n = reader
                .read(&mut buffer)
                .map_err(Error::io("cannot read into", &folder))?;
            if n == 0 {
                break;
            }
            hasher.update(&buffer[..n]);
            file.write_all(&buffer[..n])
                .map_err(Error::io("cannot write in", &folder))?;
            size += n as u64;
        }
        let hash = hasher.finalize().to_hex().to_string();
        let path = self.blob_path(&hash);
        if !path.exists() {
            file.as_file()
                .sync_data()
                .map_err(Error::io("cannot write in", &folder))?;
            let shard = path.parent().unwrap_or(&folder);
            std::fs::create_dir_all(shard).map_err(Error::io("cannot create", shard))?;
            file.persist(&path)
                .map_err(|e| Error::io("cannot write", &path)(e.error))?;
        }
        Ok((hash, size))
    }

    fn blob_path(&self, hash: &str) -> PathBuf {
        let (shard, rest) = hash.split_at(2.min(hash.len()));
        self.root.join("objects").join(shard).join(rest)
    }

    fn manifest_path(&self, id: &str) -> PathBuf {
        self.root.join("snapshots").join(format!("{id}.json"))
    }

    /// Writes the manifest of `tree`, without folders that are not empty.
    fn store(&self, tree: BTreeMap<String, EntryKind>) -> Result<String, Error> {
        let parents: std::collections::BTreeSet<String> = tree
            .keys()
            .flat_map(|path| path.match_indices('/').map(|(at, _)| path[..at].to_owned()))
            .collect();
        let entries = tree
            .into_iter()
            .filter(|(path, kind)| *kind != EntryKind::Directory || !parents.contains(path))
            .map(|(path, kind)| Entry { path, kind })
            .collect();
        let manifest = Manifest {
            schema: schema::SNAPSHOT.to_owned(),
            entries,
        };
        let id = id_of(&manifest)?;
        let path = self.manifest_path(&id);
        if !path.exists() {
            atomic::write_json(&path, &manifest)?;
        }
        Ok(id)
    }

    /// The manifest of a snapshot.
    ///
    /// # Errors
    /// If there is no such snapshot, or its manifest was changed.
    pub fn manifest(&self, id: &str) -> Result<Manifest, Error> {
        let path = self.manifest_path(id);
        if !path.exists() {
            return Err(self.missing(id, "no manifest"));
        }
        let manifest: Manifest = atomic::read_json(&path)?;
        if id_of(&manifest)? != id {
            return Err(self.missing(
                id,
                "its manifest was changed\nhelp: restore the manifest, or run again",
            ));
        }
        Ok(manifest)
    }

    fn missing(&self, id: &str, what: &str) -> Error {
        Error::MissingObject {
            id: id.to_owned(),
            store: self.root.clone(),
            what: what.to_owned(),
        }
    }

    /// The bytes of a file by its hash, checked against it.
    ///
    /// # Errors
    /// When it is not there or was changed.
    pub fn blob(&self, hash: &str) -> Result<Vec<u8>, Error> {
        let path = self.blob_path(hash);
        let bytes = std::fs::read(&path).map_err(|_| self.missing(hash, "no such object"))?;
        if blake3::hash(&bytes).to_hex().as_str() != hash {
            return Err(self.missing(
                hash,
                "its bytes were changed\nhelp: restore the object, or run again",
            ));
        }
        Ok(bytes)
    }

    /// Removes incomplete objects of a killed process.
    ///
    /// No other process may use the run at the same time.
    pub fn sweep(&self) {
        let left = std::fs::read_dir(self.root.join("objects"));
        for entry in left.into_iter().flatten().flatten() {
            let unfinished = entry.file_type().is_ok_and(|kind| kind.is_file());
            if unfinished {
                // A file that cannot be removed only takes space.
                drop(std::fs::remove_file(entry.path()));
            }
        }
    }

    /// The regular files of a snapshot that are `wanted`, as (path, bytes), in path order.
    ///
    /// Only the first `limit` bytes of a larger file are read, so that a hostile workspace cannot
    /// fill the memory; such files are not checked against the hash.
    ///
    /// # Errors
    /// As for [`Self::manifest`] and [`Self::blob`].
    pub fn files(
        &self,
        id: &str,
        wanted: impl Fn(&str) -> bool,
        limit: u64,
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let mut files = Vec::new();
        for entry in self.manifest(id)?.entries {
            if let EntryKind::File { hash, size, .. } = &entry.kind
                && wanted(&entry.path)
            {
                let bytes = if *size > limit {
                    self.blob_head(hash, limit)?
                } else {
                    self.blob(hash)?
                };
                files.push((entry.path.clone(), bytes));
            }
        }
        Ok(files)
    }

    /// The first `limit` bytes of a file.
    fn blob_head(&self, hash: &str, limit: u64) -> Result<Vec<u8>, Error> {
        let file =
            File::open(self.blob_path(hash)).map_err(|_| self.missing(hash, "no such object"))?;
        let mut bytes = Vec::new();
        file.take(limit)
            .read_to_end(&mut bytes)
            .map_err(Error::io("cannot read", &self.root))?;
        Ok(bytes)
    }
}

/// The first entries of a list that a hostile workspace can make as long as it likes.
fn bounded(mut left_out: Vec<String>) -> Vec<String> {
    let more = left_out.len().saturating_sub(MAX_LEFT_OUT);
    if more > 0 {
        left_out.truncate(MAX_LEFT_OUT);
        left_out.push(plural(more, "more entry"));
    }
    left_out
}

/// Id of a manifest: the hash of its canonical JSON.
fn id_of(manifest: &Manifest) -> Result<String, Error> {
    let bytes = serde_json::to_vec(manifest).map_err(|e| Error::Snapshot {
        origin: "a manifest".to_owned(),
        message: e.to_string(),
    })?;
    Ok(blake3::hash(&bytes).to_hex()[..32].to_owned())
}

fn read_link(path: &Path) -> Result<EntryKind, Error> {
    let target = std::fs::read_link(path).map_err(Error::io("cannot read link", path))?;
    Ok(EntryKind::Symlink {
        target: target.to_string_lossy().into_owned(),
    })
}

/// `path` as a relative `/`-separated text; `None` if it is not UTF-8. Refuses a path that would
/// leave the tree.
fn relative(path: &Path) -> Result<Option<String>, Error> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => match name.to_str() {
                Some(name) => parts.push(name),
                None => return Ok(None),
            },
            Component::CurDir => {}
            _ => {
                return Err(Error::Snapshot {
                    origin: "an archive".to_owned(),
                    message: format!("the path {} leaves the tree", path.display()),
                });
            }
        }
    }
    Ok(Some(parts.join("/")))
}

fn tar_error(error: std::io::Error) -> Error {
    Error::Snapshot {
        origin: "an archive".to_owned(),
        message: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn sample(dir: &Path) {
        std::fs::create_dir_all(dir.join("pkg/empty")).unwrap();
        std::fs::create_dir_all(dir.join("deep/venv/lib")).unwrap();
        std::fs::write(dir.join("deep/venv/lib/x.py"), "ignored").unwrap();
        std::fs::write(dir.join("main.py"), "print(1)\n").unwrap();
        std::fs::write(dir.join("pkg/run.sh"), "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(dir.join("pkg/run.sh"), PermissionsExt::from_mode(0o755)).unwrap();
        symlink("/etc/passwd", dir.join("link")).unwrap();
    }

    #[test]
    fn tree_survives_tar_round_trip() {
        let dir = tempfile::tempdir().unwrap();
        let store = Snapshots::at(&dir.path().join("store"));
        sample(&dir.path().join("tree"));
        let id = store
            .import_dir(&dir.path().join("tree"), &Ignore::default())
            .unwrap()
            .id;
        let mut tar = Vec::new();
        store.export_tar(&id, &mut tar).unwrap();
        assert_eq!(
            store
                .import_tar(tar.as_slice(), &Ignore::default())
                .unwrap()
                .id,
            id
        );
        let paths: Vec<_> = store
            .manifest(&id)
            .unwrap()
            .entries
            .into_iter()
            .map(|e| e.path)
            .collect();
        assert_eq!(
            paths,
            ["deep", "link", "main.py", "pkg/empty", "pkg/run.sh"]
        );
        let files = store.files(&id, |_| true, 1 << 20).unwrap();
        assert_eq!(files.len(), 2, "links are not followed");
    }

    #[test]
    fn snapshot_id_covers_content_and_mode() {
        let dir = tempfile::tempdir().unwrap();
        let store = Snapshots::at(&dir.path().join("store"));
        let tree = dir.path().join("tree");
        sample(&tree);
        let first = store.import_dir(&tree, &Ignore::default()).unwrap().id;
        assert_eq!(
            store.import_dir(&tree, &Ignore::default()).unwrap().id,
            first
        );
        std::fs::set_permissions(tree.join("main.py"), PermissionsExt::from_mode(0o755)).unwrap();
        assert_ne!(
            store.import_dir(&tree, &Ignore::default()).unwrap().id,
            first
        );
    }

    #[test]
    fn archive_escaping_the_tree_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let store = Snapshots::at(dir.path());
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..9].copy_from_slice(b"../../x.y");
        header.set_size(1);
        header.set_mode(0o644);
        header.set_cksum();
        let mut tar = tar::Builder::new(Vec::new());
        tar.append(&header, &b"x"[..]).unwrap();
        let bytes = tar.into_inner().unwrap();
        assert!(
            store
                .import_tar(bytes.as_slice(), &Ignore::nothing())
                .is_err()
        );
    }

    #[test]
    fn overlay_adds_missing_files_only() {
        let dir = tempfile::tempdir().unwrap();
        let store = Snapshots::at(&dir.path().join("store"));
        let tree = dir.path().join("tree");
        sample(&tree);
        let assets = [
            ("main.py".to_owned(), tree.join("pkg/run.sh")),
            ("data".to_owned(), tree.clone()),
        ];
        let base = store.import_dir(&tree, &Ignore::default()).unwrap().id;
        let over = store.overlay(Some(&base), &assets).unwrap();
        let files = store.files(&over, |_| true, 1 << 20).unwrap();
        let text = |path: &str| files.iter().find(|f| f.0 == path).unwrap().1.clone();
        assert_eq!(text("main.py"), b"print(1)\n");
        assert_eq!(text("data/pkg/run.sh"), b"#!/bin/sh\n");
        assert_eq!(store.overlay(Some(&base), &[]).unwrap(), base);
    }

    #[test]
    fn excess_left_out_entries_are_counted() {
        use std::os::unix::ffi::OsStrExt;
        let dir = tempfile::tempdir().unwrap();
        let store = Snapshots::at(&dir.path().join("store"));
        let tree = dir.path().join("tree");
        std::fs::create_dir(&tree).unwrap();
        for number in 0..MAX_LEFT_OUT + 7 {
            let name = [b"\xff", number.to_string().as_bytes()].concat();
            std::fs::write(tree.join(std::ffi::OsStr::from_bytes(&name)), "x").unwrap();
        }
        let imported = store.import_dir(&tree, &Ignore::default()).unwrap();
        assert_eq!(imported.left_out.len(), MAX_LEFT_OUT + 1);
        assert_eq!(imported.left_out.last().unwrap(), "7 more entries");
    }

    #[test]
    fn changed_object_is_detected() {
        let dir = tempfile::tempdir().unwrap();
        let store = Snapshots::at(&dir.path().join("store"));
        sample(&dir.path().join("tree"));
        let id = store
            .import_dir(&dir.path().join("tree"), &Ignore::default())
            .unwrap()
            .id;
        let EntryKind::File { hash, .. } = store.manifest(&id).unwrap().entries[2].kind.clone()
        else {
            panic!("main.py is a file")
        };
        std::fs::write(store.blob_path(&hash), "print(2)\n").unwrap();
        assert!(
            store
                .export_tar(&id, std::io::sink())
                .unwrap_err()
                .to_string()
                .contains("changed")
        );
        assert!(
            store
                .files(&id, |_| true, 1 << 20)
                .unwrap_err()
                .to_string()
                .contains("changed")
        );
    }
}
