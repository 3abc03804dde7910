//! Events of a run: those in the journal, and progress for a display.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slope_model::run::{Attempt, AttemptState, Spans};
use slope_model::verdict::State;

use crate::admission::Admission;
use crate::status::{Status, Wanted};

/// Identifies a trial: one agent on one problem.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TrialKey {
    /// Problem name.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
}

/// An event that the journal keeps. The journal is the only source of a run's progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A process began to work on the run.
    Opened {
        /// When.
        at: Timestamp,
        /// Version of slope.
        slope_version: String,
        /// Maximum number of concurrent trials and its reason; `None` in journals of older
        /// versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        admission: Option<Admission>,
    },
    /// A request to the run from outside, applied from now on.
    Asked {
        /// Request.
        wanted: Wanted,
        /// When.
        at: Timestamp,
    },
    /// An attempt began. Without a matching [`Event::AttemptEnded`] it was interrupted.
    AttemptStarted {
        /// Trial.
        #[serde(flatten)]
        key: TrialKey,
        /// Checkpoint.
        checkpoint: String,
        /// Number of the attempt at this checkpoint, from 1.
        number: u32,
        /// When.
        at: Timestamp,
    },
    /// An attempt ended; its snapshot is stored.
    AttemptEnded {
        /// Trial.
        #[serde(flatten)]
        key: TrialKey,
        /// The attempt.
        attempt: Box<Attempt>,
        /// When.
        at: Timestamp,
    },
    /// A snapshot was graded; a later grading of the same attempt takes precedence.
    Graded {
        /// Trial.
        #[serde(flatten)]
        key: TrialKey,
        /// Checkpoint.
        checkpoint: String,
        /// Number of the attempt.
        number: u32,
        /// State of the verdict.
        state: State,
        /// File of the verdict, relative to the run directory.
        verdict: PathBuf,
        /// Overhead of the harness beyond the tests: `slot_s` (waiting for a free processor),
        /// `pack_s`, `write_s`.
        #[serde(default, skip_serializing_if = "Spans::is_empty")]
        spans: Spans,
        /// When.
        at: Timestamp,
    },
    /// A snapshot was measured.
    Measured {
        /// Trial.
        #[serde(flatten)]
        key: TrialKey,
        /// Checkpoint.
        checkpoint: String,
        /// Number of the attempt.
        number: u32,
        /// File of the measurement, relative to the run directory.
        measurement: PathBuf,
        /// Its times: `measure_s`, `write_s`, and `journal_s` for the checkpoint's events before.
        #[serde(default, skip_serializing_if = "Spans::is_empty")]
        spans: Spans,
        /// When.
        at: Timestamp,
    },
}

impl Event {
    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Opened { at, .. }
            | Self::Asked { at, .. }
            | Self::AttemptStarted { at, .. }
            | Self::AttemptEnded { at, .. }
            | Self::Graded { at, .. }
            | Self::Measured { at, .. } => *at,
        }
    }
}

/// Phase of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The agent works.
    Agent,
    /// The suite runs.
    Grade,
    /// The snapshot is measured.
    Measure,
}

/// Something a display may show. Nothing depends on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// A tool or environment is being installed.
    Preparing(String),
    /// A checkpoint entered a phase.
    Phase {
        /// Trial.
        key: TrialKey,
        /// Position of the checkpoint, from 1.
        index: u32,
        /// Number of checkpoints of the problem.
        of: u32,
        /// Phase.
        phase: Phase,
    },
    /// An attempt ended.
    Attempted {
        /// Trial.
        key: TrialKey,
        /// Final state.
        state: AttemptState,
        /// Reason, if it did not complete.
        reason: Option<String>,
    },
    /// A checkpoint was graded.
    Graded {
        /// Trial.
        key: TrialKey,
        /// Position of the checkpoint, from 1.
        index: u32,
        /// State of the verdict.
        state: State,
        /// Tests passed and tests in all.
        passed: (u32, u32),
    },
    /// A trial ended.
    TrialEnded {
        /// Trial.
        key: TrialKey,
    },
    /// Status of the whole run, about once a second.
    Status(Box<Status>),
}

/// Receives progress; called from several threads.
pub type Observer<'a> = &'a (dyn Fn(Progress) + Sync);
