//! Tar files that fill sandboxes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use crate::error::Error;

/// A tar file being written, without times and owners, so that equal trees give equal bytes.
pub(crate) struct Packer {
    path: PathBuf,
    tar: tar::Builder<BufWriter<File>>,
    hasher: blake3::Hasher,
}

impl Packer {
    /// Starts the file at `path`.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let file = File::create(path).map_err(Error::io("create", path))?;
        let mut tar = tar::Builder::new(BufWriter::new(file));
        tar.mode(tar::HeaderMode::Deterministic);
        Ok(Self {
            path: path.to_owned(),
            tar,
            hasher: blake3::Hasher::new(),
        })
    }

    /// Adds a file with these bytes.
    pub(crate) fn bytes(
        &mut self,
        name: &Path,
        bytes: &[u8],
        executable: bool,
    ) -> Result<(), Error> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if executable { 0o755 } else { 0o644 });
        self.note(name, bytes);
        self.tar
            .append_data(&mut header, name, bytes)
            .map_err(Error::io("write", &self.path))
    }

    /// Adds an empty folder.
    pub(crate) fn folder(&mut self, name: &Path) -> Result<(), Error> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Directory);
        header.set_size(0);
        header.set_mode(0o755);
        self.note(name, b"/");
        self.tar
            .append_data(&mut header, name, io::empty())
            .map_err(Error::io("write", &self.path))
    }

    /// Adds the file or the folder `source` as `name`. Byte-code caches are left out.
    pub(crate) fn tree(&mut self, name: &Path, source: &Path) -> Result<(), Error> {
        let meta = fs::symlink_metadata(source).map_err(Error::io("read", source))?;
        if meta.is_symlink() {
            return self.link(name, source);
        }
        if meta.is_file() {
            let bytes = fs::read(source).map_err(Error::io("read", source))?;
            return self.bytes(name, &bytes, is_executable(&meta));
        }
        if !meta.is_dir() {
            return Err(Error::suite(source, "neither a file, a folder nor a link"));
        }
        self.folder(name)?;
        for child in sorted_names(source)? {
            if child.as_str() != "__pycache__" {
                self.tree(&name.join(&child), &source.join(&child))?;
            }
        }
        Ok(())
    }

    /// Adds the link `source` itself, not its target.
    fn link(&mut self, name: &Path, source: &Path) -> Result<(), Error> {
        let target = fs::read_link(source).map_err(Error::io("read the link", source))?;
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        header.set_mode(0o777);
        self.note(name, target.as_os_str().as_encoded_bytes());
        self.tar
            .append_link(&mut header, name, &target)
            .map_err(Error::io("write", &self.path))
    }

    /// Adds every entry of the tar file `source`. Returns their paths.
    pub(crate) fn copy_of(&mut self, source: &Path) -> Result<BTreeSet<PathBuf>, Error> {
        let mut paths = BTreeSet::new();
        let file = File::open(source).map_err(Error::io("open", source))?;
        let mut archive = tar::Archive::new(BufReader::new(file));
        for entry in archive.entries().map_err(Error::io("read", source))? {
            let mut entry = entry.map_err(Error::io("read", source))?;
            let Some(path) = relative(&entry.path().map_err(Error::io("read", source))?) else {
                continue;
            };
            let mut header = entry.header().clone();
            let link = entry
                .link_name()
                .map_err(Error::io("read", source))?
                .map(|l| l.into_owned());
            let done = match link {
                Some(target) => self.tar.append_link(&mut header, &path, target),
                None => self.tar.append_data(&mut header, &path, &mut entry),
            };
            done.map_err(Error::io("write", &self.path))?;
            paths.insert(path);
        }
        Ok(paths)
    }

    fn note(&mut self, name: &Path, bytes: &[u8]) {
        let name = name.as_os_str().as_encoded_bytes();
        for part in [name, bytes] {
            self.hasher.update(&(part.len() as u64).to_le_bytes());
            self.hasher.update(part);
        }
    }

    /// Finishes the file. Returns a hash of the added entries, except those of [`Packer::copy_of`].
    pub(crate) fn finish(self) -> Result<String, Error> {
        let io_error = |source| Error::Io {
            action: "write",
            path: self.path.clone(),
            source,
        };
        let mut writer = self.tar.into_inner().map_err(io_error)?;
        writer.flush().map_err(io_error)?;
        Ok(self.hasher.finalize().to_hex().to_string())
    }
}

