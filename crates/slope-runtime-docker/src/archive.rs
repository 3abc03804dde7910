//! Tar streams for the engine: since it unpacks them as root, they contain only entries that slope
//! would write itself.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use bytes::Bytes;
use slope_sandbox::hosted::tar_header;
use tar::{Archive, Builder, EntryType};
use tokio::sync::mpsc;

/// Bytes in one piece of a stream.
const PIECE: usize = 256 << 10;
/// Pieces that may wait.
const WAITING: usize = 8;

/// A part of an archive for the engine.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// One file with this text.
    Text(PathBuf, String),
    /// Everything in a tar file, below this folder.
    Tar(PathBuf, PathBuf),
}

/// Writes an archive whose entries belong to root and are writable by root only.
pub(crate) fn write(parts: &[Part], out: impl Write) -> io::Result<()> {
    let mut builder = Builder::new(BufWriter::with_capacity(PIECE, out));
    for part in parts {
        match part {
            Part::Text(path, text) => {
                let mut header = tar_header(EntryType::Regular, 0o644, text.len() as u64);
                builder.append_data(&mut header, path, text.as_bytes())?;
            }
            Part::Tar(below, tar) => copy(below, tar, &mut builder)
                .map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", tar.display())))?,
        }
    }
    builder.into_inner()?.flush()
}

fn copy(below: &Path, tar: &Path, builder: &mut Builder<impl Write>) -> io::Result<()> {
    let mut archive = Archive::new(BufReader::with_capacity(PIECE, File::open(tar)?));
    if below != Path::new("") {
        let mut header = tar_header(EntryType::Directory, 0o755, 0);
        builder.append_data(&mut header, below, io::empty())?;
    }
    for entry in archive.entries()? {
        let mut entry = entry?;
        let path = entry.path()?.into_owned();
        let Some(inner) = plain(&path)? else {
            continue;
        };
        let place = below.join(inner);
        let mode = entry.header().mode().unwrap_or(0o644) & 0o755;
        match entry.header().entry_type() {
            EntryType::Directory => {
                let mut header = tar_header(EntryType::Directory, mode | 0o755, 0);
                builder.append_data(&mut header, &place, io::empty())?;
            }
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                // Readable by the sandbox's user, who is not its owner.
                let readable = mode | 0o444 | if mode & 0o100 == 0 { 0 } else { 0o111 };
                let size = entry.size();
                let mut header = tar_header(EntryType::Regular, readable, size);
                builder.append_data(&mut header, &place, (&mut entry).take(size))?;
            }
            EntryType::Symlink => {
                let target = entry.link_name()?.map(|target| target.into_owned());
                let mut header = tar_header(EntryType::Symlink, 0o777, 0);
                builder.append_link(&mut header, &place, target.unwrap_or_default())?;
            }
            EntryType::XGlobalHeader => {}
            kind => {
                let what = format!("{}: {kind:?} cannot be copied", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
    }
    Ok(())
}

/// A path without `.`; `None` for the root itself.
fn plain(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut kept = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(name) => kept.push(name),
            _ => {
                let what = format!("{}: the path leaves the volume", path.display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
    }
    Ok(Some(kept).filter(|kept| kept.as_os_str() != ""))
}

/// The archive as a stream, written by a thread of its own.
pub(crate) fn stream(
    parts: Vec<Part>,
) -> impl futures_util::Stream<Item = io::Result<Bytes>> + Send + 'static {
    let (sender, receiver) = mpsc::channel(WAITING);
    std::thread::spawn(move || {
        let out = Pieces(sender.clone());
        if let Err(e) = write(&parts, out) {
            // A closed receiver has its own error.
            let _ = sender.blocking_send(Err(e));
        }
    });
    futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|piece| (piece, receiver))
    })
}

/// A writer that sends its bytes in pieces.
struct Pieces(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pieces {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Ok(Bytes::copy_from_slice(buf)));
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tar::Header;

    use super::*;

    fn packed(fill: impl FnOnce(&mut Builder<File>)) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("x.tar");
        let mut builder = Builder::new(File::create(&path).expect("a file"));
        fill(&mut builder);
        builder.finish().expect("written");
        (dir, path)
    }

    fn entry(builder: &mut Builder<File>, kind: EntryType, path: &str, mode: u32) {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(1234);
        header.set_size(0);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        builder.append(&header, io::empty()).expect("appended");
    }

    #[test]
    fn archive_entries_belong_to_root() {
        let (_dir, tar) = packed(|b| {
            entry(b, EntryType::Directory, "./", 0o755);
            entry(b, EntryType::Regular, "./a/key", 0o600);
            entry(b, EntryType::Regular, "run", 0o4777);
        });
        let parts = [
            Part::Text("D".into(), "text".to_owned()),
            Part::Tar("below".into(), tar),
        ];
        let mut out = Vec::new();
        write(&parts, &mut out).expect("written");
        let mut archive = Archive::new(out.as_slice());
        let found: Vec<(String, u32, u64)> = archive
            .entries()
            .expect("entries")
            .map(|e| {
                let e = e.expect("an entry");
                let header = e.header();
                let path = e.path().expect("a path").display().to_string();
                (
                    path,
                    header.mode().expect("a mode"),
                    header.uid().expect("an owner"),
                )
            })
            .collect();
        let expected = [
            ("D", 0o644),
            ("below", 0o755),
            ("below/a/key", 0o644),
            ("below/run", 0o755),
        ];
        let expected: Vec<_> = expected
            .map(|(path, mode)| (path.to_owned(), mode, 0))
            .into();
        assert_eq!(found, expected);
    }

    #[test]
    fn entries_outside_volume_are_refused() {
        for (kind, path) in [
            (EntryType::Regular, "../x"),
            (EntryType::Regular, "/etc/passwd"),
            (EntryType::Block, "disk"),
            (EntryType::Link, "hard"),
        ] {
            let (_dir, tar) = packed(|b| entry(b, kind, path, 0o644));
            let error = write(&[Part::Tar(PathBuf::new(), tar)], io::sink()).expect_err(path);
            assert!(error.to_string().contains(path), "{error}");
        }
    }
}
