//! Archives from anywhere, read into memory.

use std::io::{self, BufRead, BufReader, Read};

use slope_measure::Limits;
use slope_syntax::Language;
use tar::EntryType;

use super::sources::{Listed, Stored};
use crate::Error;
use crate::edit::bad_path;

/// Most files of an archive.
const MAX_FILES: usize = 200_000;
/// Most bytes of an archive after unpacking, with the files that are too large to keep.
const MAX_BYTES: u64 = 2 << 30;
/// Most bytes of files that are kept.
const MAX_KEPT: u64 = 512 << 20;

/// The regular files and links of a tar archive, which may be compressed by gzip or zstd, by path. Devices and paths
/// that lead out of the archive are left out. Paths lose their first `strip` folders.
pub(super) fn files(input: impl BufRead, name: &str, strip: usize) -> Result<Listed, Error> {
    read(input, strip).map_err(|source| Error::Archive {
        path: name.to_owned(),
        source,
    })
}

fn read(mut input: impl BufRead, strip: usize) -> io::Result<Listed> {
    let start = input.fill_buf()?;
    let unpacked: Box<dyn Read + '_> = if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(flate2::bufread::MultiGzDecoder::new(input))
    } else if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Box::new(zstd::Decoder::with_buffer(input)?)
    } else {
        Box::new(input)
    };
    let mut archive = tar::Archive::new(BufReader::new(unpacked.take(MAX_BYTES)));
    let largest = Language::largest_file(Limits::default().max_bytes) as u64;
    let (mut listed, mut kept) = (Listed::of_texts([].into()), 0);
    for (count, entry) in archive.entries()?.enumerate() {
        if count >= MAX_FILES {
            return Err(above(&format!("{MAX_FILES} entries"), "it has"));
        }
        kept += keep(&mut listed, entry?, strip, largest)?;
        if kept > MAX_KEPT {
            return Err(above(&format!("{MAX_KEPT} bytes"), "its files have"));
        }
    }
    Ok(listed)
}

fn above(limit: &str, subject: &str) -> io::Error {
    io::Error::other(format!("{subject} more than {limit}"))
}

/// Keeps an entry of an archive if it is a file or a link of a base. Returns its size.
fn keep(
    listed: &mut Listed,
    mut entry: tar::Entry<'_, impl Read>,
    strip: usize,
    largest: u64,
) -> io::Result<u64> {
    let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let path = stripped(&path, strip).filter(|path| bad_path(path).is_none());
    let Some(path) = path.filter(|_| entry.size() <= largest) else {
        return Ok(0);
    };
    let path = path.to_owned();
    match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous => {
            let mut text = Vec::new();
            entry.read_to_end(&mut text)?;
            if entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0) {
                listed.extras.executables.insert(path.clone());
            }
            listed.files.insert(path, Stored::Text(text.into()));
        }
        // Another name of an earlier file.
        EntryType::Link => {
            let target = String::from_utf8_lossy(&target(&entry)).into_owned();
            let Some(target) = stripped(&target, strip) else {
                return Ok(0);
            };
            if listed.extras.executables.contains(target) {
                listed.extras.executables.insert(path.clone());
            }
            let same = listed.files.get(target).cloned();
            listed.files.extend(same.map(|same| (path, same)));
        }
        EntryType::Symlink => {
            let target = Stored::Text(target(&entry).into());
            listed.extras.links.insert(path, target);
        }
        _ => {}
    }
    Ok(entry.size())
}

/// What a link leads to.
fn target(entry: &tar::Entry<'_, impl Read>) -> Vec<u8> {
    entry.link_name_bytes().unwrap_or_default().into_owned()
}

/// A path without its first `strip` folders; `None` if it has no more than these.
fn stripped(path: &str, strip: usize) -> Option<&str> {
    let path = path.trim_start_matches("./");
    (0..strip).try_fold(path, |path, _| Some(path.split_once('/')?.1))
}

#[cfg(test)]
mod tests {
    use super::{Stored, read};
    use std::collections::BTreeMap;
    use std::io::Write;

    /// Files by path.
    fn files(archive: &[u8], strip: usize) -> BTreeMap<String, Vec<u8>> {
        let text = |stored: Stored| match stored {
            Stored::Text(text) => text.to_vec(),
            _ => Vec::new(),
        };
        let files = read(archive, strip).unwrap().files.into_iter();
        files.map(|(path, stored)| (path, text(stored))).collect()
    }

    fn tar(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, text) in entries {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_cksum();
            builder.append(&header, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn files_outside_an_archive_are_left_out() {
        let bytes = tar(&[
            ("a.py", "x"),
            ("../b.py", "x"),
            ("/c.py", "x"),
            ("./d/e.py", "x"),
        ]);
        let files = files(&bytes, 0);
        assert_eq!(files.keys().collect::<Vec<_>>(), ["a.py", "d/e.py"]);
    }

    #[test]
    fn hard_links_are_files() {
        let mut builder = tar::Builder::new(tar(&[("p/a.py", "x = 1\n")]));
        // The archive goes on after the first file.
        builder.get_mut().truncate(1_024);
        for (name, target) in [("p/b.py", "p/a.py"), ("p/c.py", "p/none.py")] {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(tar::EntryType::Link);
            header.set_size(0);
            builder.append_link(&mut header, name, target).unwrap();
        }
        let files = files(&builder.into_inner().unwrap(), 1);
        assert_eq!(files.keys().collect::<Vec<_>>(), ["a.py", "b.py"]);
        assert_eq!(files["a.py"], files["b.py"]);
    }

    #[test]
    fn compressed_archives_have_the_same_files() {
        let plain = tar(&[("p/a.py", "x = 1\n"), ("p/b.py", "y = 2\n")]);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&plain).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = zstd::encode_all(&plain[..], 1).unwrap();
        let wanted = files(&plain, 1);
        assert_eq!(files(&gzip, 1), wanted);
        assert_eq!(files(&zstd, 1), wanted);
    }

    #[test]
    fn archives_that_explode_are_refused() {
        let mut builder = tar::Builder::new(Vec::new());
        let zeros = vec![0; 4 << 20];
        for number in 0..150 {
            let mut header = tar::Header::new_gnu();
            header.set_size(zeros.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            let name = format!("{number}.py");
            builder.append_data(&mut header, name, &zeros[..]).unwrap();
        }
        let packed = zstd::encode_all(&builder.into_inner().unwrap()[..], 1).unwrap();
        assert!(packed.len() < 1 << 20);
        let error = read(&packed[..], 0).err().unwrap().to_string();
        assert!(error.contains("more than"), "{error}");
    }
}