/// Regular files of the tar file `source` whose paths are `wanted`, at most `most` bytes of each.
pub(crate) fn files(
    source: &Path,
    most: u64,
    wanted: impl Fn(&Path) -> bool,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    let failed = |why| Error::io("read", source)(why);
    let file = File::open(source).map_err(Error::io("open", source))?;
    let mut archive = tar::Archive::new(BufReader::new(file));
    let mut files = Vec::new();
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let path = relative(&entry.path().map_err(failed)?);
        let path = path.filter(|path| wanted(path));
        let Some(path) = path.filter(|_| entry.header().entry_type().is_file()) else {
            continue;
        };
        let mut bytes = Vec::new();
        let read = (&mut entry).take(most).read_to_end(&mut bytes);
        read.map_err(failed)?;
        files.push((path, bytes));
    }
    Ok(files)
}

/// Texts of regular files at the root of the tar file `source`, by name.
pub(crate) fn root_texts(source: &Path, names: &[&str]) -> Result<BTreeMap<String, String>, Error> {
    let is_named = |path: &Path| names.iter().any(|name| path == Path::new(name));
    let found = files(source, MANIFEST_LIMIT, is_named)?;
    let text = |(path, bytes): (PathBuf, Vec<u8>)| {
        let name = path.to_string_lossy().into_owned();
        (name, String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(found.into_iter().map(text).collect())
}

/// Largest size of a manifest or lock file, in bytes.
const MANIFEST_LIMIT: u64 = 8 << 20;

/// Hash of a tar file's entries: names, kinds, contents, links and whether a file may be executed.
pub(crate) fn tree_hash(source: &Path) -> Result<String, Error> {
    let failed = |why| Error::io("read", source)(why);
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &[u8]| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    let file = File::open(source).map_err(Error::io("open", source))?;
    let mut archive = tar::Archive::new(BufReader::new(file));
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let header = entry.header();
        let (kind, mode) = (header.entry_type(), header.mode().map_err(failed)?);
        add(&[kind.as_byte(), u8::from(mode & 0o100 != 0)]);
        add(&entry.path_bytes());
        add(&entry.link_name_bytes().unwrap_or_default());
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(failed)?;
        add(&bytes);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn is_executable(meta: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    meta.permissions().mode() & 0o100 != 0
}

/// Names in `folder`, sorted. A name that is not UTF-8 is an error.
pub(crate) fn sorted_names(folder: &Path) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::io("list", folder))? {
        let entry = entry.map_err(Error::io("list", folder))?;
        let name = entry.file_name().into_string();
        names.push(name.map_err(|n| Error::suite(&folder.join(n), "the name is not UTF-8"))?);
    }
    names.sort();
    Ok(names)
}

/// `path` without `.` parts, or `None` if it is absolute, empty, or contains `..`.
pub(crate) fn relative(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!clean.as_os_str().is_empty()).then_some(clean)
}

/// Index of a snapshot for the host: paths, links, and the text of one file.
#[derive(Debug, Default)]
pub(crate) struct SnapshotIndex {
    /// Regular files and folders.
    pub(crate) paths: BTreeSet<PathBuf>,
    /// Symbolic links and their targets as written.
    pub(crate) symlinks: Vec<(PathBuf, PathBuf)>,
    /// Hard links and their targets as written.
    pub(crate) hard_links: Vec<(PathBuf, PathBuf)>,
    /// Text of the requirements file, if there is a readable one.
    pub(crate) requirements: Option<String>,
}

/// Largest size of a requirements file, in bytes.
const REQUIREMENTS_LIMIT: u64 = 256 << 10;

