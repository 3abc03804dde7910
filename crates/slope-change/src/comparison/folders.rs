//! Two folders.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use slope_measure::{Content, Measurer};

use crate::Error;
use crate::contents::{Contents, unread, unread_notes};

/// The files of two folders.
pub(super) struct FolderChange {
    /// Files of the earlier folder.
    pub(super) before: Vec<(String, Content)>,
    /// Files that differ, in their later state.
    pub(super) after: Contents,
    /// Number of compared files.
    pub(super) files: usize,
    /// Compared files that could not be measured.
    pub(super) unread: Vec<String>,
    pub(super) notes: Vec<String>,
    /// Files in unsupported languages that differ.
    pub(super) others: Vec<String>,
    /// Files that are there in both and measured only in the earlier one, each with the reason.
    pub(super) hidden: Vec<(String, String)>,
}

/// Compares two folders. A file that is equal in both is not part of the change, unless slope measures only one of
/// them.
pub(super) fn compare(
    measurer: &Measurer,
    base: &Path,
    head: &Path,
) -> Result<FolderChange, Error> {
    let old = measurer.contents_of_dir(base)?;
    let new = measurer.contents_of_dir(head)?;
    let mut others = [old.others, new.others].concat();
    others.sort();
    others.dedup();
    others.retain(|path| differs(base, head, path));
    let gone = old.files.iter();
    let mut after: Contents = gone
        .map(|(path, _)| (path.clone(), Content::Nothing))
        .collect();
    let measured: BTreeSet<&String> = new.files.iter().map(|(path, _)| path).collect();
    let hidden = old
        .files
        .iter()
        .filter(|(path, _)| !measured.contains(path));
    let hidden = hidden.filter_map(|(path, _)| {
        let metadata = fs::symlink_metadata(head.join(path)).ok()?;
        let reason = if metadata.is_symlink() {
            "it is now a symbolic link"
        } else {
            "an ignore file, its folder or its first line keeps slope from it"
        };
        Some((path.clone(), reason.to_owned()))
    });
    let hidden = hidden.collect();
    let in_old = |path: &String| after.contains_key(path);
    let paths = new.files.iter().map(|(path, _)| path);
    let same: BTreeSet<String> = paths
        .filter(|path| in_old(path) && !differs(base, head, path))
        .cloned()
        .collect();
    after.extend(new.files);
    let (files, unread, notes) = (after.len(), unread(&after), unread_notes(&after));
    after.retain(|path, _| !same.contains(path));
    Ok(FolderChange {
        before: old.files,
        after,
        files,
        unread,
        notes,
        others,
        hidden,
    })
}

/// Whether a file differs between two folders, or is a regular file in only one of them.
fn differs(base: &Path, head: &Path, path: &str) -> bool {
    let open = |folder: &Path| {
        let path = folder.join(path);
        // Untrusted folders may contain links and devices.
        let metadata = fs::symlink_metadata(&path).ok().filter(Metadata::is_file)?;
        Some((metadata.len(), File::open(path).ok()?))
    };
    let (Some((old_len, old)), Some((new_len, new))) = (open(base), open(head)) else {
        return true;
    };
    old_len != new_len || !is_same_content(old, new).unwrap_or(false)
}

/// Whether two files of equal length have the same content. Reads both in chunks.
fn is_same_content(old: File, new: File) -> io::Result<bool> {
    let (mut old, mut new) = (BufReader::new(old), BufReader::new(new));
    loop {
        let (a, b) = (old.fill_buf()?, new.fill_buf()?);
        let shared = a.len().min(b.len());
        if shared == 0 {
            return Ok(a.len() == b.len());
        }
        if a[..shared] != b[..shared] {
            return Ok(false);
        }
        old.consume(shared);
        new.consume(shared);
    }
}
