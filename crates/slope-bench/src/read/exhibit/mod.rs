//! Reads details of trials from run directories, for reports that show them.

mod changes;
mod own;
mod sent;
mod tree;

use std::path::Path;

use slope_model::exhibit::{
    Changes, CheckpointExhibit, Excerpt, FindingLine, Held, Listed, Room, Step, TestLine,
    TrialExhibit,
};
use slope_model::run::{RunReport, TrialReport};

use crate::event::TrialKey;
pub(crate) use own::Own;
pub(crate) use tree::Tree;

pub use sent::{checkpoint_digest, send_details};

/// A checkpoint's folder, before it is cut to the available space.
pub(crate) struct Whole {
    spec: Held<String>,
    /// The workspace at the start, if it is not that after the checkpoint before.
    start: Option<Held<Tree>>,
    /// The workspace afterwards.
    tree: Held<Tree>,
    tests: Held<Vec<TestLine>>,
    findings: Held<Vec<FindingLine>>,
    steps: Held<Vec<Step>>,
}

impl Whole {
    fn missing(why: &str) -> Self {
        Self {
            spec: Err(why.to_owned()),
            start: None,
            tree: Err(why.to_owned()),
            tests: Err(why.to_owned()),
            findings: Err(why.to_owned()),
            steps: Err(why.to_owned()),
        }
    }
}

/// Reads the details of the trials of `reports` from the runs' directories, within the byte budget.
/// Details that cannot be read carry the reason.
#[must_use]
pub fn exhibits(reports: &[RunReport]) -> Vec<TrialExhibit> {
    let trials = || reports.iter().flat_map(|report| &report.trials);
    let room = Room::of(trials().map(|trial| trial.checkpoints.len()).sum());
    let mut left = room.checkpoints;
    let mut details = Vec::new();
    for report in reports {
        let own = Own::open(&report.run);
        for trial in &report.trials {
            if trial.checkpoints.len() > left {
                return details;
            }
            left -= trial.checkpoints.len();
            details.push(self::trial(report, trial, own.as_ref(), room));
        }
    }
    details
}

fn trial(report: &RunReport, trial: &TrialReport, own: Option<&Own>, room: Room) -> TrialExhibit {
    let mut before: Held<Tree> = Ok(Tree::default());
    let mut checkpoints = Vec::new();
    for checkpoint in &trial.checkpoints {
        let name = &checkpoint.checkpoint;
        let whole = whole(report, trial, own, name, Step::MAX_TEXT);
        let start = whole.start.as_ref().unwrap_or(&before);
        let changes = changed(start, &whole.tree, room);
        checkpoints.push(cut(&whole, changes, room));
        before = whole.tree;
    }
    TrialExhibit {
        run: report.run.clone(),
        problem: trial.problem.clone(),
        trial: trial.trial,
        checkpoints,
    }
}

/// A checkpoint's folder, with steps whose texts have at most `most` bytes.
fn whole(
    report: &RunReport,
    trial: &TrialReport,
    own: Option<&Own>,
    name: &str,
    most: usize,
) -> Whole {
    match own {
        Some(own) => own.checkpoint(key(trial), name, most),
        None => imported(&report.run.join(&trial.problem).join(name), most),
    }
}

fn changed(before: &Held<Tree>, after: &Held<Tree>, room: Room) -> Held<Changes> {
    match (before, after) {
        (Ok(before), Ok(after)) => Ok(changes::between(before, after, room.bytes / 2)),
        (_, Err(why)) => Err(why.clone()),
        (Err(why), Ok(_)) => Err(format!("the workspace before is missing: {why}")),
    }
}

pub(crate) fn key(trial: &TrialReport) -> TrialKey {
    TrialKey {
        problem: trial.problem.clone(),
        trial: trial.trial,
    }
}

/// The published harness's data in a checkpoint's folder.
fn imported(folder: &Path, most: usize) -> Whole {
    if !folder.is_dir() {
        return Whole::missing("there is no folder of this checkpoint");
    }
    let snapshot = folder.join("snapshot");
    Whole {
        spec: slope_published::spec(folder),
        start: None,
        tree: Tree::of_folder(&snapshot),
        tests: slope_published::tests(folder),
        findings: slope_published::findings(folder),
        steps: slope_published::steps(folder, most),
    }
}

/// Cuts `whole` to the byte budget: half of it is for changes, which [`changes`] has cut already.
fn cut(whole: &Whole, changes: Held<Changes>, room: Room) -> CheckpointExhibit {
    let (eighth, fifth) = (room.bytes / 8, room.bytes / 5);
    let test = |test: &TestLine| 30 + test.id.len() + test.message.as_ref().map_or(0, String::len);
    let finding =
        |found: &FindingLine| 40 + found.rule.len() + found.path.len() + found.message.len();
    CheckpointExhibit {
        spec: whole
            .spec
            .as_ref()
            .map_err(Clone::clone)
            .map(|text| Excerpt::of(text, fifth)),
        changes,
        tests: some(&whole.tests, eighth, test),
        findings: some(&whole.findings, eighth / 2, finding),
        steps: some(&whole.steps, eighth, Step::size),
    }
}

fn some<T: Clone>(all: &Held<Vec<T>>, most: usize, size: fn(&T) -> usize) -> Held<Listed<T>> {
    let all = all.as_ref().map_err(Clone::clone)?;
    Ok(Listed::within(all.iter().cloned(), most, size))
}