impl SnapshotIndex {
    /// Reads the names of `snapshot` and the text of its regular file `requirements`.
    pub(crate) fn read(snapshot: &Path, requirements: &str) -> Result<Self, Error> {
        let mut index = Self::default();
        let file = File::open(snapshot).map_err(Error::io("open", snapshot))?;
        let mut archive = tar::Archive::new(BufReader::new(file));
        for entry in archive.entries().map_err(Error::io("read", snapshot))? {
            let mut entry = entry.map_err(Error::io("read", snapshot))?;
            let Some(path) = relative(&entry.path().map_err(Error::io("read", snapshot))?) else {
                continue;
            };
            let target = entry
                .link_name()
                .map_err(Error::io("read", snapshot))?
                .map(|l| l.into_owned());
            match (entry.header().entry_type(), target) {
                (tar::EntryType::Symlink, Some(target)) => index.symlinks.push((path, target)),
                (tar::EntryType::Link, Some(target)) => index.hard_links.push((path, target)),
                (kind, _) => {
                    if kind.is_file() && path == Path::new(requirements) {
                        let mut bytes = Vec::new();
                        let read = (&mut entry)
                            .take(REQUIREMENTS_LIMIT)
                            .read_to_end(&mut bytes);
                        read.map_err(Error::io("read", snapshot))?;
                        index.requirements = Some(String::from_utf8_lossy(&bytes).into_owned());
                    }
                    index.paths.insert(path);
                }
            }
        }
        Ok(index)
    }

    /// Whether `path` or anything below exists.
    pub(crate) fn has(&self, path: &Path) -> bool {
        let below = |p: &PathBuf| p.starts_with(path);
        self.paths.iter().any(below)
            || self
                .symlinks
                .iter()
                .chain(&self.hard_links)
                .any(|(p, _)| below(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_trees_give_equal_bytes_and_hashes() {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().join("t");
        fs::create_dir_all(tree.join("b/__pycache__")).unwrap();
        fs::write(tree.join("b/one.txt"), "1").unwrap();
        fs::write(tree.join("b/__pycache__/x.pyc"), "x").unwrap();
        std::os::unix::fs::symlink("b/one.txt", tree.join("link")).unwrap();
        let pack = |name: &str| {
            let path = dir.path().join(name);
            let mut packer = Packer::create(&path).unwrap();
            packer.tree(Path::new("root"), &tree).unwrap();
            let hash = packer.finish().unwrap();
            (hash, fs::read(path).unwrap())
        };
        assert_eq!(pack("1.tar"), pack("2.tar"));
        let index = SnapshotIndex::read(&dir.path().join("1.tar"), "root/b/one.txt").unwrap();
        assert_eq!(index.requirements.as_deref(), Some("1"));
        assert_eq!(
            index.symlinks,
            [(PathBuf::from("root/link"), PathBuf::from("b/one.txt"))]
        );
        assert!(index.has(Path::new("root/b")) && !index.has(Path::new("root/b/__pycache__")));
    }

    #[test]
    fn tree_hash_follows_name_content_mode() {
        let dir = tempfile::tempdir().unwrap();
        let hash = |name: &str, bytes: &[u8], executable: bool| {
            let path = dir.path().join("x.tar");
            let mut packer = Packer::create(&path).unwrap();
            packer.bytes(Path::new(name), bytes, executable).unwrap();
            packer.finish().unwrap();
            tree_hash(&path).unwrap()
        };
        let one = hash("a", b"1", false);
        assert_eq!(one, hash("a", b"1", false));
        for other in [
            hash("b", b"1", false),
            hash("a", b"2", false),
            hash("a", b"1", true),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn paths_leading_outside_are_rejected() {
        assert_eq!(relative(Path::new("./a/./b")), Some(PathBuf::from("a/b")));
        for bad in ["/a", "../a", "a/../../b", ".", ""] {
            assert_eq!(relative(Path::new(bad)), None, "{bad}");
        }
    }
}
