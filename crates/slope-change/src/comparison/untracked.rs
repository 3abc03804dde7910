//! Untracked files of a worktree.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use slope_measure::{Choice, Selection};
use slope_model::path::shown;

use super::scope::is_config;

/// Name that git never adds: the repository itself or, in a linked worktree or submodule, the file
/// with its place.
const GIT: &str = ".git";

/// Files directly below the root.
pub(super) fn at_top(top: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(top).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files
        .map(|entry| (below("", &entry), entry.path()))
        .collect()
}

/// Untracked files on disk that are measured by their path, or would be except for their name, and settings and ignore
/// files.
pub(super) fn files(
    top: &Path,
    selection: &Selection,
    known: &BTreeSet<String>,
) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), top.to_owned())];
    while let Some((folder, disk)) = open.pop() {
        // Git cannot add files of a folder that cannot be listed.
        let Ok(entries) = std::fs::read_dir(&disk) else {
            continue;
        };
        for entry in entries.flatten().filter(|entry| entry.file_name() != GIT) {
            let path = below(&folder, &entry);
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() && selection.enters(&path) && !is_repository(&entry.path()) {
                open.push((path, entry.path()));
            } else if kind.is_file() && is_new(&path, selection, known) {
                found.push((path, entry.path()));
            }
        }
    }
    found
}

fn below(folder: &str, entry: &DirEntry) -> String {
    let name = entry.file_name();
    let name = shown(&name);
    if folder.is_empty() {
        return name.into_owned();
    }
    format!("{folder}/{name}")
}

fn is_new(path: &str, selection: &Selection, known: &BTreeSet<String>) -> bool {
    let counts = || selection.choice(path) == Choice::Measured || selection.is_steered_by(path);
    let is_left_out = || matches!(selection.choice(path), Choice::Skipped(_));
    let matters = || (is_config(path) || is_left_out()) && !selection.ignores(path);
    !known.contains(path) && (counts() || matters())
}

/// Whether a folder is a separate repository, which is not part of this one. An empty `.git` is not
/// enough: git would add the files there, so it must not hide code.
fn is_repository(folder: &Path) -> bool {
    let git = folder.join(GIT);
    let parts = ["HEAD", "objects", "refs"];
    git.is_dir() && parts.iter().all(|part| git.join(part).exists()) || git.is_file()
}

#[cfg(test)]
mod tests {
    use super::is_repository;

    #[test]
    fn empty_git_folder_is_not_repository() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!is_repository(dir.path()));
        let git = dir.path().join(".git");
        std::fs::create_dir(&git).unwrap();
        assert!(!is_repository(dir.path()));
        std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        std::fs::create_dir(git.join("objects")).unwrap();
        std::fs::create_dir(git.join("refs")).unwrap();
        assert!(is_repository(dir.path()));
    }
}
