//! Archives from anywhere, read into memory.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read};

use slope_measure::Limits;
use slope_syntax::Language;
use tar::EntryType;

use crate::Error;
use crate::edit::bad_path;

/// Most files of an archive.
const MAX_FILES: usize = 200_000;
/// Most bytes of an archive after unpacking, with the files that are too large to keep.
const MAX_BYTES: u64 = 2 << 30;
/// Most bytes of files that are kept.
const MAX_KEPT: u64 = 512 << 20;

/// The regular files of a tar archive, which may be compressed by gzip or zstd, by path. Symbolic links, devices
/// and paths that lead out of the archive are left out. Paths lose their first `strip` folders.
pub(super) fn files(
    input: impl BufRead,
    name: &str,
    strip: usize,
) -> Result<BTreeMap<String, Vec<u8>>, Error> {
    read(input, strip).map_err(|source| Error::Archive {
        path: name.to_owned(),
        source,
    })
}

fn read(mut input: impl BufRead, strip: usize) -> io::Result<BTreeMap<String, Vec<u8>>> {
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
    let (mut files, mut kept) = (BTreeMap::new(), 0);
    for (count, entry) in archive.entries()?.enumerate() {
        if count >= MAX_FILES {
            return Err(above(&format!("{MAX_FILES} entries"), "it has"));
        }
        let Some((path, text)) = file(entry?, strip, largest, &files)? else {
            continue;
        };
        kept += text.len() as u64;
        if kept > MAX_KEPT {
            return Err(above(&format!("{MAX_KEPT} bytes"), "its files have"));
        }
        files.insert(path, text);
    }
    Ok(files)
}

fn above(limit: &str, subject: &str) -> io::Error {
    io::Error::other(format!("{subject} more than {limit}"))
}

/// Path and text of an entry; `None` if it is no file of a base.
fn file(
    mut entry: tar::Entry<'_, impl Read>,
    strip: usize,
    largest: u64,
    files: &BTreeMap<String, Vec<u8>>,
) -> io::Result<Option<(String, Vec<u8>)>> {
    let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let path = stripped(&path, strip).filter(|path| bad_path(path).is_none());
    let Some(path) = path.filter(|_| entry.size() <= largest) else {
        return Ok(None);
    };
    let kind = entry.header().entry_type();
    if !matches!(kind, EntryType::Regular | EntryType::Continuous) {
        let text = hard_link(&entry, strip, files);
        return Ok(text.map(|text| (path.to_owned(), text)));
    }
    let mut text = Vec::new();
    entry.read_to_end(&mut text)?;
    Ok(Some((path.to_owned(), text)))
}

/// The text of the earlier file that an entry is a hard link to: another name of it.
fn hard_link(
    entry: &tar::Entry<'_, impl Read>,
    strip: usize,
    files: &BTreeMap<String, Vec<u8>>,
) -> Option<Vec<u8>> {
    let is_link = entry.header().entry_type() == EntryType::Link;
    let target = entry.link_name_bytes().filter(|_| is_link)?;
    let target = String::from_utf8_lossy(&target);
    files.get(stripped(&target, strip)?).cloned()
}

/// A path without its first `strip` folders; `None` if it has no more than these.
fn stripped(path: &str, strip: usize) -> Option<&str> {
    let path = path.trim_start_matches("./");
    (0..strip).try_fold(path, |path, _| Some(path.split_once('/')?.1))
}

#[cfg(test)]
mod tests {
    use super::read;
    use std::io::Write;

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
        let files = read(&bytes[..], 0).unwrap();
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
        let files = read(&builder.into_inner().unwrap()[..], 1).unwrap();
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
        let files = read(&plain[..], 1).unwrap();
        assert_eq!(read(&gzip[..], 1).unwrap(), files);
        assert_eq!(read(&zstd[..], 1).unwrap(), files);
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
        let error = read(&packed[..], 0).unwrap_err().to_string();
        assert!(error.contains("more than"), "{error}");
    }
}
