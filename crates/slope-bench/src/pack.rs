//! Archives that fill sandboxes, in addition to the workspace.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use slope_store::Error as StoreError;

use crate::Error;
use crate::attempt::conversation;

type Tar = tar::Builder<BufWriter<File>>;

/// Packs the home of an agent: `files`, and the others of a conversation that it continues. Only their owner can read
/// them.
pub(crate) fn home(
    path: &Path,
    files: &[(PathBuf, Vec<u8>)],
    conversation: Option<&Path>,
) -> Result<(), Error> {
    archive(path, |tar| {
        if let Some(conversation) = conversation {
            let taken: Vec<PathBuf> = files.iter().map(|(name, _)| name.clone()).collect();
            conversation::add(conversation, &taken, tar)?;
        }
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_mode(0o600);
            header.set_size(bytes.len() as u64);
            tar.append_data(&mut header, name, bytes.as_slice())?;
        }
        Ok(())
    })
}

/// Packs a program under a name of its own.
pub(crate) fn program(path: &Path, name: &str, source: &Path) -> Result<(), Error> {
    archive(path, |tar| {
        let mut program = File::open(source)?;
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o755);
        header.set_size(program.metadata()?.len());
        tar.append_data(&mut header, name, &mut program)
    })
}

/// Packs a symbolic link to `target` under each of `names`.
pub(crate) fn links(path: &Path, names: &[&str], target: &Path) -> Result<(), Error> {
    archive(path, |tar| {
        for name in names {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_mode(0o777);
            header.set_size(0);
            tar.append_link(&mut header, name, target)?;
        }
        Ok(())
    })
}

/// Packs everything below `folder`, links as links.
pub(crate) fn folder(path: &Path, folder: &Path) -> Result<(), Error> {
    archive(path, |tar| {
        tar.follow_symlinks(false);
        tar.append_dir_all(".", folder)
    })
}

fn archive(path: &Path, fill: impl FnOnce(&mut Tar) -> std::io::Result<()>) -> Result<(), Error> {
    let write = || {
        let mut tar = tar::Builder::new(BufWriter::new(File::create(path)?));
        fill(&mut tar)?;
        tar.into_inner()?.flush()
    };
    write().map_err(|e| StoreError::io("cannot pack", path)(e).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archived_files_are_private_links_preserved() {
        let dir = tempfile::tempdir().unwrap();
        let tar = dir.path().join("x.tar");
        home(&tar, &[("a/key".into(), b"1".to_vec())], None).unwrap();
        let mut archive = tar::Archive::new(File::open(&tar).unwrap());
        let entry = archive.entries().unwrap().next().unwrap().unwrap();
        assert_eq!(entry.header().mode().unwrap(), 0o600);

        let source = dir.path().join("tree");
        std::fs::create_dir(&source).unwrap();
        std::os::unix::fs::symlink("/nowhere", source.join("link")).unwrap();
        folder(&tar, &source).unwrap();
        let mut archive = tar::Archive::new(File::open(&tar).unwrap());
        let kinds: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|e| e.unwrap().header().entry_type())
            .collect();
        assert!(kinds.contains(&tar::EntryType::Symlink), "{kinds:?}");
    }
}
