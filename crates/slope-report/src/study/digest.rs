//! The part of a run's details that a study needs. Messages of tests and functions of snapshots are
//! most of a directory's data; reduced as each run is read, a hundred runs take little memory.

use slope_model::detail::{CheckpointDetail, RunDetail, TrialDetail};
use slope_model::run::{RunReport, TrialReport};

use super::failures::{self, Unsolved};
use super::growth::{self, GrownFunction};
use super::panel::{self, Shares};
use super::sensitivity::{self, Erosions};

/// The part of a run's details that a study needs: one for each trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunDigest {
    /// Digest of each trial.
    pub(super) trials: Vec<TrialDigest>,
}

/// A study's part of the details of a trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TrialDigest {
    /// Digest of each checkpoint.
    pub(super) checkpoints: Vec<CheckpointDigest>,
    /// The graded checkpoints that are not solved, with their classes.
    pub(super) unsolved: Vec<Unsolved>,
    /// The functions that grew most.
    pub(super) grown: Vec<GrownFunction>,
}

/// The part of a checkpoint's details that a study needs, apart from its failures.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CheckpointDigest {
    /// Erosion by every definition; `None` if functions are unknown.
    pub(super) erosions: Option<Erosions>,
    /// Erosion and verbosity by the published definitions.
    pub(super) published: Shares,
}

/// Reduces the details of the run of `report`.
#[must_use]
pub fn digest(report: &RunReport, detail: &RunDetail) -> RunDigest {
    let trials = report.trials.iter().zip(&detail.trials);
    RunDigest {
        trials: trials.map(|(trial, own)| of_trial(trial, own)).collect(),
    }
}

fn of_trial(trial: &TrialReport, detail: &TrialDetail) -> TrialDigest {
    TrialDigest {
        checkpoints: detail.checkpoints.iter().map(of_checkpoint).collect(),
        unsolved: failures::unsolved(trial, &detail.checkpoints),
        grown: growth::of_trial(trial, detail),
    }
}

fn of_checkpoint(detail: &CheckpointDetail) -> CheckpointDigest {
    let functions = detail.functions.as_deref();
    CheckpointDigest {
        erosions: functions.map(sensitivity::erosions),
        published: panel::shares(detail.published.as_ref()),
    }
}
