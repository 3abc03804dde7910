//! Finds the rule files of folders, and splits files into documents. Also part of the build script.

use std::path::{Path, PathBuf};

/// The rule files below a folder, by path. Links are not followed.
///
/// # Errors
/// The unreadable folder, with the system's error.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, std::io::Error)> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let failed = |error| (folder.clone(), error);
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            let kind = entry.file_type().map_err(failed)?;
            let yaml = path.extension().is_some_and(|e| e == "yml" || e == "yaml");
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && yaml {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The documents of a file, separated by lines that begin with `---`, each with its first line,
/// from 1. Documents with only comments are left out.
///
/// Such a line cannot be inside a value, because a rule's values are indented.
pub(crate) fn stretches(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut begin = (0, 1);
    let mut offset = 0;
    let mut push = |from: (usize, usize), to: usize| {
        let yaml = &text[from.0..to];
        let blank = |line: &str| {
            let line = line.trim();
            line.is_empty() || line.starts_with('#') || line == "---" || line == "..."
        };
        if !yaml.lines().all(blank) {
            found.push((from.1, yaml));
        }
    };
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let marks = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        if marks && offset > begin.0 {
            push(begin, offset);
            begin = (offset, index + 1);
        }
        offset += line.len();
    }
    push(begin, text.len());
    found
}
