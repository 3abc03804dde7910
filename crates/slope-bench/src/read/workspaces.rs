//! The code after each checkpoint of a run.

use slope_model::exhibit::Held;
use slope_model::run::RunReport;

use super::exhibit::{Own, Tree, key};

/// The code after the checkpoints of a trial.
pub struct TrialWorkspaces {
    /// The problem.
    pub problem: String,
    /// Number of the trial, from 1.
    pub trial: u32,
    /// Names of the checkpoints with the code after them, or the reason that it is missing.
    pub checkpoints: Vec<(String, Held<Workspace>)>,
}

/// The files of a workspace, read on demand.
pub struct Workspace(Tree);

impl Workspace {
    /// The paths of its files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.files.keys().map(String::as_str)
    }

    /// The content of a file; `None` if there is none, or it cannot be read.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.0.files.get(path)?.bytes().ok()
    }
}

/// The code after each checkpoint of a run, of slope or of the published benchmark's harness.
#[must_use]
pub fn workspaces(report: &RunReport) -> Vec<TrialWorkspaces> {
    let own = Own::open(&report.run);
    let trials = report.trials.iter();
    let of_trial = |trial: &slope_model::run::TrialReport| {
        let tree = |name: &str| match &own {
            Some(own) => own.workspace(&key(trial), name),
            None => {
                let folder = report.run.join(&trial.problem).join(name).join("snapshot");
                if folder.is_dir() {
                    Tree::of_folder(&folder)
                } else {
                    Err("there is no snapshot of this checkpoint".to_owned())
                }
            }
        };
        let checkpoints = trial.checkpoints.iter();
        TrialWorkspaces {
            problem: trial.problem.clone(),
            trial: trial.trial,
            checkpoints: checkpoints
                .map(|it| (it.checkpoint.clone(), tree(&it.checkpoint).map(Workspace)))
                .collect(),
        }
    };
    trials.map(of_trial).collect()
}
