//! Turns an assessment into a verdict.

use std::path::{Component, Path};

use slope_model::integrity::Sighting;
use slope_model::verdict::{Outcome, State, Verdict};

use crate::archive::SnapshotIndex;
use crate::stability::Assessment;

/// The verdict on `checkpoint`, with observations about the workspace and the suite's runs.
pub(crate) fn conclude(
    checkpoint: &str,
    assessment: Assessment,
    noticed: Vec<Sighting>,
) -> Verdict {
    let mut verdict = Verdict::from_tests(checkpoint, assessment.results);
    if let Some(why) = assessment.infrastructure {
        verdict.state = State::Infrastructure;
        verdict.reason = Some(why);
    }
    let unstable = unstable_note(&verdict);
    let all = noticed.into_iter().chain(assessment.notes).chain(unstable);
    verdict.integrity = all.collect();
    verdict.integrity.sort();
    verdict.integrity.dedup();
    verdict
}

/// The note about tests whose outcome changes from run to run, for example if a program guesses.
fn unstable_note(verdict: &Verdict) -> Option<Sighting> {
    let tests = verdict.tests.iter();
    let unstable: Vec<String> = tests
        .filter(|t| t.outcome == Outcome::Unstable)
        .map(|t| format!("{}::{}", t.checkpoint, t.id))
        .collect();
    let text = match unstable.len() {
        0 => return None,
        1 => "1 test had different outcomes on the same snapshot; it decides nothing".to_owned(),
        n => format!("{n} tests had different outcomes on the same snapshot; they decide nothing"),
    };
    Some(Sighting::noted("unstable-tests", text).showing(unstable))
}

/// Links in a snapshot that lead out of the workspace. A symbolic one may belong to a virtual
/// environment; a hard one cannot come from a file system.
pub(crate) fn link_notes(snapshot: &SnapshotIndex) -> Vec<Sighting> {
    let soft = snapshot
        .symlinks
        .iter()
        .filter(|(path, target)| leads_out(path, target));
    let hard = snapshot
        .hard_links
        .iter()
        .filter(|(_, target)| leads_out(Path::new("x"), target));
    let note = |kind: &str, path: &Path, target: &Path| {
        format!(
            "`{}` is a {kind} that leads out of the workspace, to {}",
            path.display(),
            target.display()
        )
    };
    let soft = soft.map(|(p, t)| Sighting::noted("outside-link", note("symbolic link", p, t)));
    let hard = hard.map(|(p, t)| Sighting::violation("outside-link", note("hard link", p, t)));
    soft.chain(hard).collect()
}

/// Whether the link at `path` (relative to the workspace) with this target leaves the workspace.
fn leads_out(path: &Path, target: &Path) -> bool {
    let mut depth = path.components().count().saturating_sub(1);
    for part in target.components() {
        match part {
            Component::RootDir | Component::Prefix(_) => {
                return !target.starts_with(crate::track::WORKSPACE);
            }
            Component::ParentDir if depth == 0 => return true,
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_targets_are_resolved_lexically() {
        let out = |path: &str, target: &str| leads_out(Path::new(path), Path::new(target));
        assert!(out("a", "/etc/passwd") && out("a", "../x") && out("d/a", "../../x"));
        assert!(!out("d/a", "../x") && !out("a", "/workspace/x") && !out("a", "b/../c"));
    }
}
