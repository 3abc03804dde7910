//! The conversation of an attempt, which the next checkpoint may continue.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Component, Path, PathBuf};

use slope_store::Error as StoreError;
use slope_store::atomic::Pending;
use tar::{Archive, Builder, Entry, EntryType, Header};

use crate::Error;

/// File in an attempt's folder with the part of its home that contains its conversation.
const FILE: &str = "conversation.tar";
/// Largest size of a conversation in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// The file with the conversation of the attempt in `folder`; `None` if it left none.
pub(crate) fn of_attempt(folder: &Path) -> Option<PathBuf> {
    let file = folder.join(FILE);
    file.exists().then_some(file)
}

/// Keeps what an agent left in its home, packed in `home`, at or below the relative paths `files`. Returns a note if
/// there is nothing to continue later.
///
/// # Errors
/// If the archive cannot be read or the conversation cannot be written.
pub(super) fn keep(home: &Path, files: &[PathBuf], folder: &Path) -> Result<Option<String>, Error> {
    let file = folder.join(FILE);
    let mut kept = Builder::new(Pending::new(&file)?);
    let mut left = MOST_BYTES;
    let mut is_empty = true;
    let packed = each_file(home, |path, entry| {
        if !files.iter().any(|files| path.starts_with(files)) {
            return Ok(());
        }
        let size = entry.header().size()?;
        left = left.checked_sub(size).ok_or_else(too_large)?;
        is_empty = false;
        append(&mut kept, path, entry)
    });
    match packed {
        Ok(()) if is_empty => return Ok(Some("the agent kept no conversation".to_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
            return Ok(Some(format!("the conversation is not kept: {error}")));
        }
        packed => packed.map_err(StoreError::io("cannot pack", &file))?,
    }
    let pending = kept.into_inner();
    pending
        .map_err(StoreError::io("cannot pack", &file))?
        .sync()?
        .keep()?;
    Ok(None)
}

/// Adds the files of a conversation to an archive, except those named `taken`.
pub(crate) fn add(
    conversation: &Path,
    taken: &[PathBuf],
    tar: &mut Builder<impl Write>,
) -> std::io::Result<()> {
    each_file(conversation, |path, entry| {
        if taken.iter().any(|taken| taken == path) {
            return Ok(());
        }
        append(tar, path, entry)
    })
}

fn append(
    tar: &mut Builder<impl Write>,
    path: &Path,
    entry: &mut Entry<'_, BufReader<File>>,
) -> std::io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_mode(0o600);
    header.set_size(entry.size());
    tar.append_data(&mut header, path, entry)
}

/// Calls `take` with the path and content of each plain file of an archive. An agent made what is in it, so links and
/// paths that lead elsewhere are left out.
fn each_file(
    tar: &Path,
    mut take: impl FnMut(&Path, &mut Entry<'_, BufReader<File>>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut archive = Archive::new(BufReader::new(File::open(tar)?));
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let is_inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if entry.header().entry_type() == EntryType::Regular && is_inside {
            take(&path, &mut entry)?;
        }
    }
    Ok(())
}

fn too_large() -> std::io::Error {
    std::io::Error::new(
        std::io::ErrorKind::FileTooLarge,
        format!("it is larger than {} MiB", MOST_BYTES >> 20),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn home(path: &Path, entries: &[(&str, EntryType, &[u8])]) {
        let mut tar = Builder::new(File::create(path).unwrap());
        for (name, kind, content) in entries {
            let mut header = Header::new_gnu();
            header.set_entry_type(*kind);
            header.set_size(content.len() as u64);
            // The builder refuses `..`, which an agent's archive may have.
            let field = &mut header.as_old_mut().name;
            field[..name.len()].copy_from_slice(name.as_bytes());
            if *kind == EntryType::Symlink {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.set_cksum();
            tar.append(&header, *content).unwrap();
        }
        tar.finish().unwrap();
    }

    fn names(tar: &Path) -> Vec<String> {
        let mut archive = Archive::new(File::open(tar).unwrap());
        let entries = archive.entries().unwrap();
        entries
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect()
    }

    #[test]
    fn only_plain_files_of_conversation_stay() {
        let dir = tempfile::tempdir().unwrap();
        let after = dir.path().join("after.tar");
        home(
            &after,
            &[
                (".codex/sessions/one.jsonl", EntryType::Regular, b"1"),
                (".codex/sessions/link", EntryType::Symlink, b""),
                (".codex/sessions/../../up", EntryType::Regular, b"1"),
                (".codex/config.toml", EntryType::Regular, b"1"),
                (".codex/sessions-of-others", EntryType::Regular, b"1"),
            ],
        );
        let files = [PathBuf::from(".codex/sessions")];
        let note = keep(&after, &files, dir.path()).unwrap();
        assert_eq!(note, None);
        let kept = of_attempt(dir.path()).unwrap();
        assert_eq!(names(&kept), [".codex/sessions/one.jsonl"]);
    }

    #[test]
    fn home_without_conversation_has_a_note() {
        let dir = tempfile::tempdir().unwrap();
        let after = dir.path().join("after.tar");
        home(&after, &[("notes.md", EntryType::Regular, b"1")]);
        let files = [PathBuf::from(".codex/sessions")];
        let note = keep(&after, &files, dir.path()).unwrap();
        assert_eq!(note.as_deref(), Some("the agent kept no conversation"));
        assert_eq!(of_attempt(dir.path()), None);
    }

    #[test]
    fn settings_win_over_kept_files() {
        let dir = tempfile::tempdir().unwrap();
        let kept = dir.path().join("kept.tar");
        home(
            &kept,
            &[
                (".qwen/settings.json", EntryType::Regular, b"old"),
                (".qwen/chats/one", EntryType::Regular, b"1"),
            ],
        );
        let new = dir.path().join("home.tar");
        let settings = (PathBuf::from(".qwen/settings.json"), b"new".to_vec());
        crate::pack::home(&new, &[settings], Some(&kept)).unwrap();
        assert_eq!(names(&new), [".qwen/chats/one", ".qwen/settings.json"]);
    }
}
