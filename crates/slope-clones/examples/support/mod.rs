//! What the examples share.

#![allow(dead_code, reason = "each example uses its part of it")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use slope_clones::FileClones;
use slope_syntax::{Language, Limits, SyntaxTree, parse};

/// Files below a folder of languages that slope knows, in order of their paths.
pub(crate) fn source_files(root: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.as_ref().to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries
            .map(|entry| entry.path())
            .filter(|p| !p.is_symlink())
        {
            if path.is_dir() {
                folders.push(path);
            } else if Language::of_path(&path).is_some() {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Parses a file and hands the tree on, if there is one.
pub(crate) fn each_tree(path: &Path, then: impl FnOnce(&SyntaxTree)) {
    let bytes = std::fs::read(path).ok();
    let language = Language::of_path(path);
    if let (Some(bytes), Some(language)) = (bytes, language)
        && let Ok(tree) = parse(language, &bytes, &Limits::default())
    {
        then(&tree);
    }
}

/// CPU time of this thread.
pub(crate) fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or(0),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    )
}

/// Memory that the facts of a file take.
pub(crate) fn bytes(file: &FileClones) -> usize {
    size_of_val(file)
        + size_of_val(&file.units[..])
        + size_of_val(&file.statements[..])
        + size_of_val(&file.tokens[..])
}
