//! Plain files of folders that others wrote.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// Opens a plain file. A link is refused, because it may lead to any file of this machine; a pipe or device would block or
/// never end.
///
/// # Errors
/// If there is no such file, it is not plain, or it has more than `most` bytes.
pub fn open(path: &Path, most: u64) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Err(rustix::io::Errno::LOOP) => return Err(io::Error::other("it is a link")),
        opened => File::from(opened?),
    };
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    if about.len() > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(file)
}

/// Reads a plain file, see [`open`].
///
/// # Errors
/// As for [`open`], and if it cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    open(path, most)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| dir.path().join(name));
        std::fs::write(&file, "words").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, fifo, Mode::RWXU, 0).unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"words");
        assert!(read(&file, 4).is_err());
        for other in [link.as_path(), &pipe, dir.path(), Path::new("/dev/zero")] {
            assert!(read(other, 100).is_err(), "{}", other.display());
        }
    }
}
