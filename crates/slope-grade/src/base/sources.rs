//! Where the files of a base are: in a folder, in a revision, in an archive, or in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use slope_git::{Id, Kind, Reader, Repo};
use slope_measure::{EXCLUDED, Limits};
use slope_store::pack::{Held, Pack};
use slope_syntax::Language;

use super::archive;
use crate::Error;

/// The content of a file.
#[derive(Clone)]
pub(super) enum Stored {
    /// In memory: code, and files of archives.
    Text(Arc<[u8]>),
    /// On disk.
    Disk(PathBuf),
    /// In the repository.
    Blob(Id),
    /// In an index.
    Packed(Arc<Pack>, Held),
}

/// The files of a base before they are read.
pub(super) struct Listed {
    pub(super) files: BTreeMap<String, Stored>,
    pub(super) repo: Option<Repo>,
    pub(super) extras: Extras,
}

/// What a base has besides plain files. Only runs of tests need it.
#[derive(Default)]
pub(super) struct Extras {
    /// Symbolic links, with their targets as content.
    pub(super) links: BTreeMap<String, Stored>,
    /// Paths of executable files.
    pub(super) executables: BTreeSet<String>,
    /// The tree of a revision, which has the executable files.
    pub(super) tree: Option<Id>,
}

impl Listed {
    /// Files that are in memory.
    pub(super) fn of_texts(files: BTreeMap<String, Vec<u8>>) -> Self {
        let stored = |(path, text): (String, Vec<u8>)| (path, Stored::Text(text.into()));
        Self {
            files: files.into_iter().map(stored).collect(),
            repo: None,
            extras: Extras::default(),
        }
    }
}

/// The files of a folder, of a revision as `PATH@REVISION`, or of an archive.
/// Paths in an archive lose their first `strip` folders.
pub(super) fn list(name: &str, strip: usize) -> Result<Listed, Error> {
    let place = Path::new(name);
    if place.is_dir() {
        return Ok(of_folder(place));
    }
    if place.is_file() {
        let file = File::open(place).map_err(cannot_read(place))?;
        return archive::files(BufReader::new(file), name, strip);
    }
    let Some((path, revision)) = name
        .rsplit_once('@')
        .filter(|(path, _)| Path::new(path).is_dir())
    else {
        let source = place.read_dir().err();
        let not_a_folder = || std::io::Error::other("it is not a folder");
        return Err(cannot_read(place)(source.unwrap_or_else(not_a_folder)));
    };
    let repo = Repo::open(Path::new(path))?;
    let mut listed = Listed::of_texts(BTreeMap::new());
    {
        let reader = repo.reader();
        let commit = reader.commit(reader.resolve(revision)?)?;
        for entry in reader.files(commit.tree, &|_| true)? {
            let stored = Stored::Blob(entry.id);
            match entry.kind {
                Kind::File => drop(listed.files.insert(entry.path, stored)),
                Kind::Link => drop(listed.extras.links.insert(entry.path, stored)),
                Kind::Submodule => {}
            }
        }
        listed.extras.tree = Some(commit.tree);
    }
    listed.repo = Some(repo);
    Ok(listed)
}

fn cannot_read(path: &Path) -> impl Fn(std::io::Error) -> Error {
    let path = path.display().to_string();
    move |source| Error::Folder {
        path: path.clone(),
        source,
    }
}

/// Regular files of a folder, by path relative to it, and its links, which are not followed.
fn of_folder(folder: &Path) -> Listed {
    let is_entered = |entry: &ignore::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !EXCLUDED.contains(&name.as_ref())
    };
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .follow_links(false)
        .filter_entry(is_entered)
        .build();
    let mut listed = Listed::of_texts(BTreeMap::new());
    for entry in walk.flatten() {
        let path = entry.path().strip_prefix(folder).ok();
        let path = path.and_then(|path| Some(path.to_str()?.replace('\\', "/")));
        let (Some(path), Some(kind)) = (path, entry.file_type()) else {
            continue;
        };
        if kind.is_symlink() {
            let target = std::fs::read_link(entry.path()).ok();
            if let Some(target) = target.as_ref().and_then(|target| target.to_str()) {
                let target = Stored::Text(target.as_bytes().into());
                listed.extras.links.insert(path, target);
            }
        } else if kind.is_file() {
            if is_executable(&entry) {
                listed.extras.executables.insert(path.clone());
            }
            listed.files.insert(path, Stored::Disk(entry.into_path()));
        }
    }
    listed
}

#[cfg(unix)]
fn is_executable(entry: &ignore::DirEntry) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let meta = entry.metadata();
    meta.is_ok_and(|meta| meta.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &ignore::DirEntry) -> bool {
    false
}

/// The content of a file.
pub(super) fn bytes(
    stored: &Stored,
    reader: Option<&Reader>,
    path: &str,
) -> Result<Arc<[u8]>, Error> {
    match (stored, reader) {
        (Stored::Text(bytes), _) => Ok(bytes.clone()),
        (Stored::Blob(id), Some(reader)) => Ok(reader.blob(*id, path)?.into()),
        (Stored::Blob(_), None) => Ok(Arc::from([])),
        (Stored::Packed(pack, held), _) => {
            let text = pack.read(*held).map(Arc::from);
            text.ok_or_else(|| cannot_read(path.as_ref())(std::io::ErrorKind::InvalidData.into()))
        }
        (Stored::Disk(file), _) => Ok(read_file(file).map_err(cannot_read(file))?.into()),
    }
}

/// The content of a file; of one that is too large to be measured or changed, a beginning that is too large.
fn read_file(file: &Path) -> std::io::Result<Vec<u8>> {
    let most = Language::largest_file(Limits::default().max_bytes) as u64 + 1;
    let mut content = Vec::new();
    File::open(file)?.take(most).read_to_end(&mut content)?;
    Ok(content)
}
