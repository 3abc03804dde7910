//! Plain files: others may block a reader for ever.

use std::io;
use std::path::Path;

/// Refuses a pipe, a device or a folder before it is opened. A link is followed, because the user names the path.
pub(crate) fn check(path: &Path) -> io::Result<()> {
    if std::fs::metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is not a plain file"))
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn only_plain_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let pipe = folder.path().join("pipe");
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert!(check(&file).is_ok());
        for other in [&pipe, folder.path(), "/dev/zero".as_ref()] {
            assert!(check(other).is_err(), "{}", other.display());
        }
    }
}
