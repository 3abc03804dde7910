//! An append-only list of events that survives `kill -9`.
//!
//! One JSON object per line. An incomplete line of a killed writer is cut off when the journal is
//! opened for writing, and skipped by readers: its event did not happen. A malformed line anywhere
//! else is an error, since a journal is never edited.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// An open journal of events `T`.
#[derive(Debug)]
pub struct Journal<T> {
    file: Mutex<File>,
    path: PathBuf,
    events: PhantomData<fn(T)>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Opens or creates the journal. Returns it with its events.
    ///
    /// # Errors
    /// If the file cannot be read or written, or a complete line is malformed.
    pub fn open(path: &Path) -> Result<(Self, Vec<T>), Error> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(Error::io("cannot open", path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .map_err(Error::io("cannot read", path))?;
        let whole = whole_lines(&text);
        if whole < text.len() {
            file.set_len(whole as u64)
                .map_err(Error::io("cannot mend", path))?;
            file.seek(SeekFrom::End(0))
                .map_err(Error::io("cannot mend", path))?;
        }
        let events = parse(path, &text[..whole])?;
        let journal = Self {
            file: Mutex::new(file),
            path: path.to_owned(),
            events: PhantomData,
        };
        Ok((journal, events))
    }

    /// Appends one event; it is durable when this returns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&self, event: &T) -> Result<(), Error> {
        let mut line = serde_json::to_vec(event)
            .map_err(|e| Error::io("cannot serialise for", &self.path)(std::io::Error::other(e)))?;
        line.push(b'\n');
        let mut file = self
            .file
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let before = file
            .metadata()
            .map_err(Error::io("cannot read", &self.path))?
            .len();
        let written = file.write_all(&line).and_then(|()| file.sync_data());
        if written.is_err() {
            // A disk may be full in the middle of a line, to which the next one must not be
            // appended. If even this fails, opening the journal repairs the incomplete line.
            drop(file.set_len(before));
        }
        written.map_err(Error::io("cannot append to", &self.path))
    }
}

/// Reads the events of a journal without opening it for writing.
///
/// # Errors
/// If the file cannot be read or a complete line is malformed.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let text = std::fs::read(path).map_err(Error::io("cannot read", path))?;
    parse(path, &text[..whole_lines(&text)])
}

/// Length of the part that ends with a newline.
fn whole_lines(text: &[u8]) -> usize {
    text.iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1)
}

fn parse<T: DeserializeOwned>(path: &Path, text: &[u8]) -> Result<Vec<T>, Error> {
    text.split(|&b| b == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(at, line)| {
            serde_json::from_slice(line).map_err(|e| Error::Malformed {
                path: path.to_owned(),
                line: at + 1,
                message: format!("not an event of this version of slope: {e}"),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(dir: &tempfile::TempDir) -> PathBuf {
        dir.path().join("journal.jsonl")
    }

    #[test]
    fn events_keep_order_after_reopening() {
        let dir = tempfile::tempdir().unwrap();
        let (journal, events) = Journal::<u32>::open(&path(&dir)).unwrap();
        assert!(events.is_empty());
        journal.append(&1).unwrap();
        journal.append(&2).unwrap();
        drop(journal);
        let (journal, events) = Journal::<u32>::open(&path(&dir)).unwrap();
        assert_eq!(events, [1, 2]);
        journal.append(&3).unwrap();
        assert_eq!(read::<u32>(&path(&dir)).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn torn_last_line_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(path(&dir), "1\n2\n{\"half").unwrap();
        assert_eq!(read::<u32>(&path(&dir)).unwrap(), [1, 2]);
        let (journal, events) = Journal::<u32>::open(&path(&dir)).unwrap();
        assert_eq!(events, [1, 2]);
        journal.append(&3).unwrap();
        assert_eq!(read::<u32>(&path(&dir)).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn malformed_middle_line_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(path(&dir), "1\nx\n3\n").unwrap();
        let message = read::<u32>(&path(&dir)).unwrap_err().to_string();
        assert!(message.contains("journal.jsonl:2:"), "{message}");
    }
}
