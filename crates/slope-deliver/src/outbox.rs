//! The outbox: a file for each message and receiver, written before anything is sent.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use slope_store::{Error, atomic};

use crate::message::Message;

/// A message for a receiver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The message.
    pub message: Message,
    /// Failed tries.
    #[serde(default)]
    pub tries: u32,
    /// Earliest next try, in seconds since 1970.
    #[serde(default)]
    pub next: i64,
    /// Reason of the last failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// When the receiver took it, in seconds since 1970; `None` while it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<i64>,
    /// Whether it is older than the receiver, which does not get it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
}

impl Entry {
    /// Whether it still has to be sent.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.sent.is_none() && !self.skipped
    }
}

/// The messages of one receiver.
#[derive(Debug, Clone)]
pub struct Outbox {
    folder: PathBuf,
}

impl Outbox {
    /// The outbox of the receiver `name` in `folder`. Nothing is read or created yet.
    #[must_use]
    pub fn at(folder: &Path, name: &str) -> Self {
        Self {
            folder: folder.join(name),
        }
    }

    /// Adds the messages that are not there. A new receiver gets only those of the last day.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&self, messages: &[Message], last_day: &str) -> Result<(), Error> {
        let is_new = !self.folder.exists();
        for message in messages {
            let path = self.path(&message.id);
            if path.exists() {
                continue;
            }
            let entry = Entry {
                message: message.clone(),
                tries: 0,
                next: 0,
                fault: None,
                sent: None,
                skipped: is_new && message.date.as_str() < last_day,
            };
            atomic::write_json(&path, &entry)?;
        }
        // Without any message, the receiver is no longer new.
        std::fs::create_dir_all(&self.folder).map_err(|source| cannot_use(&self.folder, source))
    }

    /// The messages, the oldest day first, and the files that are damaged. Those are set aside under another name.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn entries(&self) -> Result<(Vec<Entry>, Vec<PathBuf>), Error> {
        let (mut entries, mut damaged) = (Vec::new(), Vec::new());
        let files = match std::fs::read_dir(&self.folder) {
            Ok(files) => files,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok((entries, damaged)),
            Err(source) => return Err(cannot_use(&self.folder, source)),
        };
        for file in files {
            let path = file
                .map_err(|source| cannot_use(&self.folder, source))?
                .path();
            if path.extension().is_none_or(|end| end != "json") {
                continue;
            }
            match atomic::read_json::<Entry>(&path) {
                Ok(entry) => entries.push(entry),
                Err(Error::Malformed { .. }) => damaged.push(set_aside(&path)?),
                Err(other) => return Err(other),
            }
        }
        entries.sort_by(|a, b| a.message.place().cmp(&b.message.place()));
        damaged.sort();
        Ok((entries, damaged))
    }

    /// Keeps a message with its state.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, entry: &Entry) -> Result<(), Error> {
        atomic::write_json(&self.path(&entry.message.id), entry)
    }

    fn path(&self, id: &str) -> PathBuf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let name: String = id
            .chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect();
        self.folder.join(format!("{name}.json"))
    }
}

fn cannot_use(path: &Path, source: std::io::Error) -> Error {
    Error::Io {
        action: "cannot use",
        path: path.to_owned(),
        source,
    }
}

/// Gives a damaged file another name, so that its message is made again.
fn set_aside(path: &Path) -> Result<PathBuf, Error> {
    let other = path.with_extension("damaged");
    std::fs::rename(path, &other).map_err(|source| cannot_use(path, source))?;
    Ok(other)
}
