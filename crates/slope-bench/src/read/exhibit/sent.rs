//! Details of trials for a server, which shows a checkpoint at a time and has more room for it.

use slope_model::exhibit::{CheckpointExhibit, Held, Listed, Room, Step};
use slope_model::run::{CheckpointReport, RunReport, TrialReport};
use slope_model::sent_run::CheckpointPlace;

use super::own::Own;
use super::tree::Tree;
use super::{changed, cut, whole};

/// Bytes of a checkpoint's details without steps.
const ROOM: usize = 320_000;

/// The details of a checkpoint, and its steps.
pub struct CheckpointMaterial {
    /// The checkpoint.
    pub place: CheckpointPlace,
    /// Changes with the checkpoint's report.
    pub digest: String,
    /// Details without steps: only their number, or the reason that they are missing.
    pub details: CheckpointExhibit,
    /// The steps.
    pub steps: Vec<Step>,
}

/// A text that changes with a checkpoint's report.
#[must_use]
pub fn checkpoint_digest(checkpoint: &CheckpointReport) -> String {
    let text = serde_json::to_vec(checkpoint).unwrap_or_default();
    blake3::hash(&text).to_hex()[..32].to_owned()
}

/// Reads the details of the checkpoints that `wants` names, one after another, and hands them to `take`.
///
/// # Errors
/// The first error of `take`.
pub fn send_details<E>(
    report: &RunReport,
    wants: impl Fn(&CheckpointPlace, &str) -> bool,
    mut take: impl FnMut(CheckpointMaterial) -> Result<(), E>,
) -> Result<(), E> {
    let own = Own::open(&report.run);
    for trial in &report.trials {
        let wanted: Vec<Option<(CheckpointPlace, String)>> = trial
            .checkpoints
            .iter()
            .map(|one| wanted(trial, one, &wants))
            .collect();
        let mut before: Option<Held<Tree>> = Some(Ok(Tree::default()));
        for (at, checkpoint) in trial.checkpoints.iter().enumerate() {
            let is_next = wanted.get(at + 1).is_some_and(Option::is_some);
            let mine = wanted[at].clone();
            if mine.is_none() && !is_next {
                before = None;
                continue;
            }
            let mut whole = whole(
                report,
                trial,
                own.as_ref(),
                &checkpoint.checkpoint,
                Step::MAX_SENT_TEXT,
            );
            let tree_before = whole.start.take().or_else(|| before.take());
            if let Some((place, digest)) = mine {
                let room = Room {
                    checkpoints: 1,
                    bytes: ROOM,
                };
                let unread = || Err("the workspace before was not read".to_owned());
                let changes = changed(&tree_before.unwrap_or_else(unread), &whole.tree, room);
                let mut details = cut(&whole, changes, room);
                let steps = whole.steps.clone().unwrap_or_default();
                details.steps = whole
                    .steps
                    .as_ref()
                    .map_err(Clone::clone)
                    .map(|all| Listed {
                        items: Vec::new(),
                        left_out: all.len(),
                    });
                take(CheckpointMaterial {
                    place,
                    digest,
                    details,
                    steps,
                })?;
            }
            before = Some(whole.tree);
        }
    }
    Ok(())
}

fn wanted(
    trial: &TrialReport,
    checkpoint: &CheckpointReport,
    wants: &impl Fn(&CheckpointPlace, &str) -> bool,
) -> Option<(CheckpointPlace, String)> {
    let place = CheckpointPlace {
        problem: trial.problem.clone(),
        trial: trial.trial,
        checkpoint: checkpoint.checkpoint.clone(),
    };
    let is_open =
        checkpoint.usage.is_none() && checkpoint.totals.is_none() && checkpoint.counts.is_empty();
    if is_open {
        return None;
    }
    let digest = checkpoint_digest(checkpoint);
    wants(&place, &digest).then_some((place, digest))
}
