//! Covers paths that a program must not see, in a mount namespace of its own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::names::Policy;
use crate::mounts::{self, Kind};
use crate::spec::Enclosure;

/// Size of a cover in bytes; it contains only mount points.
const COVER_SIZE: u64 = 4 << 20;
/// Maximum number of entries examined in one passed folder.
const MAX_SEARCHED: usize = 20_000;

/// A passed path although it is below a cover.
struct Passed {
    path: PathBuf,
    tree: OwnedFd,
    kind: Kind,
    /// Files and folders in it that are covered again.
    forbidden: Vec<(PathBuf, Kind)>,
}

/// Covers the hidden paths, re-exposes the program's paths, mounts a fresh `/proc`, and goes to `cwd`.
pub(super) fn cover(
    enclosure: &Enclosure,
    launcher: &Path,
    argv: &[OsString],
    env: &BTreeMap<OsString, OsString>,
    cwd: &Path,
) -> io::Result<()> {
    mounts::make_private()?;
    let hidden = hidden(enclosure, launcher);
    let passable: Vec<PathBuf> = enclosure
        .passable
        .iter()
        .filter_map(|p| fs::canonicalize(p).ok())
        .collect();
    let policy = Policy {
        hidden: &hidden,
        passable: &passable,
        never: &enclosure.never_pass,
    };
    let texts = argv.iter().chain(env.values()).map(OsString::as_os_str);
    let passed = policy
        .passed(texts, cwd)
        .into_iter()
        .map(|path| Passed::open(path, &policy))
        .collect::<io::Result<Vec<_>>>()?;

    let root = File::open("/")?;
    let root = root.as_fd();
    let mut covers = Vec::new();
    for path in &hidden {
        covers.extend(put_cover(root, path)?);
    }
    for passed in passed {
        if hidden.iter().any(|h| passed.path.starts_with(h)) {
            passed.expose(root)?;
        }
    }
    if hidden.iter().any(|h| cwd.starts_with(h) && h.is_dir()) {
        // The folder is kept without its content.
        mounts::place(root, cwd, Kind::Dir)?;
    }
    for cover in &covers {
        mounts::seal(cover.as_fd())?;
    }
    let proc = mounts::new_file_system("proc", &[], true)?;
    mounts::attach_at(proc.as_fd(), root, Path::new("/proc"), Kind::Dir)?;
    // By path, so that no old folder below a cover stays open.
    std::env::set_current_dir(cwd).or_else(|_| std::env::set_current_dir("/"))
}

/// The hidden paths as they are on disk, without those below others.
fn hidden(enclosure: &Enclosure, launcher: &Path) -> Vec<PathBuf> {
    let named = enclosure
        .hidden
        .iter()
        .map(PathBuf::as_path)
        .chain([launcher]);
    let mut all: Vec<PathBuf> = named
        .filter_map(|path| fs::canonicalize(path).ok())
        .collect();
    all.sort();
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in all {
        if !kept.iter().any(|above| path.starts_with(above)) {
            kept.push(path);
        }
    }
    kept
}

/// Covers the path with an empty folder or `/dev/null`. Returns covers that still have to be
/// sealed.
fn put_cover(root: BorrowedFd<'_>, path: &Path) -> io::Result<Option<OwnedFd>> {
    if path.is_dir() {
        let cover = mounts::tmpfs(COVER_SIZE, 0o755)?;
        mounts::attach_at(cover.as_fd(), root, path, Kind::Dir)?;
        return Ok(Some(cover));
    }
    let (null, _) = mounts::clone_tree(Path::new("/dev/null"))?;
    mounts::attach_at(null.as_fd(), root, path, Kind::File)?;
    Ok(None)
}

impl Passed {
    fn open(path: PathBuf, policy: &Policy<'_>) -> io::Result<Self> {
        let (tree, kind) = mounts::clone_tree(&path)?;
        let mut forbidden = Vec::new();
        if kind == Kind::Dir {
            search(&path, policy, &mut forbidden)?;
        }
        Ok(Self {
            path,
            tree,
            kind,
            forbidden,
        })
    }

    fn expose(self, root: BorrowedFd<'_>) -> io::Result<()> {
        mounts::attach_at(self.tree.as_fd(), root, &self.path, self.kind)?;
        for (path, _) in &self.forbidden {
            if let Some(cover) = put_cover(root, path)? {
                mounts::seal(cover.as_fd())?;
            }
        }
        Ok(())
    }
}

/// Finds the forbidden names in a folder to pass.
fn search(
    folder: &Path,
    policy: &Policy<'_>,
    forbidden: &mut Vec<(PathBuf, Kind)>,
) -> io::Result<()> {
    let mut open = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            seen += 1;
            if seen > MAX_SEARCHED {
                let shown = folder.display();
                return Err(io::Error::other(format!(
                    "{shown}: too large to be passed to a program"
                )));
            }
            let kind = entry.file_type()?;
            let name: &OsStr = &entry.file_name();
            if policy.forbidden(name) && !kind.is_symlink() {
                let kind = if kind.is_dir() { Kind::Dir } else { Kind::File };
                forbidden.push((entry.path(), kind));
            } else if kind.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(())
}
