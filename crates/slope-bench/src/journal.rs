//! The journal of a run: numbered events with a monotonic clock.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slope_store::Error as StoreError;
use slope_store::journal as lines;

use crate::event::{Event, TrialKey};

/// Bytes reserved while a run is executed, so that its journal can still be finished on a full
/// disk.
const RESERVE: usize = 1 << 20;

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Order, from 1; 0 in journals of older versions.
    #[serde(default)]
    pub seq: u64,
    /// Seconds since this execution opened the run, by the system's monotonic clock; `None` in
    /// journals of older versions.
    #[serde(default)]
    pub since_s: Option<f64>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Journal {
    lines: lines::Journal<Entry>,
    opened: Instant,
    last: Mutex<u64>,
    reserve: PathBuf,
}

impl Journal {
    /// Opens or creates the journal at `path`. Returns it with its entries.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<Entry>), StoreError> {
        let (lines, entries) = lines::Journal::<Entry>::open(path)?;
        let numbered = entries.iter().map(|entry| entry.seq).max();
        let last = numbered.unwrap_or(0).max(entries.len() as u64);
        let reserve = path.with_file_name("reserve");
        // Best effort: without space the run has no reserve.
        drop(std::fs::write(&reserve, vec![b'.'; RESERVE]));
        let journal = Self {
            lines,
            opened: Instant::now(),
            last: Mutex::new(last),
            reserve,
        };
        Ok((journal, entries))
    }

    /// Appends an event; it is durable when this returns. On a full disk the reserve is given up for it.
    pub(crate) fn append(&self, event: Event) -> Result<(), StoreError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = Entry {
            seq: *last + 1,
            since_s: Some(self.opened.elapsed().as_secs_f64()),
            event,
        };
        match self.lines.append(&entry) {
            Err(error) if error.is_disk_full() && std::fs::remove_file(&self.reserve).is_ok() => {
                self.lines.append(&entry)?;
            }
            other => other?,
        }
        *last += 1;
        Ok(())
    }

    /// Time since this execution opened the run.
    pub(crate) fn elapsed(&self) -> Duration {
        self.opened.elapsed()
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.reserve));
    }
}

/// Reads a journal without opening it for writing.
///
/// # Errors
/// If the file cannot be read or a complete line is malformed.
pub fn read(path: &Path) -> Result<Vec<Entry>, StoreError> {
    lines::read(path)
}

/// The executions of a run: each from its `opened` on.
pub(crate) fn executions(entries: &[Entry]) -> impl Iterator<Item = &[Entry]> {
    entries
        .chunk_by(|_, next| !matches!(next.event, Event::Opened { .. }))
        .filter(|execution| !execution.is_empty())
}

/// Seconds from one entry of an execution to a later one, by the monotonic clock if both have it.
/// Otherwise by the wall clock, and 0 if that was set back.
pub(crate) fn between(from: &Entry, to: &Entry) -> f64 {
    let seconds = match (from.since_s, to.since_s) {
        (Some(from), Some(to)) => to - from,
        _ => wall(from.event.at(), to.event.at()),
    };
    seconds.max(0.0)
}

fn wall(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64()
}

/// Total seconds of all executions, according to the journal.
pub(crate) fn time_used(entries: &[Entry]) -> f64 {
    executions(entries)
        .filter_map(|execution| Some(between(execution.first()?, execution.last()?)))
        .sum()
}

/// An attempt by trial, checkpoint and number.
type Named = (TrialKey, String, u32);

/// Attempts that began and never ended, each with the seconds that its execution is known to have
/// lasted.
pub(crate) fn interrupted(entries: &[Entry]) -> Vec<(Named, f64)> {
    let mut open: Vec<(Named, f64)> = Vec::new();
    for execution in executions(entries) {
        for entry in execution {
            match &entry.event {
                Event::AttemptStarted {
                    key,
                    checkpoint,
                    number,
                    ..
                } => {
                    let last = execution.last().unwrap_or(entry);
                    let name = (key.clone(), checkpoint.clone(), *number);
                    open.push((name, between(entry, last)));
                }
                Event::AttemptEnded { key, attempt, .. } => {
                    let ended = (key, &attempt.checkpoint, attempt.number);
                    open.retain(|((key, checkpoint, number), _)| {
                        (key, checkpoint, *number) != ended
                    });
                }
                _ => {}
            }
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;

    fn opened(seq: u64, since_s: Option<f64>, at: i64) -> Entry {
        Entry {
            seq,
            since_s,
            event: Event::Opened {
                at: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(at),
                slope_version: "0".into(),
                admission: None,
            },
        }
    }

    fn asked(seq: u64, since_s: Option<f64>, at: i64) -> Entry {
        Entry {
            event: Event::Asked {
                wanted: crate::control::Wanted::Pause,
                at: Timestamp::UNIX_EPOCH + SignedDuration::from_secs(at),
            },
            ..opened(seq, since_s, at)
        }
    }

    #[test]
    fn clock_steps_change_no_duration() {
        // Set back by an hour in the first execution, forward by a year in the second.
        let year = 365 * 86_400;
        let stepped = [
            opened(1, Some(0.0), 10_000),
            asked(2, Some(5.0), 10_000 - 3600),
            opened(3, Some(0.0), 7_000),
            asked(4, Some(2.5), 7_000 + year),
        ];
        assert!((time_used(&stepped) - 7.5).abs() < 1e-9);
        // Journals of older versions have only the wall clock: durations are never negative.
        let old = [opened(0, None, 10_000), asked(0, None, 6_400)];
        assert!(time_used(&old).abs() < 1e-9);
    }

    #[test]
    fn journal_numbering_spans_executions() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal.jsonl");
        for execution in 0..3 {
            let (journal, entries) = Journal::open(&path).unwrap();
            assert_eq!(entries.len(), execution * 2);
            for entry in [opened(9, None, 5), asked(9, None, 1)] {
                journal.append(entry.event).unwrap();
            }
        }
        let entries = read(&path).unwrap();
        let numbers: Vec<u64> = entries.iter().map(|entry| entry.seq).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
        assert_eq!(executions(&entries).count(), 3);
        assert!(!dir.path().join("reserve").exists());
    }
}
